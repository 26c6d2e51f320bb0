//! The interface of a payment service as a library: validation of pay-in and pay-out requests,
//! conversion from fiat to USDT, payment states, the idempotency window, and the exact response of
//! each endpoint.
//!
//! The crate is pure: it has no clock, randomness, files, or network, and no global state. The
//! caller supplies the time, the identifier of a payment, the rate, and the stored record. The same
//! input gives the same bytes in Rust, C, and WebAssembly.
//!
//! # Example
//!
//! ```
//! use payspec::{Code, Engine};
//!
//! let engine = Engine::default();
//! let body = br#"{"payment_type":"pay_in","mode":"P2P","subtype":"sbp","cur":"JPY","amount":"100.50"}"#;
//! let report = engine.validate_request(body, None);
//!
//! assert!(!report.is_valid());
//! let violation = &report.violations()[0];
//! assert_eq!((violation.code(), violation.path()), (Code::AmountScale, "/amount".into()));
//! assert_eq!(violation.message(), "the currency has 0 fraction digits");
//! ```
//!
//! # Overview
//!
//! An [`Engine`] is built once from a [`Policy`] and shared by all threads. Its methods take the
//! bytes of a body, and a typed context with what the caller supplies.
//!
//! | input | method | answer |
//! |---|---|---|
//! | a creation request | [`Engine::validate_request`], [`Engine::is_valid_request`] | a [`Report`] of [`Violation`]s, a verdict |
//! | a creation request | [`Engine::parse_request`] | a typed [`CreateRequest`] |
//! | a creation request, read once | [`Engine::read_request`] | a [`Request`], which is validated, quoted, and created |
//! | a creation request and a [`CreateContext`] | [`Request::create`], [`Engine::create_payment`] | an [`Outcome`]: a [`Payment`] or a [`Problem`] |
//! | a stored payment | [`Engine::read_payment`], [`Engine::advance_payment`] | an [`Outcome`] |
//! | a balance | [`Engine::read_balance`] | an [`Outcome`] |
//! | a payment produced elsewhere | [`Engine::check_payment`], [`Engine::field_currencies`] | a [`Report`], [`FieldCurrencies`] |
//! | a fiat amount and a [`Quote`] | [`Engine::convert`], [`Breakdown::usdt`] | a [`Conversion`], a [`Breakdown`] |
//! | a repeated idempotency key | [`Engine::check_idempotency`], [`Engine::fingerprint_request`] | an [`IdempotencyCheck`], a [`Fingerprint`] |
//! | two states | [`Engine::check_transition`] | a [`Transition`] |
//! | a body of the legacy API | [`Engine::upgrade_request`], [`Engine::upgrade_payment`], [`Engine::upgrade_balance`] | [`legacy::MigratedBody`] |
//! | a body for the legacy API | [`Engine::downgrade_request`], [`Engine::downgrade_payment`], [`Engine::downgrade_balance`] | [`legacy::MigratedBody`] |
//! | a body for a log | [`Engine::redact`] | the same body without card data |
//! | a text for a log | [`Engine::redact_text`] | the same text without card data |
//! | a body and the path of a violation | [`Engine::locate`] | the bytes, line, and column of the value |
//! | two policies | [`Engine::compare_policies`] | a [`PolicyComparison`] |
//! | two policies, for each request | [`Engine::shadow`] | a [`Shadow`] |
//! | digits being typed | [`card::card_info`] | a [`card::CardInfo`] |
//! | an Idempotency-Key header | [`Engine::idempotency_key`] | an [`IdempotencyKey`] |
//! | a webhook, and a secret | [`Engine::sign_webhook`], [`Engine::verify_webhook`] | [`WebhookHeaders`], a [`WebhookRejection`] |
//! | an Authorization header | [`bearer_token`] | its token |
//! | any of these as JSON | [`operations::operation`] | JSON |
//! | many bodies | [`operations::Operation::batch`] | an iterator of verdicts, and JSON |
//!
//! The tables are public: [`RULES`], [`DECISIONS`], [`State::ALL`], [`ProblemCode::ALL`],
//! [`Currency::all`], [`operations::OPERATIONS`].
//!
//! # Errors
//!
//! The body comes from a client. Any content leads to a [`Report`] or a [`Problem`], never to an
//! [`Error`]. Contexts and policies come from the caller. An invalid one leads to an [`Error`] with
//! the JSON Pointer of the invalid member. No message and no Debug output contains a value of a
//! body.
//!
//! # Caveats
//!
//! - The specification leaves 16 questions open, and others are gaps. [`DECISIONS`] lists what the
//!   library does in each case, and which setting of the policy changes it.
//! - A valid report does not mean that a card or a phone number exists. Only their form is checked.
//! - A callback to a private host is a warning. If your service calls it, check the resolved
//!   address with [`is_private_host`].
//! - The crate stores and sends nothing. It trusts the stored payments and records that the caller
//!   supplies.
//!
//! # Features
//!
//! - `http`: `From<Outcome>` for `http::Response<Vec<u8>>`, with all headers.
//! - `openapi` (default): the operation `openapi`.
//! - `serde` (default): `Serialize` and `Deserialize` of the types with a JSON form.
//! - `serde_json`: `Serialize` of [`Outcome`] and [`Payment`], which contain JSON of the caller.
//! - `simd` (default): UTF-8 is checked with vector instructions of the processor.
//! - `std`: `TryFrom<SystemTime>` for [`Timestamp`].
#![no_std]
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

