//! The sandbox's own interface, below `/sandbox`.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::{Path, Query, Request, State};
use axum::http::header::{HOST, ORIGIN};
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use payspec::{Engine, State as PaymentState, Uuid};
use payspec_gateway::service::{AdvanceResult, Change};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::challenge;
use super::clock::{self, Clock, LATEST};
use super::console;
use super::fault::{self, Fault};
use super::journal::Journal;
use super::merchant::{Merchant, NAME, is_name};
use super::problem::{Members, Problem, answer, no_content, raw, unknown_scenario};
use super::registry::{Sandbox, Shared, merchant_of, read_merchant};
use super::scenario;
use super::state::Cause;

/// The longest step forward in milliseconds: a hundred years.
pub(super) const LONGEST_ADVANCE: u64 = 100 * 366 * 24 * 60 * 60 * 1000;
/// The number of payments that the console lists.
const LISTED: usize = 200;
/// The most characters of a merchant_id.
const MERCHANT_ID: usize = 255;

type Answer = Result<Response, Problem>;

#[derive(Clone)]
struct App {
    sandbox: Shared,
    journal: Option<Journal>,
}

/// Returns the routes below `/sandbox`.
pub(crate) fn router(sandbox: Shared, journal: Option<Journal>) -> Router {
    let guarded = App {
        sandbox: Arc::clone(&sandbox),
        journal,
    };
    Router::new()
        .merge(console::routes())
        .merge(challenge::routes())
        .route("/sandbox/scenarios", get(scenarios).post(select_scenario))
        .route("/sandbox/scenarios/{name}", get(one_scenario))
        .route("/sandbox/clock", get(read_clock).post(set_clock))
        .route(
            "/sandbox/faults",
            get(faults).post(add_fault).delete(clear_faults),
        )
        .route("/sandbox/deliveries", get(deliveries))
        .route("/sandbox/deliveries/{event}/repeat", post(repeat))
        .route("/sandbox/reset", post(reset))
        .route("/sandbox/merchants", get(merchants).post(add_merchant))
        .route("/sandbox/payments", get(payments))
        .route("/sandbox/payments/{uid}", get(payment))
        .route("/sandbox/payments/{uid}/advance", post(advance))
        .fallback(async || Problem::not_found("no such path below /sandbox"))
        .method_not_allowed_fallback(async || {
            Problem::body(
                StatusCode::METHOD_NOT_ALLOWED,
                "the path has no such method",
            )
        })
        .layer(middleware::from_fn_with_state(guarded, guard))
        .with_state(sandbox)
}

/// Returns whether a page of another origin makes a request. The host of the request is known.
pub(crate) fn is_foreign(sandbox: &Sandbox, request: &Request) -> bool {
    let header = |name| {
        let value: Option<&HeaderValue> = request.headers().get(name);
        value.and_then(|value| value.to_str().ok())
    };
    let host = header(HOST);
    let is_own = |origin: &str| {
        origin == sandbox.public
            || sandbox.origins.iter().any(|own| own == origin)
            || origin.split_once("://").map(|(_, own)| own) == host
    };
    let is_cross_site = request
        .headers()
        .get("sec-fetch-site")
        .is_some_and(|site| site == "cross-site");
    let is_other = header(ORIGIN).is_some_and(|origin| !is_own(origin));
    is_other || (is_cross_site && !request.method().is_safe())
}

/// Refuses calls of foreign pages, and writes what a call has changed.
async fn guard(State(app): State<App>, request: Request, next: Next) -> Response {
    if is_foreign(&app.sandbox, &request) {
        return Problem::foreign_page().into_response();
    }
    let journal = app.journal.filter(|_| !request.method().is_safe());
    let merchant = journal.as_ref().and_then(|_| {
        // A payer has no token.
        challenge::merchant_of(&app.sandbox, request.uri().path())
            .or_else(|| merchant_of(&app.sandbox, request.headers(), request.uri()).ok())
    });
    let response = next.run(request).await;
    if let (Some(journal), Some(merchant)) = (journal, merchant) {
        journal.write_merchant(&merchant).await;
    }
    response
}

