//! The earlier interface (§9.2): what its members are called today, and bodies carried over in either direction.
//!
//! [`lines`] holds every line of §9.2; the files beside the table apply them.

mod downgrade;
mod migration;
mod path;
mod request;
mod upgrade;

pub use crate::schema::legacy::{ChangeKind, Line, Part, lines};
pub(crate) use downgrade::downgrade_payment;
pub use migration::{Change, Rewritten, Unresolved};
pub(crate) use request::upgrade_request;
pub(crate) use upgrade::upgrade_payment;
