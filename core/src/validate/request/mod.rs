//! Validation of a request. The body is read once, then every rule runs in the order of §2.2.

mod body;
mod rules;
mod validator;

pub(crate) use body::{RequestBody, accepts, accepts_text, check, validate};
pub(crate) use validator::RuleInputs;
#[cfg(feature = "openapi")]
pub(crate) use validator::required;
#[cfg(not(feature = "fast"))]
pub(crate) use {rules::run, validator::RequestKind};
