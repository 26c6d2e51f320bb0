//! The legacy API (§9.2): the current names of its members, and the migration of bodies in both
//! directions.
//!
//! [`changes`] returns every change of §9.2; the files in this folder apply them.

mod downgrade;
mod migrated_body;
mod migration;
mod request;
mod upgrade;

pub use crate::schema::legacy::{ChangeKind, ChangeTarget, FieldChange, changes};
pub(crate) use downgrade::{downgrade_balance, downgrade_payment};
pub use migrated_body::{Change, MigratedBody, Unresolved};
pub(crate) use request::{downgrade_request, upgrade_request};
pub(crate) use upgrade::{upgrade_balance, upgrade_payment};
