//! What the policy of the examination decides otherwise than the default one.

use crate::conform::check::{Verdict, failed_if, status};
use crate::conform::decided::Decided;
use crate::conform::facts::Facts;

/// The statuses of requests that the policy decides. Others have reasons beside it, such as a limit of
/// calls or the account.
const DECIDED: [u16; 4] = [201, 400, 413, 422];

pub(super) fn decisions(facts: &Facts) -> Verdict {
    let answered = facts.decided.iter().filter(|decided| {
        let answer = decided.answer.as_ref();
        answer.is_none_or(|answer| DECIDED.contains(&answer.status))
    });
    let answered: Vec<_> = answered.collect();
    if answered.is_empty() {
        let reason = "no answer shows a difference from the default policy";
        return Verdict::Skipped(reason.to_owned());
    }
    let wrong = answered.into_iter().filter(|decided| {
        let answer = decided.answer.as_ref();
        answer.is_none_or(|answer| decided.is_accepted != (answer.status == 201))
    });
    let problem = |decided: &Decided| {
        let verb = match decided.is_accepted {
            true => "accepts",
            false => "rejects",
        };
        let status = status(decided.answer.as_ref());
        format!("a request that {} {verb}: {status}", decided.setting)
    };
    failed_if(wrong.map(problem).collect())
}
