//! The change from the legacy API (§9).

use payspec::legacy::{ChangeTarget, changes};
use serde_json::Value;

use crate::conform::check::{Verdict, any, each, failed_if, status};
use crate::conform::client::Answer;
use crate::conform::facts::Facts;

/// Returns the members of a legacy payment that are renamed or removed (§9.2).
fn legacy_names() -> impl Iterator<Item = &'static str> {
    let of_payment = |target| {
        matches!(
            target,
            ChangeTarget::Response | ChangeTarget::Path | ChangeTarget::Card
        )
    };
    changes()
        .filter(move |change| of_payment(change.target))
        .filter_map(|change| change.legacy)
}

pub(super) fn removed_endpoints(facts: &Facts) -> Verdict {
    let present = facts
        .removed
        .iter()
        .filter(|(_, answer)| answer.as_ref().is_some_and(Answer::is_success));
    failed_if(
        present
            .map(|(path, answer)| format!("POST {path}: {}", status(answer.as_ref())))
            .collect(),
    )
}

pub(super) fn legacy_members(facts: &Facts) -> Verdict {
    each(facts, any, |created, answer| {
        let later = created
            .status
            .as_ref()
            .filter(|answer| answer.status == 200);
        let has = |name: &str| {
            [Some(answer), later]
                .into_iter()
                .flatten()
                .any(|answer| answer.json.get(name).is_some())
        };
        let found: Vec<&str> = legacy_names().filter(|name| has(name)).collect();
        (!found.is_empty()).then(|| format!("with {}", found.join(", ")))
    })
}

pub(super) fn info_object(facts: &Facts) -> Verdict {
    each(facts, any, |_, answer| match answer.json.get("info") {
        None | Some(Value::Null | Value::Object(_)) => None,
        Some(_) => Some("info is neither an object nor null".to_owned()),
    })
}
