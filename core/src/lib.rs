//! payspec
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

mod authorization;
pub mod card;
pub mod context;
mod decisions;
mod engine;
mod error;
mod fingerprint;
mod host;
mod idempotency;
pub mod json;
mod judge;
mod kinds;
pub mod legacy;
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
mod state;
mod text;
mod time;
mod uri;
mod write;

pub use authorization::{Authorization, Unauthorized, bearer_token};
pub use context::CreateContext;
pub use decisions::{DECISIONS, Decision};
pub use engine::Engine;
pub use error::{Error, ErrorCode};
pub use idempotency::{Existing, Idempotency, IdempotencyVerdict};
pub use kinds::{Mode, PaymentType, Subtype};
pub use money::{
    Amount, AmountError, Breakdown, BreakdownError, Charges, Currency, CurrencyError, Freshness, MAX_CONVERTED_SCALE,
    Quote, Rounding, USDT, convert,
};
pub use outcome::{Answer, Conversion, Outcome};
pub use payment::{FieldCurrencies, Info, InfoKind, Payment};
pub use policy::Policy;
pub use problem::{Problem, ProblemCode};
pub use report::{Allowed, Params, Report, Violation};
pub use request::{Card, Common, CreateRequest, PayIn, PayInDetails, PayOut, PayOutDetails};
pub use rules::{Code, RULES, Rule, Severity};
pub use state::{LegacyFlags, Outlook, State, Transition, TransitionVerdict};
pub use time::{Timestamp, TimestampError};
