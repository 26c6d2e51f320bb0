//! Instants and durations as numbers of microseconds, the form in which both databases store them,
//! and the time that work may take.

use std::time::Duration;

use payspec::Timestamp;

use super::types::StorageError;

/// Reads a stored time.
pub(super) fn instant(micros: i64) -> Result<Timestamp, StorageError> {
    let nanos = u32::try_from(micros.rem_euclid(1_000_000)).unwrap_or(0) * 1_000;
    Timestamp::from_unix(micros.div_euclid(1_000_000), nanos)
        .map_err(|_| StorageError::Row("an instant"))
}

/// Returns a pause as it is stored.
pub(super) fn span(pause: Duration) -> i64 {
    i64::try_from(pause.as_micros()).unwrap_or(i64::MAX / 4)
}

/// The longest time of work. It is longer than a statement may take (`sql::PREPARE`), and than a
/// writer of SQLite waits for its turn.
const DEADLINE: Duration = Duration::from_secs(12);

/// Runs work for the longest time, since a server may be gone without an answer. Requests have a time
/// of their own.
///
/// # Errors
/// Returns `Late` after the time, and the errors of the work.
pub async fn in_time<T>(
    work: impl Future<Output = Result<T, StorageError>>,
) -> Result<T, StorageError> {
    tokio::time::timeout(DEADLINE, work)
        .await
        .unwrap_or(Err(StorageError::Late))
}
