//! Validation of a request. The body is read once, then every rule runs in the order of §2.2.

#[cfg(feature = "alloc")]
mod body;
mod rules;
mod validator;

#[cfg(feature = "alloc")]
pub(crate) use body::{RequestBody, accepts, check, validate};
#[cfg(not(feature = "alloc"))]
pub(crate) use rules::run;
#[cfg(not(feature = "alloc"))]
pub(crate) use validator::RequestKind;
pub(crate) use validator::RuleInputs;
#[cfg(feature = "openapi")]
pub(crate) use validator::required;
