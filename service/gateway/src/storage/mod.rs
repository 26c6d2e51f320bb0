//! The storage: payments, the outbox, and what operators administer. Three traits, each for one kind
//! of user, and two databases.
//!
//! Gateways hold no state of their own, so any number of them may share a PostgreSQL. Every time is
//! the database's: clocks of several machines are never compared.

mod administration;
mod group;
mod implement_administration;
mod implement_audit;
mod implement_outbox;
mod implement_payments;
mod jobs;
mod migrations;
mod outbox;
mod payments;
mod postgres;
mod sql;
mod sqlite;
mod sqlx;
mod time;
mod types;
mod writer;

use std::sync::Arc;

pub use administration::Administration;
pub use outbox::Outbox;
pub use payments::Payments;
pub use postgres::Postgres;
pub use sqlite::{Sqlite, protect};
pub use time::in_time;
pub use types::{
    Actor, Audit, AuditEntry, Balance, Booking, CheckoutSession, Claim, Created, Event, Lookup,
    MerchantProfile, NewPayment, Record, StateChange, StorageConfig, StorageError, StoredPayment,
    Token, TokenKind, TokenOwner,
};

/// A database with all parts of the storage.
pub trait Storage: Payments + Outbox + Administration {}

impl<T: Payments + Outbox + Administration> Storage for T {}

/// A storage that all parts of a gateway share.
pub type Shared = Arc<dyn Storage>;

/// Opens the storage of an address.
///
/// # Errors
/// Returns an error if there is no such kind of storage, or if it does not answer.
pub async fn open(config: &StorageConfig<'_>) -> Result<Shared, StorageError> {
    let address = config.address;
    if address.starts_with("sqlite:") {
        Ok(Arc::new(Sqlite::open(config).await?))
    } else if address.starts_with("postgres:") || address.starts_with("postgresql:") {
        Ok(Arc::new(Postgres::open(config).await?))
    } else {
        Err(StorageError::Address)
    }
}
