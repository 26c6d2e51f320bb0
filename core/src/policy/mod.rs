//! The settings of the caller. Each has a default; the JSON form rejects unknown members.

mod parse;
mod ruleset;
#[cfg(feature = "serde")]
mod serde;
mod write;

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use zeroize::Zeroizing;

pub use crate::util::sorted_map::SortedMap;
pub(crate) use ruleset::Ruleset;

use crate::error::{Error, ErrorKind};
use crate::input::{CURRENCY, OUT_OF_RANGE};
use crate::json::PathSegment;
use crate::money::{Amount, Currency, MAX_CONVERTED_SCALE, Rounding};
use crate::report::code::{Code, Severity};
use crate::report::path_by;
use crate::schema::request::slot_at;
pub use crate::types::state::Transitions;
use crate::types::uri::is_scheme;

const SCHEME: &str = "expected the name of a URI scheme in lower case";
const NO_CURRENCY: &str = "not a currency";
const KEY: &str = "expected hex digits, two per byte";

/// The caller's settings for an [`Engine`](crate::Engine).
///
/// ```
/// use payspec::policy::{AmountBounds, Policy, Transitions};
/// use payspec::{Currency, Engine, State};
///
/// let mut policy = Policy::default();
/// let rub: Currency = "RUB".parse()?;
/// policy.currencies = Some(vec![rub]);
/// policy.limits.amount.insert(rub, AmountBounds::new(Some("10".parse()?), None));
/// policy.transitions = Transitions::List(vec![(State::Idle, State::Completed), (State::Idle, State::Fail)]);
/// let engine = Engine::new(policy)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Policy {
    /// Severities that replace the defaults of the rules.
    pub severity: SortedMap<Code, Severity>,
    /// JSON Pointers of further members of §2.2 that a request must have.
    pub required: Vec<String>,
    /// Sizes, lengths, and bounds (D14, D15).
    pub limits: Limits,
    /// The accepted currencies; `None` accepts every currency (D6).
    pub currencies: Option<Vec<Currency>>,
    /// The accepted URIs (D6).
    pub urls: Urls,
    /// Conversion to USDT (D20).
    pub crypto: Crypto,
    /// The idempotency window (§8, D18).
    pub idempotency: IdempotencyWindow,
    /// The status of the response to an invalid body (D12).
    pub invalid_request_status: InvalidRequestStatus,
    /// The key of fingerprints. Without a key, the PAN is masked before the fingerprint is computed (D8).
    pub fingerprint_key: Option<FingerprintKey>,
    /// The allowed transitions (D7).
    pub transitions: Transitions,
}

/// Sizes, lengths, and bounds (D14, D15).
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Limits {
    /// The largest body, in bytes. Default 65536.
    pub body_bytes: u64,
    /// The largest number of levels of objects and arrays; the body itself is level 1. Default 16.
    pub depth: u64,
    /// The largest number of violations in a report. Default 64.
    pub violations: u64,
    /// The longest free text, in Unicode scalar values. Default 255.
    pub text_chars: u64,
    /// The longest description, in Unicode scalar values. Default 1024.
    pub description_chars: u64,
    /// The longest URI, in bytes. Default 2048.
    pub uri_bytes: u64,
    /// Bounds of the amount by currency, both ends included. Default none.
    pub amount: SortedMap<Currency, AmountBounds>,
    /// Bounds of `time_to_complete_payment`, both ends included. Default 1 to 2^53−1.
    pub time_to_complete_payment: IntegerRange,
}

/// Bounds of an amount, both included.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct AmountBounds {
    /// The smallest amount.
    pub min: Option<Amount>,
    /// The largest amount.
    pub max: Option<Amount>,
}

impl AmountBounds {
    /// Creates bounds, each of which may be open.
    pub fn new(min: Option<Amount>, max: Option<Amount>) -> Self {
        AmountBounds { min, max }
    }
}

/// Bounds of a whole number, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct IntegerRange {
    /// The smallest number.
    pub min: u64,
    /// The largest number.
    pub max: u64,
}

impl IntegerRange {
    /// Creates the range from `min` to `max`.
    pub fn new(min: u64, max: u64) -> Self {
        IntegerRange { min, max }
    }
}

/// The accepted URIs (D6).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Urls {
    /// The accepted schemes, in lower case. Default https and http.
    pub schemes: Vec<String>,
}

/// Conversion to USDT (D20).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Crypto {
    /// The fraction digits of amounts in USDT, 0 to 18. Default 6.
    pub scale: u32,
    /// The rounding of amounts in USDT. Default half even.
    pub rounding: Rounding,
    /// The greatest accepted age of a quote, in milliseconds. Default 60000.
    pub max_quote_age_ms: u64,
}

/// The idempotency window (§8).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct IdempotencyWindow {
    /// The time during which a repeated request returns the first payment, in milliseconds. Default 1000.
    pub window_ms: u64,
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

/// The secret key of fingerprints (HMAC-SHA-256), at least one byte. It is never displayed, and its memory is overwritten
/// on drop.
///
/// ```
/// use payspec::policy::FingerprintKey;
///
/// let key = FingerprintKey::new(vec![0x17; 32])?;
/// assert_eq!(format!("{key:?}"), "FingerprintKey(***)");
/// assert_eq!(key, FingerprintKey::from_hex(&"17".repeat(32))?);
/// assert_eq!(FingerprintKey::new([]).unwrap_err().path(), "/fingerprint_key");
/// # Ok::<(), payspec::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct FingerprintKey(Zeroizing<Vec<u8>>);

