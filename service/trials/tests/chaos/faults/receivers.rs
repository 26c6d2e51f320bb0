//! Receivers of other merchants hang or lie.

use std::time::{Duration, Instant};

use tokio::time::sleep;

use super::Scale;
use super::hostile::{BEHAVIORS, Behavior, Hostile};
use crate::checks::{Limits, Outcome};
use crate::gateway::{self, BODY};
use crate::receiver::Receiver;
use crate::seed::Seed;
use crate::world::{Kind, Launch, World};

/// Payments for each receiver in a round.
const PAYMENTS: usize = 10;
/// How long each of them may take to be called.
const CALLED: Duration = Duration::from_secs(60);
const TIME: Duration = Duration::from_secs(3);

pub(super) async fn run(kind: Kind, scale: Scale, seed: &mut Seed) -> Outcome {
    let mut world = World::start(kind.database().await, Launch::plain()).await;
    let trap = Receiver::start().await;
    let mut merchants = Vec::new();
    for behavior in BEHAVIORS {
        let hostile = Hostile::start(behavior, &trap.url).await;
        let token = gateway::token(&world.database, &format!("{behavior:?}"));
        merchants.push((behavior, hostile, token));
    }
    for _ in 0..scale.rounds {
        seed.shuffle(&mut merchants);
        for (behavior, hostile, token) in &merchants {
            let body = BODY.replace('}', &format!(r#","callback":"{}"}}"#, hostile.url));
            for _ in 0..PAYMENTS {
                let created = world.gateway.create(token, None, &body).await;
                assert_eq!(created.status, 201, "{behavior:?}: {}", created.text);
            }
        }
        sleep(TIME).await;
        world.recovers().await;
    }
    let start = Instant::now();
    while let Some((behavior, ..)) = merchants
        .iter()
        .find(|(_, hostile, _)| hostile.calls() == 0)
    {
        assert!(start.elapsed() < CALLED, "{behavior:?} is never called");
        sleep(Duration::from_millis(100)).await;
    }
    assert!(trap.received().is_empty(), "a redirect is followed");
    for (behavior, _, _) in &merchants {
        let count = async |state: &str| {
            let events = format!(
                "SELECT count(*) FROM outbox WHERE merchant = '{behavior:?}' AND state = '{state}'"
            );
            world.database.count(&events).await
        };
        if *behavior != Behavior::EndlessBody {
            assert_eq!(count("delivered").await, 0, "{behavior:?}");
            continue;
        }
        // 2xx is all that counts; the body is not read. The next event of a payment may follow at
        // any time, so the loop ends at the first moment without one.
        while count("pending").await > 0 {
            assert!(
                start.elapsed() < CALLED,
                "an endless body keeps an event from being delivered"
            );
            sleep(Duration::from_millis(100)).await;
        }
    }
    world.end(Limits::UNNOTICED).await
}
