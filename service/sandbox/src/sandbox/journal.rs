//! Keeps the merchants of a sandbox in a database: `--database`.
//!
//! The memory of the process decides; the database has a copy of it, which is written after each
//! change and read at the start. So the clock of a merchant is its own with every database.

use std::collections::{BTreeSet, HashMap};
use std::str::FromStr;
use std::sync::Arc;

use bigdecimal::BigDecimal;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sqlx_core::Error as DatabaseError;
use sqlx_core::connection::{ConnectOptions, Connection};
use sqlx_core::query::query;
use sqlx_core::query_as::query_as;
use sqlx_postgres::{PgConnectOptions, PgPool, PgPoolOptions};
use sqlx_sqlite::{SqliteConnectOptions, SqlitePool, SqlitePoolOptions};

use super::clock::{Clock, Micros};
use super::merchant::Merchant;
use super::registry::Sandbox;
use super::scenario;
use super::state::{Attempt, Event, EventStatus, Key, Moment, Payment, Session};
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

#[derive(Serialize, Deserialize)]
struct StoredMoment {
    state: String,
    at: Micros,
    by: String,
}

#[derive(Serialize, Deserialize)]
struct StoredEvent {
    id: String,
    url: String,
    body: String,
    state: String,
    attempts: u32,
    status: String,
}

#[derive(Serialize, Deserialize)]
struct StoredAttempt {
    event: String,
    number: u32,
    at: Micros,
    headers: Vec<(String, String)>,
    result: Value,
    next: Option<Micros>,
    repeated: bool,
}

#[derive(Serialize, Deserialize)]
struct StoredPayment {
    number: usize,
    body: String,
    first_body: String,
    request: String,
    callback: Option<String>,
    version: i64,
    booked: String,
    created: Micros,
    deadline: Option<Micros>,
    scenario: String,
    next: Option<usize>,
    timeline: Vec<StoredMoment>,
    events: Vec<StoredEvent>,
    attempts: Vec<StoredAttempt>,
}

#[derive(Serialize, Deserialize)]
struct StoredKey {
    fingerprint: String,
    uid: String,
    at: Micros,
}

#[derive(Serialize, Deserialize)]
struct StoredSession {
    order: String,
    amount: String,
    currency: String,
    redirect_url: Option<String>,
    expires: Micros,
}

#[derive(Serialize, Deserialize)]
struct StoredMerchant {
    /// The time of a clock that is stopped.
    stopped: Option<Micros>,
    ids: [u64; 4],
    balances: HashMap<String, String>,
    origins: BTreeSet<String>,
    keys: HashMap<String, StoredKey>,
    sessions: HashMap<String, StoredSession>,
}

/// Names neither the address, which may hold a password, nor values.
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
            restore(&sandbox.merchant(&name), stored, payments).ok_or_else(broken)?;
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
            .filter_map(|id| Some((id, state.events.get(id)?)));
        let attempts = state
            .attempts
            .iter()
            .filter(|attempt| payment.events.contains(&attempt.event));
        let stored = StoredPayment {
            number: numbers.get(uid.as_str()).copied().unwrap_or_default(),
            body: payment.body.clone(),
            first_body: payment.first_body.clone(),
            request: payment.request.clone(),
            callback: payment.callback.clone(),
            version: payment.version,
            booked: payment.booked.to_string(),
            created: payment.created,
            deadline: payment.deadline,
            scenario: payment.scenario.name.to_owned(),
            next: payment.next,
            timeline: payment
                .timeline
                .iter()
                .map(|moment| StoredMoment {
                    state: moment.state.clone(),
                    at: moment.at,
                    by: moment.by.to_owned(),
                })
                .collect(),
            events: events
                .map(|(id, event)| StoredEvent {
                    id: id.clone(),
                    url: event.url.clone(),
                    body: event.body.clone(),
                    state: event.state.clone(),
                    attempts: event.attempts,
                    status: event.status.name().to_owned(),
                })
                .collect(),
            attempts: attempts
                .cloned()
                .map(
                    |Attempt {
                         event,
                         number,
                         at,
                         headers,
                         result,
                         next,
                         repeated,
                     }| StoredAttempt {
                        event,
                        number,
                        at,
                        headers,
                        result,
                        next,
                        repeated,
                    },
                )
                .collect(),
        };
        rows.push((PAYMENT, uid.clone(), json(serde_json::to_string(&stored))));
    }
    let stored = StoredMerchant {
        stopped: (!state.clock.is_running()).then(|| state.clock.now()),
        ids: merchant.ids.numbers(),
        origins: state.origins.clone(),
        balances: state
            .balances
            .iter()
            .map(|(currency, amount)| (currency.clone(), amount.to_string()))
            .collect(),
        keys: state
            .keys
            .iter()
            .map(|(name, key)| {
                let Key {
                    fingerprint,
                    uid,
                    at,
                } = key.clone();
                (
                    name.clone(),
                    StoredKey {
                        fingerprint,
                        uid,
                        at,
                    },
                )
            })
            .collect(),
        sessions: state
            .sessions
            .iter()
            .map(|(id, session)| {
                let Session {
                    order,
                    amount,
                    currency,
                    redirect_url,
                    expires,
                } = session.clone();
                (
                    id.clone(),
                    StoredSession {
                        order,
                        amount,
                        currency,
                        redirect_url,
                        expires,
                    },
                )
            })
            .collect(),
    };
    rows.push((
        MERCHANT,
        String::new(),
        json(serde_json::to_string(&stored)),
    ));
    (rows, forget, dirty)
}

