//! JUnit XML, as continuous integration servers read it.

use std::fmt::Write;

use payspec::{Engine, Severity};
use quick_xml::escape::escape;

use super::finding::Finding;
use super::unit::Unit;

pub(super) const HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n<testsuite name=\"payspec validate\">\n";
pub(super) const TAIL: &str = "</testsuite>\n</testsuites>\n";

/// Appends a test case, which has failed if the body has an error.
pub(super) fn write(engine: &Engine, unit: Unit<'_>, findings: &[Finding], out: &mut Vec<u8>) {
    let name = match unit.line {
        Some(line) => format!("{}:{line}", unit.name),
        None => unit.name.to_owned(),
    };
    let mut text = format!("<testcase name=\"{}\"", xml(&name));
    let lines = |severity: Severity| {
        let lines = findings
            .iter()
            .filter(|finding| finding.severity == severity)
            .map(|finding| {
                let position = finding.line_and_column(engine, unit.body);
                let position = position
                    .map(|(line, column)| format!("{}:{column}: ", unit.line_in_file(line)))
                    .unwrap_or_default();
                format!("{position}{}: {}", finding.code, finding.line())
            });
        xml(&lines.collect::<Vec<_>>().join("\n"))
    };
    let (errors, warnings) = (lines(Severity::Error), lines(Severity::Warning));
    // Writing to memory does not fail.
    let _ = match (errors.is_empty(), warnings.is_empty()) {
        (true, true) => writeln!(text, "/>"),
        (true, false) => writeln!(text, "><system-out>{warnings}</system-out></testcase>"),
        (false, _) => {
            let codes = findings
                .iter()
                .filter(|finding| finding.severity == Severity::Error)
                .map(|finding| finding.code);
            let codes = codes.collect::<Vec<_>>().join(", ");
            let warnings = if warnings.is_empty() {
                String::new()
            } else {
                format!("<system-out>{warnings}</system-out>")
            };
            writeln!(
                text,
                "><failure message=\"{codes}\">{errors}</failure>{warnings}</testcase>"
            )
        }
    };
    out.extend_from_slice(text.as_bytes());
}

/// Escapes a text; characters that XML cannot contain become U+FFFD.
fn xml(text: &str) -> String {
    let is_allowed = |c: char| matches!(c, '\t' | '\n' | '\r' | ' '..='\u{FFFD}' | '\u{10000}'..);
    let text: String = text
        .chars()
        .map(|c| if is_allowed(c) { c } else { '\u{FFFD}' })
        .collect();
    escape(&text).into_owned()
}
