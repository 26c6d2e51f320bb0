//! The storage of a merchant, in the memory of the process, by the clock of the merchant.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use payspec::{CreateRequest, Engine, Timestamp, Uuid};
use payspec_gateway::service::Acquirer;
use payspec_gateway::storage::{
    Administration, Audit, AuditEntry, Balance, CheckoutSession, Claim, Created,
    Event as OutboxEvent, Lookup, MerchantProfile, NewPayment, Record, StateChange, Storage,
    StorageError, StoredPayment, Token, TokenKind, TokenOwner,
};
use tokio::sync::{Notify, watch};
use zeroize::Zeroizing;

use super::clock::{self, micros, timestamp};
use super::scenario::{self, Scenario};
use super::state::{Event, EventStatus, Key, Moment, Session, State, Submission};

tokio::task_local! {
    /// The scenario that the header of the current request names.
    pub(crate) static REQUESTED: Option<&'static Scenario>;
    /// The cause of a change of state: `scenario` or `deadline`. Operators have an audit entry
    /// instead.
    pub(crate) static CAUSE: &'static str;
}

/// The storage of one merchant.
pub(crate) struct Store {
    pub(crate) merchant: String,
    pub(crate) secret: String,
    token_hash: String,
    engine: Arc<Engine>,
    state: Mutex<State>,
    /// Counts the changes, for the console.
    pub(crate) revision: watch::Sender<u64>,
    /// Wakes what waits for the next due item of any merchant.
    wake: Arc<Notify>,
}

impl Store {
    pub(crate) fn new(
        (merchant, token): (&str, &str),
        secret: String,
        engine: Arc<Engine>,
        state: State,
        wake: Arc<Notify>,
    ) -> Self {
        Self {
            merchant: merchant.to_owned(),
            secret,
            token_hash: payspec_gateway::token::hash(token),
            engine,
            state: Mutex::new(state),
            revision: watch::Sender::new(0),
            wake,
        }
    }

    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Announces a change.
    pub(crate) fn changed(&self) {
        self.revision.send_modify(|revision| *revision += 1);
        self.wake.notify_one();
    }
}

/// Returns the origin of a URL, as browsers write it.
pub(crate) fn origin(url: &str) -> Option<String> {
    let url = reqwest::Url::parse(url).ok()?;
    matches!(url.scheme(), "http" | "https").then(|| url.origin().ascii_serialization())
}

impl Acquirer for Store {
    fn submit(&self, uid: Uuid, body: &[u8], request: &CreateRequest<'_>) {
        let requested = REQUESTED.try_with(|scenario| *scenario).ok().flatten();
        let mut state = self.state();
        let scenario = requested.unwrap_or_else(|| match &mut state.scenario {
            Some((scenario, count)) => {
                let scenario = *scenario;
                *count -= 1;
                if *count == 0 {
                    state.scenario = None;
                }
                scenario
            }
            None => scenario::of(request),
        });
        // The merchant's own requests say where its pages are; a gateway has them registered.
        if let Some(origin) = request.common().redirect_url.as_deref().and_then(origin) {
            state.origins.insert(origin);
        }
        let submission = Submission {
            scenario,
            request: self.engine.redact(body).unwrap_or_default(),
            seconds: request.common().time_to_complete_payment,
        };
        state.submitted.insert(uid, submission);
    }
}

#[async_trait]
impl Storage for Store {
    async fn migrate(&self) -> Result<(), StorageError> {
        Ok(())
    }

    async fn ping(&self) -> Result<(), StorageError> {
        Ok(())
    }

    async fn now(&self) -> Result<Timestamp, StorageError> {
        Ok(timestamp(self.state().clock.now()))
    }

    async fn tick(&self) -> Result<i64, StorageError> {
        Ok(0)
    }

    async fn look_up(&self, _: &str, key: Option<&str>) -> Result<Lookup, StorageError> {
        let state = self.state();
        let now = state.clock.now();
        let record = key.and_then(|key| state.keys.get(key)).and_then(|key| {
            let payment = state.payments.get(&key.uid)?;
            let (fingerprint, payment) = (key.fingerprint.clone(), payment.first_body.clone());
            Some(Record {
                created_at: timestamp(key.at),
                fingerprint,
                payment,
            })
        });
        Ok(Lookup {
            now: timestamp(now),
            steady: now,
            record,
        })
    }

