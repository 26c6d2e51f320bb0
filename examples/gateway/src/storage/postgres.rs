//! PostgreSQL: any number of gateways on any number of machines.

use std::str::FromStr;
use std::time::Duration;

use async_trait::async_trait;
use payspec::Timestamp;
use sqlx::postgres::{PgConnectOptions, PgPool, PgPoolOptions};
use sqlx::{Postgres as Database, Transaction};

use super::implement::implement_storage;
use super::sql::Dialect;
use super::*;

/// How long a request waits for a connection.
const ACQUIRE: Duration = Duration::from_secs(10);

/// A server that is shared by gateways.
pub struct Postgres {
    pool: PgPool,
}

impl Postgres {
    const SERIAL: &str = "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY";
    // Not now(), which stands still within a transaction.
    const DIALECT: Dialect = Dialect {
        now: "(extract(epoch FROM clock_timestamp()) * 1000000)::bigint",
        skip: "FOR UPDATE OF event SKIP LOCKED",
    };

    /// Connects to a server.
    ///
    /// # Errors
    /// It does not answer, or does not let us in.
    pub async fn open(address: &str, connections: u32) -> Result<Self, StorageError> {
        let options = PgConnectOptions::from_str(address)?.application_name("payspec-gateway");
        let pool = PgPoolOptions::new().max_connections(connections).acquire_timeout(ACQUIRE);
        Ok(Self { pool: pool.connect_with(options).await? })
    }

    async fn begin(&self) -> Result<Transaction<'static, Database>, sqlx::Error> {
        self.pool.begin().await
    }
}

implement_storage!(Postgres);