async fn scenarios(State(sandbox): State<Shared>) -> Response {
    answer(StatusCode::OK, &scenario::list(sandbox.step))
}

async fn one_scenario(State(sandbox): State<Shared>, Path(name): Path<String>) -> Answer {
    if scenario::find(&name).is_none() {
        return Err(unknown_scenario("name"));
    }
    let list = scenario::list(sandbox.step);
    let found = list
        .as_array()
        .into_iter()
        .flatten()
        .find(|entry| entry["name"] == name.as_str());
    Ok(answer(StatusCode::OK, found.unwrap_or(&Value::Null)))
}

/// `POST /sandbox/scenarios`: the next payments have a scenario, with any members.
async fn select_scenario(
    State(sandbox): State<Shared>,
    headers: HeaderMap,
    uri: Uri,
    body: Body,
) -> Answer {
    let merchant = merchant_of(&sandbox, &headers, &uri)?;
    let members = Members::read(body, &["name", "count"]).await?;
    let name = members
        .text("name")?
        .ok_or_else(|| members.missing(&["name"]))?;
    let scenario = scenario::find(name).ok_or_else(|| unknown_scenario("/name"))?;
    let count = members.integer("count", 1, 1_000_000)?.unwrap_or(1);
    merchant.store.state().scenario = Some((scenario, u32::try_from(count).unwrap_or(u32::MAX)));
    merchant.store.changed();
    Ok(answer(
        StatusCode::OK,
        &json!({"name": scenario.name, "count": count, "states": scenario.states()}),
    ))
}

fn shown(merchant: &Merchant) -> Response {
    answer(
        StatusCode::OK,
        &json!({"now": super::store::now_text(&merchant.store)}),
    )
}

async fn read_clock(State(sandbox): State<Shared>, headers: HeaderMap, uri: Uri) -> Answer {
    let merchant = read_merchant(&sandbox, &headers, &uri)?;
    Ok(shown(&merchant))
}

/// `POST /sandbox/clock`: stops the clock, and sets or advances it; or lets it go on.
async fn set_clock(
    State(sandbox): State<Shared>,
    headers: HeaderMap,
    uri: Uri,
    body: Body,
) -> Answer {
    let merchant = merchant_of(&sandbox, &headers, &uri)?;
    let members = Members::read(body, &["now", "advance_ms", "running"]).await?;
    let given = ["now", "advance_ms"]
        .into_iter()
        .filter(|name| members.has(name))
        .count();
    if given == 2 {
        return Err(Problem::member("advance_ms", "give one of now, advance_ms"));
    }
    let running = members.boolean("running")?;
    if given == 0 && running.is_none() {
        return Err(members.missing(&["now", "advance_ms", "running"]));
    }
    if let Some(text) = members.text("now")? {
        let expected =
            "expected a time from 1970 to 9999 as RFC 3339, such as 2026-01-01T00:00:00Z";
        let now = clock::parse(text).ok_or_else(|| Problem::member("now", expected))?;
        merchant.advance_clock(&sandbox, |_| now).await;
    } else if let Some(millis) = members.integer("advance_ms", 0, LONGEST_ADVANCE)? {
        let micros = i64::try_from(millis).unwrap_or(LATEST).saturating_mul(1000);
        if merchant.store.state().clock.now().saturating_add(micros) > LATEST {
            return Err(Problem::member(
                "advance_ms",
                "expected a time before the year 10000",
            ));
        }
        merchant
            .advance_clock(&sandbox, |now| now.saturating_add(micros))
            .await;
    }
    match running {
        Some(true) => merchant.store.state().clock.start(),
        Some(false) => {
            let mut state = merchant.store.state();
            state.clock = Clock::stopped(state.clock.now());
        }
        None => {}
    }
    merchant.store.changed();
    Ok(shown(&merchant))
}

fn listed(merchant: &Merchant) -> Value {
    merchant
        .store
        .state()
        .faults
        .iter()
        .map(Fault::json)
        .collect()
}

