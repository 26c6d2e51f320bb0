//! downgrade_payment: a payment of §2.1 under the names that the earlier interface had.

use super::rewrite::{ChangeKind, Rewrite, Rewritten, json};
use super::table::{Line, is_new_in_responses, response_line, response_lines};
use crate::payment::PAYMENT;
use crate::read::{Stray, Text, Value};
use crate::state::State;

pub(crate) fn downgrade_payment(strays: &[Stray<'_>]) -> Rewritten {
    let mut rewrite = Rewrite::new(strays);
    for (name, value) in rewrite.source() {
        let current = name.decode();
        if PAYMENT.find(name).is_none() && response_line(name).is_some() {
            rewrite.unresolved(&current, "a member of the earlier interface already: what today's members say counts");
        } else if let Some(earlier) = earlier_name(&current) {
            rewrite.change(Some(&current), Some(earlier), ChangeKind::Renamed);
            rewrite.put(earlier, json(value));
        } else if name.is("state") {
            state(&mut rewrite, value);
        } else if is_new_in_responses(&current) {
            rewrite.change(Some(&current), None, ChangeKind::Removed);
        } else if name.is("info") && value.is_given() {
            rewrite.unresolved("info", "an object; the earlier interface had a string, and what it said is not shown");
        } else {
            rewrite.put(name.decode(), json(value));
        }
    }
    rewrite.finish(&|name| {
        let current = response_lines().find(|line| line.earlier == Some(name)).and_then(|line| line.current);
        PAYMENT.find_str(current.unwrap_or(name)).map(|(slot, _)| slot)
    })
}

/// What a current member was called.
fn earlier_name(current: &str) -> Option<&'static str> {
    let renamed = |line: &&Line| line.kind == ChangeKind::Renamed && line.current == Some(current);
    response_lines().find(renamed)?.earlier
}

fn state(rewrite: &mut Rewrite<'_>, value: Value<'_>) {
    let Some(state) = value.text().and_then(|text| State::from_name(&Text::decode(text))) else {
        rewrite.unresolved("state", "not a state of the interface");
        return;
    };
    // The earlier values of status are not shown; the state's own name lets the way back be exact.
    rewrite.put_text("status", state.name());
    rewrite.change(Some("state"), Some("status"), ChangeKind::Derived);
    let flags = state.legacy_flags();
    let told = response_lines().filter(|line| line.kind == ChangeKind::Derived).filter_map(|line| line.earlier);
    for name in told.filter(|name| *name != "status") {
        let value = match name {
            "isCompleted" | "is_completed" => flags.completed,
            "isSucceed" | "is_succeed" => flags.succeed,
            _ => flags.partially_completed,
        };
        rewrite.put(name, if value { "true" } else { "false" });
        rewrite.change(Some("state"), Some(name), ChangeKind::Derived);
    }
}
