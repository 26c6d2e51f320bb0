//! Validation, from the bytes of a body to its report.

mod amount;
pub(crate) mod body;
pub(crate) mod listing;
pub(crate) mod payment;
pub(crate) mod request;
pub(crate) mod unknown;
pub(crate) mod uri;
pub(crate) mod validator;

#[cfg(test)]
mod tests;
