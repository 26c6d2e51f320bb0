#![doc = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/", env!("CARGO_PKG_README")))]
//!
//! # A tour of the crate
//!
//! Everything starts at an [`Engine`], built once from a [`Policy`]. Its methods take the bytes of a body, and a typed
//! context where the host has something to add.
//!
//! | you have | you call | you get |
//! |---|---|---|
//! | a creation request | [`Engine::validate_request`], [`Engine::read_request`] | a [`Report`] of [`Violation`]s, a typed [`CreateRequest`] |
//! | the same, and a [`CreateContext`] | [`Engine::create_payment`] | an [`Outcome`]: a [`Payment`] or a [`Problem`] |
//! | a stored payment | [`Engine::read_payment`], [`Engine::advance_payment`] | an [`Outcome`] |
//! | a balance | [`Engine::read_balance`] | an [`Outcome`] |
//! | a payment of somebody else's making | [`Engine::check_payment`], [`Engine::field_currencies`] | a [`Report`], [`FieldCurrencies`] |
//! | a fiat amount and a [`Quote`] | [`Engine::convert`], [`Breakdown::usdt`] | a [`Conversion`], a [`Breakdown`] |
//! | a repeated idempotency key | [`Engine::check_idempotency`], [`Engine::fingerprint_request`] | an [`IdempotencyCheck`] |
//! | two states | [`Engine::check_transition`] | a [`Transition`] |
//! | a body of the earlier interface | [`Engine::upgrade_request`], [`Engine::upgrade_payment`] | [`legacy::Rewritten`] |
//! | a body for a log | [`Engine::redact`] | the same body, its secrets masked |
//! | digits being typed | [`card::card_info`] | a [`card::CardInfo`] |
//! | an Authorization header | [`bearer_token`] | its token |
//! | no Rust, or no types | [`json::operation`] | JSON in, JSON out |
//!
//! The tables behind it are public as well: [`RULES`], [`DECISIONS`], [`State::ALL`], [`ProblemCode::ALL`],
//! [`Currency::all`], [`json::OPERATIONS`].
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

mod authorization;
pub mod card;
pub mod context;
mod decisions;
mod display;
mod engine;
mod error;
mod fingerprint;
mod idempotency;
mod input;
pub mod json;
mod kinds;
pub mod legacy;
mod list;
pub mod money;
mod openapi;
mod outcome;
mod pan;
mod payment;
mod phone;
pub mod policy;
mod problem;
mod read;
mod redact;
mod report;
mod request;
mod rules;
#[cfg(feature = "serde")]
mod serde_form;
mod state;
mod text;
mod time;
mod uri;
mod validator;
mod write;

// The front door, what it is built from, and what it says of a host's mistake.
pub use engine::Engine;
pub use error::{Error, ErrorCode};
pub use policy::Policy;

// What is wrong with a body.
pub use report::{Allowed, Params, Report, Violation};
pub use rules::{Code, RULES, Rule, Severity};

// The request as a typed value.
pub use kinds::{Mode, PaymentType, Subtype, UnknownName};
pub use request::{Card, CommonFields, CreateRequest, PayIn, PayInDetails, PayOut, PayOutDetails};

// What the host brings to a call.
pub use authorization::{Authorization, Unauthorized, bearer_token};
pub use context::{
    AbsoluteUri, AdvanceContext, BalanceContext, ConvertContext, CreateContext, IdempotencyContext, JsonObject,
    ReadContext, StoredPayment,
};
pub use fingerprint::Fingerprint;
pub use idempotency::{Existing, Idempotency, IdempotencyCheck, IdempotencyVerdict};
pub use time::{Timestamp, TimestampError};

// The answers.
pub use outcome::{Answer, Conversion, Outcome};
pub use payment::{FieldCurrencies, Info, InfoKind, Payment};
pub use problem::{Problem, ProblemCode};
pub use state::{LegacyFlags, State, StateOutcome, Transition, TransitionVerdict};

// Money.
pub use money::{
    Amount, AmountError, Breakdown, BreakdownError, Charges, ChargesError, Currency, CurrencyError, Freshness,
    MAX_CONVERTED_SCALE, Quote, Rounding, USDT, convert,
};

// Private hosts, for the caller's own connections.
pub use uri::is_private_host;

// What the specification leaves open.
pub use decisions::{DECISIONS, Decision};

// Types of other crates that signatures here name: a host needs no versions of its own to match.
pub use chrono::{DateTime, Utc};
pub use rust_decimal::Decimal;
pub use uuid::Uuid;
