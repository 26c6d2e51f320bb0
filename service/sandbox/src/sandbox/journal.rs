//! Keeps the merchants of a sandbox in a database: `--database`.
//!
//! The memory of the process decides; the database has a copy of it, which is written after each
//! change and read at the start. So the clock of a merchant is its own with every database.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::str::FromStr;
use std::sync::Arc;

use bigdecimal::BigDecimal;
use payspec_gateway::storage::protect;
use serde::{Deserialize, Serialize};
use sqlx_core::Error as DatabaseError;
use sqlx_core::connection::{ConnectOptions, Connection};
use sqlx_core::query::query;
use sqlx_core::query_as::query_as;
use sqlx_postgres::{PgConnectOptions, PgPool, PgPoolOptions};
use sqlx_sqlite::{SqliteConnectOptions, SqlitePool, SqlitePoolOptions};

use super::clock::{Clock, Micros};
use super::merchant::Merchant;
use super::registry::Sandbox;
use super::state::{Attempt, Event, Key, Payment, Session};
use crate::failure::{Failure, reason};

const SCHEMA: &str = "CREATE TABLE IF NOT EXISTS payspec_sandbox (
    merchant TEXT NOT NULL,
    kind     TEXT NOT NULL,
    id       TEXT NOT NULL,
    body     TEXT NOT NULL,
    PRIMARY KEY (merchant, kind, id)
)";
const READ: &str = "SELECT merchant, kind, id, body FROM payspec_sandbox";
const WRITE: &str = "INSERT INTO payspec_sandbox (merchant, kind, id, body) VALUES ($1, $2, $3, $4)
    ON CONFLICT (merchant, kind, id) DO UPDATE SET body = excluded.body";
const FORGET: &str = "DELETE FROM payspec_sandbox WHERE merchant = $1";
/// The kinds of rows.
const PAYMENT: &str = "payment";
const MERCHANT: &str = "merchant";
const CONNECTIONS: u32 = 4;

#[derive(Clone)]
enum Pool {
    Sqlite(SqlitePool),
    Postgres(PgPool),
}

/// The copy of the merchants in a database.
#[derive(Clone)]
pub(crate) struct Journal {
    pool: Pool,
    /// Held while a merchant is written, so that an older copy never replaces a newer one.
    writing: Arc<tokio::sync::Mutex<()>>,
}

/// A payment with its events and attempts, as a row.
#[derive(Serialize, Deserialize)]
struct StoredPayment {
    /// The position in the order of creation.
    number: usize,
    payment: Payment,
    events: Vec<(String, Event)>,
    attempts: Vec<Attempt>,
}

/// The rest of a merchant, as a row.
#[derive(Serialize, Deserialize)]
struct StoredMerchant {
    /// The time of a clock that is stopped.
    stopped: Option<Micros>,
    ids: [u64; 4],
    balances: BTreeMap<String, BigDecimal>,
    origins: BTreeSet<String>,
    merchant_ids: BTreeSet<String>,
    keys: HashMap<String, Key>,
    sessions: HashMap<String, Session>,
}

/// Returns the failure, without the address, which may contain a password, and without values.
fn failed(error: &DatabaseError) -> Failure {
    Failure::new(match error {
        DatabaseError::Database(error) => format!("--database: {}", error.message()),
        DatabaseError::Io(error) => format!("--database: cannot connect: {}", reason(error)),
        DatabaseError::Tls(_) => "--database: cannot connect: TLS has failed".to_owned(),
        DatabaseError::PoolTimedOut => "--database: no connection is free".to_owned(),
        _ => "--database: the answer of the server is not understood".to_owned(),
    })
}

fn broken() -> Failure {
    Failure::new("--database: it contains rows that this program has not written")
}

impl Journal {
    /// Opens a database, and reads the merchants in it.
    pub(crate) async fn open(sandbox: &Sandbox, address: &str) -> Result<Self, Failure> {
        let address_error =
            || Failure::new("--database: expected sqlite:FILE or postgres://USER@HOST/NAME");
        let pool = if address.starts_with("sqlite:") {
            let options = SqliteConnectOptions::from_str(address).map_err(|_| address_error())?;
            let options = options.create_if_missing(true);
            protect(options.get_filename())
                .map_err(|error| Failure::new(format!("--database: {}", reason(&error))))?;
            let pool = SqlitePoolOptions::new()
                .max_connections(1)
                .connect_with(options)
                .await;
            Pool::Sqlite(pool.map_err(|error| failed(&error))?)
        } else if address.starts_with("postgres:") || address.starts_with("postgresql:") {
            let options = PgConnectOptions::from_str(address).map_err(|_| address_error())?;
            // A pool would try again for half a minute, and then not report the reason.
            let connection = options.connect().await.map_err(|error| failed(&error))?;
            let _ = connection.close().await;
            let pool = PgPoolOptions::new()
                .max_connections(CONNECTIONS)
                .connect_with(options)
                .await;
            Pool::Postgres(pool.map_err(|error| failed(&error))?)
        } else {
            return Err(address_error());
        };
        let journal = Self {
            pool,
            writing: Arc::default(),
        };
        journal.read(sandbox).await?;
        Ok(journal)
    }

