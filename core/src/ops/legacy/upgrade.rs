//! `upgrade_payment`: migrates a payment of the legacy API to the members of §2.1.

use super::migration::{Migration, MigrationTarget};
use crate::json::Value;
use crate::schema::legacy::{ChangeKind, FieldChange, response_change};
use crate::schema::payment::PAYMENT;
use crate::types::payment_type::{PaymentType, Subtype};
use crate::types::state::{LegacyFlags, State};
use crate::util::inline_vec::List;

const PAYMENT_TYPE: &str = "payment_type";
const SUBTYPE: &str = "subtype";

/// The two spellings of each boolean.
const FLAGS: [[&str; 2]; 3] =
    [["isCompleted", "is_completed"], ["isSucceed", "is_succeed"], ["isPartiallyCompleted", "is_partially_completed"]];

static TARGET: MigrationTarget = MigrationTarget {
    rank: |name| PAYMENT.find(name).map_or(usize::MAX, |(slot, _)| slot),
    write: |_, value, w| w.value(value),
};

/// Migrates a payment to the current API, and returns what `tell` returns for the migration. `body` is a JSON object.
pub(crate) fn upgrade_payment<R>(body: &str, tell: impl FnOnce(&Migration<'_>) -> R) -> R {
    let mut migration = Migration::new(&TARGET);
    migration.read(body);
    while let Some((name, value)) = migration.next() {
        match response_change(name) {
            // These are migrated by `state` below.
            Some(FieldChange { kind: ChangeKind::Derived, .. }) => {}
            Some(FieldChange { legacy: Some(legacy @ ("type" | "method")), .. }) => kind(&mut migration, legacy, value),
            Some(FieldChange { legacy, current: Some(successor), kind, .. }) => {
                migration.rename(*legacy, successor, *kind, value);
            }
            Some(change) => migration.change(change.legacy, None, change.kind),
            None if name.is("info") && matches!(value, Value::String(_)) => {
                migration
                    .unresolved("info", "a string; today info is an object, and what the string meant is not shown");
                migration.put(name, Value::Null);
            }
            None => migration.put(name, value),
        }
    }
    state(&mut migration);
    always_there(&mut migration);
    migration.sort();
    tell(&migration)
}

/// Migrates `type` or `method` by its value: the specification does not show which of them was the payment type.
fn kind<'a>(migration: &mut Migration<'a>, legacy: &'static str, value: Value<'a>) {
    let other = migration.given(if legacy == "type" { "method" } else { "type" });
    // If the value is in neither list, it belongs to the member that the other one does not name.
    let successor = named_by(value).or_else(|| {
        value.text()?;
        if named_by(other?)? == PAYMENT_TYPE { Some(SUBTYPE) } else { Some(PAYMENT_TYPE) }
    });
    match successor {
        Some(successor)
            if !migration.tells(successor)
                && other.and_then(named_by) == Some(successor)
                && migration.has_told(successor) =>
        {
            migration.unresolved(legacy, "type and method both name it: the first one counts");
        }
        Some(successor) => {
            migration.rename(Some(legacy), successor, ChangeKind::Renamed, value);
        }
        None => migration.unresolved(legacy, "the value is neither a payment_type nor a subtype"),
    }
}

/// Returns the member whose values include this one.
fn named_by(value: Value<'_>) -> Option<&'static str> {
    value.text()?.with_decoded(|word| match word {
        _ if PaymentType::from_name(word).is_some() => Some(PAYMENT_TYPE),
        _ if Subtype::from_name(word).is_some() => Some(SUBTYPE),
        _ => None,
    })
}

/// Returns a boolean of the legacy API in either spelling.
fn flag(migration: &mut Migration<'_>, spellings: [&'static str; 2]) -> Option<bool> {
    let mut told = None;
    for name in spellings {
        let Some(value) = migration.given(name) else { continue };
        match (value, told) {
            (Value::Bool(value), None) => told = Some(value),
            (Value::Bool(value), Some(other)) if value == other => {}
            (Value::Bool(_), Some(_)) => migration.unresolved(name, "the other spelling says otherwise, and counts"),
            _ => migration.unresolved(name, "not a boolean"),
        }
    }
    told
}

fn state(migration: &mut Migration<'_>) {
    let told = FLAGS.map(|spellings| flag(migration, spellings));
    let any = told.iter().any(Option::is_some);
    // A missing boolean agrees with every state.
    let agrees = |state: State| {
        let flags = state.legacy_flags();
        let of_state = [flags.completed, flags.succeed, flags.partially_completed];
        told.iter().zip(of_state).all(|(told, flag)| told.is_none_or(|told| told == flag))
    };
    let status = migration.given("status");
    let word = status.and_then(Value::text).and_then(|text| text.with_decoded(State::from_name));
    if migration.tells("state") {
        let known = migration.given("state").and_then(Value::text).and_then(|text| text.with_decoded(State::from_name));
        for name in told_by(migration, true) {
            let as_known = |known| if name == "status" { word == Some(known) } else { any && agrees(known) };
            if known.is_some_and(as_known) {
                migration.change(Some(name), None, ChangeKind::Removed);
            } else {
                migration.unresolved(name, "does not agree with state, which counts");
            }
        }
        return;
    }
    // A status that names a state is more precise than the booleans, so it is used if they agree.
    let by_status = word.filter(|state| agrees(*state));
    let [completed, succeed, partially_completed] = told.map(Option::unwrap_or_default);
    let state = by_status.unwrap_or_else(|| LegacyFlags { completed, succeed, partially_completed }.state());
    migration.drop_null("state");
    migration.put_word("state", state.name());
    for name in told_by(migration, by_status.is_some()) {
        migration.change(Some(name), Some("state"), ChangeKind::Derived);
    }
    if by_status.is_some() {
        return;
    }
    if completed && told.get(1) == Some(&None) {
        migration.unresolved("isSucceed", "completed, but nothing says whether it succeeded: taken as not");
    }
    if status.is_some() {
        let reason =
            if word.is_some() { "does not agree with the booleans" } else { "what the value meant is not shown" };
        migration.unresolved("status", reason);
    }
    if !any {
        migration.unresolved("state", "nothing in the body tells the state: taken as idle");
    }
}

/// Returns the members of the body that determine the state in the legacy API.
fn told_by(migration: &Migration<'_>, status: bool) -> List<&'static str, 8> {
    let names = FLAGS.into_iter().flatten().chain(status.then_some("status"));
    names.filter(|name| migration.given(name).is_some()).collect()
}

/// Adds the missing members that every payment has (§2.1): null if allowed, otherwise reported as unresolved.
fn always_there(migration: &mut Migration<'_>) {
    for name in ["url", "client_amount", "fail_by", "paid_at", "info"] {
        if !migration.has(name) {
            migration.put_known(name, Value::Null);
            migration.change(None, Some(name), ChangeKind::Added);
        }
    }
    for name in ["uid", "merchant_id", "amount", "currency", "created_date"] {
        if !migration.has(name) {
            migration.unresolved(name, "a payment carries it; the earlier body has none");
        }
    }
    let counts = ["currency", "cur"].into_iter().find(|name| migration.tells(name));
    let in_usdt = counts.and_then(|name| migration.given(name)?.text());
    if in_usdt.is_some_and(|currency| currency.is(crate::money::USDT)) {
        for name in ["requested_amount", "requested_currency"] {
            if !migration.has(name) {
                migration.unresolved(name, "a payment in USDT carries it; the earlier body has none");
            }
        }
    }
}
