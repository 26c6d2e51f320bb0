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
    /// The largest number of connections.
    pub connections: u32,
    /// The keys of webhook secrets. Without any, a file gets a file of keys beside it, and a server
    /// is refused.
    pub keys: Option<Arc<SecretKeys>>,
    /// The bytes that payments leave free on the disk of a file, for changes and deliveries. A
    /// server reports a full disk itself.
    pub min_free_bytes: u64,
}

/// The reason why a storage cannot be used. It repeats no address, which may contain a password, and
/// no value.
#[derive(Debug, thiserror::Error)]
pub enum StorageError {
    /// The address begins neither with `sqlite:` nor with `postgres:`.
    #[error("the address of the database must begin with sqlite: or postgres:")]
    Address,
    /// The database returned an error.
    #[error("the database: {0}")]
    Database(#[from] sqlx::Error),
    /// The schema cannot be brought up to date.
    #[error("the schema of the database: {0}")]
    Schema(#[from] sqlx::migrate::MigrateError),
    /// A statement for many requests has failed; the error of each of them.
    #[error("{0}")]
    Group(Arc<StorageError>),
    /// The server takes no writes and may lag behind the primary.
    #[error("the server of the database is a replica")]
    Replica,
    /// The server confirms commits that a crash would lose.
    #[error("synchronous_commit of the database is off: an answered payment could be lost")]
    NotDurable,
    /// The database has not answered in time.
    #[error("the database does not answer in time")]
    Late,
    /// The disk has less free space than is left for changes and deliveries.
    #[error("the disk of the database is nearly full")]
    DiskFull,
    /// As many events of the merchant wait as may.
    #[error("too many events of the merchant wait")]
    PendingEvents,
    /// The merchant has stored as much as it may.
    #[error("the merchant has stored too much")]
    StoredBytes,
    /// A secret cannot be encrypted, or cannot be decrypted.
    #[error("the keys of secrets: {0}")]
    Keys(#[from] SecretKeyError),
    /// A server is given without keys. Its gateways may be on several machines, so the keys cannot
    /// be a file beside it.
    #[error("PostgreSQL needs secret_keys, the same for all gateways: `gateway key new` makes one")]
    NoKeys,
    /// The address cannot be parsed. The error of sqlx would repeat it.
    #[error("the address of the database cannot be read")]
    Options,
    /// The folder of a file cannot be created.
    #[error("the folder of the database: {0}")]
    Folder(std::io::Error),
    /// The storage is closed, because the gateway ends.
    #[error("the database is closed")]
    Closed,
    /// A row contains a value that no gateway has written.
    #[error("the database holds what no gateway has written: {0}")]
    Row(&'static str),
}

/// The kind of a token. Merchants and operators have tables of their own, so that a token of one
/// never acts for the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenKind {
    /// A token that creates and reads payments.
    Merchant,
    /// A token that changes states.
    Operator,
}

/// A valid token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenOwner {
    /// The name of the token in logs and in the audit.
    pub id: String,
    /// The name of the merchant, or of the operator.
    pub name: String,
}

/// The operator of an action.
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
    /// The operator.
    pub actor: &'a Actor,
    /// The name of the action.
    pub action: &'static str,
    /// The changed payment, token, or merchant.
    pub subject: &'a str,
    /// The value before the action, unless it is a secret.
    pub before: Option<&'a str>,
    /// The value after the action, unless it is a secret.
    pub after: Option<&'a str>,
    /// `done`, or the status of a refusal.
    pub result: &'a str,
}

/// A stored action of an operator.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct AuditEntry {
    /// The time of the database's clock.
    pub at: String,
    /// The name and the id of the operator's token, or the user of the machine.
    pub operator: String,
    /// The address of the client, or the name of the machine.
    pub origin: String,
    /// The name of the action.
    pub action: String,
    /// The changed payment, token, or merchant.
    pub subject: String,
    /// The value before the action.
    pub before: Option<String>,
    /// The value after the action.
    pub after: Option<String>,
    /// `done`, or the status of a refusal.
    pub result: String,
}

/// An access token without its secret part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    /// The identifier by which it is revoked.
    pub id: String,
    /// The name of the merchant, or of the operator.
    pub name: String,
    /// The time of its creation.
    pub created_at: Timestamp,
    /// The time of its revocation.
    pub revoked_at: Option<Timestamp>,
}

/// The times and the record at the start of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lookup {
    /// The time of the database's clock.
    pub now: Timestamp,
    /// The time of the steady clock, which does not go back, in microseconds.
    pub steady: i64,
    /// The record of the key, if there is one.
    pub record: Option<Record>,
}

