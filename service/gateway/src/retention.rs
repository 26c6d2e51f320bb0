//! Deletes data that is of no use any more: delivered events and unpaid checkout sessions, a few at a
//! time, and replaced secrets.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;

use crate::storage::{Administration, in_time};

/// The largest number of rows of one statement: a writer must not keep others waiting.
const BATCH: i64 = 500;
/// The pause after all old rows are deleted.
const PAUSE: Duration = Duration::from_secs(60);
/// The pause between two batches.
const SHORT_PAUSE: Duration = Duration::from_millis(50);
/// The shortest time for which an expired session is kept. A payment that was begun just before the
/// end of its session is stored until then.
const SESSIONS_AT_LEAST: Duration = Duration::from_secs(3600);

/// Deletes delivered events and unpaid sessions that are older than `age`, and replaced secrets whose
/// time is over, until `stop` is set.
pub async fn run(storage: Arc<dyn Administration>, age: Duration, mut stop: watch::Receiver<bool>) {
    while !*stop.borrow() {
        let events = in_time(storage.forget(age, BATCH))
            .await
            .unwrap_or_else(|error| {
                tracing::warn!(%error, "old events cannot be deleted");
                0
            });
        let age_of_sessions = age.max(SESSIONS_AT_LEAST);
        let sessions = in_time(storage.forget_sessions(age_of_sessions, BATCH))
            .await
            .unwrap_or_else(|error| {
                tracing::warn!(%error, "expired checkout sessions cannot be deleted");
                0
            });
        if let Err(error) = in_time(storage.wipe_secrets()).await {
            tracing::warn!(%error, "replaced secrets cannot be deleted");
        }
        let pause = if events == 0 && sessions == 0 {
            PAUSE
        } else {
            SHORT_PAUSE
        };
        tokio::select! {
            () = tokio::time::sleep(pause) => {}
            _ = stop.changed() => {}
        }
    }
}
