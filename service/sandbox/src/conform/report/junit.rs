//! The report as JUnit XML, a test suite for each section.

use std::fmt::Write;

use quick_xml::escape::escape;

use crate::conform::check::Verdict;
use crate::conform::examination::{Examination, title};

pub(super) fn report(examination: &Examination) -> String {
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let counts = examination.counts();
    let tests = counts.passed + counts.failed + counts.skipped;
    // Writing to a String cannot fail.
    let _ = writeln!(
        out,
        "<testsuites name=\"payspec conform\" tests=\"{tests}\" failures=\"{}\" skipped=\"{}\">",
        counts.failed, counts.skipped
    );
    for (section, findings) in examination.sections() {
        let selected: Vec<_> = findings
            .into_iter()
            .filter(|finding| finding.verdict.is_some())
            .collect();
        if selected.is_empty() {
            continue;
        }
        let of = |test: fn(&Option<Verdict>) -> bool| {
            selected
                .iter()
                .filter(|finding| test(&finding.verdict))
                .count()
        };
        let _ = writeln!(
            out,
            "<testsuite name=\"{} {}\" tests=\"{}\" failures=\"{}\" skipped=\"{}\">",
            escape(section),
            escape(title(section)),
            selected.len(),
            of(|verdict| matches!(verdict, Some(Verdict::Failed(_)))),
            of(|verdict| matches!(verdict, Some(Verdict::Skipped(_)))),
        );
        for finding in selected {
            let name = format!("{}: {}", finding.check.name, finding.check.about);
            let _ = write!(
                out,
                "<testcase classname=\"{}\" name=\"{}\"",
                escape(section),
                escape(&name)
            );
            let _ = match &finding.verdict {
                Some(Verdict::Failed(detail)) => {
                    writeln!(out, "><failure message=\"{}\"/></testcase>", escape(detail))
                }
                Some(Verdict::Skipped(reason)) => {
                    writeln!(out, "><skipped message=\"{}\"/></testcase>", escape(reason))
                }
                _ => writeln!(out, "/>"),
            };
        }
        out.push_str("</testsuite>\n");
    }
    out.push_str("</testsuites>\n");
    out
}
