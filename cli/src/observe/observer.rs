//! Examines exchanges one after the other.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;

use payspec::State;
use serde_json::Value;

use super::case::Case;
use super::engine::ENGINE;
use super::exchange::{Body, Endpoint, Exchange};
use super::findings::{Findings, Kind};
use super::keys::{Creation, Keys};
use super::recent::Recent;
use super::{creation, payment};

/// Parts of the names of headers with limits of the service.
const LIMITS: [&str; 3] = ["ratelimit", "rate-limit", "retry-after"];
/// The statuses whose bodies are problems.
const PROBLEMS: [u16; 8] = [400, 401, 404, 409, 413, 415, 422, 455];

/// The state of an observation.
#[derive(Default)]
pub(super) struct Observer {
    pub(super) findings: Findings,
    hasher: RandomState,
    keys: Keys,
    states: Recent<State>,
}

impl Observer {
    /// Examines an exchange. The place describes it in the report.
    pub(super) fn observe(&mut self, place: &str, exchange: &Exchange) {
        self.findings.all += 1;
        let endpoint = Endpoint::find(&exchange.url);
        if endpoint == Endpoint::Other {
            self.callback(place, exchange);
            return;
        }
        // A browser sends OPTIONS first. A request without an answer shows nothing.
        let method = if endpoint == Endpoint::Create {
            "POST"
        } else {
            "GET"
        };
        if exchange.method != method || exchange.status == 0 {
            return;
        }
        self.findings.exchanges += 1;
        let answer = self.answer(exchange);
        let mut case = Case::new(&mut self.findings, place, exchange, &answer);
        any(&mut case);
        match (endpoint, exchange.status) {
            (Endpoint::Create, _) => self.create(place, exchange, &answer),
            (Endpoint::Status, 200) => {
                payment::examine(&mut case, &answer, exchange.response.body.bytes());
                self.transition(place, exchange, &answer);
            }
            (Endpoint::Balance, 200) => {
                let has_currency = answer.get("cur").is_some_and(Value::is_string);
                case.decide("D9", has_currency, "a balance without cur");
            }
            _ => {}
        }
    }

    /// Returns the body of a response as JSON, and counts one that is not.
    fn answer(&mut self, exchange: &Exchange) -> Value {
        let parsed = exchange.response.body.bytes().map(serde_json::from_slice);
        // A request that is not JSON is a request like others. It is answered with 400.
        let is_unreadable = exchange.request.body == Body::Unreadable
            || exchange.response.body == Body::Unreadable
            || matches!(parsed, Some(Err(_)));
        self.findings.unreadable += u64::from(is_unreadable);
        parsed.and_then(Result::ok).unwrap_or_default()
    }

    fn create(&mut self, place: &str, exchange: &Exchange, answer: &Value) {
        let mut case = Case::new(&mut self.findings, place, exchange, answer);
        let creation = self.keys.examine(&mut case);
        if creation == Creation::Other || exchange.request.body.bytes().is_none() {
            return;
        }
        creation::examine(&mut case);
        if exchange.status == 201 {
            payment::examine(&mut case, answer, exchange.response.body.bytes());
            payment::compare(&mut case);
            self.transition(place, exchange, answer);
        }
    }

    /// Compares the state of a payment with the one that was seen last.
    fn transition(&mut self, place: &str, exchange: &Exchange, answer: &Value) {
        let text = |member: &str| answer.get(member).and_then(Value::as_str);
        let (Some(uid), Some(to)) = (text("uid"), text("state")) else {
            return;
        };
        let Ok(to) = to.parse::<State>() else { return };
        let uid = self.hasher.hash_one(uid);
        let from = self.states.get(uid).copied();
        self.states.insert(uid, to);
        let Some(from) = from.filter(|from| *from != to) else {
            return;
        };
        let seen = format!("{from} to {to}");
        self.findings.value(Kind::Transition, &seen);
        let mut case = Case::new(&mut self.findings, place, exchange, answer);
        let is_final = from.is_final();
        if ENGINE.check_transition(from, to).is_possible() {
            case.confirm("D7");
            if is_final {
                case.confirm("D19");
            }
        } else if !is_reachable(from, to) {
            case.contradict("D7", &format!("{seen} is refused under open"));
            if is_final {
                case.contradict("D19", &format!("{seen} leaves a final state"));
            }
        }
    }

    /// Examines a request to any other address, which is a callback if its body is a payment.
    fn callback(&mut self, place: &str, exchange: &Exchange) {
        let Some(bytes) = exchange.request.body.bytes() else {
            return;
        };
        // Most requests of other services end here, before their bodies are read.
        if exchange.method != "POST" || bytes.first() != Some(&b'{') {
            return;
        }
        let Ok(body) = serde_json::from_slice::<Value>(bytes) else {
            return;
        };
        let is_payment = body["uid"].is_string()
            && body["payment_type"].is_string()
            && body["state"]
                .as_str()
                .is_some_and(|state| state.parse::<State>().is_ok());
        if !is_payment {
            return;
        }
        self.findings.exchanges += 1;
        let mut case = Case::new(&mut self.findings, place, exchange, &body);
        let headers = ["webhook-id", "webhook-timestamp", "webhook-signature"];
        let is_signed = headers
            .iter()
            .all(|name| exchange.request.header(name).is_some());
        case.decide(
            "D11",
            is_signed,
            "a callback without the headers of Standard Webhooks",
        );
        // Deliveries are repeated and overtake each other, so their states show no transition.
        payment::examine(&mut case, &body, Some(bytes));
    }
}

/// Returns whether a payment can reach another state under the default policy. A client that reads
/// the status now and then does not see the states between, so a state that is reached over others
/// decides nothing.
fn is_reachable(from: State, to: State) -> bool {
    let mut reached = vec![from];
    let mut next = 0;
    while let Some(state) = reached.get(next).copied() {
        next += 1;
        for other in State::ALL {
            let is_step = *other != state && ENGINE.check_transition(state, *other).is_possible();
            if is_step && !reached.contains(other) {
                reached.push(*other);
            }
        }
    }
    reached.contains(&to)
}

/// Returns whether a header contains a limit of the service.
pub(super) fn is_limit(name: &str) -> bool {
    LIMITS.iter().any(|part| name.contains(part))
}

/// Examines what all responses of the interface have.
fn any(case: &mut Case<'_>) {
    let status = case.exchange.status;
    case.findings.value(Kind::Status, &status.to_string());
    for (name, _) in &case.exchange.response.headers {
        if is_limit(name) {
            case.findings.value(Kind::LimitHeader, name);
        }
    }
    if status == 401 {
        let challenge = case.exchange.response.header("www-authenticate");
        let is_bearer = challenge.is_some_and(|challenge| challenge.starts_with("Bearer"));
        case.decide("D10", is_bearer, "a 401 without WWW-Authenticate: Bearer");
    }
    if PROBLEMS.contains(&status) && !case.response().is_empty() {
        let has_texts = ["type", "title", "code"]
            .iter()
            .all(|member| case.text(member).is_some());
        let is_problem =
            has_texts && case.answer["status"] == status && case.answer["retryable"].is_boolean();
        case.decide(
            "D12",
            is_problem,
            "an error without type, title, status, code, or retryable",
        );
    }
}
