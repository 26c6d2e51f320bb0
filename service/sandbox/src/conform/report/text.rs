//! The report for a terminal.

use std::fmt::Write;

use anstyle::{AnsiColor, Style};

use super::words::{detail, summary};
use crate::conform::check::Verdict;
use crate::conform::examination::{Examination, title};

const BOLD: Style = Style::new().bold();
const FAINT: Style = Style::new().dimmed();
const GOOD: Style = AnsiColor::Green.on_default();
const BAD: Style = AnsiColor::Red.on_default().bold();
const WARN: Style = AnsiColor::Yellow.on_default();

pub(super) fn report(examination: &Examination) -> String {
    let mut out = String::new();
    // Writing to a String cannot fail.
    let _ = writeln!(
        out,
        "{}  {FAINT}profile {}{FAINT:#}",
        examination.url, examination.profile
    );
    for (section, findings) in examination.sections() {
        let selected: Vec<_> = findings
            .iter()
            .filter(|finding| finding.verdict.is_some())
            .collect();
        if selected.is_empty() {
            continue;
        }
        let _ = writeln!(out, "\n{BOLD}{section}  {}{BOLD:#}", title(section));
        for finding in selected {
            let (style, word) = match &finding.verdict {
                Some(Verdict::Passed) => (GOOD, "passed "),
                Some(Verdict::Failed(_)) => (BAD, "FAILED "),
                _ => (WARN, "skipped"),
            };
            let decision = finding
                .check
                .decision
                .map(|id| format!(" ({id})"))
                .unwrap_or_default();
            let _ = writeln!(
                out,
                "  {style}{word}{style:#}  {:<22}  {}{decision}",
                finding.check.name, finding.check.about
            );
            if let Some(detail) = detail(finding.verdict.as_ref()) {
                for part in detail.split("; ") {
                    let _ = writeln!(out, "           {FAINT}└{FAINT:#} {part}");
                }
            }
        }
    }
    let counts = examination.counts();
    if counts.unselected > 0 {
        let _ = writeln!(
            out,
            "\n{FAINT}{} checks of decisions are not selected; --profile payspec selects all.{FAINT:#}",
            counts.unselected
        );
    }
    let style = if counts.failed == 0 { GOOD } else { BAD };
    let _ = writeln!(out, "\n{style}{}{style:#}", summary(examination));
    out
}
