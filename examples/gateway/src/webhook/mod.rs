//! Delivering events: Standard Webhooks, to addresses that are judged before anything is sent.
//!
//! A [`Sender`] makes one attempt: it checks the target, signs, sends, and says what came of it. When the next attempt is
//! due is [`Backoff`]'s answer. What is to be sent, and that it is sent at least once, is the outbox's affair.
//!
//! The receiving side is a [`Verifier`]; `examples/receiver.rs` shows it in a server.

mod backoff;
mod network;
mod resolver;
mod secret;
mod sender;
mod signature;
mod target;

pub use backoff::Backoff;
pub use network::NetworkKind;
pub use secret::{Secret, SecretError};
pub use sender::{Delivered, Delivery, Failure, Sender, SenderConfig, SenderError};
pub use signature::{ID, SIGNATURE, SignError, TIMESTAMP, Verifier, VerifyError, sign};
pub use target::{TargetError, Targets};
