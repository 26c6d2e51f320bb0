//! The format for people, in the manner of rustc.

use annotate_snippets::{AnnotationKind, Level, Origin, Renderer, Snippet};
use payspec::{Engine, Severity};

use super::finding::{Finding, FindingLocation};
use super::help::Helper;
use super::snippet::{self, Line};
use super::unit::Unit;
use crate::catalog::source;
use crate::output::{is_colored, width};

/// Writes violations for people.
pub(super) struct Pretty {
    renderer: Renderer,
    width: usize,
    helper: Helper,
}

impl Pretty {
    pub(super) fn new() -> Self {
        let width = width();
        let renderer = if is_colored() {
            Renderer::styled()
        } else {
            Renderer::plain()
        };
        Pretty {
            renderer: renderer.term_width(width),
            width,
            helper: Helper::default(),
        }
    }

    /// Appends the findings, each with the marked part of the body.
    pub(super) fn write(
        &self,
        engine: &Engine,
        unit: Unit<'_>,
        findings: &[Finding],
        out: &mut Vec<u8>,
    ) {
        if !findings.is_empty() {
            if is_answer(engine, unit.body) {
                let note = Level::NOTE
                    .primary_title(ANSWER)
                    .elements([] as [Origin<'_>; 0]);
                out.extend_from_slice(self.renderer.render(&[note]).as_bytes());
                out.extend_from_slice(b"\n\n");
            }
            let redacted = engine.redact(unit.body).ok();
            findings
                .iter()
                .for_each(|finding| self.finding(engine, unit, redacted.as_deref(), finding, out));
        }
    }

    /// Appends a finding. `redacted` is the body with secrets masked, unless it is not JSON.
    fn finding(
        &self,
        engine: &Engine,
        unit: Unit<'_>,
        redacted: Option<&str>,
        finding: &Finding,
        out: &mut Vec<u8>,
    ) {
        let level = if finding.severity == Severity::Error {
            Level::ERROR
        } else {
            Level::WARNING
        };
        let (line, column) = finding.line_and_column(engine, unit.body).unzip();
        let number = to_usize(unit.line_in_file(line.unwrap_or(1)));
        let mut group = level
            .primary_title(finding.message.as_str())
            .id(finding.code)
            .elements([] as [Origin<'_>; 0]);
        let shown = self.line(engine, unit, redacted, finding);
        if let Some(shown) = &shown {
            let annotation = AnnotationKind::Primary
                .span(shown.marked.clone())
                .label(shown.label.as_deref());
            let snippet = Snippet::source(shown.text.as_str())
                .line_start(number)
                .annotation(annotation);
            group = group.element(snippet.path(unit.name));
        } else {
            let origin = Origin::path(unit.name);
            group = group.element(match column {
                Some(column) => origin.line(number).char_column(to_usize(column)),
                None if unit.line.is_some() => origin.line(number),
                None => origin,
            });
        }
        let mut notes = vec![
            Level::NOTE
                .with_name("source")
                .message(source(finding.source)),
        ];
        // The path of a member at the top is its name, which the line shows.
        if finding.path.matches('/').count() > 1 || (shown.is_none() && !finding.path.is_empty()) {
            notes.push(Level::NOTE.with_name("path").message(finding.path.as_str()));
        }
        let marked = shown
            .as_ref()
            .and_then(|shown| shown.text.get(shown.marked.clone()));
        let help = if is_jsonl(engine, unit, finding) {
            Some("if each line is a body, use --jsonl".to_owned())
        } else {
            self.helper.help(engine, finding, marked)
        };
        notes.extend(help.map(|help| Level::HELP.message(help)));
        let mut text = self.renderer.render(&[group.elements(notes)]);
        if let (Some(shown), Some(column)) = (&shown, column) {
            // The renderer computes the column from the line, in which masks may have another
            // length.
            let rendered = format!("{}:{number}:{}", unit.name, shown.column());
            text = text.replacen(&rendered, &format!("{}:{number}:{column}", unit.name), 1);
        }
        out.extend_from_slice(text.as_bytes());
        out.extend_from_slice(b"\n\n");
    }

    /// Returns the line of the body to show, with secrets masked.
    fn line(
        &self,
        engine: &Engine,
        unit: Unit<'_>,
        redacted: Option<&str>,
        finding: &Finding,
    ) -> Option<Line> {
        let line = if let Some(redacted) = redacted {
            match finding.location(engine, redacted.as_bytes()) {
                FindingLocation::Value(location) => {
                    Line::of(redacted, finding.marked(&location), None)
                }
                FindingLocation::Absent(location, member) => {
                    let start = location.value.start;
                    Line::of(
                        redacted,
                        start..start + 1,
                        Some(format!("`{member}` is not in this object")),
                    )
                }
                FindingLocation::Syntax(..) | FindingLocation::None => return None,
            }
        } else {
            match finding.location(engine, unit.body) {
                FindingLocation::Syntax(line, column) => {
                    let line = snippet::of_text(engine, unit.body, line, column)?;
                    let is_empty = unit.body.trim_ascii().is_empty();
                    Line {
                        label: is_empty.then(|| "the body is empty".to_owned()),
                        ..line
                    }
                }
                _ => return None,
            }
        };
        Some(line.cut(self.width))
    }
}

/// The note on a body that is the answer to a request.
const ANSWER: &str = "this looks like an answer of the service: validate the request that was sent";

/// Returns whether a body is a report, or a problem with violations, instead of a request or a
/// payment.
fn is_answer(engine: &Engine, body: &[u8]) -> bool {
    let has = |pointer| {
        engine
            .locate(body, pointer)
            .is_ok_and(|found| found.is_some())
    };
    !has("/payment_type") && (has("/violations") || has("/body/violations"))
}

/// Returns whether a body that is not JSON begins with a line that is: each line may be a body.
fn is_jsonl(engine: &Engine, unit: Unit<'_>, finding: &Finding) -> bool {
    let first = unit
        .body
        .split(|byte| *byte == b'\n')
        .find(|line| !line.trim_ascii().is_empty())
        .unwrap_or_default();
    unit.line.is_none()
        && matches!(finding.location(engine, unit.body), FindingLocation::Syntax(line, _) if line > 1)
        && first.trim_ascii().ends_with(b"}")
        && engine.locate(first, "").is_ok_and(|found| found.is_some())
}

fn to_usize(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}
