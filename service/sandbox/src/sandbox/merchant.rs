//! A merchant of the sandbox: a service of the gateway with a storage, a clock, and an acquirer of
//! its own.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use axum::http::HeaderMap;
use axum::http::header::AUTHORIZATION;
use payspec::{Authorization, CreateContext, Engine, Timestamp, Uuid, bearer_token};
use payspec_gateway::http::{App, Attempts, Checkout, Demonstration, Order, Quotas, Readiness};
use payspec_gateway::service::{AdvanceResult, Change, Service, ViewKey};
use payspec_gateway::storage::Actor;
use payspec_gateway::webhook::{Delivery, sign};
use serde_json::{Value, json};
use tokio::sync::Mutex;

use super::clock::{self, Clock, Micros, micros};
use super::common::{Common, SignatureTime};
use super::scenario::{Move, fraction};
use super::seed::{Seed, SeededIds};
use super::state::{Attempt, Event, EventStatus, Item, State};
use super::store::{CAUSE, Store};

/// The prefix of all tokens.
pub(crate) const TOKEN_PREFIX: &str = "sandbox_";
/// The message for an invalid name of a merchant.
pub(crate) const NAME: &str = "expected 1 to 64 letters, digits, hyphens, underscores, or points";
/// Characters of a name.
const LONGEST_NAME: usize = 64;
/// The currency of `GET /v1/partner/balance`.
const BALANCE_CURRENCY: &str = "RUB";
/// How long a request may take.
const TIMEOUT: Duration = Duration::from_secs(30);

/// A merchant.
pub(crate) struct Merchant {
    pub(crate) store: Arc<Store>,
    pub(crate) service: Arc<Service>,
    pub(crate) app: Arc<App>,
    pub(crate) ids: Arc<SeededIds>,
    /// Held while due items are worked off, so that they happen one after the other.
    pub(crate) agenda: Mutex<()>,
}

/// Returns the name in a token, if it is one of the sandbox's.
pub(crate) fn name_of(token: &str) -> Option<&str> {
    token
        .strip_prefix(TOKEN_PREFIX)
        .filter(|name| is_name(name))
}

/// Returns whether a text can be the name of a merchant.
pub(crate) fn is_name(text: &str) -> bool {
    let is_character =
        |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    (1..=LONGEST_NAME).contains(&text.len()) && text.bytes().all(is_character)
}

impl Merchant {
    pub(crate) fn new(sandbox: &Common, name: &str) -> Self {
        let seed = Seed::of(sandbox.seed, name);
        let ids = Arc::new(SeededIds::new(seed.clone()));
        let token = format!("{TOKEN_PREFIX}{name}");
        let state = State::new(sandbox.first_clock(), sandbox.step);
        let engine = Arc::clone(&sandbox.engine);
        let store = Store::new(
            (name, &token),
            seed.webhook_secret(),
            engine,
            state,
            Arc::clone(&sandbox.wake),
        );
        let store = Arc::new(store);
        let currency = BALANCE_CURRENCY.parse().expect("a currency");
        let page = Some(format!("{}/checkout/", sandbox.public));
        let rates = Arc::clone(&sandbox.rates);
        let mut service = Service::new(
            Arc::clone(&sandbox.engine),
            Arc::clone(&store) as _,
            rates,
            currency,
            page,
        );
        service.ids = Arc::clone(&ids) as _;
        service.acquirer = Some(Arc::clone(&store) as _);
        service.any_merchant_id = true;
        service.view_key = Some(ViewKey::new(&seed.view_key()));
        let service = Arc::new(service);
        let order = Order {
            amount: "1500.00".to_owned(),
            currency: BALANCE_CURRENCY.to_owned(),
        };
        let demonstration = Demonstration {
            merchant: name.to_owned(),
            order,
        };
        let app = App {
            service: Arc::clone(&service),
            metrics: None,
            attempts: Attempts::default(),
            page: None,
            checkout: Some(Checkout::new(
                Some(demonstration),
                &sandbox.public,
                sandbox.origins.clone(),
            )),
            timeout: TIMEOUT,
            log_peers: false,
            quotas: Quotas::default(),
            readiness: Readiness::default(),
            document: sandbox.document.clone(),
        };
        Self {
            store,
            service,
            app: Arc::new(app),
            ids,
            agenda: Mutex::new(()),
        }
    }

    pub(crate) fn name(&self) -> &str {
        &self.store.merchant
    }

