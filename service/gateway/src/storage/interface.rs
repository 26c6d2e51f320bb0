//! The interface of both databases.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use payspec::Timestamp;

use super::administration::Administration;
use super::types::{
    Balance, CheckoutSession, Claim, Created, Event, Lookup, NewPayment, StateChange, StorageError,
    StoredPayment, TokenKind, TokenOwner,
};

/// A storage that is shared by all that runs in a gateway.
pub type Shared = Arc<dyn Storage>;

/// The database of a gateway.
#[async_trait]
pub trait Storage: Administration {
    /// Brings the schema up to date. Of several gateways that start at once, one does it.
    async fn migrate(&self) -> Result<(), StorageError>;
    /// Checks that the database takes writes, has space for payments, and has the schema.
    async fn ping(&self) -> Result<(), StorageError>;
    /// Returns the time of the database's clock.
    async fn now(&self) -> Result<Timestamp, StorageError>;
    /// Writes the steady clock; returns by how much it is ahead of the database's.
    async fn tick(&self) -> Result<i64, StorageError>;

    /// Returns the time, and the record of a key.
    async fn look_up(&self, merchant: &str, key: Option<&str>) -> Result<Lookup, StorageError>;
    /// Returns the owner of a merchant's token, unless no such token is valid, and what `look_up`
    /// returns for its merchant, in one statement if the storage can.
    async fn look_up_by_token(
        &self,
        hash: &str,
        key: Option<&str>,
    ) -> Result<(Option<TokenOwner>, Lookup), StorageError> {
        let owner = self.token_of(TokenKind::Merchant, hash).await?;
        let lookup = match &owner {
            Some(owner) => self.look_up(&owner.name, key).await?,
            None => self.look_up("", None).await?,
        };
        Ok((owner, lookup))
    }
    /// Stores a payment and its key in one transaction, or nothing.
    async fn create(&self, payment: NewPayment<'_>) -> Result<Created, StorageError>;
    /// Returns a payment.
    async fn payment(&self, uid: &str) -> Result<Option<StoredPayment>, StorageError>;
    /// Returns the owner of a merchant's token and the body of a payment of its merchant, in one
    /// statement if the storage can. `None` if no such token is valid.
    async fn payment_by_token(
        &self,
        hash: &str,
        uid: Option<&str>,
    ) -> Result<Option<(TokenOwner, Option<String>)>, StorageError> {
        let Some(owner) = self.token_of(TokenKind::Merchant, hash).await? else {
            return Ok(None);
        };
        let payment = match uid {
            Some(uid) => self
                .payment(uid)
                .await?
                .filter(|payment| payment.merchant == owner.name),
            None => None,
        };
        Ok(Some((owner, payment.map(|payment| payment.body))))
    }
    /// Stores a change, its event and the balance in one transaction; returns false if another
    /// change was faster.
    async fn apply(&self, change: StateChange<'_>) -> Result<bool, StorageError>;
    /// Payments in a state that have been in it for so long, the oldest first.
    async fn waiting(
        &self,
        state: &str,
        since: Duration,
        limit: i64,
    ) -> Result<Vec<String>, StorageError>;

    /// Adds a checkout session that expires after a time. If the merchant has one for the order,
    /// that one gets the time and is returned; `None` if its amount is another.
    async fn add_session(
        &self,
        session: &CheckoutSession,
        time: Duration,
    ) -> Result<Option<CheckoutSession>, StorageError>;
    /// Returns a checkout session.
    async fn session(&self, id: &str) -> Result<Option<CheckoutSession>, StorageError>;
    /// Deletes sessions that have expired for longer than `age`, at most `limit` of them.
    async fn forget_sessions(&self, age: Duration, limit: i64) -> Result<u64, StorageError>;

    /// Returns the balance of a merchant in each currency in which it has had payments.
    async fn balances(&self, merchant: &str) -> Result<Vec<Balance>, StorageError>;

    /// Leases events that are due, one of each merchant. An event waits for the earlier ones of its
    /// payment.
    async fn claim(&self, claim: Claim<'_>, lease: Duration) -> Result<Vec<Event>, StorageError>;
    /// Marks an event as delivered.
    async fn delivered(&self, id: &str) -> Result<(), StorageError>;
    /// Records a failed attempt; the next one is due after a pause, or there is no other.
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
    /// Adds to the count of a merchant's bytes; returns the sum.
    async fn add_stored_bytes(&self, merchant: &str, bytes: i64) -> Result<i64, StorageError>;
    /// Deletes delivered events that are older than `age`, at most `limit` of them; returns their
    /// number.
    async fn forget(&self, age: Duration, limit: i64) -> Result<u64, StorageError>;

    /// Ends all connections.
    async fn close(&self);
}
