//! The gateway gets SIGTERM or SIGKILL, and another one is started on its database.

use std::time::Duration;

use tokio::time::{sleep, timeout};

use super::Scale;
use crate::checks::{Limits, Outcome};
use crate::ready::Expected;
use crate::seed::Seed;
use crate::world::{Kind, Launch, World};

/// How long a gateway may take to end.
const END: Duration = Duration::from_secs(10);
/// The time between two gateways.
const GAP: Duration = Duration::from_millis(500);

pub(super) async fn terminate(kind: Kind, scale: Scale, seed: &mut Seed) -> Outcome {
    stop(kind, scale, seed, "TERM").await
}

pub(super) async fn kill(kind: Kind, scale: Scale, seed: &mut Seed) -> Outcome {
    stop(kind, scale, seed, "KILL").await
}

async fn stop(kind: Kind, scale: Scale, seed: &mut Seed, signal: &str) -> Outcome {
    let mut world = World::start(kind.database().await, Launch::plain()).await;
    for _ in 0..scale.rounds + 1 {
        sleep(seed.pause(GAP)).await;
        world.watch.expect(Expected::Any);
        world.signal(signal);
        let ended = timeout(END, world.gateway.child.wait())
            .await
            .expect("it does not end")
            .unwrap();
        assert_eq!(ended.success(), signal == "TERM", "{ended}");
        world.watch.becomes(Expected::Down, END).await;
        sleep(seed.pause(GAP)).await;
        world.watch.expect(Expected::Any);
        world.restart(Launch::plain()).await;
        world.recovers().await;
    }
    world.end(Limits::NOTICED).await
}
