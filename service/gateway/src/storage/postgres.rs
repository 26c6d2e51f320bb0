//! PostgreSQL, for any number of gateways on any number of machines.

use std::collections::{BTreeMap, HashSet};
use std::io::ErrorKind;
use std::str::FromStr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use bigdecimal::BigDecimal;
use payspec::Timestamp;
use tokio::time::timeout;
use zeroize::Zeroizing;

use super::administration::Administration;
use super::group::{Group, Trips};
use super::implement_administration::implement_administration;
use super::implement_audit::implement_audit;
use super::implement_outbox::implement_outbox;
use super::implement_payments::{PaymentRow, RecordRow, decimal, implement_payments, lookup};
use super::jobs::{Find, Store};
use super::outbox::Outbox;
use super::payments::Payments;
use super::sql::Dialect;
use super::sqlx::migrate::Migrator;
use super::sqlx::postgres::{PgConnectOptions, PgConnection, PgPool, PgPoolOptions};
use super::sqlx::{self, Connection};
use super::time::{instant, span};
use super::types::*;
use super::writer::Writer;
use super::{migrations, sql};
use crate::secret_keys::{self, SecretKeys};

/// The longest wait for a connection.
const ACQUIRE: Duration = Duration::from_secs(10);
/// The time without use after which a connection is checked.
const RESTED: Duration = Duration::from_secs(1);
/// The longest time of a check.
const CHECK: Duration = Duration::from_secs(2);
/// The pause between two tries to connect to a server that is starting.
const PAUSE: Duration = Duration::from_millis(50);
/// The code of `cannot_connect_now`.
const STARTING: &str = "57P03";
/// The connections for each kind of statement that is sent for many requests at once: one is used
/// while the other waits.
const LINES: usize = 2;

/// A server that is shared by gateways.
pub struct Postgres {
    keys: Arc<SecretKeys>,
    pool: PgPool,
    writer: PgPool,
    payments: Group<StorePayments>,
    records: Group<FindRecords>,
    reads: Group<FindPayments>,
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
    /// Returns an error if the server does not answer, or refuses the connection.
    pub async fn open(config: &StorageConfig<'_>) -> Result<Self, StorageError> {
        let options = PgConnectOptions::from_str(config.address)
            .map_err(|_| StorageError::Options)?
            .application_name("payspec-gateway");
        let keys = config.keys.clone().ok_or(StorageError::NoKeys)?;
        // The pool would not report why it cannot use a server.
        prepare(&mut connect(&options).await?).await?;
        let pool = PgPoolOptions::new()
            .max_connections(config.connections)
            .acquire_timeout(ACQUIRE)
            .after_connect(|connection, _| {
                Box::pin(async move { prepare(connection).await.map_err(into_sqlx) })
            })
            // An unused connection may be dead, so it is checked; one in use is not checked before
            // each statement.
            .test_before_acquire(false)
            .before_acquire(|connection, meta| {
                Box::pin(async move { Ok(meta.idle_for < RESTED || is_usable(connection).await) })
            })
            // After work that was given up, the pool would wait for the server for ever.
            .after_release(|connection, _| {
                Box::pin(async move {
                    Ok(matches!(
                        timeout(CHECK, connection.ping()).await,
                        Ok(Ok(()))
                    ))
                })
            })
            .connect_lazy_with(options);
        let lines = || {
            (0..LINES).map(|_| Line {
                pool: pool.clone(),
                connection: None,
            })
        };
        Ok(Self {
            keys,
            writer: pool.clone(),
            payments: Group::start(lines().map(StorePayments)),
            records: Group::start(lines().map(FindRecords)),
            reads: Group::start(lines().map(FindPayments)),
            pool,
        })
    }

    async fn migrate_with(&self, migrator: &Migrator) -> Result<(), StorageError> {
        let mut connection = self.pool.acquire().await?.detach();
        // A large table takes longer than any other statement may, and is read as a whole.
        for reset in [
            "SET statement_timeout = 0",
            "RESET enable_seqscan",
            "RESET jit",
        ] {
            sqlx::query(reset).execute(&mut connection).await?;
        }
        // Under a lock of the server's.
        migrator.run_direct(None, &mut connection, false).await?;
        Ok(connection.close().await?)
    }

    /// The disk is the server's, which reports when it is full.
    fn check_space(&self) -> Result<(), StorageError> {
        Ok(())
    }

    /// Checks that a commit is on the disk when it is answered.
    async fn check_durability(connection: &mut PgConnection) -> Result<(), StorageError> {
        prepare(connection).await
    }

    async fn store(&self, new: NewPayment<'_>) -> Result<Created, StorageError> {
        self.payments.run(new.into()).await
    }

    async fn find_record(&self, hash: &str, key: Option<&str>) -> Result<RecordRow, StorageError> {
        self.records
            .run(Find {
                hash: hash.to_owned(),
                name: key.map(ToOwned::to_owned),
            })
            .await
    }

    async fn find_payment(
        &self,
        hash: &str,
        uid: Option<&str>,
    ) -> Result<PaymentRow, StorageError> {
        self.reads
            .run(Find {
                hash: hash.to_owned(),
                name: uid.map(ToOwned::to_owned),
            })
            .await
    }
}