fn cause(by: &str) -> Option<&'static str> {
    ["request", "scenario", "deadline", "operator"]
        .into_iter()
        .find(|known| *known == by)
}

fn restore(
    merchant: &Merchant,
    stored: StoredMerchant,
    payments: Vec<(String, StoredPayment)>,
) -> Option<()> {
    merchant.ids.set(stored.ids);
    let mut state = merchant.store.state();
    state.origins = stored.origins;
    state.clock = stored.stopped.map_or_else(Clock::running, Clock::stopped);
    for (currency, amount) in stored.balances {
        state
            .balances
            .insert(currency, BigDecimal::from_str(&amount).ok()?);
    }
    for (
        name,
        StoredKey {
            fingerprint,
            uid,
            at,
        },
    ) in stored.keys
    {
        state.keys.insert(
            name,
            Key {
                fingerprint,
                uid,
                at,
            },
        );
    }
    for (
        id,
        StoredSession {
            order,
            amount,
            currency,
            redirect_url,
            expires,
        },
    ) in stored.sessions
    {
        state.sessions.insert(
            id,
            Session {
                order,
                amount,
                currency,
                redirect_url,
                expires,
            },
        );
    }
    for (uid, payment) in payments {
        let mut ids = Vec::new();
        for event in payment.events {
            let StoredEvent {
                id,
                url,
                body,
                state: of,
                attempts,
                status,
            } = event;
            let status = EventStatus::find(&status)?;
            ids.push(id.clone());
            state.events.insert(
                id,
                Event {
                    uid: uid.clone(),
                    url,
                    body,
                    state: of,
                    attempts,
                    status,
                },
            );
        }
        for attempt in payment.attempts {
            let StoredAttempt {
                event,
                number,
                at,
                headers,
                result,
                next,
                repeated,
            } = attempt;
            state.attempts.push(Attempt {
                event,
                number,
                at,
                headers,
                result,
                next,
                repeated,
            });
        }
        let timeline: Option<Vec<_>> = payment
            .timeline
            .into_iter()
            .map(|moment| {
                Some(Moment {
                    state: moment.state,
                    at: moment.at,
                    by: cause(&moment.by)?,
                })
            })
            .collect();
        let restored = Payment {
            body: payment.body,
            first_body: payment.first_body,
            request: payment.request,
            callback: payment.callback,
            version: payment.version,
            booked: BigDecimal::from_str(&payment.booked).ok()?,
            created: payment.created,
            deadline: payment.deadline,
            scenario: scenario::find(&payment.scenario)?,
            next: payment.next,
            timeline: timeline?,
            events: ids,
        };
        state.payments.insert(uid.clone(), restored);
        state.order.push(uid);
    }
    state.attempts.sort_by_key(|attempt| attempt.at);
    state.resume();
    state.dirty.clear();
    Some(())
}
