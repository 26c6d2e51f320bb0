//! The exact answer to a call: the status and the body that the host sends as they are.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use super::payment::Payment;
use super::problem::{Problem, ProblemCode};
use crate::json::writer::{Writer, into_text};
use crate::money::{Amount, Currency, USDT};
use crate::report::{Violation, Violations, write_list};
use crate::types::authorization::Unauthorized;
use crate::types::fingerprint::Fingerprint;
use crate::types::idempotency_key::IdempotencyKeyError;

/// The answer to a call.
#[derive(Clone, Debug)]
#[must_use = "the status and the body are to be sent"]
pub struct Outcome<'a> {
    status: u16,
    body: Answer<'a>,
    replayed: Option<bool>,
    fingerprint: Option<Fingerprint>,
    challenge: Option<&'static str>,
    warnings: Violations<'a>,
}

/// The body of an answer.
#[expect(clippy::large_enum_variant, reason = "one answer a call, which a box would allocate for")]
#[derive(Clone)]
#[non_exhaustive]
pub enum Answer<'a> {
    /// A new payment.
    Payment(Payment<'a>),
    /// JSON that goes out as the host stored it, or as it was advanced.
    Json(Cow<'a, str>),
    /// An amount converted to USDT.
    Conversion(Conversion),
    /// No success.
    Problem(Problem<'a>),
}

// A stored body is the host's: Debug tells that there is one.
impl fmt::Debug for Answer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Answer::Payment(payment) => f.debug_tuple("Payment").field(payment).finish(),
            Answer::Json(_) => f.write_str("Json(…)"),
            Answer::Conversion(conversion) => f.debug_tuple("Conversion").field(conversion).finish(),
            Answer::Problem(problem) => f.debug_tuple("Problem").field(problem).finish(),
        }
    }
}

/// A fiat amount in USDT (§1.4).
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Conversion {
    /// The amount in USDT.
    pub amount: Amount,
    /// Its fraction digits.
    pub scale: u32,
    /// The fiat amount, with the digits that it was given with.
    pub requested_amount: Amount,
    /// The fiat currency.
    pub requested_currency: Currency,
    /// The price of 1 USDT in it, with the digits that it was given with.
    pub rate: Amount,
}

impl<'a> Outcome<'a> {
    pub(crate) fn success(status: u16, body: Answer<'a>) -> Self {
        Outcome { status, body, replayed: None, fingerprint: None, challenge: None, warnings: Violations::default() }
    }

    /// The answer to a creation request.
    pub(crate) fn created(
        body: Answer<'a>,
        replayed: bool,
        fingerprint: Option<Fingerprint>,
        warnings: &mut Violations<'a>,
    ) -> Self {
        // Most bodies have none, and room for some is much to move.
        let warnings = if warnings.is_empty() { Violations::default() } else { core::mem::take(warnings) };
        Outcome { status: 201, body, replayed: Some(replayed), fingerprint, challenge: None, warnings }
    }

    /// The HTTP status.
    pub fn status(&self) -> u16 {
        self.status
    }