    pub(crate) fn token(&self) -> String {
        format!("{TOKEN_PREFIX}{}", self.name())
    }

    /// Forgets everything, as if the merchant were new.
    pub(crate) async fn reset(&self, sandbox: &Common) {
        let _held = self.agenda.lock().await;
        self.ids.reset();
        let mut fresh = State::new(sandbox.first_clock(), sandbox.step);
        fresh.forget = true;
        *self.store.state() = fresh;
        self.store.changed();
    }

    /// Stops the clock and moves it forward to a time. Items that become due until then happen at
    /// their time, in order.
    pub(crate) async fn advance_clock(
        &self,
        sandbox: &Common,
        to: impl FnOnce(Micros) -> Micros + Send,
    ) {
        let held = self.agenda.lock().await;
        let to = {
            let mut state = self.store.state();
            let now = state.clock.now();
            let to = to(now);
            // A clock that is set back makes nothing due.
            state.clock = Clock::stopped(now.min(to));
            to
        };
        self.work_off(sandbox, Some(to)).await;
        self.store.state().clock = Clock::stopped(to);
        drop(held);
        self.store.changed();
    }

    /// Works off what is due now.
    pub(crate) async fn run_due(&self, sandbox: &Common) {
        let _held = self.agenda.lock().await;
        self.work_off(sandbox, None).await;
    }

    /// Works off what is due until a time, or until now by the clock. The caller holds the agenda.
    async fn work_off(&self, sandbox: &Common, until: Option<Micros>) {
        loop {
            let item = {
                let mut state = self.store.state();
                let limit = until.unwrap_or_else(|| state.clock.now());
                let Some((at, item)) = state.take_due(limit) else {
                    break;
                };
                if !state.clock.is_running() && at > state.clock.now() {
                    state.clock = Clock::stopped(at);
                }
                item
            };
            match item {
                Item::Step(uid, index) => self.step(&uid, index).await,
                Item::Deadline(uid) => {
                    let is_open = self
                        .store
                        .state()
                        .payments
                        .get(&uid)
                        .is_some_and(|payment| payment.is_open());
                    if is_open {
                        self.change(&uid, &cancel(), "deadline").await;
                    }
                }
                Item::Deliver(event) => self.deliver(sandbox, &event, false).await,
            }
        }
    }

    /// Makes the next step of a payment's scenario, unless the payment has left it.
    async fn step(&self, uid: &str, index: usize) {
        let (change, changed) = {
            let state = self.store.state();
            let Some(payment) = state
                .payments
                .get(uid)
                .filter(|payment| payment.next == Some(index))
            else {
                return;
            };
            let Some((_, step)) = payment.scenario.steps.get(index) else {
                return;
            };
            (change_of(*step, &payment.body), state.clock.now())
        };
        if self.change(uid, &change, "scenario").await {
            self.store.state().schedule_step(uid, index + 1, changed);
        }
    }

    async fn change(&self, uid: &str, change: &Change, cause: &'static str) -> bool {
        let result = CAUSE
            .scope(cause, self.service.advance(uid, change, None))
            .await;
        matches!(result, Ok(AdvanceResult::Reply(reply)) if reply.status == 200)
    }

    /// Changes a payment as an operator, and delivers the event.
    pub(crate) async fn operate(
        &self,
        sandbox: &Common,
        uid: &str,
        change: &Change,
    ) -> Option<AdvanceResult> {
        let actor = Actor {
            operator: "console".to_owned(),
            origin: "sandbox".to_owned(),
        };
        let result = self.service.advance(uid, change, Some(&actor)).await.ok()?;
        self.run_due(sandbox).await;
        Some(result)
    }

