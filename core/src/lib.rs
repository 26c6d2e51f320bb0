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
//! | no Rust, or no types | [`operations::operation`] | JSON in, JSON out |
//!
//! The tables behind it are public as well: [`RULES`], [`DECISIONS`], [`State::ALL`], [`ProblemCode::ALL`],
//! [`Currency::all`], [`operations::OPERATIONS`].
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

pub mod card;
pub mod context;
mod decisions;
mod engine;
mod error;
mod input;
mod json;
mod model;
pub mod money;
mod openapi;
pub mod operations;
mod ops;
pub mod policy;
mod report;
mod schema;
mod types;
mod util;
mod validate;

pub use engine::Engine;
pub use error::{Error, ErrorCode};
pub use policy::Policy;

pub use report::code::{Code, RULES, Rule, Severity};
pub use report::{Allowed, Params, Report, Violation};

pub use model::request::{Card, CommonFields, CreateRequest, PayIn, PayInDetails, PayOut, PayOutDetails};
pub use types::payment_type::{Mode, PaymentType, Subtype};
pub use util::string_enum::ParseEnumError;

pub use context::{
    AbsoluteUri, AdvanceContext, BalanceContext, ConvertContext, CreateContext, IdempotencyContext, JsonObject,
    ReadContext, StoredPayment,
};
pub use ops::idempotency::{Existing, Idempotency, IdempotencyCheck, IdempotencyVerdict};
pub use types::authorization::{Authorization, Unauthorized, bearer_token};
pub use types::fingerprint::Fingerprint;
pub use types::timestamp::{Timestamp, TimestampError};

pub use model::outcome::{Answer, Conversion, Outcome};
pub use model::payment::{Info, InfoKind, Payment};
pub use model::problem::{Problem, ProblemCode};
pub use ops::field_currencies::FieldCurrencies;
pub use ops::legacy;
pub use types::state::{LegacyFlags, State, StateOutcome, Transition, TransitionVerdict};

pub use money::{
    Amount, AmountError, Breakdown, BreakdownError, Charges, ChargesError, Currency, CurrencyError, Freshness,
    MAX_CONVERTED_SCALE, Quote, Rounding, USDT, convert,
};

pub use types::uri::is_private_host;

pub use decisions::{DECISIONS, Decision};

// Types of other crates that signatures here name: a host needs no versions of its own to match.
pub use chrono::{DateTime, Utc};
pub use rust_decimal::Decimal;
pub use uuid::Uuid;
