//! The report as a page of its own: one file, without a script and without other sources.

use std::fmt::Write;

use quick_xml::escape::escape;

use super::super::{Examination, Finding, Verdict, title};
use super::{detail, summary, word};

const STYLE: &str = include_str!("report.css");

pub(super) fn report(examination: &Examination) -> String {
    let counts = examination.counts();
    let (class, verdict) = if counts.failed == 0 {
        ("good", "Conforms")
    } else {
        ("bad", "Does not conform")
    };
    let mut out = String::new();
    // Writing to a String cannot fail.
    let _ = write!(
        out,
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>Conformance of {url}</title>\n\
         <style>\n{STYLE}</style>\n</head>\n<body>\n<header>\n<p class=\"over\">Conformance to the payment service interface</p>\n\
         <h1><code>{url}</code></h1>\n<p class=\"verdict {class}\"><strong>{verdict}</strong></p>\n\
         <dl class=\"counts\">\n<div><dt>passed</dt><dd>{}</dd></div>\n<div class=\"{}\"><dt>failed</dt><dd>{}</dd></div>\n\
         <div><dt>skipped</dt><dd>{}</dd></div>\n<div><dt>not selected</dt><dd>{}</dd></div>\n</dl>\n\
         <p class=\"faint\">Profile {}; {}; payspec {}.</p>\n</header>\n<main>\n",
        counts.passed,
        if counts.failed == 0 { "" } else { "bad" },
        counts.failed,
        counts.skipped,
        counts.unselected,
        escape(&examination.profile),
        date(examination.at),
        env!("CARGO_PKG_VERSION"),
        url = escape(&examination.url),
    );
    failures(examination, &mut out);
    for (section, findings) in examination.sections() {
        let _ = writeln!(
            out,
            "<section aria-labelledby=\"s{section}\">\n<h2 id=\"s{section}\"><span class=\"number\">{section}</span> {}</h2>\n<ul class=\"checks\">",
            escape(title(section))
        );
        for finding in findings {
            entry(finding, &mut out);
        }
        out.push_str("</ul>\n</section>\n");
    }
    let _ = write!(
        out,
        "</main>\n<footer><p class=\"faint\">{}</p></footer>\n</body>\n</html>\n",
        summary(examination)
    );
    out
}

/// Repeats the failures first, for a reader who needs nothing else.
fn failures(examination: &Examination, out: &mut String) {
    let failed = |finding: &&Finding| matches!(finding.verdict, Some(Verdict::Failed(_)));
    let failed: Vec<_> = examination.findings.iter().filter(failed).collect();
    if failed.is_empty() {
        return;
    }
    out.push_str("<section aria-labelledby=\"failures\" class=\"failures\">\n<h2 id=\"failures\">What does not conform</h2>\n<ol>\n");
    for finding in failed {
        let detail = escape(detail(finding.verdict.as_ref()).unwrap_or_default());
        let _ = writeln!(
            out,
            "<li><a href=\"#{name}\">{about}</a> <span class=\"faint\">{}</span><br>{detail}</li>",
            finding.check.section,
            name = finding.check.name,
            about = escape(finding.check.about),
        );
    }
    out.push_str("</ol>\n</section>\n");
}

fn entry(finding: &Finding, out: &mut String) {
    let check = finding.check;
    let class = match &finding.verdict {
        Some(Verdict::Passed) => "good",
        Some(Verdict::Failed(_)) => "bad",
        Some(Verdict::Skipped(_)) => "wait",
        None => "none",
    };
    let decision = check
        .decision
        .map(|id| format!(" <span class=\"faint\">decision {id}</span>"))
        .unwrap_or_default();
    let detail = detail(finding.verdict.as_ref())
        .map(|detail| format!("\n<p class=\"detail\">{}</p>", escape(detail)))
        .unwrap_or_default();
    let _ = writeln!(
        out,
        "<li id=\"{name}\"><span class=\"result {class}\">{}</span><div><p>{}{decision}</p><p class=\"faint\"><code>{name}</code></p>{detail}</div></li>",
        word(finding.verdict.as_ref()),
        escape(check.about),
        name = check.name,
    );
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
