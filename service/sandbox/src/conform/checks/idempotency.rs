//! The idempotency key and its window (§8).

use std::time::Duration;

use crate::conform::check::{Verdict, check, failed_if, status};
use crate::conform::client::Answer;
use crate::conform::facts::Facts;

/// Returns the first payment with the key, or why it cannot be examined.
fn first(facts: &Facts) -> Result<&Answer, Verdict> {
    let first = facts
        .key
        .first
        .as_ref()
        .filter(|answer| answer.status == 201);
    first.ok_or_else(|| Verdict::Skipped("no payment was created with a key".to_owned()))
}

fn window(facts: &Facts) -> Duration {
    Duration::from_millis(facts.engine.policy().idempotency.window_ms)
}

/// Returns the repetition within the window, if it was certainly within it.
fn within(facts: &Facts) -> Result<(&Answer, &Answer), Verdict> {
    let first = first(facts)?;
    let Some(within) = &facts.key.within else {
        return Err(Verdict::Failed("no answer".to_owned()));
    };
    if within.received.duration_since(first.sent) > window(facts) {
        return Err(Verdict::Skipped(
            "the answers took longer than the window".to_owned(),
        ));
    }
    Ok((first, within))
}

fn or(verdict: Result<Verdict, Verdict>) -> Verdict {
    verdict.unwrap_or_else(|verdict| verdict)
}

pub(super) fn inside(facts: &Facts) -> Verdict {
    or(within(facts).map(|(first, within)| match within.status {
        201 if within.text("uid") == first.text("uid") => Verdict::Passed,
        201 => Verdict::Failed("a second payment with the same key".to_owned()),
        status => Verdict::Failed(status.to_string()),
    }))
}

pub(super) fn replay(facts: &Facts) -> Verdict {
    or(within(facts).map(|(first, within)| match within.status {
        201 => check(within.bytes == first.bytes, || "another body".to_owned()),
        _ => Verdict::Skipped("the repetition is not answered with 201".to_owned()),
    }))
}

pub(super) fn outside(facts: &Facts) -> Verdict {
    let outside = facts.key.outside.as_ref();
    or(first(facts).map(|_| {
        check(outside.is_some_and(|answer| answer.status == 409), || {
            status(outside)
        })
    }))
}

/// Examines a conflict after the window.
fn conflict(answer: Option<&Answer>, examine: impl FnOnce(&Answer) -> Verdict) -> Verdict {
    match answer {
        Some(answer) if answer.status == 409 => examine(answer),
        _ => Verdict::Skipped("a repetition after the window is not answered with 409".to_owned()),
    }
}

pub(super) fn conflict_uid(facts: &Facts) -> Verdict {
    or(first(facts).map(|first| {
        conflict(facts.key.outside.as_ref(), |conflict| {
            match conflict.text("uid") {
                None => Verdict::Failed("without uid".to_owned()),
                uid => check(uid == first.text("uid"), || {
                    "the uid of another payment".to_owned()
                }),
            }
        })
    }))
}

pub(super) fn conflict_without_uid(facts: &Facts) -> Verdict {
    conflict(facts.key.outside_other.as_ref(), |conflict| {
        check(conflict.json.get("uid").is_none(), || {
            "with the uid of a payment to another request".to_owned()
        })
    })
}

pub(super) fn keeps_payment(facts: &Facts) -> Verdict {
    or(first(facts).map(|first| match &facts.key.status {
        Some(read) if read.status == 200 && read.text("uid") == first.text("uid") => {
            check(read.text("amount") == first.text("amount"), || {
                "another amount".to_owned()
            })
        }
        read => Verdict::Failed(status(read.as_ref())),
    }))
}

pub(super) fn other_key(facts: &Facts) -> Verdict {
    or(first(facts).map(|first| match &facts.key.other {
        Some(other) if other.status == 201 => check(other.text("uid") != first.text("uid"), || {
            "the payment of the first key".to_owned()
        }),
        other => Verdict::Failed(status(other.as_ref())),
    }))
}

pub(super) fn without_key(facts: &Facts) -> Verdict {
    let uids: Vec<_> = facts
        .without_key
        .iter()
        .flatten()
        .filter(|answer| answer.status == 201)
        .filter_map(|answer| answer.text("uid"))
        .collect();
    match uids[..] {
        [one, other] => check(one != other, || "one payment for two requests".to_owned()),
        _ => failed_if(vec![format!("{} of 2 requests made a payment", uids.len())]),
    }
}

pub(super) fn reused(facts: &Facts) -> Verdict {
    let reused = facts.key.reused.as_ref();
    check(reused.is_some_and(|answer| answer.status == 409), || {
        status(reused)
    })
}

pub(super) fn quoted(facts: &Facts) -> Verdict {
    let quoted = facts.key.quoted.as_ref();
    // The same payment, or a conflict if the window is over: in any case no new one.
    match (&facts.key.quoted_first, quoted) {
        (Some(_), Some(answer)) if answer.status == 409 => Verdict::Passed,
        (Some(first), Some(answer)) if answer.status == 201 => {
            check(answer.text("uid") == first.text("uid"), || {
                "a second payment".to_owned()
            })
        }
        (_, answer) => Verdict::Failed(status(answer)),
    }
}

pub(super) fn invalid(facts: &Facts) -> Verdict {
    let invalid = facts.key.invalid.as_ref();
    check(invalid.is_some_and(|answer| answer.status == 400), || {
        status(invalid)
    })
}
