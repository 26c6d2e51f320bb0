//! The report of an examination, in each format.

mod html;
mod json;
mod junit;
mod text;

use std::io::Write;
use std::path::Path;

use super::{Examination, Format, Verdict};
use crate::failure::Failure;

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

/// Returns the word for a result.
fn word(verdict: Option<&Verdict>) -> &'static str {
    match verdict {
        Some(Verdict::Passed) => "passed",
        Some(Verdict::Failed(_)) => "failed",
        Some(Verdict::Skipped(_)) => "skipped",
        None => "not selected",
    }
}

/// Returns what is wrong, or why a check was skipped.
fn detail(verdict: Option<&Verdict>) -> Option<&str> {
    match verdict {
        Some(Verdict::Failed(detail) | Verdict::Skipped(detail)) => Some(detail),
        Some(Verdict::Passed) | None => None,
    }
}

/// Returns the sentence that sums up an examination.
fn summary(examination: &Examination) -> String {
    let counts = examination.counts();
    let parts = [
        (counts.passed, "passed"),
        (counts.failed, "failed"),
        (counts.skipped, "skipped"),
    ];
    let parts: Vec<String> = parts
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, word)| format!("{count} {word}"))
        .collect();
    let verdict = if counts.failed == 0 {
        "conforms"
    } else {
        "does not conform"
    };
    let all = counts.passed + counts.failed + counts.skipped;
    format!("{verdict}: {} of {all} checks", parts.join(", "))
}
