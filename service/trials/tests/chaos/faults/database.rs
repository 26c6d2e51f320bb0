//! The server of the database stops and comes back.

use std::time::Duration;

use tokio::time::sleep;

use super::Scale;
use crate::checks::{Limits, Outcome};
use crate::postgres;
use crate::ready::Expected;
use crate::seed::Seed;
use crate::world::{Kind, Launch, World};

/// How soon `/readyz` must say that there is no database.
const NOTICED: Duration = Duration::from_secs(10);

pub(super) async fn restart(kind: Kind, scale: Scale, seed: &mut Seed) -> Outcome {
    let mut world = World::start(kind.database().await, Launch::plain()).await;
    for _ in 0..scale.rounds {
        // At once, and as in a crash.
        for signal in ["INT", "QUIT"] {
            sleep(seed.pause(Duration::from_millis(500))).await;
            world.watch.expect(Expected::Any);
            postgres::order(signal);
            world.watch.becomes(Expected::NotReady, NOTICED).await;
            sleep(seed.pause(Duration::from_secs(2))).await;
            world.watch.expect(Expected::Any);
            postgres::order("start");
            world.recovers().await;
        }
    }
    world.end(Limits::NOTICED).await
}
