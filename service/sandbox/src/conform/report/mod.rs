//! The report of an examination, in each format.

mod html;
mod json;
mod junit;
mod text;
mod words;

use std::io::Write;
use std::path::Path;

use super::examination::{Examination, Format};
use crate::failure::Failure;

/// Returns the report as JSON.
pub(super) fn as_json(examination: &Examination) -> String {
    json::report(examination)
}

/// Writes the report to a file, or to standard output.
pub(super) fn write(
    examination: &Examination,
    format: Format,
    output: Option<&Path>,
) -> Result<(), Failure> {
    let text = match format {
        Format::Text => text::report(examination),
        Format::Html => html::report(examination),
        Format::Junit => junit::report(examination),
        Format::Json => json::report(examination),
    };
    match output {
        // A file has no colors.
        Some(path) => std::fs::write(path, anstream::adapter::strip_str(&text).to_string())
            .map_err(|error| Failure::writing(path, &error)),
        None => Ok(anstream::stdout().lock().write_all(text.as_bytes())?),
    }
}
