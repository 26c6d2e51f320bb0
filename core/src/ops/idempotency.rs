//! The idempotency window (§8): evaluates a repeated key.

use alloc::vec::Vec;

use crate::context::IdempotencyContext;
use crate::context::idempotency::IdempotencyRecord;
use crate::json::writer::Writer;
use crate::model::problem::ProblemCode;
use crate::types::timestamp::{NANOS_PER_MILLI, Timestamp};
use crate::util::string_enum::string_enum;

string_enum! {
    /// The verdict on the idempotency key of a request.
    #[non_exhaustive]
    IdempotencyVerdict {
        /// The key has no record.
        New = "new",
        /// The same request was repeated within the window; the response is the first payment.
        Replay = "replay",
        /// The record is older than the window.
        Conflict = "conflict",
        /// The key was used for a different request within the window.
        Mismatch = "mismatch",
        /// The same request was repeated, but its payment is not stored yet.
        InProgress = "in_progress",
        /// The key does not consist of 1 to 255 visible ASCII characters.
        InvalidKey = "invalid_key",
    }
}

impl IdempotencyVerdict {
    /// Returns the problem of the response, or `None` if the request is accepted.
    pub fn problem(self) -> Option<ProblemCode> {
        match self {
            IdempotencyVerdict::New | IdempotencyVerdict::Replay => None,
            IdempotencyVerdict::Conflict => Some(ProblemCode::IdempotencyConflict),
            IdempotencyVerdict::Mismatch => Some(ProblemCode::IdempotencyKeyReused),
            IdempotencyVerdict::InProgress => Some(ProblemCode::IdempotencyInProgress),
            IdempotencyVerdict::InvalidKey => Some(ProblemCode::InvalidIdempotencyKey),
        }
    }

    /// Returns the HTTP status of the response.
    pub fn status(self) -> u16 {
        self.problem().map_or(201, ProblemCode::status)
    }
}

/// The verdict on a key, and the age of its record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
#[non_exhaustive]
pub struct IdempotencyCheck {
    /// The verdict.
    pub verdict: IdempotencyVerdict,
    /// The age of the record in whole milliseconds, rounded down; negative if the record is from
    /// the future.
    pub age_ms: Option<i64>,
}

impl IdempotencyCheck {
    fn of(verdict: IdempotencyVerdict) -> Self {
        IdempotencyCheck {
            verdict,
            age_ms: None,
        }
    }

    /// Returns whether the request is accepted: the key is new, or the response is the first
    /// payment.
    pub fn is_accepted(&self) -> bool {
        self.verdict.problem().is_none()
    }

    /// Returns the HTTP status of the response.
    pub fn status(&self) -> u16 {
        self.verdict.status()
    }

    /// Appends `{"verdict":…,"status":…,"age_ms":…}`.
    pub fn write_json(&self, out: &mut Vec<u8>) {
        Writer::new(out).object(|w| {
            w.name("verdict").string(self.verdict.name());
            w.name("status").integer(self.status());
            match self.age_ms {
                Some(age_ms) => w.name("age_ms").signed(age_ms),
                None => w.name("age_ms").null(),
            }
        });
    }
}

/// Evaluates the key, if it is given, and then the record.
pub(crate) fn check(context: &IdempotencyContext<'_>, window_ms: u64) -> IdempotencyCheck {
    if let Some(Err(_)) = context.key {
        return IdempotencyCheck::of(IdempotencyVerdict::InvalidKey);
    }
    evaluate(
        context.record.as_ref(),
        &context.fingerprint,
        context.now,
        window_ms,
    )
}

/// Evaluates the record.
pub(crate) fn evaluate(
    record: Option<&IdempotencyRecord<'_>>,
    fingerprint: &str,
    now: Timestamp,
    window_ms: u64,
) -> IdempotencyCheck {
    let Some(record) = record else {
        return IdempotencyCheck::of(IdempotencyVerdict::New);
    };
    let age = now.nanos_since(&record.created_at);
    let verdict = if record.is_older_than(window_ms, now) {
        IdempotencyVerdict::Conflict
    } else if !record.has_fingerprint(fingerprint) {
        IdempotencyVerdict::Mismatch
    } else if record.payment.is_none() {
        IdempotencyVerdict::InProgress
    } else {
        IdempotencyVerdict::Replay
    };
    // `try_from` does not fail: ten thousand years are about 2^48 ms.
    IdempotencyCheck {
        verdict,
        age_ms: i64::try_from(age.div_euclid(i128::from(NANOS_PER_MILLI))).ok(),
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for IdempotencyCheck {
    /// Writes the members of `write_json`.
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct;
        let mut check = serializer.serialize_struct("IdempotencyCheck", 3)?;
        check.serialize_field("verdict", &self.verdict)?;
        check.serialize_field("status", &self.status())?;
        check.serialize_field("age_ms", &self.age_ms)?;
        check.end()
    }
}
