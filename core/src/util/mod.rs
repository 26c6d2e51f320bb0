//! Helpers that do not depend on payments: bytes, small lists, enums with names.

pub(crate) mod bug;
pub(crate) mod bytes;
pub(crate) mod debug;
pub(crate) mod hmac;
pub(crate) mod inline_vec;
#[cfg(feature = "serde")]
pub(crate) mod serde_str;
#[cfg(feature = "serde")]
pub(crate) mod serialize;
pub(crate) mod string_enum;
