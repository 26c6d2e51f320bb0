//! `downgrade_payment` and `downgrade_balance`: migrate a response to the legacy API.

use super::migrated_body::MigratedBody;
use super::migration::{Migration, write_value};
use crate::json::{Field, Value};
use crate::schema::legacy::{BALANCE, ChangeKind, PAYMENT};
use crate::schema::payment::PaymentField;
use crate::types::state::State;

/// Migrates a payment to the legacy API. `body` is a JSON object.
pub(crate) fn downgrade_payment(body: &str) -> MigratedBody {
    let mut migration = Migration::new(body, |name| PAYMENT.legacy_rank(name));
    migration.downgrade(&PAYMENT, |migration, field, value| {
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
    let mut migration = Migration::new(body, |name| BALANCE.legacy_rank(name));
    migration.downgrade(&BALANCE, |_, _, _| false);
    migration.finish(write_value)
}

/// Migrates `info`. The legacy API had a string under the same name.
fn info<'a>(migration: &mut Migration<'a>, field: &'static Field, value: Value<'a>) {
    if value.is_present() && value.text().is_none() {
        migration.unresolved(
            field.pointer,
            "an object; the legacy API had a string, and its content is not specified",
        );
    } else {
        migration.put_known(field.name, value);
    }
}

fn state(migration: &mut Migration<'_>, field: &'static Field, value: Value<'_>) {
    let Some(state) = value.parsed(State::from_name) else {
        migration.unresolved(field.pointer, "not a known state");
        return;
    };
    let flags = state.legacy_flags();
    for (legacy, _) in PAYMENT.changes_of(field.name) {
        match flags
            .members()
            .find(|(spellings, _)| spellings.contains(&legacy.name))
        {
            Some((_, value)) => migration.put_known(legacy.name, Value::Bool(value)),
            // The specification does not list the legacy values of `status`. With the name of the
            // state, upgrading is exact.
            None => migration.put_string(legacy.name, state.name()),
        }
        migration.change(field.pointer, legacy.pointer, ChangeKind::Derived);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_one_null_for_two_nulls_of_a_member() {
        let migrated = downgrade_balance(r#"{"currency":null,"cur":null}"#);
        assert_eq!(migrated.body(), r#"{"currency":null}"#);
    }
}