    /// Whether the status is 2xx.
    pub fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }

    /// The body.
    pub fn body(&self) -> &Answer<'a> {
        &self.body
    }

    /// The body's JSON, to be sent as it is.
    pub fn body_json(&self) -> String {
        let mut out = Vec::new();
        self.write_body(&mut out);
        into_text(out)
    }

    /// Appends the body's JSON, to be sent as it is.
    pub fn write_body(&self, out: &mut Vec<u8>) {
        match &self.body {
            Answer::Payment(payment) => payment.write_json(out),
            Answer::Json(json) => out.extend_from_slice(json.as_bytes()),
            Answer::Conversion(conversion) => conversion.write(&mut Writer::new(out)),
            Answer::Problem(problem) => problem.write(&mut Writer::new(out)),
        }
    }

    /// The new payment, where there is one.
    pub fn payment(&self) -> Option<&Payment<'a>> {
        match &self.body {
            Answer::Payment(payment) => Some(payment),
            _ => None,
        }
    }

    /// The problem, where the answer is no success.
    pub fn problem(&self) -> Option<&Problem<'a>> {
        match &self.body {
            Answer::Problem(problem) => Some(problem),
            _ => None,
        }
    }

    /// Whether the answer is the stored payment of a repeated request; `None` where the call creates nothing.
    pub fn replayed(&self) -> Option<bool> {
        self.replayed
    }

    /// The request's fingerprint, to be stored with the payment, where there was an idempotency key.
    pub fn fingerprint(&self) -> Option<&str> {
        self.fingerprint.as_ref().map(Fingerprint::as_str)
    }

    /// The value of the WWW-Authenticate header that goes with a 401.
    pub fn www_authenticate(&self) -> Option<&'static str> {
        self.challenge
    }

    /// What the host's log should hold of an accepted body. Nothing of it goes to the client.
    pub fn warnings(&self) -> &[Violation<'a>] {
        &self.warnings
    }

    /// Appends the outcome's JSON.
    pub fn write_json(&self, out: &mut Vec<u8>) {
        Writer::new(out).object(|w| {
            begin(self.status, |out| self.write_body(out), w);
            if let Some(challenge) = self.challenge {
                w.name("www_authenticate").string(challenge);
            }
            if let Some(replayed) = self.replayed {
                w.name("replayed").bool(replayed);
            }
            if let Some(fingerprint) = &self.fingerprint {
                w.name("fingerprint").string(fingerprint.as_str());
            }
            if !self.warnings.is_empty() {
                w.name("warnings");
                write_list(&self.warnings, w);
            }
        });
    }
}

/// Appends the JSON of an outcome that is a body and no more.
pub(crate) fn write_plain(status: u16, body: impl FnOnce(&mut Vec<u8>), out: &mut Vec<u8>) {
    Writer::new(out).object(|w| begin(status, body, w));
}

fn begin(status: u16, body: impl FnOnce(&mut Vec<u8>), w: &mut Writer<'_>) {
    w.name("status").integer(status);
    w.name("body");
    body(w.buffer());
}

impl<'a> From<Problem<'a>> for Outcome<'a> {
    /// The answer with this problem. A 401 has the challenge for who sent no credential; where one was sent, [`Unauthorized`]
    /// says more.
    fn from(problem: Problem<'a>) -> Self {
        let challenge = (problem.code == ProblemCode::Unauthorized).then(|| Unauthorized::Missing.challenge());
        Outcome { challenge, ..Outcome::success(problem.status, Answer::Problem(problem)) }
    }
}

impl From<ProblemCode> for Outcome<'_> {
    /// The same, the status being the contract's whatever a policy says.
    fn from(code: ProblemCode) -> Self {
        Problem::new(code).into()
    }
}

impl From<Unauthorized> for Outcome<'_> {
    fn from(why: Unauthorized) -> Self {
        Outcome { challenge: Some(why.challenge()), ..ProblemCode::Unauthorized.into() }
    }
}

impl From<IdempotencyKeyError> for Outcome<'_> {
    fn from(_: IdempotencyKeyError) -> Self {
        ProblemCode::InvalidIdempotencyKey.into()
    }
}

impl Conversion {
    fn write(&self, w: &mut Writer<'_>) {
        w.object(|w| {
            w.name("amount").plain(|out| self.amount.write(self.scale, out));
            w.name("currency").string(USDT);
            w.name("requested_amount").plain(|out| self.requested_amount.write_text(out));
            w.name("requested_currency").string(self.requested_currency.code());
            w.name("rate").plain(|out| self.rate.write_text(out));
        });
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for Outcome<'_> {
    /// Writes the bytes of [`Outcome::write_json`], a stored body unchanged. This needs serde_json's `RawValue`, so it works
    /// with serde_json only; for another format, serialize the parts.
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut json = Vec::new();
        self.write_json(&mut json);
        crate::json::serialize::serialize_raw(json, serializer)
    }
}
