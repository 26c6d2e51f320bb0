//! The gateway as a process of its own, over real HTTP, on SQLite and on a PostgreSQL server that
//! the tests start.

/// Tests kill gateways, not the database.
pub(crate) const FSYNC: &str = "off";

mod backup;
mod balance;
mod callbacks;
mod card_numbers;
mod crash;
mod database;
mod document;
mod documents;
mod embedded;
mod failover;
mod gateway;
mod hardening;
mod idempotency;
mod interface;
mod operation;
mod postgres;
mod process_memory;
mod race;
mod receiver;
mod specification;
mod versions;
