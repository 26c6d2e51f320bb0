//! What is kept: tokens, payments, idempotency records, the outbox. One trait, two databases.
//!
//! Gateways hold no state of their own, so any number of them may share a PostgreSQL. Every instant is the database's:
//! clocks of several machines never meet in one comparison.

mod group;
mod implement;
mod migrations;
mod postgres;
mod sql;
mod sqlite;

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use payspec::Timestamp;

pub use postgres::Postgres;
pub use sqlite::Sqlite;

/// A storage that is shared by all that runs in a gateway.
pub type Shared = Arc<dyn Storage>;

/// Why a storage cannot be used. Addresses and values are not repeated: passwords hide in the former.
#[derive(Debug, thiserror::Error)]
pub enum StorageError {
    /// Neither `sqlite:` nor `postgres:`.
    #[error("the address of the database must begin with sqlite: or postgres:")]
    Address,
    /// The database returned an error.
    #[error("the database: {0}")]
    Database(#[from] sqlx::Error),
    /// The schema cannot be brought up to date.
    #[error("the schema of the database: {0}")]
    Schema(#[from] sqlx::migrate::MigrateError),
    /// The same, for all that were to be written at once.
    #[error("the database: {0}")]
    Group(Arc<sqlx::Error>),
    /// It is closed: the gateway ends.
    #[error("the database is closed")]
    Closed,
    /// A row that this program has not written.
    #[error("the database holds what no gateway has written: {0}")]
    Row(&'static str),
}

/// An access token, as it may be listed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    /// By which it is revoked.
    pub id: String,
    /// Whose it is.
    pub merchant: String,
    /// Since when.
    pub created_at: Timestamp,
    /// Since when no longer.
    pub revoked_at: Option<Timestamp>,
}

/// The record of an idempotency key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// When the first payment was made.
    pub created_at: Timestamp,
    /// Of the first request.
    pub fingerprint: String,
    /// The first answer, to the byte.
    pub payment: String,
}

/// A payment to be stored.
#[derive(Clone)]
pub struct NewPayment<'a> {
    /// Its identifier.
    pub uid: &'a str,
    /// Whose it is.
    pub merchant: &'a str,
    /// The library's answer.
    pub body: &'a str,
    /// The URL for events.
    pub callback: Option<&'a str>,
    /// The instant that the library was given, which is this storage's.
    pub now: Timestamp,
    /// Key and fingerprint, if the request has a key.
    pub idempotency: Option<(&'a str, &'a str)>,
}

/// What came of storing a payment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Created {
    /// It is stored, and its key with it.
    Stored,
    /// Another request had the key first. Nothing is stored.
    KeyTaken,
}

/// A stored payment.
#[derive(Clone, PartialEq, Eq)]
pub struct StoredPayment {
    /// Whose it is.
    pub merchant: String,
    /// The Payment, to the byte.
    pub body: String,
    /// The URL for events.
    pub callback: Option<String>,
    /// Counts the changes.
    pub version: i64,
}

/// A change of a payment's state.
#[derive(Clone)]
pub struct StateChange<'a> {
    /// Which payment.
    pub uid: &'a str,
    /// The version that is changed.
    pub version: i64,
    /// The new Payment.
    pub body: &'a str,
    /// Its state.
    pub state: &'a str,
    /// The identifier of the event and its URL, if the payment has a callback.
    pub event: Option<(&'a str, &'a str)>,
    /// Whose payment it is.
    pub merchant: &'a str,
}

/// An event that is to be delivered, leased to one gateway.
#[derive(Clone, PartialEq, Eq)]
pub struct Event {
    /// webhook-id.
    pub id: String,
    /// Whose.
    pub merchant: String,
    /// Where to.
    pub url: String,
    /// The Payment.
    pub body: String,
    /// Which attempt this is, from 1.
    pub attempt: i64,
}

/// The database of a gateway.
#[async_trait]
pub trait Storage: Send + Sync {
    /// Brings the schema up to date. Of several gateways that start at once, one does it.
    async fn migrate(&self) -> Result<(), StorageError>;
    /// The database answers, and its schema is there.
    async fn ping(&self) -> Result<(), StorageError>;
    /// The database's clock.
    async fn now(&self) -> Result<Timestamp, StorageError>;

