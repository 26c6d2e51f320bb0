//! The words of all formats.

use crate::conform::check::Verdict;
use crate::conform::examination::Examination;

/// Returns the word for a result.
pub(super) fn word(verdict: Option<&Verdict>) -> &'static str {
    match verdict {
        Some(Verdict::Passed) => "passed",
        Some(Verdict::Failed(_)) => "failed",
        Some(Verdict::Skipped(_)) => "skipped",
        None => "not selected",
    }
}

/// Returns what is wrong, or why a check was skipped.
pub(super) fn detail(verdict: Option<&Verdict>) -> Option<&str> {
    match verdict {
        Some(Verdict::Failed(detail) | Verdict::Skipped(detail)) => Some(detail),
        Some(Verdict::Passed) | None => None,
    }
}

/// Returns the sentence that sums up an examination.
pub(super) fn summary(examination: &Examination) -> String {
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
