//! Typed values and their JSON: the request, the payment, problems, and outcomes.

#[cfg(feature = "http")]
mod http_response;
pub(crate) mod outcome;
pub(crate) mod payment;
pub(crate) mod problem;
pub(crate) mod request;
