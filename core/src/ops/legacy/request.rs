//! `upgrade_request` and `downgrade_request`: migrate a body of the legacy pay-in or pay-out
//! endpoint to `POST /v1/payments/new`, and the reverse.

use super::migrated_body::MigratedBody;
use super::migration::{Migration, write_value};
use crate::json::writer::Writer;
use crate::json::{Field, FieldId, JsonStr, Value, members};
use crate::schema::legacy::{ChangeKind, MemberChange, PAYER_ACCOUNT, REQUEST};
use crate::schema::request::RequestField;
use crate::types::idempotency_key::IdempotencyKey;
use crate::types::payment_type::{Mode, PaymentType};
use crate::util::inline_vec::InlineVec;

const DETAILS: &str = "pay_in_details";

/// Migrates a request to the current API. `body` is a JSON object.
pub(crate) fn upgrade_request(kind: PaymentType, body: &str) -> MigratedBody {
    let mut migration = Migration::new(body, |name| REQUEST.current_rank(name));
    payment_type(&mut migration, kind);
    migration.upgrade(&REQUEST, |migration, name, change, value| {
        match change {
            Some(MemberChange {
                legacy,
                current: Some(current),
                kind,
            }) if current.name == DETAILS => {
                if migration.rename(legacy, current, kind, value) {
                    record_details(migration, |member| member.in_credentials, value);
                }
            }
            Some(MemberChange {
                legacy,
                kind: ChangeKind::Moved,
                ..
            }) => idempotency_key(migration, legacy, value),
            None if name.is(DETAILS) => {
                record_details(migration, |member| member.in_details, value);
                migration.put(name, value);
            }
            _ => return false,
        }
        true
    });
    now_required(&mut migration, kind);
    migration.finish(|name, value, w| match value {
        Value::Object(object) if name.is(DETAILS) => write_details(object, w),
        value => w.value(value),
    })
}

/// Migrates a request to the legacy API. `body` is a JSON object.
pub(crate) fn downgrade_request(body: &str) -> MigratedBody {
    let mut migration = Migration::new(body, |name| REQUEST.legacy_rank(name));
    not_in_legacy(&mut migration);
    migration.downgrade(&REQUEST, |_, _, _| false);
    migration.finish(write_value)
}

/// Reports the values without which the legacy service processes the payment differently.
fn not_in_legacy(migration: &mut Migration<'_>) {
    let payment_type = RequestField::PaymentType.entry();
    let mode = RequestField::Mode.entry();
    let host2host = RequestField::HostToHost.entry();
    let kind = migration.given(payment_type.name).and_then(Value::text);
    if kind
        .and_then(|kind| kind.with_decoded(PaymentType::from_name))
        .is_none()
    {
        migration.unresolved(
            payment_type.pointer,
            "selects the legacy endpoint; expected pay_in or pay_out",
        );
    }
    if is_crypto(migration) {
        migration.unresolved(
            mode.pointer,
            "the legacy API has no mode; the amount is not converted to USDT",
        );
    }
    if matches!(migration.given(host2host.name), Some(Value::Bool(true))) {
        migration.unresolved(host2host.pointer, "the legacy API has no host-to-host mode");
    }
}

fn is_crypto(migration: &Migration<'_>) -> bool {
    let mode = migration
        .given(RequestField::Mode.entry().name)
        .and_then(Value::text);
    mode.is_some_and(|mode| mode.is(Mode::Crypto.name()))
}

fn payment_type(migration: &mut Migration<'_>, kind: PaymentType) {
    let field = RequestField::PaymentType.entry();
    match migration.given(field.name) {
        None => migration.added(field.pointer),
        Some(Value::String(text)) if text.is(kind.name()) => {}
        Some(_) => migration.unresolved(
            field.pointer,
            "contradicts the kind that the caller gives, which counts",
        ),
    }
    migration.put_string(field.name, kind.name());
}

/// Returns the key beside the body, if the header Idempotency-Key can have this value.
fn idempotency_key(migration: &mut Migration<'_>, legacy: &'static Field, value: Value<'_>) {
    let key = value
        .text()
        .and_then(|text| text.with_decoded(|header| header.parse::<IdempotencyKey>().ok()));
    match key {
        Some(key) => migration.move_key(legacy.pointer, key),
        None if !value.is_present() => migration.removed(legacy.pointer),
        None => migration.unresolved(legacy.pointer, "not a value of the header Idempotency-Key"),
    }
}

/// A member of the payer's card.
struct CardMember {
    name: &'static str,
    /// The pointers of the member in the original body, below `credentials` and `pay_in_details`.
    in_credentials: &'static str,
    in_details: &'static str,
    /// The field of the current API, if the member was not removed.
    current: Option<RequestField>,
}

