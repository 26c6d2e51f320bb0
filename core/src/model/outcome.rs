//! The exact response to a call: its status and its body, which the caller sends unchanged.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use super::payment::Payment;
use super::problem::{Problem, ProblemCode};
use crate::json::writer::{Writer, text_by};
use crate::money::{Amount, Currency, USDT};
use crate::report::{Violation, WriteViolations};
use crate::types::authorization::Unauthorized;
use crate::types::fingerprint::Fingerprint;
use crate::types::idempotency_key::IdempotencyKeyError;

/// The response to a call.
#[derive(Clone, Debug)]
#[must_use = "the status and the body are to be sent"]
pub struct Outcome {
    status: u16,
    body: OutcomeBody,
    replayed: Option<bool>,
    fingerprint: Option<Fingerprint>,
    challenge: Option<&'static str>,
    warnings: Vec<Violation>,
}

/// The body of a response.
#[expect(
    clippy::large_enum_variant,
    reason = "one answer a call, which a box would allocate for"
)]
#[derive(Clone)]
#[non_exhaustive]
pub enum OutcomeBody {
    /// A new payment.
    Payment(Payment),
    /// JSON as the caller stored it, or with a transition applied.
    Json(String),
    /// An amount converted to USDT.
    Conversion(Conversion),
    /// The reason why the call is unsuccessful.
    Problem(Problem),
}

// A stored body is data of the caller, so Debug output does not contain it.
impl fmt::Debug for OutcomeBody {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OutcomeBody::Payment(payment) => f.debug_tuple("Payment").field(payment).finish(),
            OutcomeBody::Json(_) => f.write_str("Json(…)"),
            OutcomeBody::Conversion(conversion) => {
                f.debug_tuple("Conversion").field(conversion).finish()
            }
            OutcomeBody::Problem(problem) => f.debug_tuple("Problem").field(problem).finish(),
        }
    }
}

/// A fiat amount in USDT (§1.4).
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Conversion {
    /// The amount in USDT.
    pub amount: Amount,
    /// The number of fraction digits of `amount`.
    pub scale: u32,
    /// The fiat amount, with the digits of the input.
    pub requested_amount: Amount,
    /// The fiat currency.
    pub requested_currency: Currency,
    /// The price of 1 USDT in the fiat currency, with the digits of the input.
    pub rate: Amount,
}

impl Outcome {
    pub(crate) fn success(status: u16, body: OutcomeBody) -> Self {
        Outcome {
            status,
            body,
            replayed: None,
            fingerprint: None,
            challenge: None,
            warnings: Vec::new(),
        }
    }

    /// Creates the response with a new payment.
    pub(crate) fn created(
        payment: Payment,
        fingerprint: Option<Fingerprint>,
        warnings: Vec<Violation>,
    ) -> Self {
        Outcome {
            replayed: Some(false),
            fingerprint,
            warnings,
            ..Outcome::success(201, OutcomeBody::Payment(payment))
        }
    }

    /// Creates the response to a repeated request, with the stored payment.
    pub(crate) fn repeated(payment: String, fingerprint: Fingerprint) -> Self {
        Outcome {
            replayed: Some(true),
            fingerprint: Some(fingerprint),
            ..Outcome::success(201, OutcomeBody::Json(payment))
        }
    }

    /// Returns the response to a body that is larger than the service accepts (413), without the
    /// checks that precede the body. [`Engine::unread_request`](crate::Engine::unread_request)
    /// makes them.
    pub fn body_too_large() -> Self {
        ProblemCode::BodyTooLarge.into()
    }

    /// Returns the HTTP status.
    pub fn status(&self) -> u16 {
        self.status
    }

