//! Payments: members, types, states, host-to-host mode.

use std::collections::HashSet;

use payspec::{Code, Uuid};
use serde_json::Value;

use crate::conform::check::{Verdict, any, check, each, failed_if, status};
use crate::conform::client::Answer;
use crate::conform::facts::{Created, Facts, PAN, RECIPIENT_PAN, SECURITY_CODE};

/// "A creation response carries at least …" (§2.1).
const LEAST: [&str; 11] = [
    "uid",
    "url",
    "info",
    "state",
    "amount",
    "fail_by",
    "paid_at",
    "currency",
    "merchant_id",
    "created_date",
    "client_amount",
];
/// Members that no transition changes.
const STABLE: [&str; 11] = [
    "uid",
    "url",
    "merchant_id",
    "payment_type",
    "subtype",
    "requested_amount",
    "requested_currency",
    "client_amount",
    "currency",
    "created_date",
    "redirect_url",
];
/// Members that may be null (§2.1).
const NULLABLE: [&str; 5] = ["url", "client_amount", "fail_by", "paid_at", "info"];
const STATES: [&str; 8] = [
    "idle",
    "routed",
    "completed",
    "not_fully",
    "fail",
    "cancel",
    "chargeback",
    "correction",
];

/// Returns the violations of a payment with one of the codes, as `path code`.
fn violations(facts: &Facts, created: &Created, answer: &Answer, codes: &[Code]) -> Option<String> {
    let request = created.example.request.to_string();
    let report = facts
        .engine
        .check_payment(&answer.bytes, Some(request.as_bytes()));
    let found: Vec<String> = report
        .violations()
        .iter()
        .filter(|violation| codes.contains(&violation.code()))
        .map(|violation| format!("{} ({})", violation.path(), violation.code().name()))
        .collect();
    (!found.is_empty()).then(|| found.join(", "))
}

pub(super) fn json_content_type(facts: &Facts) -> Verdict {
    let successes = facts
        .created
        .iter()
        .flat_map(|created| [created.answer.as_ref(), created.status.as_ref()]);
    let answers: Vec<&Answer> = successes
        .chain([facts.balance.as_ref()])
        .flatten()
        .filter(|answer| answer.is_success())
        .collect();
    if answers.is_empty() {
        return Verdict::Skipped("no call was successful".to_owned());
    }
    let is_json = |answer: &&Answer| {
        let kind = answer
            .header("content-type")
            .and_then(|kind| kind.split(';').next());
        kind.is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json"))
    };
    let wrong = answers.iter().filter(|answer| !is_json(answer)).count();
    check(wrong == 0, || {
        format!(
            "{wrong} of {} answers have another type or none",
            answers.len()
        )
    })
}

pub(super) fn h2h_url(facts: &Facts) -> Verdict {
    each(
        facts,
        |created| created.example.is_h2h(),
        |_, answer| {
            (answer.json.get("url") != Some(&Value::Null)).then(|| "url is not null".to_owned())
        },
    )
}

pub(super) fn h2h_info(facts: &Facts) -> Verdict {
    each(
        facts,
        |created| created.example.is_h2h(),
        |_, answer| match answer.json.get("info") {
            Some(Value::Object(info))
                if info.get("type").and_then(Value::as_str) == Some("card") =>
            {
                None
            }
            Some(Value::Object(_)) => {
                Some("info has no member type with the value card".to_owned())
            }
            _ => Some("info is not an object".to_owned()),
        },
    )
}

pub(super) fn info_without_h2h(facts: &Facts) -> Verdict {
    each(
        facts,
        |created| !created.example.is_h2h(),
        |_, answer| {
            answer
                .json
                .get("info")
                .filter(|info| !info.is_null())
                .map(|_| "info is not null".to_owned())
        },
    )
}

pub(super) fn masked_card(facts: &Facts) -> Verdict {
    each(
        facts,
        |created| created.example.is_h2h(),
        |_, answer| {
            let number = answer
                .json
                .pointer("/info/card_number")
                .and_then(Value::as_str);
            match number {
                None => Some("info has no card_number".to_owned()),
                Some(number) if number.bytes().filter(u8::is_ascii_digit).count() > 10 => {
                    Some("more than ten digits are visible".to_owned())
                }
                Some(_) => None,
            }
        },
    )
}

pub(super) fn mask(facts: &Facts) -> Verdict {
    each(
        facts,
        |created| created.example.is_h2h(),
        |_, answer| {
            let number = answer
                .json
                .pointer("/info/card_number")
                .and_then(Value::as_str);
            (number != Some("411111******1111")).then(|| "the mask has another form".to_owned())
        },
    )
}

