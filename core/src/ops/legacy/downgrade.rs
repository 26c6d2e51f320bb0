//! downgrade_payment: a payment of §2.1 under the names that the earlier interface had.

use super::migration::{Migration, MigrationTarget};
use crate::json::Value;
use crate::schema::legacy::{ChangeKind, Line, is_new_in_responses, response_line, response_lines};
use crate::schema::payment::PAYMENT;
use crate::types::state::State;

const EARLIER_ALREADY: &str = "a member of the earlier interface already: what today's members say counts";

static TARGET: MigrationTarget = MigrationTarget {
    rank: |name| {
        let legacy = response_line(name).and_then(|line| line.current);
        let field = match legacy {
            Some(current) => PAYMENT.find_str(current),
            None => PAYMENT.find(name),
        };
        field.map_or(usize::MAX, |(slot, _)| slot)
    },
    write: |_, value, w| w.value(value),
};

/// What `tell` makes of the payment, which is known to be an object, carried over.
pub(crate) fn downgrade_payment<R>(body: &str, tell: impl FnOnce(&Migration<'_>) -> R) -> R {
    let mut migration = Migration::new(&TARGET);
    migration.read(body);
    while let Some((name, value)) = migration.next() {
        let Some((_, field)) = PAYMENT.find(name) else {
            match response_line(name) {
                Some(Line { legacy: Some(legacy), current: Some(today), .. }) if migration.tells(today) => {
                    migration.unresolved(legacy, EARLIER_ALREADY);
                }
                // One of the earlier interface stays what it is.
                _ => migration.put(name, value),
            }
            continue;
        };
        // A null says nothing beside an earlier member that says something.
        if !value.is_present() && earlier_names(field.name).any(|legacy| migration.tells(legacy)) {
            continue;
        }
        if let Some(legacy) = earlier_name(field.name) {
            migration.change(Some(field.name), Some(legacy), ChangeKind::Renamed);
            migration.put_known(legacy, value);
        } else if field.name == "state" {
            state(&mut migration, value);
        } else if is_new_in_responses(field.name) {
            migration.change(Some(field.name), None, ChangeKind::Removed);
        } else if field.name == "info" && value.is_present() && value.text().is_none() {
            migration
                .unresolved(field.name, "an object; the earlier interface had a string, and what it said is not shown");
        } else {
            migration.put(name, value);
        }
    }
    migration.sort();
    tell(&migration)
}

/// The earlier members that told what a current one tells.
fn earlier_names(current: &str) -> impl Iterator<Item = &'static str> {
    response_lines().filter(move |line| line.current == Some(current)).filter_map(|line| line.legacy)
}

/// What a current member was called.
fn earlier_name(current: &str) -> Option<&'static str> {
    let renamed = |line: &&Line| line.kind == ChangeKind::Renamed && line.current == Some(current);
    response_lines().find(renamed)?.legacy
}

fn state(migration: &mut Migration<'_>, value: Value<'_>) {
    let Some(state) = value.text().and_then(|text| text.with_decoded(State::from_name)) else {
        migration.unresolved("state", "not a state of the interface");
        return;
    };
    // The earlier values of status are not shown; the state's own name lets the way back be exact.
    migration.put_word("status", state.name());
    migration.change(Some("state"), Some("status"), ChangeKind::Derived);
    let flags = state.legacy_flags();
    let told = response_lines().filter(|line| line.kind == ChangeKind::Derived).filter_map(|line| line.legacy);
    for name in told.filter(|name| *name != "status") {
        let value = match name {
            "isCompleted" | "is_completed" => flags.completed,
            "isSucceed" | "is_succeed" => flags.succeed,
            _ => flags.partially_completed,
        };
        migration.put_known(name, Value::Bool(value));
        migration.change(Some("state"), Some(name), ChangeKind::Derived);
    }
}
