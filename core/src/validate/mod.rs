//! Validation, from the bytes of a body to its report.

mod amount;
pub(crate) mod body;
pub(crate) mod payment;
pub(crate) mod request;
mod unknown;
mod uri;
pub(crate) mod validator;
