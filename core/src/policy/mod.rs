//! The settings of the caller. Each has a default; the JSON form rejects unknown members.

mod check;
mod fingerprint_key;
mod json;
mod ruleset;
#[cfg(feature = "serde")]
mod serde;
mod setting;
mod settings;

pub use crate::types::state::Transitions;
pub use crate::util::sorted_map::SortedMap;
pub use fingerprint_key::FingerprintKey;
pub(crate) use ruleset::Ruleset;
pub(crate) use settings::MAX_SAFE_INTEGER;
pub use settings::{AmountBounds, Crypto, IdempotencyWindow, IntegerRange, InvalidRequestStatus, Limits, Policy, Urls};
