//! Reports: violations in the order of the specification's fields, and their JSON.
//!
//! A violation contains the location and what was expected there, never a value from the body.

#[cfg(feature = "alloc")]
mod builder;
pub(crate) mod code;
#[cfg(feature = "alloc")]
mod params;
#[cfg(feature = "alloc")]
mod pointer;
mod position;
pub(crate) mod record;
#[cfg(feature = "alloc")]
mod violation;

pub(crate) use self::position::line_and_column;
#[cfg(feature = "alloc")]
pub use self::{
    builder::{InvalidBody, Report},
    params::{Allowed, Params},
    violation::Violation,
};
#[cfg(feature = "alloc")]
pub(crate) use self::{
    builder::{ReportBuilder, ReportSummary},
    pointer::{Pointer, path_by},
    violation::write_list,
};
