//! downgrade_payment: a payment of §2.1 under the names that the earlier interface had.

use super::rewrite::{ChangeKind, Rewrite, Rewritten, json};
use super::table::{ADDED_TO_RESPONSES, Fate, response_fates};
use crate::payment::PAYMENT;
use crate::read::{Stray, Text, Value};
use crate::state::State;

pub(crate) fn downgrade_payment(strays: &[Stray<'_>]) -> Rewritten {
    let mut rewrite = Rewrite::new(strays);
    for (name, value) in rewrite.source() {
        let current = name.decode();
        let earlier = response_fates().find(|(_, fate)| *fate == Fate::Renamed(known(&current)));
        if let Some((earlier, _)) = earlier {
            rewrite.change(Some(&current), Some(earlier), ChangeKind::Renamed);
            rewrite.put(earlier, json(value));
        } else if name.is("state") {
            state(&mut rewrite, value);
        } else if ADDED_TO_RESPONSES.iter().any(|added| name.is(added)) {
            rewrite.change(Some(&current), None, ChangeKind::Removed);
        } else if name.is("info") && value.is_given() {
            rewrite.unresolved("info", "an object; the earlier interface had a string, and what it said is not shown");
        } else {
            rewrite.put(name.to_cow(), json(value));
        }
    }
    rewrite.finish(|name| {
        let current = response_fates().find(|(earlier, _)| *earlier == name).and_then(|(_, fate)| fate.successor());
        PAYMENT.find_str(current.unwrap_or(name)).map(|(slot, _)| slot)
    })
}

/// The table's own spelling of a current name, empty where it has none.
fn known(name: &str) -> &'static str {
    PAYMENT.find_str(name).map_or("", |(_, field)| field.name)
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
    let told = response_fates().filter(|(name, fate)| *fate == Fate::Derived("state") && *name != "status");
    for (name, _) in told {
        let value = match name {
            "isCompleted" | "is_completed" => flags.completed,
            "isSucceed" | "is_succeed" => flags.succeed,
            _ => flags.partially_completed,
        };
        rewrite.put(name, if value { "true" } else { "false" });
        rewrite.change(Some("state"), Some(name), ChangeKind::Derived);
    }
}
