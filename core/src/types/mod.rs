//! Types of the specification that do not depend on others: timestamps, states, string enums, URIs.

#[cfg(feature = "alloc")]
pub(crate) mod authorization;
#[cfg(feature = "alloc")]
pub(crate) mod fingerprint;
#[cfg(feature = "alloc")]
pub(crate) mod idempotency_key;
pub(crate) mod legacy_flags;
pub(crate) mod month;
pub(crate) mod payment_type;
pub(crate) mod phone;
#[cfg(feature = "alloc")]
pub(crate) mod state;
pub(crate) mod text;
#[cfg(feature = "alloc")]
pub(crate) mod timestamp;
pub(crate) mod uri;
#[cfg(feature = "alloc")]
pub(crate) mod webhook;
