//! The storage: tokens, payments, idempotency records, the outbox. One trait, two databases.
//!
//! Gateways hold no state of their own, so any number of them may share a PostgreSQL. Every time is
//! the database's: clocks of several machines never meet in one comparison.

mod administration;
mod group;
mod implement;
mod implement_administration;
mod interface;
mod jobs;
mod migrations;
mod postgres;
mod sql;
mod sqlite;
mod sqlx;
mod time;
mod types;
mod writer;

use std::sync::Arc;

pub use administration::Administration;
pub use interface::{Shared, Storage};
pub use postgres::Postgres;
pub use sqlite::Sqlite;
pub use time::in_time;
pub use types::{
    Actor, Audit, AuditEntry, Balance, Booking, CheckoutSession, Claim, Created, Event, Lookup,
    MerchantProfile, NewPayment, Record, StateChange, StorageConfig, StorageError, StoredPayment,
    Token, TokenKind, TokenOwner,
};

/// Opens the storage of an address.
///
/// # Errors
/// No such kind of storage, or it does not answer.
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
