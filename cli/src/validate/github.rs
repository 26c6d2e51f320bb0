//! Annotations of GitHub Actions:
//! <https://docs.github.com/actions/reference/workflow-commands-for-github-actions>.

use std::io::Write;

use payspec::{Engine, Severity};

use super::finding::Finding;
use super::unit::Unit;

/// Appends a line for each finding.
pub(super) fn write(engine: &Engine, unit: Unit<'_>, findings: &[Finding], out: &mut Vec<u8>) {
    for finding in findings {
        let kind = if finding.severity == Severity::Error {
            "error"
        } else {
            "warning"
        };
        let (line, column) = finding.line_and_column(engine, unit.body).unwrap_or((1, 1));
        // Writing to memory does not fail.
        let _ = writeln!(
            out,
            "::{kind} file={},line={},col={column},title=payspec {}::{}",
            escape(unit.name, true),
            unit.line_in_file(line),
            finding.code,
            escape(&finding.line(), false),
        );
    }
}

fn escape(text: &str, is_property: bool) -> String {
    let text = text
        .replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A");
    if is_property {
        text.replace(':', "%3A").replace(',', "%2C")
    } else {
        text
    }
}
