//! The simulated acquirer: routes each payment and then completes it.

use std::sync::Arc;
use std::time::Duration;

use payspec::State;
use tokio::sync::watch;

use crate::service::{AdvanceResult, Change, Service};
use crate::storage::{Administration, in_time};

/// Payments changed in one round.
const BATCH: i64 = 100;
/// The pause between two rounds.
const POLL_INTERVAL: Duration = Duration::from_millis(250);

/// Advances every payment that has been idle or routed for `pause`, until `stop` is set.
///
/// It finds the payments in the storage, so it continues after a restart. If several gateways find
/// a payment, one changes it.
pub async fn run(
    service: Arc<Service>,
    storage: Arc<dyn Administration>,
    pause: Duration,
    mut stop: watch::Receiver<bool>,
) {
    while !*stop.borrow() {
        // Completes first, so that a payment is not routed and completed in one round.
        for (from, to) in [
            (State::Routed, State::Completed),
            (State::Idle, State::Routed),
        ] {
            match in_time(storage.waiting(from.name(), pause, BATCH)).await {
                Ok(uids) => {
                    for uid in uids {
                        advance(&service, &uid, to).await;
                    }
                }
                Err(error) => {
                    tracing::error!(%error, "the simulated acquirer cannot find payments")
                }
            }
        }
        tokio::select! {
            () = tokio::time::sleep(POLL_INTERVAL) => {}
            _ = stop.changed() => {}
        }
    }
}

async fn advance(service: &Service, uid: &str, to: State) {
    let change = Change {
        to: to.name().to_owned(),
        ..Change::default()
    };
    match in_time(service.advance(uid, &change, None)).await {
        Ok(AdvanceResult::Reply(reply)) if reply.status == 200 => {}
        Ok(AdvanceResult::Reply(reply)) => {
            tracing::warn!(
                uid,
                status = reply.status,
                "a change of the simulated acquirer is rejected"
            )
        }
        Ok(AdvanceResult::InvalidChange { path, .. }) => {
            tracing::error!(uid, path, "a change of the simulated acquirer is invalid")
        }
        Err(error) => {
            tracing::error!(%error, uid, "a change of the simulated acquirer cannot be stored")
        }
    }
}