    /// The merchant whose token has this hash, unless it is revoked.
    async fn merchant_of(&self, hash: &str) -> Result<Option<String>, StorageError>;
    /// Adds a token, of which only the hash is kept.
    async fn add_token(&self, id: &str, hash: &str, merchant: &str) -> Result<(), StorageError>;
    /// All tokens.
    async fn tokens(&self) -> Result<Vec<Token>, StorageError>;
    /// Revokes a token; returns false if no such token is valid.
    async fn revoke_token(&self, id: &str) -> Result<bool, StorageError>;

    /// Returns the secret of a merchant.
    async fn secret(&self, merchant: &str) -> Result<Option<String>, StorageError>;
    /// Returns the merchant's secret, and inserts the given one first if it has none.
    async fn get_or_insert_secret(&self, merchant: &str, secret: &str) -> Result<String, StorageError>;

    /// All secrets that a merchant's events are signed with: after a rotation there are two for a while.
    async fn secrets(&self, merchant: &str) -> Result<Vec<String>, StorageError>;
    /// Replaces the secret, which stays valid for `keep`; returns false if there is no secret.
    async fn rotate_secret(&self, merchant: &str, secret: &str, keep: Duration) -> Result<bool, StorageError>;

    /// Returns the record of a key, and the time.
    async fn look_up(&self, merchant: &str, key: &str) -> Result<(Timestamp, Option<Record>), StorageError>;
    /// Stores a payment and its key in one transaction, or nothing.
    async fn create(&self, payment: NewPayment<'_>) -> Result<Created, StorageError>;
    /// A payment.
    async fn payment(&self, uid: &str) -> Result<Option<StoredPayment>, StorageError>;
    /// Stores a change and its event in one transaction; returns false if another change was faster.
    async fn apply(&self, change: StateChange<'_>) -> Result<bool, StorageError>;
    /// Payments in a state that have been in it for so long, the oldest first.
    async fn waiting(&self, state: &str, since: Duration, limit: i64) -> Result<Vec<String>, StorageError>;

    /// Leases events that are due, except those of the excluded merchants. An event waits for the earlier ones
    /// of its payment.
    async fn claim(&self, limit: i64, lease: Duration, excluded_merchants: &[&str])
    -> Result<Vec<Event>, StorageError>;
    /// An event is with its receiver.
    async fn delivered(&self, id: &str) -> Result<(), StorageError>;
    /// An attempt has failed; the next one is due after a pause, or there is no other.
    async fn failed(&self, event: &Event, failure: &str, pause: Option<Duration>) -> Result<(), StorageError>;
    /// How many events wait to be delivered.
    async fn pending(&self) -> Result<i64, StorageError>;

    /// Ends all connections.
    async fn close(&self);
}

/// Opens the storage of an address: `sqlite:FILE` or `postgres://…`.
///
/// # Errors
/// No such kind of storage, or it does not answer.
pub async fn open(address: &str, connections: u32) -> Result<Shared, StorageError> {
    if address.starts_with("sqlite:") {
        Ok(Arc::new(Sqlite::open(address, connections).await?))
    } else if address.starts_with("postgres:") || address.starts_with("postgresql:") {
        Ok(Arc::new(Postgres::open(address, connections).await?))
    } else {
        Err(StorageError::Address)
    }
}

/// An instant as it is stored.
fn micros(instant: Timestamp) -> i64 {
    instant.datetime().timestamp_micros()
}

/// A stored instant.
fn instant(micros: i64) -> Result<Timestamp, StorageError> {
    let nanos = u32::try_from(micros.rem_euclid(1_000_000)).unwrap_or(0) * 1_000;
    Timestamp::from_unix(micros.div_euclid(1_000_000), nanos).ok_or(StorageError::Row("an instant"))
}

/// A pause as it is stored.
fn span(pause: Duration) -> i64 {
    i64::try_from(pause.as_micros()).unwrap_or(i64::MAX / 4)
}
