//! The report as a page of its own: one file, without a script and without other sources.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::words::{detail, summary, word};
use crate::conform::check::Verdict;
use crate::conform::examination::{Examination, Finding, title};

const STYLE: &str = include_str!("report.css");

pub(super) fn report(examination: &Examination) -> String {
    let counts = examination.counts();
    let url = &examination.url;
    let (class, verdict) = if counts.failed == 0 {
        ("good", "Conforms")
    } else {
        ("bad", "Does not conform")
    };
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { "Conformance of " (url) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                header {
                    p.over { "Conformance to the payment service interface" }
                    h1 { code { (url) } }
                    p.verdict.(class) { strong { (verdict) } }
                    dl.counts {
                        div { dt { "passed" } dd { (counts.passed) } }
                        div.bad[counts.failed > 0] { dt { "failed" } dd { (counts.failed) } }
                        div { dt { "skipped" } dd { (counts.skipped) } }
                        div { dt { "not selected" } dd { (counts.unselected) } }
                    }
                    p.faint {
                        "Profile " (examination.profile) "; " (date(examination.at))
                        "; payspec " (env!("CARGO_PKG_VERSION")) "."
                    }
                }
                main {
                    (failures(examination))
                    @for (section, findings) in examination.sections() {
                        section aria-labelledby={ "s" (section) } {
                            h2 id={ "s" (section) } {
                                span.number { (section) } " " (title(section))
                            }
                            ul.checks { @for finding in findings { (entry(finding)) } }
                        }
                    }
                }
                footer { p.faint { (summary(examination)) } }
            }
        }
    };
    page.into_string() + "\n"
}

/// Repeats the failures first, for a reader who needs nothing else.
fn failures(examination: &Examination) -> Markup {
    let failed = |finding: &&Finding| matches!(finding.verdict, Some(Verdict::Failed(_)));
    let failed: Vec<_> = examination.findings.iter().filter(failed).collect();
    html! {
        @if !failed.is_empty() {
            section.failures aria-labelledby="failures" {
                h2 #failures { "What does not conform" }
                ol {
                    @for finding in failed {
                        li {
                            a href={ "#" (finding.check.name) } { (finding.check.about) }
                            " " span.faint { (finding.check.section) }
                            br;
                            (detail(finding.verdict.as_ref()).unwrap_or_default())
                        }
                    }
                }
            }
        }
    }
}

fn entry(finding: &Finding) -> Markup {
    let check = finding.check;
    let class = match &finding.verdict {
        Some(Verdict::Passed) => "good",
        Some(Verdict::Failed(_)) => "bad",
        Some(Verdict::Skipped(_)) => "wait",
        None => "none",
    };
    html! {
        li id=(check.name) {
            span.result.(class) { (word(finding.verdict.as_ref())) }
            div {
                p {
                    (check.about)
                    @if let Some(id) = check.decision { " " span.faint { "decision " (id) } }
                }
                p.faint { code { (check.name) } }
                @if let Some(detail) = detail(finding.verdict.as_ref()) { p.detail { (detail) } }
            }
        }
    }
}

/// Returns the time in UTC to the minute.
fn date(seconds: u64) -> String {
    let seconds = i64::try_from(seconds).unwrap_or_default();
    let text = payspec::Timestamp::from_unix(seconds, 0)
        .map(|time| time.to_string())
        .unwrap_or_default();
    let text = text.replace('T', " ");
    format!("{} UTC", text.get(..16).unwrap_or(&text))
}
