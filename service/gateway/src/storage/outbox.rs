//! The part of the storage that the delivery of events uses.

use std::time::Duration;

use async_trait::async_trait;
use zeroize::Zeroizing;

use super::types::{Claim, Event, StorageError};

/// The events that wait to be delivered, and the secrets that sign them.
#[async_trait]
pub trait Outbox: Send + Sync {
    /// Leases events that are due, one of each merchant. An event waits for the earlier ones of its
    /// payment.
    async fn claim(&self, claim: Claim<'_>, lease: Duration) -> Result<Vec<Event>, StorageError>;
    /// Marks an event as delivered.
    async fn delivered(&self, id: &str) -> Result<(), StorageError>;
    /// Records a failed attempt. The next one is due after a pause; without a pause there is no
    /// other.
    async fn failed(
        &self,
        event: &Event,
        failure: &str,
        pause: Option<Duration>,
    ) -> Result<(), StorageError>;
    /// Counts the events that wait to be delivered.
    async fn pending(&self) -> Result<i64, StorageError>;
    /// Counts the events of a merchant that wait, up to a limit.
    async fn pending_of(&self, merchant: &str, limit: i64) -> Result<i64, StorageError>;
    /// Returns all secrets that a merchant's events are signed with. After a rotation there are two
    /// for a while.
    async fn secrets(&self, merchant: &str) -> Result<Vec<Zeroizing<String>>, StorageError>;
}