/// The record of an idempotency key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// The time of the first payment: the `now` of the look-up minus the age by the steady clock.
    pub created_at: Timestamp,
    /// The fingerprint of the first request.
    pub fingerprint: String,
    /// The body of the first answer.
    pub payment: String,
}

/// An order that a payer may pay on the checkout page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckoutSession {
    /// A random identifier. A client that knows it may pay the order.
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
    /// Whether it has neither expired nor been closed.
    pub is_open: bool,
    /// Whether the merchant has a valid token.
    pub is_merchant_active: bool,
}

impl CheckoutSession {
    /// Returns the size of the stored texts.
    pub fn bytes(&self) -> i64 {
        let texts = [
            &self.id,
            &self.merchant,
            &self.order_id,
            &self.amount,
            &self.currency,
        ];
        let sum: usize = texts.map(String::len).iter().sum();
        let url = self.redirect_url.as_ref().map_or(0, String::len);
        i64::try_from(sum.saturating_add(url)).unwrap_or(i64::MAX)
    }
}

/// The name and the origins of a merchant, which payers see.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MerchantProfile {
    /// The registered name, or the identifier of the merchant.
    pub name: String,
    /// The origins that links of its payments may lead to, as browsers write them.
    pub origins: Vec<String>,
}

/// A payment to be stored.
#[derive(Clone)]
pub struct NewPayment<'a> {
    /// The identifier of the payment.
    pub uid: &'a str,
    /// The merchant of the payment.
    pub merchant: &'a str,
    /// The body of the library's answer.
    pub body: &'a str,
    /// The URL for events.
    pub callback: Option<&'a str>,
    /// The time of the steady clock in the look-up that the library has used.
    pub steady: i64,
    /// The key and the fingerprint, if the request has a key.
    pub idempotency: Option<(&'a str, &'a str)>,
}

impl NewPayment<'_> {
    /// Returns the size of the stored texts, without the events of the payment, which are deleted.
    pub fn bytes(&self) -> i64 {
        let key = self.idempotency.map_or(0, |(key, fingerprint)| {
            self.body.len() + key.len() + fingerprint.len()
        });
        let callback = self.callback.map_or(0, str::len);
        i64::try_from(self.body.len() + callback + key).unwrap_or(i64::MAX)
    }
}

/// The result of storing a payment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Created {
    /// The payment is stored, and its key with it.
    Stored,
    /// Another request has taken the key. Nothing is stored.
    KeyTaken,
}

/// A stored payment.
#[derive(Clone, PartialEq, Eq)]
pub struct StoredPayment {
    /// The merchant of the payment.
    pub merchant: String,
    /// The body of the Payment.
    pub body: String,
    /// The URL for events.
    pub callback: Option<String>,
    /// The number of changes, from 1.
    pub version: i64,
    /// The amount that the payment has added to the balance of its merchant.
    pub booked: BigDecimal,
}

/// The effect of a payment on the balance of its merchant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Booking {
    /// The currency of the processed amounts.
    pub currency: String,
    /// The amount, which is negative for a pay-out.
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
    /// The uid of the payment.
    pub uid: &'a str,
    /// The version before the change.
    pub version: i64,
    /// The new Payment.
    pub body: &'a str,
    /// The state of the new Payment.
    pub state: &'a str,
    /// The identifier of the event and its URL, if the payment has a callback.
    pub event: Option<(&'a str, &'a str)>,
    /// The merchant of the payment.
    pub merchant: &'a str,
    /// The amount that the payment has added to the balance until now.
    pub booked: &'a BigDecimal,
    /// The amount that it adds from now on.
    pub booking: &'a Booking,
    /// The action of an operator, if it is one.
    pub audit: Option<Audit<'a>>,
}

/// The selection of events that are leased.
#[derive(Debug, Clone, Copy)]
pub struct Claim<'a> {
    /// The largest number of events, at most one of each merchant.
    pub limit: i64,
    /// The merchants whose events are left out, or are the only ones.
    pub merchants: &'a [&'a str],
    /// Whether only events of these merchants are leased.
    pub only: bool,
}

/// An event that is to be delivered, leased to one gateway.
#[derive(Clone, PartialEq, Eq)]
pub struct Event {
    /// The value of `webhook-id`.
    pub id: String,
    /// The merchant of the payment.
    pub merchant: String,
    /// The URL of the receiver.
    pub url: String,
    /// The body of the Payment.
    pub body: String,
    /// The number of the attempt, from 1.
    pub attempt: i64,
}
