//! `downgrade_payment`: migrates a payment of §2.1 to the legacy API.

use super::migration::{Migration, MigrationTarget};
use crate::json::Value;
use crate::schema::legacy::{ChangeKind, FieldChange, is_new_in_responses, response_change, response_changes};
use crate::schema::payment::PAYMENT;
use crate::types::state::State;

const EARLIER_ALREADY: &str = "a member of the legacy API already: what today's members say counts";

static TARGET: MigrationTarget = MigrationTarget {
    rank: |name| {
        let legacy = response_change(name).and_then(|change| change.current);
        let field = match legacy {
            Some(current) => PAYMENT.find_str(current),
            None => PAYMENT.find(name),
        };
        field.map_or(usize::MAX, |(slot, _)| slot)
    },
    write: |_, value, w| w.value(value),
};

/// Migrates a payment to the legacy API, and returns what `tell` returns for the migration. `body` is a JSON object.
pub(crate) fn downgrade_payment<R>(body: &str, tell: impl FnOnce(&Migration<'_>) -> R) -> R {
    let mut migration = Migration::new(&TARGET);
    migration.read(body);
    while let Some((name, value)) = migration.next() {
        let Some((_, field)) = PAYMENT.find(name) else {
            match response_change(name) {
                Some(FieldChange { legacy: Some(legacy), current: Some(today), .. }) if migration.tells(today) => {
                    migration.unresolved(legacy, EARLIER_ALREADY);
                }
                // Other legacy members and unknown members are copied.
                _ => migration.put(name, value),
            }
            continue;
        };
        // A null is dropped if the body has the value in a legacy member.
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

/// Returns the legacy members that correspond to a current member.
fn earlier_names(current: &str) -> impl Iterator<Item = &'static str> {
    response_changes().filter(move |change| change.current == Some(current)).filter_map(|change| change.legacy)
}

/// Returns the legacy name of a current member that was renamed.
fn earlier_name(current: &str) -> Option<&'static str> {
    let renamed = |change: &&FieldChange| change.kind == ChangeKind::Renamed && change.current == Some(current);
    response_changes().find(renamed)?.legacy
}

fn state(migration: &mut Migration<'_>, value: Value<'_>) {
    let Some(state) = value.text().and_then(|text| text.with_decoded(State::from_name)) else {
        migration.unresolved("state", "not a state of the interface");
        return;
    };
    // The specification does not list the legacy values of `status`. With the name of the state, upgrading is exact.
    migration.put_word("status", state.name());
    migration.change(Some("state"), Some("status"), ChangeKind::Derived);
    let flags = state.legacy_flags();
    let told =
        response_changes().filter(|change| change.kind == ChangeKind::Derived).filter_map(|change| change.legacy);
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
