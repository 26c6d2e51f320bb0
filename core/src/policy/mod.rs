//! The settings of the caller. Each has a default; the JSON form rejects unknown members.

mod check;
mod fingerprint_key;
mod json;
mod ruleset;
mod setting;
pub(crate) mod settings;

pub use {
    crate::types::state::Transitions,
    fingerprint_key::FingerprintKey,
    settings::{
        AmountBounds, Crypto, IdempotencyWindow, IntegerRange, InvalidRequestStatus, Limits, Urls,
    },
};
pub(crate) use {
    ruleset::{Lengths, Ruleset},
    settings::{MAX_SAFE_INTEGER, Policy},
};
