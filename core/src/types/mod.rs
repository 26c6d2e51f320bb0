//! Types of the specification that do not depend on others: timestamps, states, string enums, URIs.

pub(crate) mod authorization;
pub(crate) mod fingerprint;
pub(crate) mod idempotency_key;
pub(crate) mod legacy_flags;
pub(crate) mod month;
pub(crate) mod payment_type;
pub(crate) mod phone;
pub(crate) mod state;
pub(crate) mod structured_field;
pub(crate) mod text;
pub(crate) mod timestamp;
pub(crate) mod uri;
pub(crate) mod uuid;
pub(crate) mod webhook;
