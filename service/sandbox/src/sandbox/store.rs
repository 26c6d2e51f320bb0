//! The storage of a merchant, in the memory of the process, by the clock of the merchant.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use payspec::{CreateRequest, Engine, Timestamp, Uuid};
use payspec_gateway::service::Acquirer;
use payspec_gateway::storage::{
    Balance, CheckoutSession, Claim, Created, Event as OutboxEvent, Lookup, MerchantProfile,
    NewPayment, Outbox, Payments, Record, StateChange, StorageError, StoredPayment, TokenOwner,
};
use tokio::sync::{Notify, watch};
use zeroize::Zeroizing;

use super::clock::{self, micros, timestamp};
use super::scenario::{self, Scenario};
use super::state::{Cause, Event, EventStatus, Key, Moment, Session, State, Submission};

tokio::task_local! {
    /// The scenario that the header of the current request names.
    pub(crate) static REQUESTED: Option<&'static Scenario>;
    /// The cause of a change of state, unless an operator makes it.
    pub(crate) static CAUSE: Cause;
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
    /// Wakes the worker that waits for the next due item of any merchant.
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
        // In the gateway, an operator registers the origins of a merchant's pages. Here they are
        // taken from its requests.
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

/// A merchant of the sandbox has one token and one secret, which its name and the seed decide.
#[async_trait]
impl Payments for Store {
    async fn now(&self) -> Result<Timestamp, StorageError> {
        Ok(timestamp(self.state().clock.now()))
    }

    async fn token_owner(&self, hash: &str) -> Result<Option<TokenOwner>, StorageError> {
        let is_own = hash == self.token_hash;
        Ok(is_own.then(|| TokenOwner {
            id: "sandbox".to_owned(),
            name: self.merchant.clone(),
        }))
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
        let by = CAUSE.try_with(|cause| *cause).unwrap_or(Cause::Operator);
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
        if by != Cause::Scenario {
            payment.next = None;
        }
        state.dirty.insert(change.uid.to_owned());
        *state
            .balances
            .entry(change.booking.currency.clone())
            .or_default() += difference;
        if let Some((id, url)) = change.event {
            let event = Event::new(change.uid, url, change.body, change.state);
            state.add_event(id, event);
        }
        drop(state);
        self.changed();
        Ok(true)
    }

    async fn balances(&self, _: &str) -> Result<Vec<Balance>, StorageError> {
        let balance = |(currency, amount): (&String, &_)| Balance {
            currency: currency.clone(),
            amount: Clone::clone(amount),
        };
        Ok(self.state().balances.iter().map(balance).collect())
    }

    async fn merchant_ids(&self, _: &str) -> Result<Vec<String>, StorageError> {
        Ok(self.state().merchant_ids.iter().cloned().collect())
    }

    async fn profile(&self, _: &str) -> Result<MerchantProfile, StorageError> {
        Ok(MerchantProfile {
            name: self.merchant.clone(),
            origins: self.state().origins.iter().cloned().collect(),
        })
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
            is_merchant_active: true,
        }))
    }

    async fn close_session(&self, id: &str) -> Result<(), StorageError> {
        let mut state = self.state();
        let now = state.clock.now();
        if let Some(session) = state.sessions.get_mut(id) {
            session.expires = session.expires.min(now);
        }
        Ok(())
    }
}

/// The events of one merchant. The agenda orders them, and its worker is that of the merchant.
#[async_trait]
impl Outbox for Store {
    async fn claim(
        &self,
        claim: Claim<'_>,
        lease: Duration,
    ) -> Result<Vec<OutboxEvent>, StorageError> {
        let is_named = claim.merchants.contains(&self.merchant.as_str());
        if claim.limit < 1 || is_named != claim.only {
            return Ok(Vec::new());
        }
        let claimed = self.state().claim(micros(lease));
        let event = |(id, event): (String, Event)| OutboxEvent {
            id,
            merchant: self.merchant.clone(),
            url: event.url,
            body: event.body,
            attempt: i64::from(event.attempts),
        };
        Ok(claimed.map(event).into_iter().collect())
    }

    async fn delivered(&self, id: &str) -> Result<(), StorageError> {
        self.state().settle(id, EventStatus::Delivered);
        Ok(())
    }

    async fn failed(
        &self,
        event: &OutboxEvent,
        _: &str,
        pause: Option<Duration>,
    ) -> Result<(), StorageError> {
        let mut state = self.state();
        let is_last = |known: &Event| {
            known.status == EventStatus::Pending && i64::from(known.attempts) == event.attempt
        };
        // A later attempt may have succeeded.
        if !state.events.get(&event.id).is_some_and(is_last) {
            return Ok(());
        }
        match pause {
            Some(pause) => {
                let at = state.clock.now().saturating_add(micros(pause));
                state.retry(&event.id, at);
            }
            None => state.settle(&event.id, EventStatus::Abandoned),
        }
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

    async fn secrets(&self, _: &str) -> Result<Vec<Zeroizing<String>>, StorageError> {
        Ok(vec![Zeroizing::new(self.secret.clone())])
    }
}

/// Returns the current time of a store as text.
pub(crate) fn now_text(store: &Store) -> String {
    clock::text(store.state().clock.now())
}
