//! The settings: one table with the name, type, default, and error message of each.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use super::fingerprint_key::{FingerprintKey, KEY};
use super::setting::{Setting, impl_setting, settings};
use crate::error::Error;
use crate::input::{CURRENCY, DECIMAL, InputValue, OBJECT};
use crate::json::writer::Writer;
use crate::money::{Amount, Currency, Rounding};
use crate::report::code::{Code, Severity};
use crate::types::state::Transitions;

pub(super) const SCHEME: &str = "expected the name of a URI scheme in lower case";
/// The message with the names of [`Rounding`].
const ROUNDINGS: &str = "expected half_even, half_up, half_down, up, or down";

/// The largest integer that every JSON parser represents exactly: 2^53−1.
pub(crate) const MAX_SAFE_INTEGER: u64 = 9_007_199_254_740_991;

settings! {
    /// The caller's settings for an [`Engine`](crate::Engine).
    ///
    /// ```
    /// use payspec::policy::{AmountBounds, Transitions};
    /// use payspec::{Currency, Engine, Policy, State};
    ///
    /// let mut policy = Policy::default();
    /// let rub: Currency = "RUB".parse()?;
    /// policy.currencies = Some(vec![rub]);
    /// policy.limits.amount.insert(rub, AmountBounds::new(Some("10".parse()?), None));
    /// policy.transitions = Transitions::List(vec![(State::Idle, State::Completed), (State::Idle, State::Fail)]);
    /// let engine = Engine::new(policy)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[derive(Clone, Debug, PartialEq)]
    Policy {
        /// Severities that replace the defaults of the rules.
        severity: BTreeMap<Code, Severity> => "expected error, warning, or off",
        /// JSON Pointers of further members of §2.2 that a request must have.
        required: Vec<String> => "expected a JSON Pointer",
        /// Sizes, lengths, and bounds (D14, D15).
        limits: Limits,
        /// The accepted currencies; `None` accepts every currency (D6).
        currencies: Option<Vec<Currency>> => CURRENCY,
        /// The accepted URIs (D6).
        urls: Urls,
        /// Conversion to USDT (D20).
        crypto: Crypto,
        /// The idempotency window (§8, D18).
        idempotency: IdempotencyWindow,
        /// The status of the response to an invalid body (D12).
        invalid_request_status: InvalidRequestStatus => "expected 400 or 422",
        /// The key of fingerprints. Without a key, the PAN is masked before the fingerprint is
        /// computed (D8).
        fingerprint_key: Option<FingerprintKey> => KEY,
        /// The allowed transitions (D7).
        transitions: Transitions => "expected open, conventional, or a list of pairs of states",
    }

    /// Sizes, lengths, and bounds (D14, D15).
    #[derive(Clone, Debug, PartialEq)]
    Limits {
        /// The largest body, in bytes. Default 65536.
        body_bytes: u64 = 65_536,
        /// The largest number of levels of objects and arrays; the body itself is level 1. Default
        /// 16.
        depth: u64 = 16,
        /// The largest number of violations in a report. Default 64.
        violations: u64 = 64,
        /// The longest free text, in Unicode scalar values. Default 255.
        text_chars: u64 = 255,
        /// The longest description, in Unicode scalar values. Default 1024.
        description_chars: u64 = 1024,
        /// The longest URI, in bytes. Default 2048.
        uri_bytes: u64 = 2048,
        /// Bounds of the amount by currency, both ends included. Default none.
        amount: BTreeMap<Currency, AmountBounds> => OBJECT,
        /// Bounds of `time_to_complete_payment`, both ends included. Default 1 to 2^53−1.
        time_to_complete_payment: IntegerRange,
    }

    /// Bounds of an amount, both included.
    #[derive(Clone, Copy, Debug, PartialEq)]
    AmountBounds {
        /// The smallest amount.
        min: Option<Amount> => DECIMAL,
        /// The largest amount.
        max: Option<Amount> => DECIMAL,
    }

    /// Bounds of a whole number, both included. By default, 1 to 2^53−1.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    IntegerRange {
        /// The smallest number.
        min: u64 = 1,
        /// The largest number.
        max: u64 = MAX_SAFE_INTEGER,
    }

    /// The accepted URIs (D6).
    #[derive(Clone, Debug, PartialEq, Eq)]
    Urls {
        /// The accepted schemes, in lower case. Default https and http.
        schemes: Vec<String> = ["https", "http"].map(String::from).into() => SCHEME,
    }

    /// Conversion to USDT (D20).
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    Crypto {
        /// The fraction digits of amounts in USDT, 0 to 18. Default 6.
        scale: u32 = 6,
        /// The rounding of amounts in USDT. Default half even.
        rounding: Rounding => ROUNDINGS,
        /// The greatest accepted age of a quote, in milliseconds. Default 60000.
        max_quote_age_ms: u64 = 60_000,
    }

    /// The idempotency window (§8).
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    IdempotencyWindow {
        /// The time during which a repeated request returns the first payment, in milliseconds.
        /// Default 1000.
        window_ms: u64 = 1000,
    }
}

impl AmountBounds {
    /// Creates bounds, each of which may be open.
    pub fn new(min: Option<Amount>, max: Option<Amount>) -> Self {
        AmountBounds { min, max }
    }
}

impl IntegerRange {
    /// Creates the range from `min` to `max`.
    pub fn new(min: u64, max: u64) -> Self {
        IntegerRange { min, max }
    }
}

/// The status of the response to an invalid body (D12).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum InvalidRequestStatus {
    /// 400 Bad Request.
    BadRequest,
    /// 422 Unprocessable Content.
    #[default]
    UnprocessableContent,
}

impl InvalidRequestStatus {
    /// Returns the HTTP status.
    pub fn status(self) -> u16 {
        match self {
            InvalidRequestStatus::BadRequest => 400,
            InvalidRequestStatus::UnprocessableContent => 422,
        }
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for InvalidRequestStatus {
    /// Writes the HTTP status.
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u16(self.status())
    }
}

impl_setting!(
    InvalidRequestStatus,
    |input, expected| match input.integer()? {
        None => Ok(None),
        Some(400) => Ok(Some(InvalidRequestStatus::BadRequest)),
        Some(422) => Ok(Some(InvalidRequestStatus::UnprocessableContent)),
        Some(_) => Err(input.error(expected)),
    },
    |status, w| w.integer(status.status())
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn message_names_every_rounding() {
        let words = ROUNDINGS
            .split([' ', ','])
            .filter(|word| !["expected", "or", ""].contains(word));
        assert!(words.eq(Rounding::NAMES.iter().copied()));
    }
}
