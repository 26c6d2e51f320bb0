//! Plays the acquirer: a payment is routed and then completed, so that a newcomer sees one go all its way.

use std::sync::Arc;
use std::time::Duration;

use payspec::State;
use tokio::sync::watch;

use crate::service::{Change, Moved, Service};

/// Payments moved in one round.
const BATCH: i64 = 100;
/// How often it looks.
const LOOK_EVERY: Duration = Duration::from_millis(250);

/// Moves every payment that has been idle or routed for `pause`, until it is told to stop.
///
/// It finds its work in the storage, so a payment goes on after a restart; of several gateways one makes the step.
pub async fn run(service: Arc<Service>, pause: Duration, mut stop: watch::Receiver<bool>) {
    while !*stop.borrow() {
        // The later step first: a payment that is routed in this round is not completed in the same one.
        for (from, to) in [(State::Routed, State::Completed), (State::Idle, State::Routed)] {
            match service.storage.waiting(from.name(), pause, BATCH).await {
                Ok(uids) => {
                    for uid in uids {
                        step(&service, &uid, to).await;
                    }
                }
                Err(error) => tracing::error!(%error, "the demo processor cannot find its payments"),
            }
        }
        tokio::select! {
            () = tokio::time::sleep(LOOK_EVERY) => {}
            _ = stop.changed() => {}
        }
    }
}

async fn step(service: &Service, uid: &str, to: State) {
    let change = Change { to: to.name().to_owned(), ..Change::default() };
    match service.advance(uid, &change).await {
        Ok(Moved::Answer(reply)) if reply.status == 200 => {}
        Ok(Moved::Answer(reply)) => tracing::warn!(uid, status = reply.status, "the demo processor is refused"),
        Ok(Moved::Mistake { path, .. }) => tracing::error!(uid, path, "the demo processor cannot move a payment"),
        Err(error) => tracing::error!(%error, uid, "the demo processor cannot store a step"),
    }
}
