//! SQLite: one file on one machine, without set-up.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use bigdecimal::BigDecimal;
use payspec::Timestamp;
use zeroize::Zeroizing;

use super::administration::Administration;
use super::group::{Group, Trips};
use super::implement_administration::implement_administration;
use super::implement_audit::implement_audit;
use super::implement_outbox::implement_outbox;
use super::implement_payments::{PaymentRow, RecordRow, decimal, implement_payments, lookup};
use super::jobs::Store;
use super::outbox::Outbox;
use super::payments::Payments;
use super::sql::Dialect;
use super::sqlx::migrate::Migrator;
use super::sqlx::sqlite::{
    SqliteConnectOptions, SqliteConnection, SqliteJournalMode, SqlitePool, SqlitePoolOptions,
    SqliteSynchronous,
};
use super::sqlx::{self, Connection};
use super::time::{instant, span};
use super::types::*;
use super::writer::Writer;
use super::{migrations, sql};
use crate::secret_keys::{self, SecretKeyError, SecretKeys};
use crate::system;

/// The longest wait of a writer for its turn. Writers come one after the other.
const BUSY: Duration = Duration::from_secs(10);

const BEGIN: &str = "BEGIN IMMEDIATE";
/// The pause between two tries to open a file.
const PAUSE: Duration = Duration::from_millis(20);
/// The code of `SQLITE_BUSY`.
const LOCKED: &str = "5";

fn is_locked(error: &sqlx::Error) -> bool {
    error
        .as_database_error()
        .and_then(|error| error.code())
        .is_some_and(|code| code == LOCKED)
}

/// Removes the permissions of other users on an existing database and its companions. New files get
/// theirs from [`system::keep_new_files_private`].
///
/// # Errors
/// Returns an error if a file exists and its permissions cannot be changed.
pub fn protect(file: &Path) -> std::io::Result<()> {
    for end in ["", "-wal", "-shm"] {
        let mut name = file.as_os_str().to_owned();
        name.push(end);
        match system::make_private(Path::new(&name)) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    Ok(())
}

/// Creates the folder of a file, for its owner alone.
fn create_folder(file: &Path) -> std::io::Result<()> {
    let Some(folder) = file
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
    else {
        return Ok(());
    };
    system::private_folder().recursive(true).create(folder)
}

/// Reads the keys in the file beside a database, so that a copy of the database alone reveals no
/// secret.
fn keys_beside(file: &Path) -> Result<SecretKeys, SecretKeyError> {
    if !file.exists() {
        // A database in memory ends with this process, and so does its key.
        return SecretKeys::parse(&SecretKeys::generate("memory")?);
    }
    let mut name = file.as_os_str().to_owned();
    name.push(".keys");
    SecretKeys::beside(Path::new(&name))
}

/// A file that is shared by the gateways of one machine.
pub struct Sqlite {
    keys: Arc<SecretKeys>,
    pool: SqlitePool,
    /// One connection. Writers wait for it in the order in which they came; SQLite would let them sleep
    /// and try.
    writer: SqlitePool,
    group: Group<OneWriter>,
    file: PathBuf,
    min_free_bytes: u64,
}

impl Sqlite {
    /// The begin of a transaction that writes from its beginning. A transaction that begins to write
    /// later may fail.
    const BEGIN: &str = BEGIN;
    const SERIAL: &str = "INTEGER PRIMARY KEY AUTOINCREMENT";
    // SQLite's clock has milliseconds: rounded, since the sum of days and their parts is not a
    // whole number of them.
    const DIALECT: Dialect = Dialect {
        now: "(CAST(ROUND(unixepoch('subsec') * 1000) AS INTEGER) * 1000)",
        greatest: "max",
        skip_locked: "",
        for_update: "", // a writer has the whole file
        texts: "value FROM json_each($3)",
    };

    /// Opens a file, and creates it if it does not exist.
    ///
    /// # Errors
    /// Returns an error if the file cannot be opened.
    pub async fn open(config: &StorageConfig<'_>) -> Result<Self, StorageError> {
        let options = SqliteConnectOptions::from_str(config.address)
            .map_err(|_| StorageError::Options)?
            .create_if_missing(true)
            .foreign_keys(true)
            // Readers and the writer do not wait for each other, and a commit is on the disk when
            // it is answered.
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Full)
            .busy_timeout(BUSY);
        let file = options.get_filename().to_owned();
        create_folder(&file).map_err(StorageError::Folder)?;
        protect(&file).map_err(sqlx::Error::from)?;
        let pool = |connections| {
            // A file does not go away as a server does, so a connection is not checked before each
            // statement.
            SqlitePoolOptions::new()
                .max_connections(connections)
                .acquire_timeout(BUSY)
                .test_before_acquire(false)
        };
        // Of several that open a new file at once, one changes its journal, and SQLite lets the
        // others not wait for that.
        let started = Instant::now();
        let writer = loop {
            match pool(1).connect_with(options.clone()).await {
                Err(error) if is_locked(&error) && started.elapsed() < BUSY => {
                    tokio::time::sleep(PAUSE).await
                }
                opened => break opened?,
            }
        };
        let group = Group::start([OneWriter(writer.clone())]);
        let pool = pool(config.connections).connect_with(options).await?;
        let keys = match &config.keys {
            Some(keys) => Arc::clone(keys),
            None => Arc::new(keys_beside(&file)?),
        };
        Ok(Self {
            keys,
            pool,
            writer,
            group,
            file,
            min_free_bytes: config.min_free_bytes,
        })
    }

    async fn migrate_with(&self, migrator: &Migrator) -> Result<(), StorageError> {
        // sqlx takes no lock here: two gateways that start on a new file would both make its
        // tables.
        let mut writer = Writer::acquire(&self.writer).await?;
        let mut transaction = writer.begin_with(Self::BEGIN).await?;
        migrator.run_direct(None, &mut *transaction, false).await?;
        transaction.commit().await?;
        writer.release();
        Ok(())
    }

    /// Checks that the disk has free space. A full disk would stop changes and deliveries too, so
    /// payments leave some of it free.
    fn check_space(&self) -> Result<(), StorageError> {
        match system::free_bytes(&self.file) {
            Some(free) if free < self.min_free_bytes => Err(StorageError::DiskFull),
            _ => Ok(()),
        }
    }

    /// Does nothing, because `open` has set the durability.
    async fn check_durability(_: &mut SqliteConnection) -> Result<(), StorageError> {
        Ok(())
    }

    async fn store(&self, new: NewPayment<'_>) -> Result<Created, StorageError> {
        self.group.run(new.into()).await
    }

    async fn find_record(&self, hash: &str, key: Option<&str>) -> Result<RecordRow, StorageError> {
        let statement = Self::DIALECT.render(sql::LOOK_UP_BY_TOKEN);
        Ok(sqlx::query_as(statement)
            .bind(hash)
            .bind(key)
            .fetch_one(&self.pool)
            .await?)
    }

    async fn find_payment(
        &self,
        hash: &str,
        uid: Option<&str>,
    ) -> Result<PaymentRow, StorageError> {
        let found = sqlx::query_as(sql::PAYMENT_BY_TOKEN)
            .bind(hash)
            .bind(uid)
            .fetch_optional(&self.pool)
            .await?;
        Ok(found.unwrap_or_default())
    }
}