    /// Returns whether the status is 2xx.
    pub fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }

    /// Returns the body.
    pub fn body(&self) -> &OutcomeBody {
        &self.body
    }

    /// Returns the body's JSON, to be sent unchanged.
    pub fn body_json(&self) -> String {
        text_by(|out| self.write_body(out))
    }

    /// Appends the body's JSON, to be sent unchanged.
    pub fn write_body(&self, out: &mut Vec<u8>) {
        match &self.body {
            OutcomeBody::Payment(payment) => payment.write_json(out),
            OutcomeBody::Json(json) => out.extend_from_slice(json.as_bytes()),
            OutcomeBody::Conversion(conversion) => conversion.write(&mut Writer::new(out)),
            OutcomeBody::Problem(problem) => problem.write(&mut Writer::new(out)),
        }
    }

    /// Returns the new payment, if the body is one.
    pub fn payment(&self) -> Option<&Payment> {
        let OutcomeBody::Payment(payment) = &self.body else {
            return None;
        };
        Some(payment)
    }

    /// Returns the problem, if the call is unsuccessful.
    pub fn problem(&self) -> Option<&Problem> {
        let OutcomeBody::Problem(problem) = &self.body else {
            return None;
        };
        Some(problem)
    }

    /// Returns whether the response is the stored payment of a repeated request, or `None` if the
    /// call does not create payments.
    pub fn replayed(&self) -> Option<bool> {
        self.replayed
    }

    /// Returns whether the body is a new payment, which the caller must store before it responds.
    /// If the request has an idempotency key, the record contains the
    /// [`fingerprint`](Outcome::fingerprint) as well.
    pub fn must_be_stored(&self) -> bool {
        self.replayed == Some(false)
    }

    /// Returns the request's fingerprint, to be stored with the payment, if the request has an
    /// idempotency key.
    pub fn fingerprint(&self) -> Option<&str> {
        self.fingerprint.as_ref().map(Fingerprint::as_str)
    }

    /// Returns the value of the WWW-Authenticate header of a 401.
    pub fn www_authenticate(&self) -> Option<&'static str> {
        self.challenge
    }

    /// Returns the warnings about an accepted body, for the caller's log. They are not sent to the
    /// client.
    pub fn warnings(&self) -> &[Violation] {
        &self.warnings
    }

    /// Appends the outcome's JSON.
    pub fn write_json(&self, out: &mut Vec<u8>) {
        Writer::new(out).object(|w| {
            w.name("status").integer(self.status);
            w.name("body").value_by(|out| self.write_body(out));
            if let Some(challenge) = self.challenge {
                w.name("www_authenticate").string(challenge);
            }
            if let Some(replayed) = self.replayed {
                w.name("replayed").bool(replayed);
            }
            if let Some(fingerprint) = &self.fingerprint {
                w.name("fingerprint").word(fingerprint.as_str());
            }
            if !self.warnings.is_empty() {
                w.name("warnings");
                self.warnings.write(w);
            }
        });
    }
}

impl From<Problem> for Outcome {
    /// Converts a problem to its response. A 401 gets the challenge for missing credentials;
    /// convert from [`Unauthorized`] to distinguish invalid ones.
    fn from(problem: Problem) -> Self {
        let challenge =
            (problem.code == ProblemCode::Unauthorized).then(|| Unauthorized::Missing.challenge());
        Outcome {
            challenge,
            ..Outcome::success(problem.status, OutcomeBody::Problem(problem))
        }
    }
}

impl From<ProblemCode> for Outcome {
    /// Converts a code to its response. The status is the default of the code, independent of a
    /// policy.
    fn from(code: ProblemCode) -> Self {
        Problem::new(code).into()
    }
}

impl From<Unauthorized> for Outcome {
    fn from(why: Unauthorized) -> Self {
        Outcome {
            challenge: Some(why.challenge()),
            ..ProblemCode::Unauthorized.into()
        }
    }
}

impl From<IdempotencyKeyError> for Outcome {
    fn from(_: IdempotencyKeyError) -> Self {
        ProblemCode::InvalidIdempotencyKey.into()
    }
}

impl Conversion {
    fn write(&self, w: &mut Writer<'_>) {
        w.object(|w| {
            w.name("amount")
                .plain(|out| self.amount.write(self.scale, out));
            w.name("currency").word(USDT);
            w.name("requested_amount")
                .plain(|out| self.requested_amount.write_text(out));
            w.name("requested_currency")
                .word(self.requested_currency.code());
            w.name("rate").plain(|out| self.rate.write_text(out));
        });
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for Conversion {
    /// Writes the JSON of `convert`.
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct;
        let mut conversion = serializer.serialize_struct("Conversion", 5)?;
        let amount = text_by(|out| self.amount.write(self.scale, out));
        conversion.serialize_field("amount", &amount)?;
        conversion.serialize_field("currency", USDT)?;
        conversion.serialize_field("requested_amount", &self.requested_amount)?;
        conversion.serialize_field("requested_currency", &self.requested_currency)?;
        conversion.serialize_field("rate", &self.rate)?;
        conversion.end()
    }
}

#[cfg(feature = "serde_json")]
impl serde::Serialize for Outcome {
    /// Writes the JSON of `write_json`.
    ///
    /// A stored body is unchanged. This needs serde_json's `RawValue`, so it works with serde_json
    /// only; for another format, serialize the parts.
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        crate::util::serialize::raw(&text_by(|out| self.write_json(out)), serializer)
    }
}
