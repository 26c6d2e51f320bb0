//! Reports: violations in the order of the specification's fields, and their JSON.
//!
//! A violation contains the location and what was expected there, never a value from the body.

mod builder;
pub(crate) mod code;
mod params;
mod pointer;
#[expect(
    clippy::module_inception,
    reason = "the type is named after the folder's subject"
)]
mod report;
mod summary;
mod violation;

pub(crate) use self::{
    builder::ReportBuilder,
    pointer::{Pointer, path_by},
    summary::ReportSummary,
    violation::{WriteViolations, to_owned},
};
pub use self::{
    params::{Allowed, Params},
    report::{InvalidBody, Report},
    violation::Violation,
};
