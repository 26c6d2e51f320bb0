//! The types of what is stored, and the error.

use std::sync::Arc;

use bigdecimal::BigDecimal;
use payspec::Timestamp;

use super::sqlx;
use crate::secret_keys::{SecretKeyError, SecretKeys};

/// The settings of a storage.
#[derive(Clone)]
pub struct StorageConfig<'a> {
    /// `sqlite:FILE` or `postgres://…`.
    pub address: &'a str,
    /// Connections at most.
    pub connections: u32,
    /// The keys of webhook secrets. A file without any gets a file of keys beside it; a server must
    /// be given some.
    pub keys: Option<Arc<SecretKeys>>,
    /// Bytes that payments leave free on the disk of a file, for changes and deliveries. A server
    /// reports a full disk itself.
    pub min_free_bytes: u64,
}

/// Why a storage cannot be used. Addresses and values are not repeated: passwords hide in the
/// former.
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
    /// The error of a trip to the database, for all that were to be done in it.
    #[error("{0}")]
    Group(Arc<StorageError>),
    /// The server takes no writes and may lag behind the primary.
    #[error("the server of the database is a replica")]
    Replica,
    /// The server answers commits that a crash would lose.
    #[error("synchronous_commit of the database is off: an answered payment could be lost")]
    NotDurable,
    /// The database does not answer in time.
    #[error("the database does not answer in time")]
    Late,
    /// The disk has less free space than is left for changes and deliveries.
    #[error("the disk of the database is nearly full")]
    DiskFull,
    /// Too many events of the merchant wait.
    #[error("too many events of the merchant wait")]
    PendingEvents,
    /// The merchant has stored as much as it may.
    #[error("the merchant has stored too much")]
    StoredBytes,
    /// A secret cannot be encrypted or decrypted.
    #[error("the keys of secrets: {0}")]
    Keys(#[from] SecretKeyError),
    /// A server has gateways on several machines, so the keys cannot be a file beside it.
    #[error("PostgreSQL needs secret_keys, the same for all gateways: `gateway key new` makes one")]
    NoKeys,
    /// An address with a mistake. sqlx would repeat it.
    #[error("the address of the database cannot be read")]
    Options,
    /// The folder of a file cannot be created.
    #[error("the folder of the database: {0}")]
    Folder(std::io::Error),
    /// It is closed: the gateway ends.
    #[error("the database is closed")]
    Closed,
    /// A row that this program has not written.
    #[error("the database holds what no gateway has written: {0}")]
    Row(&'static str),
}

/// Whose a token is: merchants and operators have tables of their own, so that a token of one never
/// acts for the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenKind {
    /// It creates and reads payments.
    Merchant,
    /// It changes states.
    Operator,
}

/// A valid token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenOwner {
    /// Names the token in logs and in the audit.
    pub id: String,
    /// The merchant, or the operator.
    pub name: String,
}

/// An operator who acts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Actor {
    /// The name and the id of the token, or the user of the machine.
    pub operator: String,
    /// The address of the client, or the name of the machine.
    pub origin: String,
}

/// An action of an operator.
#[derive(Clone)]
pub struct Audit<'a> {
    /// Who.
    pub actor: &'a Actor,
    /// What.
    pub action: &'static str,
    /// To which payment, token, or merchant.
    pub subject: &'a str,
    /// The value before, unless it is a secret.
    pub before: Option<&'a str>,
    /// The value after it.
    pub after: Option<&'a str>,
    /// `done`, or the status of a refusal.
    pub result: &'a str,
}

/// A stored action of an operator.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct AuditEntry {
    /// When.
    pub at: String,
    /// Who.
    pub operator: String,
    /// From where.
    pub origin: String,
    /// What.
    pub action: String,
    /// To which payment, token, or merchant.
    pub subject: String,
    /// The value before.
    pub before: Option<String>,
    /// The value after it.
    pub after: Option<String>,
    /// `done`, or the status of a refusal.
    pub result: String,
}

/// An access token, as it may be listed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    /// By which it is revoked.
    pub id: String,
    /// Whose it is.
    pub name: String,
    /// Since when.
    pub created_at: Timestamp,
    /// Since when no longer.
    pub revoked_at: Option<Timestamp>,
}

/// The times and the record at the start of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lookup {
    /// The database's clock.
    pub now: Timestamp,
    /// The clock that does not go back, in microseconds.
    pub steady: i64,
    /// The record of the key, if there is one.
    pub record: Option<Record>,
}

/// The record of an idempotency key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// When the first payment was made: as long before the `now` of the look-up as it is old by the
    /// steady clock.
    pub created_at: Timestamp,
    /// Of the first request.
    pub fingerprint: String,
    /// The first answer, to the byte.
    pub payment: String,
}

/// An order that a payer may pay on the checkout page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckoutSession {
    /// Random: who knows it may pay the order.
    pub id: String,
    /// The merchant that has created it.
    pub merchant: String,
    /// The merchant's name for the order.
    pub order_id: String,
    /// The amount of the payment.
    pub amount: String,
    /// The code of its currency.
    pub currency: String,
    /// The address to which the payer returns, of an origin of the merchant.
    pub redirect_url: Option<String>,
    /// It has not expired.
    pub is_open: bool,
}

/// The name and the origins of a merchant, which payers see.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MerchantProfile {
    /// The name; without a registered one, the merchant's identifier.
    pub name: String,
    /// The origins that links of its payments may lead to, as browsers write them.
    pub origins: Vec<String>,
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
    /// When it is stored, by the steady clock: of the look-up that the library decided by.
    pub steady: i64,
    /// Key and fingerprint, if the request has a key.
    pub idempotency: Option<(&'a str, &'a str)>,
}

/// The result of storing a payment.
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
    /// The amount that the payment has added to the balance of its merchant.
    pub booked: BigDecimal,
}

/// The effect of a payment on the balance of its merchant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Booking {
    /// The currency of the processed amounts.
    pub currency: String,
    /// Negative for a pay-out.
    pub amount: BigDecimal,
}

/// The balance of a merchant in one currency.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Balance {
    /// The code of the currency.
    pub currency: String,
    /// The amount, which may be negative.
    pub amount: BigDecimal,
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
    /// The amount that the payment has added to the balance until now.
    pub booked: &'a BigDecimal,
    /// The amount that it adds from now on.
    pub booking: &'a Booking,
    /// Which operator's action it is, if it is one.
    pub audit: Option<Audit<'a>>,
}

/// Which events are leased.
#[derive(Debug, Clone, Copy)]
pub struct Claim<'a> {
    /// The largest number of events, at most one of each merchant.
    pub limit: i64,
    /// Merchants that are left out, or the only ones.
    pub merchants: &'a [&'a str],
    /// Whether they are the only ones.
    pub only: bool,
}

/// An event that is to be delivered, leased to one gateway.
#[derive(Clone, PartialEq, Eq)]
pub struct Event {
    /// webhook-id.
    pub id: String,
    /// Whose.
    pub merchant: String,
    /// The address.
    pub url: String,
    /// The Payment.
    pub body: String,
    /// Which attempt this is, from 1.
    pub attempt: i64,
}