async fn faults(State(sandbox): State<Shared>, headers: HeaderMap, uri: Uri) -> Answer {
    let merchant = read_merchant(&sandbox, &headers, &uri)?;
    Ok(answer(StatusCode::OK, &listed(&merchant)))
}

async fn add_fault(
    State(sandbox): State<Shared>,
    headers: HeaderMap,
    uri: Uri,
    body: Body,
) -> Answer {
    let merchant = merchant_of(&sandbox, &headers, &uri)?;
    let fault = Fault::read(&Members::read(body, fault::MEMBERS).await?)?;
    merchant.store.state().faults.push_back(fault);
    merchant.store.changed();
    Ok(answer(StatusCode::CREATED, &listed(&merchant)))
}

async fn clear_faults(State(sandbox): State<Shared>, headers: HeaderMap, uri: Uri) -> Answer {
    let merchant = merchant_of(&sandbox, &headers, &uri)?;
    merchant.store.state().faults.clear();
    merchant.store.changed();
    Ok(no_content())
}

/// `GET /sandbox/deliveries?payment=UID`: the attempts, the oldest first.
async fn deliveries(State(sandbox): State<Shared>, headers: HeaderMap, uri: Uri) -> Answer {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Parameters {
        payment: Option<String>,
        /// Read by `read_merchant`.
        #[serde(rename = "merchant")]
        _merchant: Option<String>,
    }
    let merchant = read_merchant(&sandbox, &headers, &uri)?;
    let parameters = Query::<Parameters>::try_from_uri(&uri);
    let Ok(Query(Parameters { payment, .. })) = parameters else {
        return Err(Problem::input(
            StatusCode::UNPROCESSABLE_ENTITY,
            "query",
            "expected payment=UID",
        ));
    };
    let payment = match payment {
        None => None,
        Some(text) => {
            let expected = || {
                Problem::input(
                    StatusCode::UNPROCESSABLE_ENTITY,
                    "payment",
                    "expected a uid",
                )
            };
            let uid = Uuid::try_parse(&text)
                .map_err(|_| expected())?
                .hyphenated()
                .to_string();
            if !merchant.store.state().payments.contains_key(&uid) {
                let unknown = "the merchant of the token has no such payment";
                return Err(Problem::input(StatusCode::NOT_FOUND, "payment", unknown));
            }
            Some(uid)
        }
    };
    let state = merchant.store.state();
    let of_payment = |attempt: &Value| {
        payment
            .as_deref()
            .is_none_or(|uid| attempt["payment"] == uid)
    };
    let attempts: Value = state
        .attempts
        .iter()
        .filter_map(|attempt| state.attempt_json(attempt))
        .filter(of_payment)
        .collect();
    Ok(answer(StatusCode::OK, &attempts))
}

/// `POST /sandbox/deliveries/{event}/repeat`: sends an event once more, with the same `webhook-id`.
async fn repeat(
    State(sandbox): State<Shared>,
    Path(event): Path<String>,
    headers: HeaderMap,
    uri: Uri,
) -> Answer {
    let merchant = merchant_of(&sandbox, &headers, &uri)?;
    if !merchant.store.state().events.contains_key(&event) {
        return Err(Problem::input(
            StatusCode::NOT_FOUND,
            "event",
            "the merchant has no such event",
        ));
    }
    let held = merchant.agenda.lock().await;
    merchant.repeat(&sandbox, &event).await;
    drop(held);
    merchant.run_due(&sandbox).await;
    let state = merchant.store.state();
    let last = state
        .attempts
        .iter()
        .rfind(|attempt| attempt.event == event);
    let last = last
        .and_then(|attempt| state.attempt_json(attempt))
        .unwrap_or_default();
    Ok(answer(StatusCode::OK, &last))
}

async fn reset(State(sandbox): State<Shared>, headers: HeaderMap, uri: Uri) -> Answer {
    merchant_of(&sandbox, &headers, &uri)?.reset(&sandbox).await;
    Ok(no_content())
}