    async fn create(&self, payment: NewPayment<'_>) -> Result<Created, StorageError> {
        let mut state = self.state();
        let uid: Uuid = payment
            .uid
            .parse()
            .map_err(|_| StorageError::Row("a uid"))?;
        let submission = state.submitted.remove(&uid);
        if let Some((key, fingerprint)) = payment.idempotency {
            if state.keys.contains_key(key) {
                return Ok(Created::KeyTaken);
            }
            let at = state.clock.now();
            let record = Key {
                fingerprint: fingerprint.to_owned(),
                uid: payment.uid.to_owned(),
                at,
            };
            state.keys.insert(key.to_owned(), record);
        }
        let submission = submission.ok_or(StorageError::Row("a payment without its request"))?;
        state.add_payment(payment.uid, payment.body, payment.callback, submission);
        drop(state);
        self.changed();
        Ok(Created::Stored)
    }

    async fn payment(&self, uid: &str) -> Result<Option<StoredPayment>, StorageError> {
        Ok(self.state().payments.get(uid).map(|payment| StoredPayment {
            merchant: self.merchant.clone(),
            body: payment.body.clone(),
            callback: payment.callback.clone(),
            version: payment.version,
            booked: payment.booked.clone(),
        }))
    }

    async fn apply(&self, change: StateChange<'_>) -> Result<bool, StorageError> {
        let mut state = self.state();
        let now = state.clock.now();
        let by = match change.audit {
            Some(_) => "operator",
            None => CAUSE.try_with(|cause| *cause).unwrap_or("operator"),
        };
        let Some(payment) = state.payments.get_mut(change.uid) else {
            return Ok(false);
        };
        if payment.version != change.version {
            return Ok(false);
        }
        payment.version += 1;
        payment.body = change.body.to_owned();
        let difference = &change.booking.amount - &payment.booked;
        payment.booked = change.booking.amount.clone();
        payment.timeline.push(Moment {
            state: change.state.to_owned(),
            at: now,
            by,
        });
        if by != "scenario" {
            payment.next = None;
        }
        state.dirty.insert(change.uid.to_owned());
        *state
            .balances
            .entry(change.booking.currency.clone())
            .or_default() += difference;
        if let Some((id, url)) = change.event {
            let event = Event {
                uid: change.uid.to_owned(),
                url: url.to_owned(),
                body: change.body.to_owned(),
                state: change.state.to_owned(),
                attempts: 0,
                status: EventStatus::Pending,
            };
            state.add_event(id, event);
        }
        drop(state);
        self.changed();
        Ok(true)
    }

    async fn waiting(&self, _: &str, _: Duration, _: i64) -> Result<Vec<String>, StorageError> {
        // The scenarios change payments.
        Ok(Vec::new())
    }

    async fn add_session(
        &self,
        session: &CheckoutSession,
        time: Duration,
    ) -> Result<Option<CheckoutSession>, StorageError> {
        let mut state = self.state();
        let expires = state.clock.now().saturating_add(micros(time));
        let known = state
            .sessions
            .iter_mut()
            .find(|(_, known)| known.order == session.order_id);
        if let Some((id, known)) = known {
            if (known.amount.as_str(), known.currency.as_str())
                != (&session.amount, &session.currency)
            {
                return Ok(None);
            }
            known.expires = expires;
            known.redirect_url.clone_from(&session.redirect_url);
            return Ok(Some(CheckoutSession {
                id: id.clone(),
                ..session.clone()
            }));
        }
        let CheckoutSession {
            id,
            order_id,
            amount,
            currency,
            redirect_url,
            ..
        } = session.clone();
        state.sessions.insert(
            id,
            Session {
                order: order_id,
                amount,
                currency,
                redirect_url,
                expires,
            },
        );
        Ok(Some(session.clone()))
    }

    async fn session(&self, id: &str) -> Result<Option<CheckoutSession>, StorageError> {
        let state = self.state();
        let now = state.clock.now();
        Ok(state.sessions.get(id).map(|session| CheckoutSession {
            id: id.to_owned(),
            merchant: self.merchant.clone(),
            order_id: session.order.clone(),
            amount: session.amount.clone(),
            currency: session.currency.clone(),
            redirect_url: session.redirect_url.clone(),
            is_open: session.expires > now,
        }))
    }

    async fn forget_sessions(&self, _: Duration, _: i64) -> Result<u64, StorageError> {
        Ok(0)
    }

    async fn balances(&self, _: &str) -> Result<Vec<Balance>, StorageError> {
        let balance = |(currency, amount): (&String, &_)| Balance {
            currency: currency.clone(),
            amount: Clone::clone(amount),
        };
        Ok(self.state().balances.iter().map(balance).collect())
    }

    // Events are delivered by the agenda of the merchant, and not by the worker of the gateway.

    async fn claim(&self, _: Claim<'_>, _: Duration) -> Result<Vec<OutboxEvent>, StorageError> {
        Ok(Vec::new())
    }

