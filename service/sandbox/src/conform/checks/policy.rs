//! What the policy of the examination decides otherwise than the default one.

use crate::conform::check::{Verdict, failed_if, status};
use crate::conform::decided::Decided;
use crate::conform::facts::Facts;

pub(super) fn decisions(facts: &Facts) -> Verdict {
    if facts.decided.is_empty() {
        let reason = "no request shows a difference from the default policy";
        return Verdict::Skipped(reason.to_owned());
    }
    let wrong = facts.decided.iter().filter(|decided| {
        let answer = decided.answer.as_ref();
        !answer.is_some_and(|answer| match decided.is_accepted {
            true => answer.status == 201,
            false => (400..500).contains(&answer.status),
        })
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
