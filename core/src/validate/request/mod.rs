//! Validation of a request. The body is read once, then every rule runs in the order of §2.2.

mod body;
mod kind;
mod rules;
#[cfg(test)]
mod testing;
mod validator;

pub(crate) use body::{RequestBody, accepts, validate};
pub(crate) use kind::{RequestKind, required};
pub(crate) use validator::RuleInputs;
