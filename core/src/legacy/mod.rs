//! The earlier interface (§9.2): what its members are called today, and bodies carried over in either direction.
//!
//! The two tables hold every line of §9.2; [`request`], [`upgrade`] and [`downgrade`] apply them.

mod downgrade;
mod request;
mod rewrite;
mod table;
mod upgrade;

pub use rewrite::{Change, ChangeKind, Rewritten, Unresolved};
pub(crate) use downgrade::downgrade_payment;
pub(crate) use request::upgrade_request;
pub(crate) use table::{request_member, response_member};
pub(crate) use upgrade::upgrade_payment;
