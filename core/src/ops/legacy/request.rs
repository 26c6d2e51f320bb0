//! `upgrade_request`: migrates a body of the legacy pay-in or pay-out endpoint to `POST /v1/payments/new`.

use super::migration::{Migration, MigrationTarget};
use super::path::FieldPath;
use crate::json::writer::Writer;
use crate::json::{JsonStr, Value, members};
use crate::schema::legacy::{ChangeKind, FieldChange, PAYER_ACCOUNT, request_change};
use crate::schema::request::REQUEST;
use crate::types::payment_type::{Mode, PaymentType};
use crate::util::inline_vec::List;

const DETAILS: &str = "pay_in_details";

static TARGET: MigrationTarget = MigrationTarget {
    rank: |name| REQUEST.find(name).map_or(usize::MAX, |(slot, _)| slot),
    write: |name, value, w| match value {
        Value::Object(object) if name.is(DETAILS) => write_details(object, w),
        value => w.value(value),
    },
};

/// Migrates a request to the current API, and returns what `tell` returns for the migration. `body` is a JSON object.
pub(crate) fn upgrade_request<R>(kind: PaymentType, body: &str, tell: impl FnOnce(&Migration<'_>) -> R) -> R {
    let mut migration = Migration::new(&TARGET);
    migration.read(body);
    payment_type(&mut migration, kind);
    while let Some((name, value)) = migration.next() {
        match request_change(name) {
            _ if name.is("payment_type") => {}
            Some(FieldChange { legacy, current: Some(successor), kind, .. }) => {
                if migration.rename(*legacy, successor, *kind, value) && *successor == DETAILS {
                    note_details(&mut migration, ["/credentials", "/credentials/card"], value);
                }
            }
            Some(change) => migration.change(change.legacy, None, change.kind),
            None => {
                if name.is(DETAILS) {
                    note_details(&mut migration, ["/pay_in_details", "/pay_in_details/card"], value);
                }
                migration.put(name, value);
            }
        }
    }
    now_required(&mut migration, kind);
    migration.sort();
    tell(&migration)
}

fn payment_type(migration: &mut Migration<'_>, kind: PaymentType) {
    match migration.given("payment_type") {
        None => migration.change(None, Some("payment_type"), ChangeKind::Added),
        Some(Value::String(text)) if text.is(kind.name()) => {}
        Some(_) => {
            migration.unresolved("payment_type", "the body names another kind than the caller, whose word counts")
        }
    }
    migration.put_word("payment_type", kind.name());
}

/// The payer's details in the original body.
struct Details<'a> {
    members: List<(JsonStr<'a>, Value<'a>), 16>,
    /// The value of `card`.
    card: Option<Value<'a>>,
}

impl<'a> Details<'a> {
    fn read(object: &'a str) -> Self {
        let members: List<(JsonStr<'a>, Value<'a>), 16> = members(object).collect();
        let card = members.iter().find(|(name, _)| name.is("card")).map(|(_, value)| *value);
        Details { members, card }
    }

    /// Returns the card data outside of `card`. The current API has them in that object.
    fn flat(&self) -> impl Iterator<Item = (&'static str, Value<'a>)> {
        let members = if self.card.is_none() { self.members.as_slice() } else { &[] };
        members.iter().filter_map(|(name, value)| Some((card_member(*name)?, *value)))
    }
}

/// Records the changes to the payer's details at `outer` and to the card in them.
///
/// The details are read again when they are written.
fn note_details(migration: &mut Migration<'_>, [outer, card]: [&'static str; 2], value: Value<'_>) {
    let Value::Object(object) = value else { return };
    let details = Details::read(object);
    for (name, _) in details.flat() {
        let target = (name != PAYER_ACCOUNT).then_some(FieldPath("/pay_in_details/card", name));
        let kind = if target.is_some() { ChangeKind::Moved } else { ChangeKind::Removed };
        migration.change_at(Some(FieldPath(outer, name)), target, kind);
    }
    if let Some(Value::Object(nested)) = details.card {
        for _ in members(nested).filter(|(name, _)| name.is(PAYER_ACCOUNT)) {
            migration.change_at(Some(FieldPath(card, PAYER_ACCOUNT)), None, ChangeKind::Removed);
        }
    }
}

/// Writes the payer's details, with card data in `card`, and without the members that were removed.
fn write_details(object: &str, w: &mut Writer<'_>) {
    let details = Details::read(object);
    let mut flat = details.flat().filter(|(name, _)| *name != PAYER_ACCOUNT).peekable();
    w.object(|w| {
        match details.card {
            Some(Value::Object(card)) => w.name("card").object(|w| {
                let kept = members(card).filter(|(name, _)| !name.is(PAYER_ACCOUNT));
                kept.for_each(|(name, value)| w.member(name, value));
            }),
            Some(other) => w.name("card").value(other),
            None if flat.peek().is_none() => {}
            None => w.name("card").object(|w| {
                flat.for_each(|(name, value)| w.name(name).value(value));
            }),
        }
        for (name, value) in &details.members {
            if !name.is("card") && (details.card.is_some() || card_member(*name).is_none()) {
                w.member(*name, *value);
            }
        }
    });
}

/// Returns the name of a member of the payer's card as a static string.
fn card_member(name: JsonStr<'_>) -> Option<&'static str> {
    let names = ["card_holder", "card_number", "expiry_year", "expiry_month", "security_code", PAYER_ACCOUNT];
    names.into_iter().find(|known| name.is(known))
}

/// Reports missing members that the current API requires and the legacy API did not. Only the caller knows their values.
fn now_required(migration: &mut Migration<'_>, kind: PaymentType) {
    let crypto = migration.given("mode").and_then(Value::text).is_some_and(|mode| mode.is(Mode::Crypto.name()));
    if kind == PaymentType::PayOut && !migration.tells("mode") {
        migration.unresolved("mode", "required in a pay-out; the earlier body has none");
    }
    let optional = kind == PaymentType::PayIn && crypto;
    if !optional && !migration.tells("subtype") {
        migration.unresolved("subtype", "required; the earlier body has none");
    }
}
