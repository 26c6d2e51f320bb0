//! A merchant of the sandbox: a service of the gateway with a storage, a clock, and an acquirer of
//! its own.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use axum::http::HeaderMap;
use axum::http::header::AUTHORIZATION;
use payspec::{Authorization, CreateContext, Engine, Timestamp, Uuid, bearer_token};
use payspec_gateway::http::{App, Checkout, Demonstration, Order, Quotas};
use payspec_gateway::service::{AdvanceResult, Change, Service, ViewKey};
use payspec_gateway::storage::{Claim, Event, Outbox};
use payspec_gateway::webhook::{Delivery, Failure, sign};
use serde_json::{Value, json};
use tokio::sync::Mutex;

use super::clock::{self, Clock, Micros, micros};
use super::common::{Common, SignatureTime};
use super::scenario::{Move, fraction};
use super::seed::{Seed, SeededIds};
use super::state::{Attempt, Cause, Item, State};
use super::store::{CAUSE, Store};

/// The prefix of all tokens.
pub(crate) const TOKEN_PREFIX: &str = "sandbox_";
/// The message for an invalid name of a merchant.
pub(crate) const NAME: &str = "expected 1 to 64 letters, digits, hyphens, underscores, or points";
/// Characters of a name.
const LONGEST_NAME: usize = 64;
/// The currency of `GET /v1/partner/balance`.
const BALANCE_CURRENCY: &str = "RUB";
/// The longest time of a request.
const TIMEOUT: Duration = Duration::from_secs(30);
/// The part of a lease that follows the longest attempt.
const STORING: Duration = Duration::from_secs(10);

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
            Arc::clone(&store) as _,
            rates,
            currency,
            page,
        );
        service.ids = Arc::clone(&ids) as _;
        service.acquirer = Some(Arc::clone(&store) as _);
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
            page: None,
            docs: true,
            checkout: Some(Checkout::new(
                Some(demonstration),
                &sandbox.public,
                sandbox.origins.clone(),
            )),
            timeout: TIMEOUT,
            log_peers: false,
            quotas: Quotas::default(),
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
                        self.change(&uid, &cancel(), Cause::Deadline).await;
                    }
                }
                Item::Deliver(_) => self.deliver_next(sandbox).await,
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
        if self.change(uid, &change, Cause::Scenario).await {
            self.store.state().schedule_step(uid, index + 1, changed);
        }
    }

    async fn change(&self, uid: &str, change: &Change, cause: Cause) -> bool {
        let result = CAUSE
            .scope(cause, self.service.advance(uid, change, None))
            .await;
        matches!(result, Ok(AdvanceResult::Reply(reply)) if reply.status == 200)
    }

    /// Changes a payment as an operator or as the payer, and delivers the event.
    pub(crate) async fn operate(
        &self,
        sandbox: &Common,
        uid: &str,
        change: &Change,
        cause: Cause,
    ) -> Option<AdvanceResult> {
        let advanced = self.service.advance(uid, change, None);
        let result = CAUSE.scope(cause, advanced).await.ok()?;
        self.run_due(sandbox).await;
        Some(result)
    }

    /// Makes an attempt to deliver the event that is due first.
    async fn deliver_next(&self, sandbox: &Common) {
        let claim = Claim {
            limit: 1,
            merchants: &[],
            only: false,
        };
        let lease = sandbox.callback_timeout.saturating_add(STORING);
        // The storage is in memory, and has no errors.
        let claimed = self.store.claim(claim, lease).await.unwrap_or_default();
        for event in claimed {
            self.deliver(sandbox, &event, false).await;
        }
    }

    /// Delivers an event once more, on demand. The caller holds the agenda.
    pub(crate) async fn repeat(&self, sandbox: &Common, id: &str) {
        let event = {
            let mut state = self.store.state();
            let Some(event) = state.events.get_mut(id) else {
                return;
            };
            event.attempts += 1;
            Event {
                id: id.to_owned(),
                merchant: self.name().to_owned(),
                url: event.url.clone(),
                body: event.body.clone(),
                attempt: i64::from(event.attempts),
            }
        };
        self.deliver(sandbox, &event, true).await;
    }

    /// Makes an attempt to deliver an event, and stores its result.
    async fn deliver(&self, sandbox: &Common, event: &Event, repeated: bool) {
        let at = self.store.state().clock.now();
        let secrets = self.store.secrets(self.name()).await.unwrap_or_default();
        let delivery = Delivery {
            id: event.id.clone(),
            url: event.url.clone(),
            body: event.body.clone(),
            secrets: secrets
                .iter()
                .filter_map(|text| text.parse().ok())
                .collect(),
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
                    None => Err(Failure::Connect),
                }
            }
            Err(error) => Err(error.into()),
        };
        let number = u32::try_from(event.attempt).unwrap_or(u32::MAX);
        let now = self.store.state().clock.now();
        let (result, next) = match &delivered {
            Ok(delivered) => {
                let _ = self.store.delivered(&event.id).await;
                (json!({"delivered": true, "status": delivered.status}), None)
            }
            // An attempt on demand changes nothing of the planned ones.
            Err(failure) if repeated => (failed(failure), None),
            Err(failure) => {
                let pause = pause(sandbox, number, failure);
                let text = failure.to_string();
                let _ = self.store.failed(event, &text, pause).await;
                let next = pause.map(|pause| now.saturating_add(micros(pause)));
                (failed(failure), next)
            }
        };
        let mut state = self.store.state();
        if let Some(uid) = state.events.get(&event.id).map(|event| event.uid.clone()) {
            state.dirty.insert(uid);
            state.attempts.push(Attempt {
                event: event.id.clone(),
                number,
                at,
                headers,
                result,
                next,
                repeated,
            });
        }
        drop(state);
        self.store.changed();
    }
}

/// Returns the pause before the next attempt, if there is one, in whole milliseconds, as times are
/// shown.
fn pause(sandbox: &Common, number: u32, failure: &Failure) -> Option<Duration> {
    if failure.is_final() {
        return None;
    }
    // Without a spread: tests count on the pauses.
    let pause = sandbox
        .backoff
        .next_attempt(number, failure.retry_after(), u32::MAX / 2)?;
    let half = Duration::from_micros(500);
    let millis = pause.saturating_add(half).as_millis();
    Some(Duration::from_millis(
        u64::try_from(millis).unwrap_or(u64::MAX),
    ))
}

fn failed(failure: &Failure) -> Value {
    let mut result =
        json!({"delivered": false, "failure": failure.name(), "detail": failure.to_string()});
    if let Failure::Status { status, .. } = failure {
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
        Move::Correction(numerator, denominator) => {
            let part = fraction(amount, numerator.into(), denominator.into());
            change.amount = Some(part);
        }
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