/// The worker that stores payments. Only one commit can be under way in a file, so payments that come
/// meanwhile share the next one.
struct OneWriter(SqlitePool);

impl Trips for OneWriter {
    type Job = Store;
    type Answer = Created;

    async fn run(&mut self, payments: &[Store]) -> Result<Vec<Created>, StorageError> {
        let mut writer = Writer::acquire(&self.0).await?;
        let mut transaction = writer.begin_with(BEGIN).await?;
        let mut all = Vec::with_capacity(payments.len());
        for new in payments {
            let statement = if new.idempotency.is_some() {
                sql::ADD_PAYMENT_OF_FREE_KEY
            } else {
                sql::ADD_PAYMENT
            };
            let add = sqlx::query(statement)
                .bind(&new.uid)
                .bind(&new.merchant)
                .bind(&new.body);
            let add = add.bind(&new.callback).bind(new.steady);
            let Some((key, fingerprint)) = &new.idempotency else {
                add.execute(&mut *transaction).await?;
                all.push(Created::Stored);
                continue;
            };
            if add
                .bind(key)
                .execute(&mut *transaction)
                .await?
                .rows_affected()
                == 0
            {
                all.push(Created::KeyTaken);
                continue;
            }
            let take = sqlx::query(sql::TAKE_KEY)
                .bind(&new.merchant)
                .bind(key)
                .bind(fingerprint)
                .bind(&new.uid);
            take.bind(&new.body)
                .bind(new.steady)
                .execute(&mut *transaction)
                .await?;
            all.push(Created::Stored);
        }
        transaction.commit().await?;
        writer.release();
        Ok(all)
    }
}

implement_audit!(Sqlite, sqlx::Sqlite, SqliteConnection);
implement_payments!(Sqlite, SqliteConnection);
implement_outbox!(Sqlite);
implement_administration!(Sqlite);