pub(super) fn no_card_data(facts: &Facts) -> Verdict {
    let answers = facts
        .created
        .iter()
        .flat_map(|created| [("creation", &created.answer), ("status", &created.status)]);
    let mut problems = Vec::new();
    for (kind, answer) in answers {
        let Some(answer) = answer else { continue };
        let text = String::from_utf8_lossy(&answer.bytes);
        if text.contains(PAN) || text.contains(RECIPIENT_PAN) {
            problems.push(format!("{kind} contains a full card number"));
        }
        if has_security_code(&answer.json) {
            problems.push(format!("{kind} contains a security code"));
        }
    }
    problems.dedup();
    failed_if(problems)
}

/// Looks for a member with the value of the security code. As part of another text, the three
/// digits are chance.
fn has_security_code(json: &Value) -> bool {
    match json {
        Value::String(text) => text == SECURITY_CODE,
        Value::Array(items) => items.iter().any(has_security_code),
        Value::Object(members) => {
            members.contains_key("security_code") || members.values().any(has_security_code)
        }
        _ => false,
    }
}

pub(super) fn creation_members(facts: &Facts) -> Verdict {
    each(facts, any, |created, answer| {
        // A request without a merchant_id leaves it to the service.
        let is_needed = |member: &&&str| {
            **member != "merchant_id" || created.example.request.get("merchant_id").is_some()
        };
        let missing: Vec<&str> = LEAST
            .iter()
            .filter(is_needed)
            .copied()
            .filter(|member| answer.json.get(*member).is_none())
            .collect();
        (!missing.is_empty()).then(|| format!("without {}", missing.join(", ")))
    })
}

pub(super) fn crypto_members(facts: &Facts) -> Verdict {
    each(
        facts,
        |created| created.example.is_crypto(),
        |_, answer| {
            let missing: Vec<&str> = ["requested_amount", "requested_currency"]
                .into_iter()
                .filter(|member| answer.text(member).is_none())
                .collect();
            (!missing.is_empty()).then(|| format!("without {}", missing.join(", ")))
        },
    )
}

pub(super) fn types(facts: &Facts) -> Verdict {
    let codes = [
        Code::Type,
        Code::JsonSyntax,
        Code::AmountSyntax,
        Code::UriSyntax,
        Code::UnsupportedValue,
        Code::AmountOutOfBounds,
        Code::CurrencyUnknown,
    ];
    let created = each(facts, any, |created, answer| {
        violations(facts, created, answer, &codes)
    });
    if created != Verdict::Passed {
        return created;
    }
    let read = |created: &Created| {
        let answer = created
            .status
            .as_ref()
            .filter(|answer| answer.status == 200)?;
        Some(format!(
            "status of {}: {}",
            created.example.name,
            violations(facts, created, answer, &codes)?
        ))
    };
    failed_if(facts.created.iter().filter_map(read).collect())
}

pub(super) fn uid(facts: &Facts) -> Verdict {
    let mut seen = HashSet::new();
    let mut repeated = false;
    let verdict = each(facts, any, |_, answer| match answer.text("uid") {
        Some(uid) if uid.len() == 36 && Uuid::try_parse(uid).is_ok() => None,
        _ => Some("uid is not a UUID".to_owned()),
    });
    for answer in facts.created.iter().filter_map(Created::payment) {
        repeated |= answer
            .text("uid")
            .is_some_and(|uid| !seen.insert(uid.to_owned()));
    }
    if verdict == Verdict::Passed {
        check(!repeated, || "two payments have the same uid".to_owned())
    } else {
        verdict
    }
}

pub(super) fn echo(facts: &Facts) -> Verdict {
    each(facts, any, |created, answer| {
        let request = &created.example.request;
        let members = [
            ("payment_type", "payment_type"),
            ("subtype", "subtype"),
            ("merchant_id", "merchant_id"),
            ("requested_currency", "cur"),
        ];
        let mut wrong: Vec<&str> = members
            .into_iter()
            .filter(|(member, source)| {
                let expected = request.get(*source);
                let found = answer.json.get(*member);
                expected.is_some() && found.is_some() && expected != found
            })
            .map(|(member, _)| member)
            .collect();
        if answer
            .text("requested_amount")
            .is_some_and(|amount| !super::money::equal(amount, created.example.text("amount")))
        {
            wrong.push("requested_amount");
        }
        (!wrong.is_empty()).then(|| format!("another {}", wrong.join(", ")))
    })
}

