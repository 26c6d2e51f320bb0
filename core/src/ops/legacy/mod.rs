//! The legacy API (§9.2): the current names of its members, and the migration of bodies in both directions.
//!
//! [`lines`] returns every line of §9.2; the files in this folder apply them.

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
