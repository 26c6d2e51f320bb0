//! Deletes delivered events after a while, a few at a time.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;

use crate::service::Service;

/// Events of one statement: a writer must not keep others waiting.
const BATCH: i64 = 500;
/// The pause after all old events are deleted.
const PAUSE: Duration = Duration::from_secs(60);

/// Deletes delivered events that are older than `age`, until `stop` is set.
pub async fn run(service: Arc<Service>, age: Duration, mut stop: watch::Receiver<bool>) {
    while !*stop.borrow() {
        let deleted = service.storage.forget(age, BATCH).await.unwrap_or_else(|error| {
            tracing::warn!(%error, "old events cannot be deleted");
            0
        });
        let pause = if deleted == 0 { PAUSE } else { Duration::from_millis(50) };
        tokio::select! {
            () = tokio::time::sleep(pause) => {}
            _ = stop.changed() => {}
        }
    }
}