fn merchant_json(merchant: &Merchant) -> Value {
    let ids: Vec<_> = merchant
        .store
        .state()
        .merchant_ids
        .iter()
        .cloned()
        .collect();
    json!({
        "merchant": merchant.name(), "token": merchant.token(), "webhook_secret": merchant.store.secret,
        "merchant_ids": ids,
    })
}

async fn merchants(State(sandbox): State<Shared>) -> Response {
    let all: Value = sandbox
        .merchants()
        .iter()
        .map(|merchant| merchant_json(merchant))
        .collect();
    answer(StatusCode::OK, &all)
}

async fn add_merchant(State(sandbox): State<Shared>, body: Body) -> Answer {
    let members = Members::read(body, &["name", "origin", "merchant_id"]).await?;
    let name = members
        .text("name")?
        .ok_or_else(|| members.missing(&["name"]))?;
    if !is_name(name) {
        return Err(Problem::member("name", NAME));
    }
    let origin = match members.text("origin")? {
        Some(text) => {
            let expected =
                || Problem::member("origin", "expected an origin, such as https://shop.example");
            Some(super::store::origin(text).ok_or_else(expected)?)
        }
        None => None,
    };
    let id = members.text("merchant_id")?;
    if id.is_some_and(|id| !(1..=MERCHANT_ID).contains(&id.chars().count())) {
        return Err(Problem::member(
            "merchant_id",
            "expected 1 to 255 characters",
        ));
    }
    let merchant = sandbox.merchant(name);
    let mut state = merchant.store.state();
    state.origins.extend(origin);
    state.merchant_ids.extend(id.map(str::to_owned));
    drop(state);
    Ok(answer(StatusCode::CREATED, &merchant_json(&merchant)))
}

/// Returns a body of the library as a value, or null.
fn parsed(json: &str) -> Value {
    serde_json::from_str(json).unwrap_or_default()
}

async fn payments(State(sandbox): State<Shared>, headers: HeaderMap, uri: Uri) -> Answer {
    let merchant = read_merchant(&sandbox, &headers, &uri)?;
    let state = merchant.store.state();
    let rows: Value = state
        .order
        .iter()
        .rev()
        .take(LISTED)
        .filter_map(|uid| {
            let payment = state.payments.get(uid)?;
            let body = parsed(&payment.body);
            let attempts = payment.events.iter().filter_map(|id| state.events.get(id)).map(|event| event.attempts);
            Some(json!({
                "uid": uid, "state": payment.state(), "payment_type": body["payment_type"], "mode":
                parsed(&payment.request)["mode"], "requested_amount": body["requested_amount"], "requested_currency":
                body["requested_currency"], "scenario": payment.scenario.name, "created": clock::text(payment.created),
                "deliveries": attempts.sum::<u32>(), "next": next_json(&state, uid),
            }))
        })
        .collect();
    let running = state.clock.is_running();
    let now = clock::text(state.clock.now());
    Ok(answer(
        StatusCode::OK,
        &json!({
            "merchant": merchant.name(), "token": merchant.token(), "webhook_secret": merchant.store.secret,
            "now": now, "running": running, "total": state.order.len(), "payments": rows,
            "faults": state.faults.iter().map(Fault::json).collect::<Value>(),
            "selected": state.scenario.map(|(scenario, count)| json!({"name": scenario.name, "count": count})),
        }),
    ))
}

fn next_json(state: &super::state::State, uid: &str) -> Value {
    state.next_change(uid).map_or(
        Value::Null,
        |(at, state)| json!({"state": state, "at": clock::text(at)}),
    )
}

