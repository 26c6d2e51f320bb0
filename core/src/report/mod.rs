//! Reports: violations in the order of the specification's fields, and their JSON.
//!
//! A violation contains the location and what was expected there, never a value from the body.

mod builder;
pub(crate) mod code;
mod params;
mod pointer;
mod position;
pub(crate) mod record;
mod violation;

pub(crate) use self::position::line_and_column;
pub use self::{
    builder::{InvalidBody, Report},
    params::{Allowed, Params},
    violation::Violation,
};
pub(crate) use self::{
    builder::{ReportBuilder, ReportSummary},
    pointer::{Pointer, path_by},
    violation::write_list,
};
