//! Requests that are not accepted, and the answers to them.

use crate::conform::check::{Verdict, check, failed_if, status};
use crate::conform::client::Answer;
use crate::conform::facts::Facts;

/// Fails for each body that is accepted.
fn refused(facts: &Facts, names: &[&str]) -> Verdict {
    let selected = facts
        .rejected
        .iter()
        .filter(|rejected| names.contains(&rejected.name));
    let accepted =
        selected.filter(|rejected| rejected.answer.as_ref().is_none_or(Answer::is_success));
    failed_if(
        accepted
            .map(|rejected| format!("{}: {}", rejected.name, status(rejected.answer.as_ref())))
            .collect(),
    )
}

pub(super) fn required_subtype(facts: &Facts) -> Verdict {
    refused(
        facts,
        &[
            "subtype is missing in a pay-in",
            "subtype is missing in a pay-out",
        ],
    )
}

pub(super) fn required_mode(facts: &Facts) -> Verdict {
    refused(facts, &["mode is missing in a pay-out"])
}

pub(super) fn payment_type_values(facts: &Facts) -> Verdict {
    refused(facts, &["payment_type is unknown"])
}

pub(super) fn mode_values(facts: &Facts) -> Verdict {
    refused(facts, &["mode is unknown"])
}

pub(super) fn required_members(facts: &Facts) -> Verdict {
    refused(
        facts,
        &[
            "payment_type is missing",
            "amount is missing",
            "cur is missing",
        ],
    )
}

pub(super) fn amount_formats(facts: &Facts) -> Verdict {
    let names = [
        "amount is a number",
        "amount is zero",
        "amount is negative",
        "amount has too many fraction digits",
    ];
    refused(facts, &names)
}

pub(super) fn currencies(facts: &Facts) -> Verdict {
    refused(facts, &["cur is not a currency"])
}

pub(super) fn unknown_members(facts: &Facts) -> Verdict {
    let answer = facts.unknown_member.as_ref();
    check(answer.is_some_and(|answer| answer.status == 201), || {
        status(answer)
    })
}

pub(super) fn client_errors(facts: &Facts) -> Verdict {
    let wrong = facts.rejected.iter().filter(|rejected| {
        // Accepted ones are the subject of other checks.
        rejected
            .answer
            .as_ref()
            .is_none_or(|answer| !answer.is_success() && !(400..500).contains(&answer.status))
    });
    failed_if(
        wrong
            .map(|rejected| format!("{}: {}", rejected.name, status(rejected.answer.as_ref())))
            .collect(),
    )
}

pub(super) fn unknown_payment(facts: &Facts) -> Verdict {
    let answer = facts.unknown_payment.as_ref();
    check(answer.is_some_and(|answer| answer.status == 404), || {
        status(answer)
    })
}

pub(super) fn no_uid(facts: &Facts) -> Verdict {
    let answer = facts.no_uid.as_ref();
    check(answer.is_some_and(|answer| answer.status == 404), || {
        status(answer)
    })
}

/// Returns what a problem lacks.
fn lacking(answer: &Answer) -> Option<&'static str> {
    if answer.json["status"] != answer.status {
        return Some("status");
    }
    ["type", "title", "code"]
        .into_iter()
        .find(|member| answer.text(member).is_none())
}

/// Returns the answers that should be problems, by request.
fn errors(facts: &Facts) -> impl Iterator<Item = (&'static str, &Answer)> {
    let of_bodies = facts
        .rejected
        .iter()
        .map(|rejected| (rejected.name, rejected.answer.as_ref()));
    let others = [
        ("an unknown payment", facts.unknown_payment.as_ref()),
        ("a conflict", facts.key.outside.as_ref()),
        (
            "no credential",
            facts.unauthorized.values().next().and_then(Option::as_ref),
        ),
    ];
    of_bodies
        .chain(others)
        .filter_map(|(name, answer)| Some((name, answer?)))
        .filter(|(_, answer)| answer.status >= 400)
}

pub(super) fn problems(facts: &Facts) -> Verdict {
    failed_if(
        errors(facts)
            .filter_map(|(name, answer)| Some(format!("{name}: without {}", lacking(answer)?)))
            .collect(),
    )
}

/// None of these requests succeeds if it is repeated without a change.
pub(super) fn retryable(facts: &Facts) -> Verdict {
    let problem = |answer: &Answer| match answer.json.get("retryable") {
        Some(retryable) if *retryable == false => None,
        Some(_) => Some("not false"),
        None => Some("absent"),
    };
    failed_if(
        errors(facts)
            .filter_map(|(name, answer)| Some(format!("{name}: {}", problem(answer)?)))
            .collect(),
    )
}

pub(super) fn invalid_request(facts: &Facts) -> Verdict {
    let expected = facts.engine.policy().invalid_request_status.status();
    // The service answers these bodies with another status.
    let others = [
        "the body is not JSON",
        "the body is too large",
        "the body is not an object",
    ];
    let selected = facts
        .rejected
        .iter()
        .filter(|rejected| !others.contains(&rejected.name));
    let problems = selected.filter_map(|rejected| {
        let answer = rejected.answer.as_ref()?;
        if answer.is_success() {
            return None;
        }
        let violations = answer.json["violations"]
            .as_array()
            .map_or(&[][..], Vec::as_slice);
        let have_paths = violations
            .iter()
            .all(|violation| violation["path"].is_string() && violation["code"].is_string());
        if answer.status != expected {
            Some(format!("{}: {}", rejected.name, answer.status))
        } else if violations.is_empty() || !have_paths {
            Some(format!("{}: without violations", rejected.name))
        } else {
            None
        }
    });
    failed_if(problems.collect())
}

fn status_of(facts: &Facts, name: &str, expected: u16) -> Verdict {
    let answer = facts.rejected.iter().find(|rejected| rejected.name == name);
    let answer = answer.and_then(|rejected| rejected.answer.as_ref());
    check(
        answer.is_some_and(|answer| answer.status == expected),
        || status(answer),
    )
}

pub(super) fn malformed_json(facts: &Facts) -> Verdict {
    status_of(facts, "the body is not JSON", 400)
}

pub(super) fn body_size(facts: &Facts) -> Verdict {
    status_of(facts, "the body is too large", 413)
}
