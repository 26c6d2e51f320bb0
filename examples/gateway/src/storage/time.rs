//! Instants and durations as numbers of microseconds, the form in which both databases store them.

use std::time::Duration;

use payspec::Timestamp;

use super::types::StorageError;

/// Reads a stored time.
pub(super) fn instant(micros: i64) -> Result<Timestamp, StorageError> {
    let nanos = u32::try_from(micros.rem_euclid(1_000_000)).unwrap_or(0) * 1_000;
    Timestamp::from_unix(micros.div_euclid(1_000_000), nanos).map_err(|_| StorageError::Row("an instant"))
}

/// Returns a pause as it is stored.
pub(super) fn span(pause: Duration) -> i64 {
    i64::try_from(pause.as_micros()).unwrap_or(i64::MAX / 4)
}