/// The programs of the README and of the book, as tests.
#[cfg(doctest)]
#[doc = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/", env!("CARGO_PKG_README")))]
#[doc = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/src/start/rust.md"))]
#[doc = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/src/start/gateway-rust.md"))]
struct Programs;

pub mod card;
mod context;
mod decisions;
mod engine;
mod error;
mod input;
mod json;
mod model;
mod money;
#[cfg(feature = "openapi")]
mod openapi;
pub mod operations;
mod ops;
pub mod policy;
mod report;
mod schema;
mod types;
mod util;
mod validate;

pub use {
    context::{
        AbsoluteUri, AdvanceContext, Balance, BalanceContext, ComparePoliciesContext,
        ConvertContext, CreateContext, IdempotencyContext, IdempotencyLookup, IdempotencyRecord,
        InfoDetails, JsonObject, ReadContext, SignWebhookContext, StoredPayment,
        VerifyWebhookContext,
    },
    decisions::{DECISIONS, Decision},
    engine::Engine,
    error::{Error, ErrorKind},
    model::outcome::{Conversion, Outcome, OutcomeBody},
    model::payment::{Info, InfoKind, Payment},
    model::problem::{Problem, ProblemCode},
    model::request::{
        Card, CommonFields, CreateRequest, PayIn, PayInDetails, PayOut, PayOutDetails,
    },
    money::{
        Amount, AmountError, Breakdown, BreakdownError, Charges, ChargesError, Currency,
        CurrencyError, Freshness, MAX_CONVERTED_SCALE, Quote, QuoteError, Rounding, USDT, convert,
    },
    ops::compare_policies::{
        PolicyChange, PolicyComparison, PolicyDifference, PolicyRelation, PolicyWitness,
    },
    ops::field_currencies::FieldCurrencies,
    ops::idempotency::{IdempotencyCheck, IdempotencyVerdict},
    ops::legacy,
    ops::locate::Location,
    ops::request::Request,
    ops::shadow::{Shadow, ShadowDifference},
    ops::webhook::WebhookHeaders,
    policy::settings::Policy,
    report::code::{Code, RULES, Rule, Severity},
    report::{Allowed, InvalidBody, Params, Report, Violation},
    types::authorization::{Authorization, Unauthorized, bearer_token},
    types::fingerprint::Fingerprint,
    types::idempotency_key::{IdempotencyKey, IdempotencyKeyError},
    types::legacy_flags::LegacyFlags,
    types::payment_type::{Mode, PaymentType, Subtype},
    types::state::{State, StateOutcome, Transition, TransitionVerdict},
    types::timestamp::{Timestamp, TimestampError},
    types::uri::{UriPart, is_private_host},
    types::webhook::{WebhookRejection, WebhookSecret, WebhookSecretError},
    util::string_enum::ParseEnumError,
};

// Types of other crates in public signatures, so that a caller needs no dependencies with the same
// versions.
pub use {
    chrono::{DateTime, Utc},
    rust_decimal::Decimal,
    uuid::Uuid,
};