    async fn delivered(&self, _: &str) -> Result<(), StorageError> {
        Ok(())
    }

    async fn failed(
        &self,
        _: &OutboxEvent,
        _: &str,
        _: Option<Duration>,
    ) -> Result<(), StorageError> {
        Ok(())
    }

    async fn pending(&self) -> Result<i64, StorageError> {
        let pending = self
            .state()
            .events
            .values()
            .filter(|event| event.status == EventStatus::Pending)
            .count();
        Ok(i64::try_from(pending).unwrap_or(i64::MAX))
    }

    async fn pending_of(&self, _: &str, limit: i64) -> Result<i64, StorageError> {
        Ok(self.pending().await?.min(limit))
    }

    async fn add_stored_bytes(&self, _: &str, _: i64) -> Result<i64, StorageError> {
        Ok(0)
    }

    async fn forget(&self, _: Duration, _: i64) -> Result<u64, StorageError> {
        Ok(0)
    }

    async fn close(&self) {}
}

/// A merchant of the sandbox has one token and one secret, which its name and the seed decide.
#[async_trait]
impl Administration for Store {
    async fn token_of(
        &self,
        kind: TokenKind,
        hash: &str,
    ) -> Result<Option<TokenOwner>, StorageError> {
        let is_own = kind == TokenKind::Merchant && hash == self.token_hash;
        Ok(is_own.then(|| TokenOwner {
            id: "sandbox".to_owned(),
            name: self.merchant.clone(),
        }))
    }

    async fn add_token(
        &self,
        _: TokenKind,
        _: &TokenOwner,
        _: &str,
        _: Audit<'_>,
    ) -> Result<(), StorageError> {
        Err(StorageError::Row("a token"))
    }

    async fn tokens(&self, _: TokenKind) -> Result<Vec<Token>, StorageError> {
        Ok(Vec::new())
    }

    async fn revoke_token(
        &self,
        _: TokenKind,
        _: &str,
        _: Audit<'_>,
    ) -> Result<bool, StorageError> {
        Ok(false)
    }

    async fn get_or_insert_key(
        &self,
        _: &str,
        key: &str,
    ) -> Result<Zeroizing<String>, StorageError> {
        Ok(Zeroizing::new(key.to_owned()))
    }

    async fn merchant_ids(&self, _: &str) -> Result<Vec<String>, StorageError> {
        Ok(Vec::new())
    }

    async fn set_merchant_id(
        &self,
        _: &str,
        _: &str,
        _: bool,
        _: Audit<'_>,
    ) -> Result<(), StorageError> {
        Ok(())
    }

    async fn profile(&self, _: &str) -> Result<MerchantProfile, StorageError> {
        Ok(MerchantProfile {
            name: self.merchant.clone(),
            origins: self.state().origins.iter().cloned().collect(),
        })
    }

    async fn set_merchant_name(&self, _: &str, _: &str, _: Audit<'_>) -> Result<(), StorageError> {
        Ok(())
    }

    async fn set_origin(
        &self,
        _: &str,
        origin: &str,
        allowed: bool,
        _: Audit<'_>,
    ) -> Result<(), StorageError> {
        let mut state = self.state();
        if allowed {
            state.origins.insert(origin.to_owned());
        } else {
            state.origins.remove(origin);
        }
        Ok(())
    }

    async fn encrypt_secrets(&self) -> Result<(), StorageError> {
        Ok(())
    }

    async fn secret(&self, _: &str) -> Result<Option<Zeroizing<String>>, StorageError> {
        Ok(Some(Zeroizing::new(self.secret.clone())))
    }

    async fn get_or_insert_secret(
        &self,
        _: &str,
        _: &str,
    ) -> Result<Zeroizing<String>, StorageError> {
        Ok(Zeroizing::new(self.secret.clone()))
    }

    async fn secrets(&self, _: &str) -> Result<Vec<Zeroizing<String>>, StorageError> {
        Ok(vec![Zeroizing::new(self.secret.clone())])
    }

    async fn rotate_secret(
        &self,
        _: &str,
        _: &str,
        _: Duration,
        _: Audit<'_>,
    ) -> Result<bool, StorageError> {
        Ok(false)
    }

    async fn wipe_secrets(&self) -> Result<(), StorageError> {
        Ok(())
    }

    async fn record_refusal(&self, _: Audit<'_>) -> Result<(), StorageError> {
        Ok(())
    }

    async fn audit(&self, _: i64) -> Result<Vec<AuditEntry>, StorageError> {
        Ok(Vec::new())
    }
}

/// Returns the current time of a store as text.
pub(crate) fn now_text(store: &Store) -> String {
    clock::text(store.state().clock.now())
}
