//! Unsuccessful responses as RFC 9457 problems: one table of codes, statuses, and texts (D12).

use crate::util::debug::impl_debug_of_fields;
use crate::util::string_enum::impl_display_via_name;
use alloc::borrow::Cow;
use alloc::string::String;

use crate::json::writer::Writer;
use crate::report::Report;

macro_rules! problems {
    ($($variant:ident $name:literal $status:literal $urn:literal $title:literal $detail:literal;)*) => {
        /// The code of a problem.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum ProblemCode {
            $(#[doc = $detail] $variant,)*
        }

        impl ProblemCode {
            /// Every code.
            pub const ALL: &'static [ProblemCode] = &[$(ProblemCode::$variant),*];

            /// Returns the name in JSON.
            pub fn name(self) -> &'static str {
                match self { $(ProblemCode::$variant => $name),* }
            }

            /// Returns the HTTP status. A policy may replace that of `invalid_request`.
            pub fn status(self) -> u16 {
                match self { $(ProblemCode::$variant => $status),* }
            }

            /// Returns the problem's type, a URN.
            pub fn urn(self) -> &'static str {
                match self { $(ProblemCode::$variant => $urn),* }
            }

            /// Returns the title, which is the same for every problem of the code.
            pub fn title(self) -> &'static str {
                match self { $(ProblemCode::$variant => $title),* }
            }

            /// Returns whether the same request can succeed later without a change.
            pub fn is_retryable(self) -> bool {
                use ProblemCode::{IdempotencyInProgress, QuoteMissing, QuoteStale};
                matches!(self, IdempotencyInProgress | QuoteMissing | QuoteStale)
            }

            /// Returns the detail of problems without a more specific one.
            pub fn detail(self) -> &'static str {
                match self { $(ProblemCode::$variant => $detail),* }
            }
        }
    };
}

problems! {
    MalformedJson "malformed_json" 400 "urn:payspec:problem:malformed-json"
        "Malformed JSON" "The body is not valid JSON in UTF-8.";
    InvalidIdempotencyKey "invalid_idempotency_key" 400 "urn:payspec:problem:invalid-idempotency-key"
        "Invalid idempotency key" "An idempotency key consists of 1 to 255 visible ASCII characters.";
    Unauthorized "unauthorized" 401 "urn:payspec:problem:unauthorized"
        "Authorization required" "The request requires an Authorization header with a valid Bearer token.";
    PaymentNotFound "payment_not_found" 404 "urn:payspec:problem:payment-not-found"
        "Payment not found" "There is no payment with this uid.";
    IdempotencyConflict "idempotency_conflict" 409 "urn:payspec:problem:idempotency-conflict"
        "Payment already exists" "A payment with the same idempotency key was created before.";
    IdempotencyKeyReused "idempotency_key_reused" 409 "urn:payspec:problem:idempotency-key-reused"
        "Idempotency key reused" "The idempotency key was used for another request.";
    IdempotencyInProgress "idempotency_in_progress" 409 "urn:payspec:problem:idempotency-in-progress"
        "Payment in progress" "The payment with this idempotency key is still being created.";
    TransitionRefused "transition_refused" 409 "urn:payspec:problem:transition-refused"
        "Transition refused" "The payment cannot move from its current state to the requested one.";
    BodyTooLarge "body_too_large" 413 "urn:payspec:problem:body-too-large"
        "Body too large" "The body is larger than this service accepts.";
    InvalidRequest "invalid_request" 422 "urn:payspec:problem:invalid-request"
        "Invalid request" "The body does not follow the interface.";
    QuoteMissing "quote_missing" 455 "urn:payspec:problem:quote-missing"
        "Quote missing" "No rate is available to convert the amount.";
    QuoteMismatch "quote_mismatch" 455 "urn:payspec:problem:quote-mismatch"
        "Quote mismatch" "The rate is for another currency.";
    QuoteStale "quote_stale" 455 "urn:payspec:problem:quote-stale"
        "Stale quote" "The rate is too old, or its time is in the future.";
    AmountTooSmall "amount_too_small" 455 "urn:payspec:problem:amount-too-small"
        "Amount too small" "The amount converts to zero.";
    AmountTooLarge "amount_too_large" 455 "urn:payspec:problem:amount-too-large"
        "Amount too large" "The amount has too many digits for exact computation.";
    ChargesExceedAmount "charges_exceed_amount" 455 "urn:payspec:problem:charges-exceed-amount"
        "Charges exceed the amount" "The sum of fee and commission exceeds the amount.";
    Refused "refused" 455 "urn:payspec:problem:refused"
        "Payment refused" "The payment cannot be processed.";
}

/// The body of an unsuccessful response (RFC 9457).
#[derive(Clone)]
pub struct Problem {
    pub(crate) code: ProblemCode,
    pub(crate) status: u16,
    pub(crate) detail: Cow<'static, str>,
    /// The uid of the payment that the same request has created, for `idempotency_conflict`.
    pub(crate) uid: Option<String>,
    /// The report on the body, if the body is invalid.
    pub(crate) report: Option<Report>,
}

impl Problem {
    pub(crate) fn new(code: ProblemCode) -> Self {
        Problem {
            code,
            status: code.status(),
            detail: code.detail().into(),
            uid: None,
            report: None,
        }
    }

    pub(crate) fn with_detail(code: ProblemCode, detail: impl Into<Cow<'static, str>>) -> Self {
        Problem {
            detail: detail.into(),
            ..Problem::new(code)
        }
    }

    /// Returns the code.
    pub fn code(&self) -> ProblemCode {
        self.code
    }

    /// Returns the HTTP status.
    pub fn status(&self) -> u16 {
        self.status
    }

    /// Returns the detail, a text for people.
    pub fn detail(&self) -> &str {
        &self.detail
    }

    /// Returns whether the same request can succeed later without a change.
    pub fn is_retryable(&self) -> bool {
        self.code.is_retryable()
    }

    /// Returns the uid of the payment that the same request has created before. Only
    /// `idempotency_conflict` has one, and only if the record has the fingerprint of the body.
    pub fn uid(&self) -> Option<&str> {
        self.uid.as_deref()
    }

    /// Returns the report on the body, if the body is invalid.
    pub fn report(&self) -> Option<&Report> {
        self.report.as_ref()
    }

    /// Writes the problem's members: those of RFC 9457 with `code`, and then the extensions.
    pub(crate) fn write(&self, w: &mut Writer<'_>) {
        w.object(|w| {
            w.name("type").string(self.code.urn());
            w.name("title").string(self.code.title());
            w.name("status").integer(self.status);
            w.name("code").string(self.code.name());
            w.name("detail").string(&self.detail);
            w.name("retryable").bool(self.is_retryable());
            if let Some(uid) = &self.uid {
                w.name("uid").string(uid);
            }
            if let Some(report) = &self.report {
                report.summary.write_violations(report.violations(), w);
            }
        });
    }
}

// The detail of a declined payment is a text from the caller to the client, so it does not belong
// in a log.
impl_debug_of_fields! { Problem { code, status } }

impl_display_via_name! { ProblemCode }
