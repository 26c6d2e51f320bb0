//! `downgrade_payment`, `downgrade_balance`, and the loop over members that all downgrades share.

use super::migrated_body::MigratedBody;
use super::migration::{Migration, write_value};
use crate::json::{Field, Value};
use crate::schema::legacy::{BALANCE, BodyChanges, ChangeKind, MemberChange, PAYMENT};
use crate::schema::payment::PaymentField;
use crate::types::state::State;

const ALREADY_LEGACY: &str = "a member of the legacy API; the current member is given too, and counts";

/// Migrates a payment to the legacy API. `body` is a JSON object.
pub(crate) fn downgrade_payment(body: &str) -> MigratedBody {
    let mut migration = Migration::new(|name| PAYMENT.legacy_rank(name));
    migration.read(body);
    downgrade(&mut migration, &PAYMENT, |migration, field, value| {
        if field.name == PaymentField::State.name() {
            state(migration, field, value);
        } else if field.name == PaymentField::Info.name() {
            info(migration, field, value);
        } else {
            return false;
        }
        true
    });
    migration.finish(write_value)
}

/// Migrates a balance to the legacy API. `body` is a JSON object.
pub(crate) fn downgrade_balance(body: &str) -> MigratedBody {
    let mut migration = Migration::new(|name| BALANCE.legacy_rank(name));
    migration.read(body);
    downgrade(&mut migration, &BALANCE, |_, _, _| false);
    migration.finish(write_value)
}

/// Migrates the members of a current body. `special` returns true for a member that it has migrated.
pub(super) fn downgrade<'a>(
    migration: &mut Migration<'a>,
    api: &BodyChanges,
    special: fn(&mut Migration<'a>, &'static Field, Value<'a>) -> bool,
) {
    while let Some((name, value)) = migration.next() {
        let Some((_, field)) = api.current.find(name) else {
            match api.change(name) {
                Some(MemberChange { legacy, current: Some(current), .. }) if migration.is_given(current.name) => {
                    migration.unresolved(legacy.pointer, ALREADY_LEGACY);
                }
                // Other legacy members and unknown members are copied.
                _ => migration.put(name, value),
            }
            continue;
        };
        // A null is dropped if the body has the value in a legacy member.
        if !value.is_present() && api.changes_of(field.name).any(|(legacy, _)| migration.is_given(legacy.name)) {
            continue;
        }
        if special(migration, field, value) {
            continue;
        }
        if let Some(legacy) = api.legacy_name(field.name) {
            migration.change(field.pointer, legacy.pointer, ChangeKind::Renamed);
            migration.put_known(legacy.name, value);
        } else if api.is_added(field.name) {
            migration.removed(field.pointer);
        } else {
            migration.put(name, value);
        }
    }
}

/// Migrates `info`. The legacy API had a string under the same name.
fn info<'a>(migration: &mut Migration<'a>, field: &'static Field, value: Value<'a>) {
    if value.is_present() && value.text().is_none() {
        migration.unresolved(field.pointer, "an object; the legacy API had a string, and its content is not specified");
    } else {
        migration.put_known(field.name, value);
    }
}

fn state(migration: &mut Migration<'_>, field: &'static Field, value: Value<'_>) {
    let Some(state) = value.text().and_then(|text| text.with_decoded(State::from_name)) else {
        migration.unresolved(field.pointer, "not a known state");
        return;
    };
    let flags = state.legacy_flags();
    for (legacy, _) in PAYMENT.changes_of(field.name) {
        match legacy.name {
            // The specification does not list the legacy values of `status`. With the name of the state, upgrading is exact.
            "status" => migration.put_string(legacy.name, state.name()),
            "isCompleted" | "is_completed" => migration.put_known(legacy.name, Value::Bool(flags.completed)),
            "isSucceed" | "is_succeed" => migration.put_known(legacy.name, Value::Bool(flags.succeed)),
            _ => migration.put_known(legacy.name, Value::Bool(flags.partially_completed)),
        }
        migration.change(field.pointer, legacy.pointer, ChangeKind::Derived);
    }
}
