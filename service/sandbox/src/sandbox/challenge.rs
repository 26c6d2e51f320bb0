//! The page at which the payer of the scenario `challenge` answers, as at the page of a bank for
//! 3-D Secure. The page and programs make the same call.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, LOCATION};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use http_body_util::{BodyExt, Limited};
use maud::{DOCTYPE, html};
use payspec::State as PaymentState;
use payspec_gateway::service::{AdvanceResult, Change};
use serde_json::{Value, json};

use super::merchant::Merchant;
use super::problem::{Problem, answer};
use super::registry::{Sandbox, Shared};
use super::scenario::CHALLENGE;
use super::state::{Cause, Payment};

const CSP: &str = "default-src 'none'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";
/// An answer is one word.
const LONGEST: usize = 1024;
const EXPECTED: &str = "expected one of passed, failed";
/// The problem of an answer that is too late, or too early.
const NOT_WAITING: &str =
    "the payment does not wait for an answer: expected the scenario challenge and the state routed";

const PATH: &str = "/sandbox/challenge/";

/// Returns the routes of the page.
pub(crate) fn routes() -> Router<Shared> {
    Router::new().route(&format!("{PATH}{{uid}}"), get(page).post(decide))
}

/// Returns the merchant of the payment whose page has this path.
pub(crate) fn merchant_of(sandbox: &Sandbox, path: &str) -> Option<Arc<Merchant>> {
    find(sandbox, path.strip_prefix(PATH)?).ok()
}

/// Returns the address at which the payer of a payment answers, if it waits for an answer.
pub(crate) fn address(sandbox: &Sandbox, uid: &str, payment: &Payment) -> Option<String> {
    is_waiting(payment).then(|| format!("{}{PATH}{uid}", sandbox.public))
}

fn is_waiting(payment: &Payment) -> bool {
    payment.scenario.name == CHALLENGE && payment.state() == PaymentState::Routed.name()
}

/// Finds the merchant of a payment: the payer has no token.
fn find(sandbox: &Sandbox, uid: &str) -> Result<Arc<Merchant>, Problem> {
    let mut merchants = sandbox.merchants().into_iter();
    let found = merchants.find(|merchant| merchant.store.state().payments.contains_key(uid));
    found.ok_or_else(unknown)
}

fn unknown() -> Problem {
    Problem::not_found("no merchant has such a payment")
}

async fn page(State(sandbox): State<Shared>, Path(uid): Path<String>) -> Result<Response, Problem> {
    let merchant = find(&sandbox, &uid)?;
    let state = merchant.store.state();
    let payment = state.payments.get(&uid).ok_or_else(unknown)?;
    let body: Value = serde_json::from_str(&payment.body).unwrap_or_default();
    let text = |name: &str| body[name].as_str().unwrap_or_default();
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width";
                title { "Confirm the payment" }
            }
            body {
                main {
                    h1 { "Confirm the payment" }
                    p { (text("requested_amount")) " " (text("requested_currency")) }
                    @if is_waiting(payment) {
                        form method="post" {
                            button name="result" value="passed" { "Confirm" }
                            " "
                            button name="result" value="failed" { "Decline" }
                        }
                    } @else {
                        p role="status" { "The payment is " code { (payment.state()) } "." }
                    }
                }
            }
        }
    };
    let headers = [
        (CONTENT_TYPE.as_str(), "text/html; charset=utf-8"),
        (CONTENT_SECURITY_POLICY.as_str(), CSP),
        (CACHE_CONTROL.as_str(), "no-store"),
        ("x-content-type-options", "nosniff"),
    ];
    Ok((headers, page.into_string()).into_response())
}

/// Stores the answer of the payer: the form of the page, or `{"result": "passed"}` of a program.
async fn decide(
    State(sandbox): State<Shared>,
    Path(uid): Path<String>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, Problem> {
    let merchant = find(&sandbox, &uid)?;
    let body = Limited::new(body, LONGEST).collect().await;
    let body = body.map(|body| body.to_bytes()).unwrap_or_default();
    let change = match &*body {
        b"result=passed" => passed(),
        b"result=failed" => failed(),
        json => of_json(json)?,
    };
    let waits = {
        let state = merchant.store.state();
        state.payments.get(&uid).is_some_and(is_waiting)
    };
    let late = || Problem::body(StatusCode::CONFLICT, NOT_WAITING);
    if !waits {
        return Err(late());
    }
    let advanced = merchant.operate(&sandbox, &uid, &change, Cause::Payer);
    match advanced.await {
        Some(AdvanceResult::Reply(reply)) if reply.status == 200 => {}
        _ => return Err(late()),
    }
    let is_form = headers
        .get(CONTENT_TYPE)
        .is_some_and(|kind| kind.as_bytes().starts_with(b"application/x-www-form"));
    if is_form {
        // Another page after the form, so that the browser does not send it again.
        return Ok((StatusCode::SEE_OTHER, [(LOCATION, uid)]).into_response());
    }
    Ok(answer(StatusCode::OK, &json!({"state": change.to})))
}

fn of_json(body: &[u8]) -> Result<Change, Problem> {
    let value: Value = serde_json::from_slice(body).unwrap_or_default();
    match value["result"].as_str() {
        Some("passed") => Ok(passed()),
        Some("failed") => Ok(failed()),
        _ => Err(Problem::member("result", EXPECTED)),
    }
}

fn passed() -> Change {
    Change {
        to: PaymentState::Completed.name().to_owned(),
        ..Change::default()
    }
}

fn failed() -> Change {
    Change {
        to: PaymentState::Fail.name().to_owned(),
        fail_by: Some("bank".to_owned()),
        fail_code: Some("authentication_failed".to_owned()),
        ..Change::default()
    }
}
