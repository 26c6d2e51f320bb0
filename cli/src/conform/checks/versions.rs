//! The change from the legacy API (§9).

use serde_json::Value;

use super::{Answer, Facts, Verdict, any, each, failed_if, status};

/// Members of the former payment that are renamed or removed (§9.2).
const LEGACY: [&str; 20] = [
    "payment_id",
    "payment_url",
    "status",
    "isCompleted",
    "isSucceed",
    "isPartiallyCompleted",
    "is_completed",
    "is_succeed",
    "is_partially_completed",
    "type",
    "method",
    "payed_amount",
    "cur",
    "created_at",
    "payed_at",
    "idempotency_key",
    "gross_processed",
    "credentials",
    "psp_payment_id",
    "payer_account",
];

pub(super) fn removed_endpoints(facts: &Facts) -> Verdict {
    let present = facts.removed.iter().filter(|(_, answer)| answer.as_ref().is_some_and(Answer::is_success));
    failed_if(present.map(|(path, answer)| format!("POST {path}: {}", status(answer.as_ref()))).collect())
}

pub(super) fn legacy_members(facts: &Facts) -> Verdict {
    each(facts, any, |created, answer| {
        let later = created.status.as_ref().filter(|answer| answer.status == 200);
        let has =
            |name: &str| [Some(answer), later].into_iter().flatten().any(|answer| answer.json.get(name).is_some());
        let found: Vec<&str> = LEGACY.into_iter().filter(|name| has(name)).collect();
        (!found.is_empty()).then(|| format!("with {}", found.join(", ")))
    })
}

pub(super) fn info_object(facts: &Facts) -> Verdict {
    each(facts, any, |_, answer| match answer.json.get("info") {
        None | Some(Value::Null | Value::Object(_)) => None,
        Some(_) => Some("info is neither an object nor null".to_owned()),
    })
}