async fn payment(
    State(sandbox): State<Shared>,
    Path(uid): Path<String>,
    headers: HeaderMap,
    uri: Uri,
) -> Answer {
    let merchant = read_merchant(&sandbox, &headers, &uri)?;
    let state = merchant.store.state();
    let Some(payment) = state.payments.get(&uid) else {
        return Err(Problem::input(
            StatusCode::NOT_FOUND,
            "uid",
            "the merchant has no such payment",
        ));
    };
    let attempts = state
        .attempts
        .iter()
        .filter(|attempt| payment.events.contains(&attempt.event))
        .filter_map(|attempt| state.attempt_json(attempt))
        .collect();
    let timeline = payment
        .timeline
        .iter()
        .map(|moment| json!({"state": moment.state, "at": clock::text(moment.at), "by": moment.by}))
        .collect();
    let shown = Shown {
        uid: &uid,
        state: payment.state(),
        scenario: payment.scenario.name,
        about: payment.scenario.about,
        timeline,
        next: next_json(&state, &uid),
        challenge: challenge::address(&sandbox, &uid, payment),
        callback: payment.callback.as_deref(),
        request: raw_json(&payment.request),
        response: raw_json(&payment.first_body),
        payment: raw_json(&payment.body),
        deliveries: attempts,
        transitions: transitions(&merchant.service.engine, payment.state()),
    };
    Ok(raw(
        StatusCode::OK,
        serde_json::to_string(&shown).unwrap_or_default(),
    ))
}

/// A payment of the console. Bodies keep the order of their members.
#[derive(Serialize)]
struct Shown<'a> {
    uid: &'a str,
    state: &'a str,
    scenario: &'static str,
    about: &'static str,
    timeline: Value,
    next: Value,
    /// The address at which the payer answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    challenge: Option<String>,
    callback: Option<&'a str>,
    request: Option<&'a RawValue>,
    response: Option<&'a RawValue>,
    payment: Option<&'a RawValue>,
    deliveries: Value,
    transitions: Value,
}

fn raw_json(json: &str) -> Option<&RawValue> {
    serde_json::from_str(json).ok()
}

/// Returns the states that a payment may move to, with the members that each needs.
fn transitions(engine: &Engine, from: &str) -> Value {
    let Ok(from) = from.parse::<PaymentState>() else {
        return Value::Null;
    };
    let possible = PaymentState::ALL
        .iter()
        .filter(|to| **to != from && engine.check_transition(from, **to).is_possible());
    let needs = |to: &PaymentState| match to {
        PaymentState::NotFully => json!(["paid_amount"]),
        PaymentState::Fail => json!(["fail_by", "fail_code"]),
        PaymentState::Correction => json!(["amount"]),
        _ => json!([]),
    };
    possible
        .map(|to| json!({"to": to.name(), "needs": needs(to)}))
        .collect()
}

/// `POST /sandbox/payments/{uid}/advance`: what an operator of the gateway may do.
async fn advance(
    State(sandbox): State<Shared>,
    Path(uid): Path<String>,
    headers: HeaderMap,
    uri: Uri,
    body: Body,
) -> Answer {
    let merchant = merchant_of(&sandbox, &headers, &uri)?;
    let members = Members::read(
        body,
        &["to", "paid_amount", "amount", "fail_by", "fail_code"],
    )
    .await?;
    let text = |name| members.text(name).map(|text| text.map(str::to_owned));
    let to = text("to")?.ok_or_else(|| members.missing(&["to"]))?;
    if to.parse::<PaymentState>().is_err() {
        let known = PaymentState::NAMES.to_vec();
        return Err(
            Problem::member("to", &format!("expected one of {}", known.join(", ")))
                .with_known(known),
        );
    }
    let change = Change {
        to,
        paid_amount: text("paid_amount")?,
        amount: text("amount")?,
        fail_by: text("fail_by")?,
        fail_code: text("fail_code")?,
        receipts: Vec::new(),
    };
    match merchant
        .operate(&sandbox, &uid, &change, Cause::Operator)
        .await
    {
        Some(AdvanceResult::Reply(reply)) => {
            let status =
                StatusCode::from_u16(reply.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
            Ok(raw(status, reply.body))
        }
        Some(AdvanceResult::InvalidChange { path, message }) => {
            Err(Problem::member(path.trim_start_matches('/'), &message))
        }
        None => Err(Problem::body(
            StatusCode::SERVICE_UNAVAILABLE,
            "the change cannot be stored",
        )),
    }
}
