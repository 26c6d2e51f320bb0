//! The settings of the caller. Each has a default; the JSON form rejects unknown members.

#[cfg(feature = "alloc")]
mod check;
#[cfg(feature = "alloc")]
mod fingerprint_key;
#[cfg(feature = "alloc")]
mod json;
#[cfg(feature = "alloc")]
mod ruleset;
#[cfg(feature = "serde")]
mod serde;
#[cfg(feature = "alloc")]
mod setting;
#[cfg(feature = "alloc")]
mod settings;
mod view;

#[cfg(feature = "alloc")]
pub(crate) use view::{PolicyView, RuleSettings};
#[cfg(not(feature = "alloc"))]
pub use view::{PolicyView, RuleSettings};

#[cfg(feature = "alloc")]
pub use {
    crate::types::state::Transitions,
    crate::util::sorted_map::SortedMap,
    fingerprint_key::FingerprintKey,
    settings::{AmountBounds, Crypto, IdempotencyWindow, IntegerRange, InvalidRequestStatus, Limits, Policy, Urls},
};
#[cfg(feature = "alloc")]
pub(crate) use {ruleset::Ruleset, settings::MAX_SAFE_INTEGER};
