//! A check, its result, and what checks have in common.

use super::client::Answer;
use super::facts::{Created, Facts};

/// The result of a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Passed,
    /// The behavior of the implementation instead, without values of bodies.
    Failed(String),
    /// The reason why it could not be examined.
    Skipped(String),
}

/// A check.
pub(super) struct Check {
    pub(super) name: &'static str,
    /// The section, such as `§4.1`.
    pub(super) section: &'static str,
    /// The requirement, as a sentence.
    pub(super) about: &'static str,
    /// The decision of the register; such a check runs only if the profile selects it.
    pub(super) decision: Option<&'static str>,
    /// The JSON Pointer of the setting that is examined, empty for the whole policy. Such a check runs
    /// only if the setting is not the default, or if the profile selects the decision.
    pub(super) setting: Option<&'static str>,
    pub(super) run: fn(&Facts) -> Verdict,
}

/// Evaluates each payment. Fails with the names of the examples for which `evaluate` returns a
/// text; is skipped without a payment.
pub(super) fn each(
    facts: &Facts,
    selected: impl Fn(&Created) -> bool,
    evaluate: impl Fn(&Created, &Answer) -> Option<String>,
) -> Verdict {
    let examined: Vec<_> = facts
        .created
        .iter()
        .filter(|created| selected(created))
        .filter_map(|created| Some((created, created.payment()?)))
        .collect();
    if examined.is_empty() {
        return Verdict::Skipped("no such payment was created".to_owned());
    }
    let count = examined.len();
    let problems: Vec<(&str, String)> = examined
        .into_iter()
        .filter_map(|(created, answer)| Some((created.example.name, evaluate(created, answer)?)))
        .collect();
    // One line for a mistake that all of them have.
    if count > 1
        && problems.len() == count
        && problems
            .iter()
            .all(|(_, problem)| *problem == problems[0].1)
    {
        return Verdict::Failed(format!("each of {count} payments: {}", problems[0].1));
    }
    failed_if(
        problems
            .into_iter()
            .map(|(name, problem)| format!("{name}: {problem}"))
            .collect(),
    )
}

pub(super) fn failed_if(problems: Vec<String>) -> Verdict {
    if problems.is_empty() {
        Verdict::Passed
    } else {
        Verdict::Failed(problems.join("; "))
    }
}

pub(super) fn check(holds: bool, otherwise: impl FnOnce() -> String) -> Verdict {
    if holds {
        Verdict::Passed
    } else {
        Verdict::Failed(otherwise())
    }
}

/// Returns the status of an answer in words.
pub(super) fn status(answer: Option<&Answer>) -> String {
    answer.map_or_else(
        || "no answer".to_owned(),
        |answer| answer.status.to_string(),
    )
}

pub(super) fn any(_: &Created) -> bool {
    true
}
