//! Credentials (§5).

use crate::conform::check::{Verdict, failed_if, status};
use crate::conform::facts::Facts;

fn unauthorized(facts: &Facts, credential: &str) -> Verdict {
    let answers = facts
        .unauthorized
        .iter()
        .filter(|((_, kind), _)| *kind == credential);
    let problems =
        answers.filter(|(_, answer)| answer.as_ref().is_none_or(|answer| answer.status != 401));
    failed_if(
        problems
            .map(|((endpoint, _), answer)| format!("{endpoint}: {}", status(answer.as_ref())))
            .collect(),
    )
}

pub(super) fn missing(facts: &Facts) -> Verdict {
    unauthorized(facts, "no Authorization header")
}

pub(super) fn other_scheme(facts: &Facts) -> Verdict {
    unauthorized(facts, "the scheme Basic")
}

pub(super) fn unknown_token(facts: &Facts) -> Verdict {
    unauthorized(facts, "an unknown token")
}

pub(super) fn challenge(facts: &Facts) -> Verdict {
    let answers = facts
        .unauthorized
        .iter()
        .filter_map(|(key, answer)| Some((key, answer.as_ref()?)));
    let without = answers.filter(|(_, answer)| {
        let challenge = answer.header("www-authenticate");
        answer.status == 401 && !challenge.is_some_and(|challenge| challenge.starts_with("Bearer"))
    });
    failed_if(
        without
            .map(|((endpoint, credential), _)| format!("{endpoint}, {credential}"))
            .collect(),
    )
}
