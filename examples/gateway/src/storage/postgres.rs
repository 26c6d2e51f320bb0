//! PostgreSQL: any number of gateways on any number of machines.

use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use bigdecimal::BigDecimal;
use payspec::Timestamp;
use zeroize::Zeroizing;

use super::administration::Administration;
use super::implement::{decimal, implement_storage, lookup};
use super::implement_administration::implement_administration;
use super::interface::Storage;
use super::sql::Dialect;
use super::sqlx::migrate::Migrator;
use super::sqlx::postgres::{PgConnectOptions, PgConnection, PgPool, PgPoolOptions};
use super::sqlx::{self, Connection};
use super::time::{instant, span};
use super::types::*;
use super::writer::Writer;
use super::{migrations, sql};
use crate::secret_keys::{self, SecretKeys};

/// How long a request waits for a connection.
const ACQUIRE: Duration = Duration::from_secs(10);
/// After so long without use, a connection is checked.
const RESTED: Duration = Duration::from_secs(1);

/// A server that is shared by gateways.
pub struct Postgres {
    keys: Arc<SecretKeys>,
    pool: PgPool,
    writer: PgPool,
}

impl Postgres {
    const BEGIN: &str = "BEGIN";
    const SERIAL: &str = "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY";
    // Not now(), which returns the start of the transaction.
    const DIALECT: Dialect = Dialect {
        now: "(extract(epoch FROM clock_timestamp()) * 1000000)::bigint",
        greatest: "GREATEST",
        skip_locked: "FOR UPDATE OF event SKIP LOCKED",
        for_update: "FOR UPDATE",
        texts: "json_array_elements_text($3::json)",
    };

    /// Connects to a server.
    ///
    /// # Errors
    /// It does not answer, or does not let us in.
    pub async fn open(config: &StorageConfig<'_>) -> Result<Self, StorageError> {
        let options = PgConnectOptions::from_str(config.address)
            .map_err(|_| StorageError::Options)?
            .application_name("payspec-gateway");
        let keys = config.keys.clone().ok_or(StorageError::NoKeys)?;
        let pool = PgPoolOptions::new()
            .max_connections(config.connections)
            .acquire_timeout(ACQUIRE)
            // An unused connection may be dead, so it is checked; one in use is not checked before each statement.
            .test_before_acquire(false)
            .before_acquire(|connection, meta| {
                Box::pin(async move {
                    if meta.idle_for > RESTED {
                        connection.ping().await?;
                    }
                    Ok(true)
                })
            })
            .connect_with(options)
            .await?;
        Ok(Self { keys, writer: pool.clone(), pool })
    }

    async fn migrate_with(&self, migrator: &Migrator) -> Result<(), StorageError> {
        // Under a lock of the server's.
        Ok(migrator.run(&self.pool).await?)
    }

    /// The disk is the server's, which reports when it is full.
    fn check_space(&self) -> Result<(), StorageError> {
        Ok(())
    }

    /// One statement is one transaction, and one way to the server and back.
    async fn store(&self, new: NewPayment<'_>) -> Result<Created, StorageError> {
        let query = match new.idempotency {
            None => sqlx::query(sql::ADD_PAYMENT),
            Some(_) => sqlx::query(sql::TAKE_KEY_AND_ADD_PAYMENT),
        };
        let query = query.bind(new.uid).bind(new.merchant).bind(new.body).bind(new.callback).bind(new.steady);
        let query = match new.idempotency {
            None => query,
            Some((key, fingerprint)) => query.bind(key).bind(fingerprint),
        };
        let mut writer = Writer::acquire(&self.writer).await?;
        let added = query.execute(&mut *writer).await?.rows_affected();
        writer.release();
        Ok(if added == 1 { Created::Stored } else { Created::KeyTaken })
    }
}

implement_storage!(Postgres, PgConnection);
implement_administration!(Postgres, sqlx::Postgres, PgConnection);