pub(super) fn nullable_members(facts: &Facts) -> Verdict {
    each(facts, any, |_, answer| {
        let Value::Object(members) = &answer.json else {
            return Some("not an object".to_owned());
        };
        let absent: Vec<&str> = NULLABLE
            .into_iter()
            .filter(|member| !members.contains_key(*member))
            .collect();
        let null: Vec<&str> = members
            .iter()
            .filter(|(name, value)| value.is_null() && !NULLABLE.contains(&name.as_str()))
            .map(|(name, _)| name.as_str())
            .collect();
        let absent = (!absent.is_empty()).then(|| format!("without {}", absent.join(", ")));
        absent.or_else(|| (!null.is_empty()).then(|| format!("null: {}", null.join(", "))))
    })
}

fn both<'a>(created: &'a Created, answer: &'a Answer) -> Option<(&'a Value, &'a Value)> {
    Some((
        &answer.json,
        &created
            .status
            .as_ref()
            .filter(|answer| answer.status == 200)?
            .json,
    ))
}

pub(super) fn same_members(facts: &Facts) -> Verdict {
    each(
        facts,
        |created| created.status.is_some(),
        |created, answer| {
            let (first, later) = both(created, answer)?;
            // A state brings members of its own: a failure its code, a payment the time.
            let names = |json: &Value| -> HashSet<String> {
                let members = json
                    .as_object()
                    .into_iter()
                    .flat_map(|members| members.keys().cloned());
                members.filter(|name| name != "fail_code").collect()
            };
            let (first, later) = (names(first), names(later));
            let mut other: Vec<&String> = first.symmetric_difference(&later).collect();
            other.sort();
            (!other.is_empty()).then(|| format!("only in one of them: {}", join(&other)))
        },
    )
}

fn join(names: &[&String]) -> String {
    names
        .iter()
        .map(|name| name.as_str())
        .collect::<Vec<_>>()
        .join(", ")
}

pub(super) fn stable_members(facts: &Facts) -> Verdict {
    each(
        facts,
        |created| created.status.is_some(),
        |created, answer| {
            let (first, later) = both(created, answer)?;
            let other: Vec<&str> = STABLE
                .into_iter()
                .filter(|member| first.get(*member) != later.get(*member))
                .collect();
            (!other.is_empty()).then(|| format!("another {}", other.join(", ")))
        },
    )
}

pub(super) fn idle(facts: &Facts) -> Verdict {
    each(facts, any, |_, answer| {
        (answer.text("state") != Some("idle")).then(|| "another state, or none".to_owned())
    })
}

pub(super) fn not_paid(facts: &Facts) -> Verdict {
    each(facts, any, |_, answer| {
        let set: Vec<&str> = ["paid_at", "fail_by"]
            .into_iter()
            .filter(|member| {
                answer
                    .json
                    .get(*member)
                    .is_some_and(|value| !value.is_null())
            })
            .collect();
        (!set.is_empty()).then(|| format!("{} is not null", set.join(" and ")))
    })
}

pub(super) fn states(facts: &Facts) -> Verdict {
    each(facts, any, |created, answer| {
        let later = created
            .status
            .as_ref()
            .filter(|answer| answer.status == 200);
        let is_known = |answer: &Answer| {
            answer
                .text("state")
                .is_some_and(|state| STATES.contains(&state))
        };
        [Some(answer), later]
            .into_iter()
            .flatten()
            .any(|answer| !is_known(answer))
            .then(|| "a state that §3 does not list".to_owned())
    })
}

pub(super) fn consistent_state(facts: &Facts) -> Verdict {
    each(facts, any, |created, answer| {
        let later = created
            .status
            .as_ref()
            .filter(|answer| answer.status == 200);
        let codes = [Code::StateInconsistent, Code::FailureUnexplained];
        [Some(answer), later]
            .into_iter()
            .flatten()
            .find_map(|answer| violations(facts, created, answer, &codes))
    })
}

pub(super) fn creates(facts: &Facts) -> Verdict {
    let mut problems = Vec::new();
    for created in &facts.created {
        let answer = created.answer.as_ref();
        // A service without rates cannot process mode CRYPTO.
        let no_rates =
            created.example.is_crypto() && answer.is_some_and(|answer| answer.status == 455);
        if no_rates {
            continue;
        }
        match answer {
            Some(answer) if answer.status == 201 && answer.json.is_object() => {}
            Some(answer) if answer.status == 201 => {
                problems.push(format!(
                    "{}: the body is not a JSON object",
                    created.example.name
                ));
            }
            answer => problems.push(format!("{}: {}", created.example.name, status(answer))),
        }
    }
    failed_if(problems)
}

pub(super) fn reads(facts: &Facts) -> Verdict {
    each(facts, any, |created, answer| match &created.status {
        Some(read) if read.status != 200 => Some(read.status.to_string()),
        Some(read) if read.text("uid") != answer.text("uid") => Some("another uid".to_owned()),
        Some(_) => None,
        None => Some("no answer".to_owned()),
    })
}