    async fn read(&self, sandbox: &Sandbox) -> Result<(), Failure> {
        type Row = (String, String, String, String);
        let rows: Result<Vec<Row>, DatabaseError> = match &self.pool {
            Pool::Sqlite(pool) => {
                query(SCHEMA)
                    .execute(pool)
                    .await
                    .map_err(|error| failed(&error))?;
                query_as(READ).fetch_all(pool).await
            }
            Pool::Postgres(pool) => {
                query(SCHEMA)
                    .execute(pool)
                    .await
                    .map_err(|error| failed(&error))?;
                query_as(READ).fetch_all(pool).await
            }
        };
        let mut payments: HashMap<String, Vec<(String, StoredPayment)>> = HashMap::new();
        let mut merchants = Vec::new();
        for (merchant, kind, id, body) in rows.map_err(|error| failed(&error))? {
            match kind.as_str() {
                PAYMENT => {
                    let payment = serde_json::from_str(&body).map_err(|_| broken())?;
                    payments.entry(merchant).or_default().push((id, payment));
                }
                MERCHANT => {
                    merchants.push((merchant, serde_json::from_str(&body).map_err(|_| broken())?))
                }
                _ => return Err(broken()),
            }
        }
        for (name, stored) in merchants {
            let mut payments = payments.remove(&name).unwrap_or_default();
            payments.sort_by_key(|(_, payment)| payment.number);
            restore(&sandbox.merchant(&name), stored, payments);
        }
        Ok(())
    }

    /// Writes what has changed of all merchants.
    pub(crate) async fn write(&self, sandbox: &Sandbox) -> Result<(), Failure> {
        for merchant in sandbox.merchants() {
            self.try_write(&merchant)
                .await
                .map_err(|error| failed(&error))?;
        }
        Ok(())
    }

    /// Writes the changes of a merchant. A change that cannot be written stays in memory, and is
    /// written with the next one.
    pub(crate) async fn write_merchant(&self, merchant: &Merchant) {
        if let Err(error) = self.try_write(merchant).await {
            failed(&error).print();
        }
    }

    async fn try_write(&self, merchant: &Merchant) -> Result<(), DatabaseError> {
        let _held = self.writing.lock().await;
        let (rows, forget, dirty) = rows(merchant);
        // The types of both pools have no common trait for these calls.
        macro_rules! write_in_one_transaction {
            ($pool:expr) => {
                async {
                    let mut transaction = $pool.begin().await?;
                    if forget {
                        query(FORGET)
                            .bind(merchant.name())
                            .execute(&mut *transaction)
                            .await?;
                    }
                    for (kind, id, body) in &rows {
                        let query = query(WRITE)
                            .bind(merchant.name())
                            .bind(*kind)
                            .bind(id)
                            .bind(body);
                        query.execute(&mut *transaction).await?;
                    }
                    transaction.commit().await
                }
                .await
            };
        }
        let written = match &self.pool {
            Pool::Sqlite(pool) => write_in_one_transaction!(pool),
            Pool::Postgres(pool) => write_in_one_transaction!(pool),
        };
        if written.is_err() {
            let mut state = merchant.store.state();
            state.dirty.extend(dirty);
            state.forget |= forget;
        }
        written
    }
}

/// A row: its kind, its identifier, and its JSON.
type Row = (&'static str, String, String);

/// Returns the rows that have changed, whether all earlier ones are to be deleted, and the uids of
/// the changed payments.
fn rows(merchant: &Merchant) -> (Vec<Row>, bool, Vec<String>) {
    let mut state = merchant.store.state();
    let dirty: Vec<String> = state.dirty.drain().collect();
    let forget = std::mem::take(&mut state.forget);
    let json = |value: Result<String, serde_json::Error>| value.unwrap_or_default();
    let mut rows = Vec::with_capacity(dirty.len() + 1);
    let numbers: HashMap<&str, usize> = state
        .order
        .iter()
        .enumerate()
        .map(|(number, uid)| (uid.as_str(), number))
        .collect();
    for uid in &dirty {
        let Some(payment) = state.payments.get(uid) else {
            continue;
        };
        let events = payment
            .events
            .iter()
            .filter_map(|id| Some((id.clone(), state.events.get(id)?.clone())));
        let attempts = state
            .attempts
            .iter()
            .filter(|attempt| payment.events.contains(&attempt.event));
        let stored = StoredPayment {
            number: numbers.get(uid.as_str()).copied().unwrap_or_default(),
            payment: payment.clone(),
            events: events.collect(),
            attempts: attempts.cloned().collect(),
        };
        rows.push((PAYMENT, uid.clone(), json(serde_json::to_string(&stored))));
    }
    let stored = StoredMerchant {
        stopped: (!state.clock.is_running()).then(|| state.clock.now()),
        ids: merchant.ids.numbers(),
        balances: state.balances.clone(),
        origins: state.origins.clone(),
        merchant_ids: state.merchant_ids.clone(),
        keys: state.keys.clone(),
        sessions: state.sessions.clone(),
    };
    rows.push((
        MERCHANT,
        String::new(),
        json(serde_json::to_string(&stored)),
    ));
    (rows, forget, dirty)
}

/// Sets the state of a merchant to the stored one.
fn restore(merchant: &Merchant, stored: StoredMerchant, payments: Vec<(String, StoredPayment)>) {
    merchant.ids.set(stored.ids);
    let mut state = merchant.store.state();
    state.clock = stored.stopped.map_or_else(Clock::running, Clock::stopped);
    state.balances = stored.balances;
    state.origins = stored.origins;
    state.merchant_ids = stored.merchant_ids;
    state.keys = stored.keys;
    state.sessions = stored.sessions;
    for (uid, stored) in payments {
        state.events.extend(stored.events);
        state.attempts.extend(stored.attempts);
        state.payments.insert(uid.clone(), stored.payment);
        state.order.push(uid);
    }
    state.attempts.sort_by_key(|attempt| attempt.at);
    state.resume();
    state.dirty.clear();
}
