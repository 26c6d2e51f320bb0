//! Delivery of events as Standard Webhooks, to targets that are checked before anything is sent.
//!
//! A [`Sender`] makes one attempt: it checks the target, signs, sends, and returns the result.
//! [`Backoff`] computes the time of the next attempt. The outbox stores the events and delivers
//! each at least once.
//!
//! [`verify`] is the receiving side; `examples/receiver.rs` uses it in a server.

mod backoff;
mod receive;
mod resolver;
mod secret;
mod sender;
mod target;

pub use backoff::Backoff;
pub use receive::verify;
pub use secret::{Secret, SecretError};
pub use sender::{Delivered, Delivery, Failure, Sender, SenderConfig, SenderError, sign};
pub use target::{TargetError, Targets};