    /// Makes an attempt to deliver an event, and keeps what came of it.
    pub(crate) async fn deliver(&self, sandbox: &Common, id: &str, repeated: bool) {
        let Some((event, number, at)) = self.begin(id, repeated) else {
            return;
        };
        let secrets = self.store.secret.parse().into_iter().collect();
        let delivery = Delivery {
            id: id.to_owned(),
            url: event.url.clone(),
            body: event.body.clone(),
            secrets,
        };
        let time = match sandbox.signature_time {
            SignatureTime::Real => SystemTime::now(),
            SignatureTime::Sandbox => clock::system(at),
        };
        let mut headers = vec![("content-type".to_owned(), "application/json".to_owned())];
        let delivered = match sign(&delivery, time) {
            Ok(signed) => {
                headers.extend(
                    signed
                        .iter()
                        .map(|(name, value)| (name.to_owned(), value.to_owned())),
                );
                match sandbox.sender() {
                    Some(sender) => sender.send(&delivery, &signed).await,
                    None => Err(payspec_gateway::webhook::Failure::Connect),
                }
            }
            Err(error) => Err(error.into()),
        };
        let mut state = self.store.state();
        let now = state.clock.now();
        let (result, pause) = match &delivered {
            Ok(delivered) => (json!({"delivered": true, "status": delivered.status}), None),
            Err(failure) => {
                let pause = (!failure.is_final()).then(|| {
                    // Without a spread: tests count on the pauses.
                    sandbox
                        .backoff
                        .next_attempt(number, failure.retry_after(), u32::MAX / 2)
                });
                (failed(failure), pause.flatten())
            }
        };
        // In whole milliseconds, as times are shown.
        let next = pause
            .filter(|_| !repeated)
            .map(|pause| now.saturating_add((micros(pause) + 500) / 1000 * 1000));
        let Some(event) = state.events.get_mut(id) else {
            return;
        };
        let uid = event.uid.clone();
        let was_pending = event.status == EventStatus::Pending;
        if delivered.is_ok() {
            event.status = EventStatus::Delivered;
        } else if !repeated && next.is_none() {
            event.status = EventStatus::Abandoned;
        }
        let is_pending = event.status == EventStatus::Pending;
        state.dirty.insert(uid.clone());
        state.attempts.push(Attempt {
            event: id.to_owned(),
            number,
            at,
            headers,
            result,
            next,
            repeated,
        });
        if is_pending {
            if let Some(next) = next {
                state.schedule(next, Item::Deliver(id.to_owned()));
            }
        } else if was_pending && let Some(following) = state.first_pending(&uid) {
            state.schedule(now, Item::Deliver(following));
        }
        drop(state);
        self.store.changed();
    }

    /// Counts an attempt; `None` if the event needs no attempt.
    fn begin(&self, id: &str, repeated: bool) -> Option<(Event, u32, Micros)> {
        let mut state = self.store.state();
        let now = state.clock.now();
        let event = state.events.get_mut(id)?;
        if !repeated && event.status != EventStatus::Pending {
            return None;
        }
        event.attempts += 1;
        Some((event.clone(), event.attempts, now))
    }
}

fn failed(failure: &payspec_gateway::webhook::Failure) -> Value {
    let mut result =
        json!({"delivered": false, "failure": failure.name(), "detail": failure.to_string()});
    if let payspec_gateway::webhook::Failure::Status { status, .. } = failure {
        result["status"] = json!(status);
    }
    result
}

fn cancel() -> Change {
    Change {
        to: Move::Cancel.state().name().to_owned(),
        ..Change::default()
    }
}

/// Returns the change of a step, with the amounts that it needs.
fn change_of(step: Move, payment: &str) -> Change {
    let payment: Value = serde_json::from_str(payment).unwrap_or_default();
    let amount = payment["amount"].as_str().unwrap_or("0");
    let mut change = Change {
        to: step.state().name().to_owned(),
        ..Change::default()
    };
    match step {
        Move::NotFully => change.paid_amount = Some(fraction(amount, 1, 2)),
        Move::Correction => change.amount = Some(fraction(amount, 9, 10)),
        Move::Fail(by, code) => {
            change.fail_by = Some(by.to_owned());
            change.fail_code = Some(code.to_owned());
        }
        Move::Routed | Move::Completed | Move::Cancel | Move::Chargeback => {}
    }
    change
}

/// Returns the merchant of the token of a request.
pub(crate) fn token_name(headers: &HeaderMap) -> Option<&str> {
    let header = headers.get(AUTHORIZATION)?.as_bytes();
    name_of(bearer_token(Some(header)).ok()?)
}

/// Returns the library's answer to a payment that the caller declines (455).
pub(crate) fn declined(engine: &Engine) -> Option<String> {
    let body =
        br#"{"payment_type":"pay_in","mode":"P2P","subtype":"sbp","cur":"RUB","amount":"100.00"}"#;
    let now = Timestamp::from_unix(0, 0).ok()?;
    let mut context = CreateContext::new(Uuid::nil(), now, Authorization::CheckedByCaller);
    context.refusal = Some("the sandbox declines the payment".into());
    let outcome = engine.create_payment(body, &context);
    (outcome.status() == 455).then(|| outcome.body_json())
}
