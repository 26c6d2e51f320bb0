//! SQLite: one file, one machine, no set-up.

use std::str::FromStr;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use bigdecimal::BigDecimal;
use payspec::Timestamp;
use sqlx::migrate::Migrator;
use sqlx::sqlite::{
    SqliteConnectOptions, SqliteConnection, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteSynchronous,
};
use sqlx::{Sqlite as Database, Transaction};

use super::group::Group;
use super::implement::{decimal, implement_storage};
use super::interface::Storage;
use super::sql::Dialect;
use super::time::{instant, span};
use super::types::*;
use super::{migrations, sql};

/// Writers come one after the other; this is how long one waits for its turn.
const BUSY: Duration = Duration::from_secs(10);

/// Between two tries to open it.
const PAUSE: Duration = Duration::from_millis(20);
/// SQLITE_BUSY.
const LOCKED: &str = "5";

fn is_locked(error: &sqlx::Error) -> bool {
    error.as_database_error().and_then(|error| error.code()).is_some_and(|code| code == LOCKED)
}

/// A file that is shared by the gateways of one machine.
pub struct Sqlite {
    pool: SqlitePool,
    /// One connection: those who write wait here, in the order they came. SQLite itself would let them sleep and try.
    writer: SqlitePool,
    group: Group,
}

impl Sqlite {
    const SERIAL: &str = "INTEGER PRIMARY KEY AUTOINCREMENT";
    // SQLite's clock has milliseconds: rounded, since the sum of days and their parts is not a whole number of them.
    const DIALECT: Dialect = Dialect {
        now: "(CAST(ROUND(unixepoch('subsec') * 1000) AS INTEGER) * 1000)",
        skip_locked: "",
        for_update: "", // a writer has the whole file
        texts: "value FROM json_each($3)",
    };

    /// Opens a file, and creates it if it does not exist.
    ///
    /// # Errors
    /// The file cannot be opened.
    pub async fn open(address: &str, connections: u32) -> Result<Self, StorageError> {
        let options = SqliteConnectOptions::from_str(address)?
            .create_if_missing(true)
            .foreign_keys(true)
            // Readers and the writer do not wait for each other, and a commit is on the disk when it is answered.
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Full)
            .busy_timeout(BUSY);
        let pool = |connections| SqlitePoolOptions::new().max_connections(connections).acquire_timeout(BUSY);
        // Of several that open a new file at once, one changes its journal, and SQLite lets the others not wait for that.
        let started = Instant::now();
        let writer = loop {
            match pool(1).connect_with(options.clone()).await {
                Err(error) if is_locked(&error) && started.elapsed() < BUSY => tokio::time::sleep(PAUSE).await,
                opened => break opened?,
            }
        };
        let group = Group::start(writer.clone());
        Ok(Self { pool: pool(connections).connect_with(options).await?, writer, group })
    }

    async fn migrate_with(&self, migrator: &Migrator) -> Result<(), StorageError> {
        // sqlx takes no lock here: two gateways that start on a new file would both make its tables.
        let mut transaction = self.begin().await?;
        migrator.run_direct(&mut *transaction).await?;
        Ok(transaction.commit().await?)
    }

    /// A transaction that writes from its beginning: one that begins to write later may find that it cannot.
    async fn begin(&self) -> Result<Transaction<'static, Database>, sqlx::Error> {
        self.writer.begin_with("BEGIN IMMEDIATE").await
    }

    async fn store(&self, new: NewPayment<'_>) -> Result<Created, StorageError> {
        self.group.create(new).await
    }
}

implement_storage!(Sqlite, SqliteConnection);