impl FingerprintKey {
    /// Creates a key from these bytes.
    ///
    /// # Errors
    /// Returns a policy error if `bytes` is empty.
    pub fn new(bytes: impl Into<Vec<u8>>) -> Result<Self, Error> {
        let key = FingerprintKey(Zeroizing::new(bytes.into()));
        if key.0.is_empty() {
            return Err(Error::new(ErrorKind::Policy, "/fingerprint_key", "expected at least one byte"));
        }
        Ok(key)
    }

    /// Parses a key in the form of a JSON policy.
    ///
    /// # Errors
    /// Returns a policy error if the text is empty, or is not hex digits, two for each byte.
    pub fn from_hex(hex: &str) -> Result<Self, Error> {
        Self::of_hex(hex).ok_or_else(|| Error::new(ErrorKind::Policy, "/fingerprint_key", KEY))
    }

    fn of_hex(hex: &str) -> Option<Self> {
        let (pairs, rest) = hex.as_bytes().as_chunks::<2>();
        let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
        // The full capacity is reserved, because a vector that grows leaves a copy of the key in memory.
        let mut bytes = Zeroizing::new(Vec::with_capacity(pairs.len()));
        for &[high, low] in pairs {
            bytes.push(digit(high)? << 4 | digit(low)?);
        }
        (rest.is_empty() && !bytes.is_empty()).then_some(FingerprintKey(bytes))
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

impl Policy {
    /// Checks what the types cannot express, in the order of the JSON form. Every policy passes this check, parsed or built
    /// in code.
    pub(crate) fn check(&self) -> Result<(), Error> {
        let at = |base, segment: PathSegment<'_>, message| {
            Err(Error::new(ErrorKind::Policy, path_by(base, &[segment]), message))
        };
        let wrong = |path: &'static str, message| Err(Error::new(ErrorKind::Policy, path, message));
        if let Some(code) = self.severity.iter().map(|(code, _)| code).find(|code| !code.rule().adjustable) {
            return at("/severity", PathSegment::named(code.name()), "this severity cannot be set");
        }
        if let Some(index) = self.required.iter().position(|pointer| slot_at(pointer).is_none()) {
            return at("/required", PathSegment::Index(index), "expected the JSON Pointer of a member of the request");
        }
        for Number { path, least, of } in &NUMBERS {
            if !(*least..=MAX_SAFE_INTEGER).contains(&of(self)) {
                return wrong(path, if *least == 0 { OUT_OF_RANGE } else { "expected an integer from 1 to 2^53-1" });
            }
        }
        for (currency, bounds) in &self.limits.amount {
            let wrong = |message| at("/limits/amount", PathSegment::named(currency.code()), message);
            if !currency.is_fiat() {
                return wrong(NO_CURRENCY);
            }
            if bounds.min.zip(bounds.max).is_some_and(|(min, max)| min > max) {
                return wrong("min is greater than max");
            }
        }
        let time = self.limits.time_to_complete_payment;
        if time.min > time.max {
            return wrong("/limits/time_to_complete_payment", "min is greater than max");
        }
        let currencies = self.currencies.as_deref().unwrap_or_default();
        if let Some(index) = currencies.iter().position(|currency| !currency.is_fiat()) {
            return at("/currencies", PathSegment::Index(index), CURRENCY);
        }
        if let Some(index) = self.urls.schemes.iter().position(|scheme| !is_lowercase_scheme(scheme)) {
            return at("/urls/schemes", PathSegment::Index(index), SCHEME);
        }
        if self.crypto.scale > MAX_CONVERTED_SCALE {
            return wrong("/crypto/scale", "expected 0 to 18");
        }
        Ok(())
    }
}

/// A whole number of the policy.
struct Number {
    path: &'static str,
    /// The smallest accepted number.
    least: u64,
    of: fn(&Policy) -> u64,
}

impl Number {
    const fn at(path: &'static str, least: u64, of: fn(&Policy) -> u64) -> Self {
        Number { path, least, of }
    }
}

static NUMBERS: [Number; 10] = [
    Number::at("/limits/body_bytes", 1, |policy| policy.limits.body_bytes),
    Number::at("/limits/depth", 1, |policy| policy.limits.depth),
    Number::at("/limits/violations", 0, |policy| policy.limits.violations),
    Number::at("/limits/text_chars", 1, |policy| policy.limits.text_chars),
    Number::at("/limits/description_chars", 1, |policy| policy.limits.description_chars),
    Number::at("/limits/uri_bytes", 1, |policy| policy.limits.uri_bytes),
    Number::at("/limits/time_to_complete_payment/min", 0, |policy| policy.limits.time_to_complete_payment.min),
    Number::at("/limits/time_to_complete_payment/max", 0, |policy| policy.limits.time_to_complete_payment.max),
    Number::at("/crypto/max_quote_age_ms", 0, |policy| policy.crypto.max_quote_age_ms),
    Number::at("/idempotency/window_ms", 0, |policy| policy.idempotency.window_ms),
];

/// Checks if the text is a scheme in lower case, the form that schemes of bodies are compared with.
fn is_lowercase_scheme(text: &str) -> bool {
    is_scheme(text) && !text.bytes().any(|byte| byte.is_ascii_uppercase())
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
            amount: SortedMap::default(),
            time_to_complete_payment: IntegerRange { min: 1, max: MAX_SAFE_INTEGER },
        }
    }
}

/// The largest integer that every JSON parser represents exactly: 2^53−1.
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

impl Default for IdempotencyWindow {
    fn default() -> Self {
        IdempotencyWindow { window_ms: 1000 }
    }
}

#[cfg(feature = "serde")]
crate::json::serialize::impl_serialize_via_json! { Policy }