/// Opens the first connection, and waits for a server that is just starting.
async fn connect(options: &PgConnectOptions) -> Result<PgConnection, StorageError> {
    let start = Instant::now();
    loop {
        match PgConnection::connect_with(options).await {
            Err(error) if is_starting(&error) && start.elapsed() < ACQUIRE => {
                tokio::time::sleep(PAUSE).await
            }
            connected => return Ok(connected?),
        }
    }
}

fn is_starting(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::Io(error) => error.kind() == ErrorKind::ConnectionRefused,
        error => error
            .as_database_error()
            .and_then(|error| error.code())
            .is_some_and(|code| code == STARTING),
    }
}

/// Limits the time of statements, unless the operator has done so, and prevents plans that read
/// whole tables. Checks that the server is the primary and loses nothing that it has answered.
async fn prepare(connection: &mut PgConnection) -> Result<(), StorageError> {
    let (is_replica, is_durable): (bool, bool) =
        sqlx::query_as(sql::PREPARE).fetch_one(connection).await?;
    match (is_replica, is_durable) {
        (true, _) => Err(StorageError::Replica),
        (false, false) => Err(StorageError::NotDurable),
        (false, true) => Ok(()),
    }
}

/// Returns whether a connection that was opened before can still be used.
async fn is_usable(connection: &mut PgConnection) -> bool {
    matches!(timeout(CHECK, prepare(connection)).await, Ok(Ok(())))
}

fn into_sqlx(error: StorageError) -> sqlx::Error {
    match error {
        StorageError::Database(error) => error,
        error => sqlx::Error::Configuration(Box::new(error)),
    }
}

/// A connection that is kept from one statement to the next. A pool would ask the server after each
/// statement if it is still there, which takes as long as a search.
struct Line {
    pool: PgPool,
    /// The connection, with the time of its last check.
    connection: Option<(PgConnection, Instant)>,
}

impl Line {
    /// Takes the connection, which is checked once in a while. If its work does not end well, it is
    /// not put back, and so closed.
    async fn take(&mut self) -> Result<(PgConnection, Instant), StorageError> {
        if let Some((mut connection, checked)) = self.connection.take() {
            if checked.elapsed() < RESTED {
                return Ok((connection, checked));
            }
            if is_usable(&mut connection).await {
                return Ok((connection, Instant::now()));
            }
        }
        loop {
            // A connection of the pool may be unusable too.
            let mut connection = self.pool.acquire().await?.detach();
            if is_usable(&mut connection).await {
                return Ok((connection, Instant::now()));
            }
        }
    }
}

/// Stores payments in one statement, which is one transaction.
struct StorePayments(Line);

impl Trips for StorePayments {
    type Job = Store;
    type Answer = Created;

    async fn run(&mut self, payments: &[Store]) -> Result<Vec<Created>, StorageError> {
        let texts = |text: fn(&Store) -> &str| payments.iter().map(text).collect::<Vec<_>>();
        let keys: Vec<_> = payments
            .iter()
            .map(|new| new.idempotency.as_ref().map(|(key, _)| key))
            .collect();
        let prints: Vec<_> = payments
            .iter()
            .map(|new| new.idempotency.as_ref().map(|(_, print)| print))
            .collect();
        let query = sqlx::query_scalar(sql::ADD_PAYMENTS)
            .bind(texts(|new| &new.uid))
            .bind(texts(|new| &new.merchant))
            .bind(texts(|new| &new.body))
            .bind(
                payments
                    .iter()
                    .map(|new| new.callback.as_deref())
                    .collect::<Vec<_>>(),
            )
            .bind(payments.iter().map(|new| new.steady).collect::<Vec<_>>())
            .bind(keys)
            .bind(prints);
        let (mut connection, checked) = self.0.take().await?;
        let stored: Vec<String> = query.fetch_all(&mut connection).await?;
        self.0.connection = Some((connection, checked));
        let stored: HashSet<_> = stored.into_iter().collect();
        let created = |new: &Store| {
            if stored.contains(&new.uid) {
                Created::Stored
            } else {
                Created::KeyTaken
            }
        };
        Ok(payments.iter().map(created).collect())
    }
}

macro_rules! find {
    ($name:ident, $row:ty, $statement:expr) => {
        /// Looks up the owners of tokens, and what is read with them, in one statement.
        struct $name(Line);

        impl Trips for $name {
            type Job = Find;
            type Answer = $row;

            async fn run(&mut self, wanted: &[Find]) -> Result<Vec<$row>, StorageError> {
                let hashes: Vec<_> = wanted.iter().map(|find| find.hash.as_str()).collect();
                let names: Vec<_> = wanted.iter().map(|find| find.name.as_deref()).collect();
                let query = sqlx::query_as(Postgres::DIALECT.render($statement))
                    .bind(hashes)
                    .bind(names);
                let (mut connection, checked) = self.0.take().await?;
                let found = query.fetch_all(&mut connection).await?;
                self.0.connection = Some((connection, checked));
                Ok(found)
            }
        }
    };
}

find!(FindRecords, RecordRow, sql::LOOK_UP_BY_TOKENS);
find!(FindPayments, PaymentRow, sql::PAYMENTS_BY_TOKENS);

implement_audit!(Postgres, sqlx::Postgres, PgConnection);
implement_payments!(Postgres, PgConnection);
implement_outbox!(Postgres);
implement_administration!(Postgres);
