//! Idempotency keys: repetitions, conflicts, and the window.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hash};

use payspec::{IdempotencyKey, Timestamp};
use serde_json::Value;

use super::case::Case;
use super::engine::ENGINE;
use super::exchange::Exchange;
use super::findings::Kind;
use super::recent::Recent;

/// The header of D8.
const HEADER: &str = "idempotency-key";
const NANOS_PER_MS: i128 = 1_000_000;

/// The first payment under a key.
#[derive(Clone, Debug)]
struct First {
    uid: u64,
    body: u64,
    started: Option<Timestamp>,
    duration_ms: u64,
}

/// The keys that were used. Only hashes with a random key are kept.
#[derive(Default)]
pub(super) struct Keys {
    hasher: RandomState,
    firsts: Recent<First>,
}

/// The kind of a creation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Creation {
    /// A first request, whose rules the service has applied.
    First,
    /// A repetition, or a request whose key was not accepted.
    Other,
}

/// The bounds of the age of the first payment, in nanoseconds. The service measures it between the
/// beginning and the end of both exchanges.
#[derive(Clone, Copy, Debug)]
struct Age {
    least: i128,
    most: i128,
}

impl Keys {
    fn hash(&self, value: impl Hash) -> u64 {
        self.hasher.hash_one(value)
    }

    /// Examines the key of a creation.
    pub(super) fn examine(&mut self, case: &mut Case<'_>) -> Creation {
        for (name, _) in &case.exchange.request.headers {
            if name.contains("idempotency") || name.contains("request-id") {
                case.findings.value(Kind::KeyHeader, name);
            }
        }
        let Some(value) = case.exchange.request.header(HEADER) else {
            return Creation::First;
        };
        let Ok(key) = ENGINE.idempotency_key(value.as_bytes()) else {
            return invalid(case);
        };
        let key = self.key(case.exchange, &key);
        let body = self.body(case.request());
        let uid = case.text("uid").map(|uid| self.hash(uid));
        let Some(first) = self.firsts.get(key).cloned() else {
            if let (201, Some(uid)) = (case.exchange.status, uid) {
                let first = First {
                    uid,
                    body,
                    started: case.exchange.started,
                    duration_ms: case.exchange.duration_ms,
                };
                self.firsts.insert(key, first);
            }
            return Creation::First;
        };
        let repetition = Repetition {
            is_same_body: first.body == body,
            is_same_uid: uid == Some(first.uid),
            has_uid: uid.is_some(),
            age: age(&first, case.exchange),
            window: i128::from(ENGINE.policy().idempotency.window_ms) * NANOS_PER_MS,
        };
        match case.exchange.status {
            201 => repetition.accepted(case),
            409 => repetition.conflict(case),
            _ => {}
        }
        Creation::Other
    }

    /// Returns the hash of a key. Each credential has keys of its own.
    fn key(&self, exchange: &Exchange, key: &IdempotencyKey) -> u64 {
        self.hash((exchange.request.header("authorization"), key.as_str()))
    }

    fn body(&self, body: &[u8]) -> u64 {
        match ENGINE.fingerprint_request(body) {
            Ok(fingerprint) => self.hash(fingerprint.as_str()),
            Err(_) => self.hash(body),
        }
    }
}

/// A key that is not one is answered with 400.
fn invalid(case: &mut Case<'_>) -> Creation {
    match case.exchange.status {
        400 => case.confirm("D8"),
        201 => case.contradict("D8", "a key that is not visible ASCII is accepted"),
        _ => {}
    }
    Creation::Other
}

fn age(first: &First, later: &Exchange) -> Option<Age> {
    let nanos = later.started?.nanos_since(&first.started?);
    let duration = |millis: u64| i128::from(millis) * NANOS_PER_MS;
    Some(Age {
        least: nanos - duration(first.duration_ms),
        most: nanos + duration(later.duration_ms),
    })
}

/// A request with a key that was used before.
struct Repetition {
    is_same_body: bool,
    is_same_uid: bool,
    has_uid: bool,
    age: Option<Age>,
    window: i128,
}

impl Repetition {
    fn is_within(&self) -> bool {
        self.age.is_some_and(|age| age.most <= self.window)
    }

    fn is_after(&self) -> bool {
        self.age.is_some_and(|age| age.least > self.window)
    }

    fn accepted(&self, case: &mut Case<'_>) {
        if !self.is_same_uid {
            return case.contradict("D8", "a repeated key makes a second payment");
        }
        if !self.is_same_body {
            return case.contradict("D29", "another body under a used key has the first answer");
        }
        case.confirm("D8");
        if self.is_within() {
            case.confirm("D18");
        } else if self.is_after() {
            case.contradict(
                "D18",
                "a repetition after more than one second has the first answer",
            );
        }
    }

    fn conflict(&self, case: &mut Case<'_>) {
        let code = case.answer.get("code").and_then(Value::as_str);
        match code {
            Some("idempotency_in_progress") => return,
            Some("idempotency_key_reused") => {
                let difference = "the same body counts as another one";
                return case.decide("D29", !self.is_same_body, difference);
            }
            // Without a code, the reason of a conflict within the window is the other body.
            None if !self.is_same_body && self.is_within() => return case.confirm("D29"),
            _ => {}
        }
        case.confirm("D8");
        if self.is_after() {
            case.confirm("D18");
        } else if self.is_within() {
            case.contradict("D18", "a repetition within one second is a conflict");
        }
        if self.is_same_body {
            let difference = "a conflict without the uid of the payment";
            case.decide("D29", self.is_same_uid, difference);
        } else {
            let difference = "a conflict with the uid of a payment to another request";
            case.decide("D29", !self.has_uid, difference);
        }
    }
}
