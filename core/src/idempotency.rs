//! The idempotency window (§8): what a repeated key is answered with.

use alloc::borrow::Cow;
use core::fmt;

use crate::kinds::words;
use crate::problem::ProblemCode;
use crate::time::Timestamp;

/// What the host has stored under an idempotency key.
#[derive(Clone, PartialEq)]
pub struct Existing<'a> {
    /// When the first request came.
    pub created_at: Timestamp,
    /// Its fingerprint.
    pub fingerprint: Cow<'a, str>,
    /// The payment made of it, as JSON; none while it is still being made.
    pub payment: Option<&'a str>,
}

impl fmt::Debug for Existing<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Existing").field("created_at", &self.created_at).finish_non_exhaustive()
    }
}

/// A request's idempotency key, and what is stored under it.
#[derive(Clone, PartialEq)]
pub struct Idempotency<'a> {
    /// The key, as the client sent it.
    pub key: Cow<'a, str>,
    /// What is stored under it.
    pub existing: Option<Existing<'a>>,
}

impl<'a> Idempotency<'a> {
    /// A key under which nothing is stored.
    pub fn new(key: impl Into<Cow<'a, str>>) -> Self {
        Idempotency { key: key.into(), existing: None }
    }
}

impl fmt::Debug for Idempotency<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Idempotency").field("existing", &self.existing).finish_non_exhaustive()
    }
}

words! {
    /// What a key means for the request that carries it.
    IdempotencyVerdict {
        /// Nothing is stored under it.
        New = "new",
        /// The same request again, within the window: the first payment is the answer.
        Replay = "replay",
        /// The first payment is older than the window.
        Conflict = "conflict",
        /// Another request, within the window.
        Mismatch = "mismatch",
        /// The same request, whose payment is not stored yet.
        InProgress = "in_progress",
        /// Not 1 to 255 visible ASCII characters.
        InvalidKey = "invalid_key",
    }
}

impl IdempotencyVerdict {
    /// The problem to answer with, unless the request goes through.
    pub fn problem(self) -> Option<ProblemCode> {
        match self {
            IdempotencyVerdict::New | IdempotencyVerdict::Replay => None,
            IdempotencyVerdict::Conflict => Some(ProblemCode::IdempotencyConflict),
            IdempotencyVerdict::Mismatch => Some(ProblemCode::IdempotencyKeyReused),
            IdempotencyVerdict::InProgress => Some(ProblemCode::IdempotencyInProgress),
            IdempotencyVerdict::InvalidKey => Some(ProblemCode::InvalidIdempotencyKey),
        }
    }

    /// The HTTP status of the answer.
    pub fn status(self) -> u16 {
        self.problem().map_or(201, ProblemCode::status)
    }
}

const NANOS_PER_MILLI: i128 = 1_000_000;

/// The verdict, and the age of what is stored in whole milliseconds, rounded down.
pub(crate) fn judge(
    existing: Option<&Existing<'_>>,
    fingerprint: &str,
    now: Timestamp,
    window_ms: u64,
) -> (IdempotencyVerdict, Option<i128>) {
    let Some(existing) = existing else { return (IdempotencyVerdict::New, None) };
    let age = now.nanos_since(&existing.created_at);
    // 2^64 ms are far below what an i128 holds in ns. A clock that runs behind makes the age negative: within.
    let verdict = if age > i128::from(window_ms).saturating_mul(NANOS_PER_MILLI) {
        IdempotencyVerdict::Conflict
    } else if !existing.fingerprint.eq_ignore_ascii_case(fingerprint) {
        IdempotencyVerdict::Mismatch
    } else if existing.payment.is_none() {
        IdempotencyVerdict::InProgress
    } else {
        IdempotencyVerdict::Replay
    };
    (verdict, Some(age.div_euclid(NANOS_PER_MILLI)))
}

/// 1 to 255 visible ASCII characters.
pub(crate) fn is_key(key: &str) -> bool {
    (1..=255).contains(&key.len()) && key.bytes().all(|byte| byte.is_ascii_graphic())
}
