//! What a host may set. All of it has a default; the JSON form refuses what it does not know.

mod read;

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::error::{Error, ErrorCode};
use crate::money::{Amount, Currency, MAX_CONVERTED_SCALE, Rounding};
use crate::request;
use crate::rules::{Code, Severity};
use crate::state::State;

/// The host's settings for an [`Engine`](crate::Engine).
///
/// ```
/// use payspec::policy::{AmountBounds, Policy, Transitions};
/// use payspec::{Currency, Engine, State};
///
/// let mut policy = Policy::default();
/// let rub: Currency = "RUB".parse()?;
/// policy.currencies = Some(vec![rub]);
/// policy.limits.amount.insert(rub, AmountBounds { min: Some("10".parse()?), max: None });
/// policy.transitions = Transitions::List(vec![(State::Idle, State::Completed), (State::Idle, State::Fail)]);
/// let engine = Engine::new(policy)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Policy {
    /// Severities other than the rules' own.
    pub severity: BTreeMap<Code, Severity>,
    /// JSON Pointers of further members of §2.2 that a request must have.
    pub required: Vec<String>,
    /// Sizes, lengths and bounds (D14, D15).
    pub limits: Limits,
    /// The currencies that are accepted; `None` accepts every one (D6).
    pub currencies: Option<Vec<Currency>>,
    /// What addresses may look like (D6).
    pub urls: Urls,
    /// Conversion to USDT (D20).
    pub crypto: Crypto,
    /// The idempotency window (§8, D18).
    pub idempotency: Idempotency,
    /// The status of an answer to an invalid body (D12).
    pub invalid_request_status: InvalidRequestStatus,
    /// The key of fingerprints; without one the PAN goes in masked (D8).
    pub fingerprint_key: Option<FingerprintKey>,
    /// Which states may follow which (D7).
    pub transitions: Transitions,
}

/// Sizes, lengths and bounds (D14, D15).
#[derive(Clone, Debug, PartialEq)]
pub struct Limits {
    /// The largest body, in bytes. Default 65536.
    pub body_bytes: u64,
    /// How deep objects and arrays nest; the body itself is 1. Default 16.
    pub depth: u64,
    /// How many violations a report lists. Default 64.
    pub violations: u64,
    /// The longest free text, in Unicode scalar values. Default 255.
    pub text_chars: u64,
    /// The longest description, in Unicode scalar values. Default 1024.
    pub description_chars: u64,
    /// The longest address, in bytes. Default 2048.
    pub uri_bytes: u64,
    /// Bounds of the amount by currency, both ends included. Default none.
    pub amount: BTreeMap<Currency, AmountBounds>,
    /// Bounds of `time_to_complete_payment`, both ends included. Default 1 to 2^53−1.
    pub time_to_complete_payment: Span,
}

/// Bounds of an amount, both included.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AmountBounds {
    /// The smallest amount.
    pub min: Option<Amount>,
    /// The largest amount.
    pub max: Option<Amount>,
}

/// Bounds of a whole number, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// The smallest.
    pub min: u64,
    /// The largest.
    pub max: u64,
}

/// What addresses may look like (D6).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Urls {
    /// The accepted schemes, in lower case. Default https and http.
    pub schemes: Vec<String>,
}

/// Conversion to USDT (D20).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Crypto {
    /// Fraction digits of amounts in USDT, 0 to 18. Default 6.
    pub scale: u32,
    /// How they are rounded. Default half even.
    pub rounding: Rounding,
    /// The oldest quote that is used, in milliseconds. Default 60000.
    pub max_quote_age_ms: u64,
}

/// The idempotency window (§8).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Idempotency {
    /// How long a repetition is answered with the first payment, in milliseconds. Default 1000.
    pub window_ms: u64,
}

/// The status of an answer to an invalid body (D12).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum InvalidRequestStatus {
    /// 400 Bad Request.
    BadRequest,
    /// 422 Unprocessable Content.
    #[default]
    UnprocessableContent,
}

impl InvalidRequestStatus {
    /// The HTTP status.
    pub fn status(self) -> u16 {
        match self {
            InvalidRequestStatus::BadRequest => 400,
            InvalidRequestStatus::UnprocessableContent => 422,
        }
    }
}

/// The secret key of fingerprints (HMAC-SHA-256). Its bytes are never shown.
#[derive(Clone, PartialEq, Eq)]
pub struct FingerprintKey(Vec<u8>);

impl FingerprintKey {
    /// A key of these bytes.
    pub fn new(bytes: impl Into<Vec<u8>>) -> Self {
        FingerprintKey(bytes.into())
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Debug for FingerprintKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("FingerprintKey(***)")
    }
}

/// Which states may follow which (D7).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Transitions {
    /// Only what the specification rules out is refused; the rest is unspecified and goes through.
    #[default]
    Open,
    /// The transitions that payment services commonly have; every other one is refused.
    Conventional,
    /// Just these.
    List(Vec<(State, State)>),
}

impl Policy {
    /// What no type can say: the settings that exclude themselves or each other.
    pub(crate) fn check(&self) -> Result<(), Error> {
        let wrong = |path: String, message| Err(Error::new(ErrorCode::Policy, path, message));
        if let Some(code) = self.severity.keys().find(|code| !code.rule().adjustable) {
            return wrong(format!("/severity/{}", code.name()), "this severity cannot be set");
        }
        if let Some(place) = self.required.iter().position(|pointer| request::slot_at(pointer).is_none()) {
            return wrong(format!("/required/{place}"), "expected the JSON Pointer of a member of the request");
        }
        let above = |bounds: &AmountBounds| bounds.min.zip(bounds.max).is_some_and(|(min, max)| min > max);
        if let Some((currency, _)) = self.limits.amount.iter().find(|(_, bounds)| above(bounds)) {
            return wrong(format!("/limits/amount/{}", currency.code()), "min is above max");
        }
        let time = self.limits.time_to_complete_payment;
        if time.min > time.max {
            return wrong("/limits/time_to_complete_payment".into(), "min is above max");
        }
        if self.crypto.scale > MAX_CONVERTED_SCALE {
            return wrong("/crypto/scale".into(), "expected 0 to 18");
        }
        Ok(())
    }
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            body_bytes: 65_536,
            depth: 16,
            violations: 64,
            text_chars: 255,
            description_chars: 1024,
            uri_bytes: 2048,
            amount: BTreeMap::new(),
            time_to_complete_payment: Span { min: 1, max: MAX_SAFE_INTEGER },
        }
    }
}

/// The largest whole number that every JSON reader holds exactly: 2^53−1.
pub(crate) const MAX_SAFE_INTEGER: u64 = 9_007_199_254_740_991;

impl Default for Urls {
    fn default() -> Self {
        Urls { schemes: ["https", "http"].map(String::from).into() }
    }
}

impl Default for Crypto {
    fn default() -> Self {
        Crypto { scale: 6, rounding: Rounding::HalfEven, max_quote_age_ms: 60_000 }
    }
}

impl Default for Idempotency {
    fn default() -> Self {
        Idempotency { window_ms: 1000 }
    }
}