macro_rules! card_member {
    ($path:literal => $current:expr) => {
        CardMember {
            name: $path,
            in_credentials: concat!("/credentials/", $path),
            in_details: concat!("/pay_in_details/", $path),
            current: $current,
        }
    };
}

/// The members that were outside of `card`.
static CARD_MEMBERS: [CardMember; 6] = [
    card_member!("card_holder" => Some(RequestField::CardHolder)),
    card_member!("card_number" => Some(RequestField::CardNumber)),
    card_member!("expiry_year" => Some(RequestField::ExpiryYear)),
    card_member!("expiry_month" => Some(RequestField::ExpiryMonth)),
    card_member!("security_code" => Some(RequestField::SecurityCode)),
    card_member!("payer_account" => None),
];

/// The removed member in `card`.
static NESTED_ACCOUNT: CardMember = card_member!("card/payer_account" => None);

/// The payer's details in the original body.
struct Details<'a> {
    members: InlineVec<(JsonStr<'a>, Value<'a>), 16>,
    /// The value of `card`.
    card: Option<Value<'a>>,
}

impl<'a> Details<'a> {
    fn read(object: &'a str) -> Self {
        let members: InlineVec<(JsonStr<'a>, Value<'a>), 16> = members(object).collect();
        let card = members
            .iter()
            .find(|(name, _)| name.is("card"))
            .map(|(_, value)| *value);
        Details { members, card }
    }

    /// Returns the card data outside of `card`. The current API has them in that object.
    fn flat(&self) -> impl Iterator<Item = (&'static CardMember, Value<'a>)> {
        let members = if self.card.is_none() {
            self.members.as_slice()
        } else {
            &[]
        };
        members
            .iter()
            .filter_map(|(name, value)| Some((card_member(*name)?, *value)))
    }
}

/// Records the changes to the payer's details and to the card in them. `pointer` returns where a
/// member was.
///
/// The details are read again when they are written.
fn record_details(
    migration: &mut Migration<'_>,
    pointer: fn(&CardMember) -> &'static str,
    value: Value<'_>,
) {
    let Value::Object(object) = value else { return };
    let details = Details::read(object);
    let nested = if let Some(Value::Object(card)) = details.card {
        card
    } else {
        "{}"
    };
    let accounts = members(nested)
        .filter(|(name, _)| name.is(PAYER_ACCOUNT))
        .map(|_| &NESTED_ACCOUNT);
    for member in details.flat().map(|(member, _)| member).chain(accounts) {
        match member.current {
            Some(current) => {
                migration.change(pointer(member), current.entry().pointer, ChangeKind::Moved)
            }
            None => migration.removed(pointer(member)),
        }
    }
}

/// Writes the payer's details, with card data in `card`, and without the members that were removed.
fn write_details(object: &str, w: &mut Writer<'_>) {
    let details = Details::read(object);
    let mut flat = details
        .flat()
        .filter(|(member, _)| member.current.is_some())
        .peekable();
    w.object(|w| {
        match details.card {
            Some(Value::Object(card)) => w.name("card").object(|w| {
                let kept = members(card).filter(|(name, _)| !name.is(PAYER_ACCOUNT));
                kept.for_each(|(name, value)| w.member(name, value));
            }),
            Some(other) => w.name("card").value(other),
            None if flat.peek().is_none() => {}
            None => w.name("card").object(|w| {
                flat.for_each(|(member, value)| w.name(member.name).value(value));
            }),
        }
        for (name, value) in &details.members {
            if !name.is("card") && (details.card.is_some() || card_member(*name).is_none()) {
                w.member(*name, *value);
            }
        }
    });
}

/// Returns the member of the payer's card with this name.
fn card_member(name: JsonStr<'_>) -> Option<&'static CardMember> {
    CARD_MEMBERS.iter().find(|member| name.is(member.name))
}

/// Reports missing members that the current API requires and the legacy API did not. Only the
/// caller knows their values.
fn now_required(migration: &mut Migration<'_>, kind: PaymentType) {
    let mode = RequestField::Mode.entry();
    let subtype = RequestField::Subtype.entry();
    if kind == PaymentType::PayOut && !migration.is_given(mode.name) {
        migration.unresolved(
            mode.pointer,
            "required in a pay-out; the legacy body does not have it",
        );
    }
    let optional = kind == PaymentType::PayIn && is_crypto(migration);
    if !optional && !migration.is_given(subtype.name) {
        migration.unresolved(
            subtype.pointer,
            "required; the legacy body does not have it",
        );
    }
}
