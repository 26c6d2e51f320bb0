//! Deletes what is of no use any more: delivered events, a few at a time, and replaced secrets.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;

use crate::service::Service;
use crate::storage::in_time;

/// Events of one statement: a writer must not keep others waiting.
const BATCH: i64 = 500;
/// The pause after all old events are deleted.
const PAUSE: Duration = Duration::from_secs(60);

/// Deletes delivered events and expired checkout sessions that are older than `age`, and replaced
/// secrets whose time is over, until `stop` is set.
pub async fn run(service: Arc<Service>, age: Duration, mut stop: watch::Receiver<bool>) {
    while !*stop.borrow() {
        let deleted = in_time(service.storage.forget(age, BATCH))
            .await
            .unwrap_or_else(|error| {
                tracing::warn!(%error, "old events cannot be deleted");
                0
            });
        if let Err(error) = in_time(service.storage.forget_sessions(age, BATCH)).await {
            tracing::warn!(%error, "expired checkout sessions cannot be deleted");
        }
        if let Err(error) = in_time(service.storage.wipe_secrets()).await {
            tracing::warn!(%error, "replaced secrets cannot be deleted");
        }
        let pause = if deleted == 0 {
            PAUSE
        } else {
            Duration::from_millis(50)
        };
        tokio::select! {
            () = tokio::time::sleep(pause) => {}
            _ = stop.changed() => {}
        }
    }
}
