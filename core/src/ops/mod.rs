//! The operations, one file each. They take a `Ruleset` and typed inputs.

pub(crate) mod advance;
pub(crate) mod compare_policies;
pub(crate) mod convert;
pub(crate) mod create;
pub(crate) mod field_currencies;
pub(crate) mod fingerprint;
pub(crate) mod idempotency;
pub mod legacy;
pub(crate) mod locate;
pub(crate) mod redact;
pub(crate) mod redact_text;
pub(crate) mod request;
pub(crate) mod shadow;
pub(crate) mod status;
pub(crate) mod webhook;
