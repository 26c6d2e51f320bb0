//! Validation of a request. The body is read once, then every rule runs in the order of §2.2.

mod body;
mod kind;
mod rules;
#[cfg(test)]
mod testing;
mod validator;

pub(crate) use body::{RequestBody, accepts, validate};
#[cfg(feature = "openapi")]
pub(crate) use kind::required;
pub(crate) use validator::RuleInputs;
