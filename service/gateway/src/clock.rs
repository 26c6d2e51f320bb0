//! Keeps the steady clock of the database.
//!
//! The database's own clock can be set back. By it alone, a key that is hours old would be a second
//! old again, and events would not be due for hours. The steady clock goes on from the latest
//! instant that was written. It is written once a second, so a step back adds at most about a
//! second to the age at which a key is refused.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;

use crate::storage::{Administration, in_time};

const PERIOD: Duration = Duration::from_secs(1);

/// Writes the clock until `stop` is set.
pub async fn run(storage: Arc<dyn Administration>, mut stop: watch::Receiver<bool>) {
    let mut shift = None;
    while !*stop.borrow() {
        match in_time(storage.tick()).await {
            Ok(found) => {
                if shift.is_some_and(|shift| shift != found) {
                    tracing::warn!("the clock of the database has been set back");
                }
                shift = Some(found);
            }
            Err(error) => tracing::debug!(%error, "the clock cannot be written"),
        }
        tokio::select! {
            () = tokio::time::sleep(PERIOD) => {}
            _ = stop.changed() => {}
        }
    }
}
