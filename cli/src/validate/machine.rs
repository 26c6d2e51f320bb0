//! JSON for programs: the report as the library writes it, and the location of each violation.

use std::io::Write;

use payspec::Engine;
use serde::Serialize;
use serde_json::json;

use super::finding::Finding;
use super::unit::{Checked, Unit};

/// Appends `{"file":…,"line":…,"valid":…,"report":{…},"unresolved":[…],"places":[…]}`.
pub(super) fn write(
    engine: &Engine,
    unit: Unit<'_>,
    checked: Checked<'_>,
    findings: &[Finding],
    out: &mut Vec<u8>,
) {
    out.extend_from_slice(b"{\"file\":");
    put(&unit.name, out);
    if let Some(line) = unit.line {
        // Writing to memory does not fail.
        let _ = write!(out, ",\"line\":{line}");
    }
    out.extend_from_slice(if checked.is_valid() {
        b",\"valid\":true,\"report\":"
    } else {
        b",\"valid\":false,\"report\":"
    });
    let start = out.len();
    checked.report.write_json(out);
    mask_names(engine, start, out);
    if let Some(migrated) = checked.migrated {
        let unresolved = migrated.unresolved().iter();
        let unresolved = unresolved
            .map(|unresolved| json!({"path": unresolved.path, "reason": unresolved.reason}));
        out.extend_from_slice(b",\"unresolved\":");
        put(&unresolved.collect::<Vec<_>>(), out);
    }
    if !findings.is_empty() {
        let places = findings.iter().map(|finding| {
            let position = finding.line_and_column(engine, unit.body);
            let (line, column) = position
                .map(|(line, column)| (unit.line_in_file(line), column))
                .unzip();
            PlaceInFile {
                path: &finding.path,
                line,
                column,
            }
        });
        out.extend_from_slice(b",\"places\":");
        put(&places.collect::<Vec<_>>(), out);
    }
    out.push(b'}');
}

/// The location of a violation. Line and column are null if the body has no such location.
#[derive(Serialize)]
struct PlaceInFile<'f> {
    path: &'f str,
    line: Option<u64>,
    column: Option<u64>,
}

/// Masks card numbers that a client has used as names of members.
fn mask_names(engine: &Engine, start: usize, out: &mut Vec<u8>) {
    let report = out
        .get(start..)
        .and_then(|report| str::from_utf8(report).ok())
        .unwrap_or_default();
    // Without a violation the report contains no name.
    if report.contains("\"path\"") {
        let masked = engine.redact_text(report);
        out.truncate(start);
        out.extend_from_slice(masked.as_bytes());
    }
}

fn put<T: Serialize + ?Sized>(value: &T, out: &mut Vec<u8>) {
    // Writing these values to memory does not fail.
    let _ = serde_json::to_writer(out, value);
}
