//! The report as JSON.

use serde_json::{Value, json};

use super::words::{detail, word};
use crate::conform::examination::Examination;

pub(super) fn report(examination: &Examination) -> String {
    let counts = examination.counts();
    let checks: Value = examination
        .findings
        .iter()
        .map(|finding| {
            let check = finding.check;
            json!({
                "name": check.name, "section": check.section, "about": check.about, "decision": check.decision,
                "result": word(finding.verdict.as_ref()).replace(' ', "_"), "detail": detail(finding.verdict.as_ref()),
            })
        })
        .collect();
    let report = json!({
        "url": examination.url, "profile": examination.profile, "conforms": counts.failed == 0,
        "passed": counts.passed, "failed": counts.failed, "skipped": counts.skipped, "checks": checks,
    });
    let mut text = serde_json::to_string_pretty(&report).unwrap_or_default();
    text.push('\n');
    text
}
