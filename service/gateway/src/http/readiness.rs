//! The readiness of the database for writes, checked at most twice a second.

use std::time::Duration;

use tokio::sync::Mutex;
use tokio::time::Instant;

use crate::storage::Administration;

/// The result and the time of the last check of the database.
#[derive(Default)]
pub struct Readiness(Mutex<Option<(Instant, bool)>>);

/// The time for which a result is kept. A check is a write, so strangers cannot cause more of them.
const KEPT: Duration = Duration::from_millis(500);
/// The longest time of a check. A writer that takes longer serves no payments in time.
const TIMEOUT: Duration = Duration::from_secs(3);

impl Readiness {
    pub(super) async fn check(&self, storage: &dyn Administration) -> bool {
        let mut last = self.0.lock().await;
        if let Some((_, is_ready)) = last.filter(|(at, _)| at.elapsed() < KEPT) {
            return is_ready;
        }
        let is_ready = match tokio::time::timeout(TIMEOUT, storage.ping()).await {
            Ok(Ok(())) => true,
            Ok(Err(error)) => {
                tracing::warn!(%error, "not ready");
                false
            }
            Err(_) => {
                tracing::warn!("not ready: the database does not write in time");
                false
            }
        };
        *last = Some((Instant::now(), is_ready));
        is_ready
    }
}
