//! `upgrade_payment` and `upgrade_balance`: migrate a response of the legacy API.

use super::migrated_body::MigratedBody;
use super::migration::{Migration, write_value};
use crate::json::{Field, FieldId, JsonType, Value};
use crate::money::USDT;
use crate::schema::legacy::{self, BALANCE, ChangeKind, MemberChange, PAYMENT};
use crate::schema::payment::{IN_CRYPTO, NULLABLE, PaymentField};
use crate::types::legacy_flags::LegacyFlags;
use crate::types::payment_type::{PaymentType, Subtype};
use crate::types::state::State;
use crate::util::inline_vec::InlineVec;

/// The two spellings of each boolean.
static FLAGS: [[Field; 2]; 3] = {
    let [completed, succeed, partially] = LegacyFlags::POINTERS;
    [
        flag_fields(completed),
        flag_fields(succeed),
        flag_fields(partially),
    ]
};

const fn flag_fields([one, other]: [&'static str; 2]) -> [Field; 2] {
    [
        Field::new(one, JsonType::Boolean),
        Field::new(other, JsonType::Boolean),
    ]
}

static STATUS: Field = Field::new(legacy::STATUS, JsonType::String);

/// Migrates a payment to the current API. `body` is a JSON object.
pub(crate) fn upgrade_payment(body: &str) -> MigratedBody {
    let mut migration = Migration::new(body, |name| PAYMENT.current_rank(name));
    migration.upgrade(&PAYMENT, |migration, name, change, value| {
        match change {
            // These are migrated by `state` below.
            Some(MemberChange {
                kind: ChangeKind::Derived,
                ..
            }) => {}
            Some(MemberChange {
                legacy,
                current: Some(current),
                ..
            }) if matches!(legacy.name, "type" | "method") => {
                type_or_method(migration, legacy, current, value);
            }
            None if name.is("info") && matches!(value, Value::String(_)) => {
                let reason = "a string; the current API has an object, and the meaning of the \
                              string is not specified";
                migration.unresolved("/info", reason);
                migration.put(name, Value::Null);
            }
            _ => return false,
        }
        true
    });
    state(&mut migration);
    always_there(&mut migration);
    migration.finish(write_value)
}

/// Migrates a balance to the current API. `body` is a JSON object.
pub(crate) fn upgrade_balance(body: &str) -> MigratedBody {
    let mut migration = Migration::new(body, |name| BALANCE.current_rank(name));
    migration.upgrade(&BALANCE, |_, _, _, _| false);
    for field in BALANCE.current.fields {
        migration.must_have(field, "every balance has it; the legacy body does not");
    }
    migration.finish(write_value)
}

/// Migrates `type` or `method` by the values of both. `by_order` is the current member in the order
/// of §9.2 (D32).
fn type_or_method<'a>(
    migration: &mut Migration<'a>,
    legacy: &'static Field,
    by_order: &'static Field,
    value: Value<'a>,
) {
    let other = migration.given(if legacy.name == "type" {
        "method"
    } else {
        "type"
    });
    let (named, named_by_other) = (named_by(value), other.and_then(named_by));
    let current = match (named, named_by_other) {
        (Some(named), Some(other)) if named == other && !migration.is_given(named.name()) => {
            if named.name() != by_order.name {
                migration.unresolved(
                    legacy.pointer,
                    "type and method name the same member; the other one counts (D32)",
                );
                return;
            }
            by_order
        }
        (Some(named), _) => named.entry(),
        // A value that is in neither list belongs to the member that the other value does not name.
        (None, Some(other)) if matches!(value, Value::String(_) | Value::Null) => match other {
            PaymentField::PaymentType => PaymentField::Subtype.entry(),
            _ => PaymentField::PaymentType.entry(),
        },
        (None, None) if !value.is_present() => by_order,
        _ => {
            migration.unresolved(legacy.pointer, "neither a payment_type nor a subtype");
            return;
        }
    };
    migration.rename(legacy, current, ChangeKind::Renamed, value);
}

/// Returns the member whose values include this one.
fn named_by(value: Value<'_>) -> Option<PaymentField> {
    value.parsed(|word| match word {
        _ if PaymentType::from_name(word).is_some() => Some(PaymentField::PaymentType),
        _ if Subtype::from_name(word).is_some() => Some(PaymentField::Subtype),
        _ => None,
    })
}

/// Returns a boolean of the legacy API in either spelling.
fn flag(migration: &mut Migration<'_>, spellings: &'static [Field; 2]) -> Option<bool> {
    let mut flag = None;
    for Field { name, pointer, .. } in spellings {
        let Some(value) = migration.given(name) else {
            continue;
        };
        match (value, flag) {
            (Value::Bool(value), None) => flag = Some(value),
            (Value::Bool(value), Some(other)) if value == other => {}
            (Value::Bool(_), Some(_)) => {
                migration.unresolved(pointer, "contradicts the other spelling, which counts")
            }
            _ => migration.unresolved(pointer, "not a boolean"),
        }
    }
    flag
}

/// The members of a legacy body that determine the state.
struct LegacyState {
    /// The booleans, in the order of `FLAGS`.
    flags: [Option<bool>; 3],
    /// Whether the body has a status.
    has_status: bool,
    /// The state that the status names.
    status: Option<State>,
}

impl LegacyState {
    fn read(migration: &mut Migration<'_>) -> Self {
        let status = migration.given(STATUS.name);
        LegacyState {
            flags: FLAGS.each_ref().map(|spellings| flag(migration, spellings)),
            has_status: status.is_some(),
            status: status.and_then(state_named_by),
        }
    }

    fn has_flags(&self) -> bool {
        self.flags.iter().any(Option::is_some)
    }

    /// Returns whether the booleans are those of a state. A missing one agrees with every state.
    fn flags_agree(&self, state: State) -> bool {
        let LegacyFlags {
            completed,
            succeed,
            partially_completed,
        } = state.legacy_flags();
        self.flags
            .iter()
            .zip([completed, succeed, partially_completed])
            .all(|(flag, expected)| flag.is_none_or(|flag| flag == expected))
    }

    /// Returns whether a member agrees with the state of the current API.
    fn agrees(&self, member: &Field, state: State) -> bool {
        if member.name == STATUS.name {
            self.status == Some(state)
        } else {
            self.has_flags() && self.flags_agree(state)
        }
    }

    /// Returns the state of the booleans. A missing one counts as false.
    fn of_flags(&self) -> State {
        let [completed, succeed, partially_completed] = self.flags.map(Option::unwrap_or_default);
        LegacyFlags {
            completed,
            succeed,
            partially_completed,
        }
        .state()
    }
}

/// Migrates the members that determine the state to `state`.
fn state(migration: &mut Migration<'_>) {
    let legacy = LegacyState::read(migration);
    if migration.is_given(PaymentField::State.name()) {
        compare_with_state(migration, &legacy);
    } else {
        derive_state(migration, &legacy);
    }
}

/// Removes the legacy members of a body that has `state`, and reports those that contradict it.
fn compare_with_state(migration: &mut Migration<'_>, legacy: &LegacyState) {
    let state = migration.given(PaymentField::State.name());
    let state = state.and_then(state_named_by);
    for member in state_members(migration, true) {
        if state.is_some_and(|state| legacy.agrees(member, state)) {
            migration.removed(member.pointer);
        } else {
            migration.unresolved(member.pointer, "contradicts state, which counts");
        }
    }
}

/// Adds `state`, and reports each reason why it is uncertain.
fn derive_state(migration: &mut Migration<'_>, legacy: &LegacyState) {
    let field = PaymentField::State.entry();
    // A status that names a state is more precise than the booleans, so it is used if they agree.
    let by_status = legacy.status.filter(|state| legacy.flags_agree(*state));
    let state = by_status.unwrap_or_else(|| legacy.of_flags());
    migration.put_string(field.name, state.name());
    for member in state_members(migration, by_status.is_some()) {
        migration.change(member.pointer, field.pointer, ChangeKind::Derived);
    }
    if by_status.is_some() {
        return;
    }
    if let [Some(true), None, _] = legacy.flags {
        let [_, [succeed, _], _] = LegacyFlags::POINTERS;
        migration.unresolved(
            succeed,
            "completed, but success is not given; taken as not succeeded",
        );
    }
    if legacy.has_status {
        let reason = match legacy.status {
            Some(_) => "contradicts the booleans",
            None => "the meaning of the value is not specified",
        };
        migration.unresolved(STATUS.pointer, reason);
    }
    if !legacy.has_flags() {
        migration.unresolved(
            field.pointer,
            "the body does not determine the state; taken as idle",
        );
    }
}

fn state_named_by(value: Value<'_>) -> Option<State> {
    value.parsed(State::from_name)
}

/// Returns the members of the body that determine the state in the legacy API, with or without the
/// status.
fn state_members(migration: &Migration<'_>, status: bool) -> InlineVec<&'static Field, 8> {
    let members = FLAGS.as_flattened().iter().chain(status.then_some(&STATUS));
    members
        .filter(|field| migration.given(field.name).is_some())
        .collect()
}

/// Adds the missing members that every payment has (§2.1): null if allowed, otherwise reported as
/// unresolved.
fn always_there(migration: &mut Migration<'_>) {
    use PaymentField::{Amount, CreatedDate, Currency, MerchantId, Uid};
    for member in &NULLABLE {
        let field = member.entry();
        if !migration.has(field.name) {
            migration.put_known(field.name, Value::Null);
            migration.added(field.pointer);
        }
    }
    for member in &[Uid, MerchantId, Amount, Currency, CreatedDate] {
        migration.must_have(
            member.entry(),
            "every payment has it; the legacy body does not",
        );
    }
    let currency = ["currency", "cur"]
        .into_iter()
        .find(|name| migration.is_given(name));
    let currency = currency.and_then(|name| migration.given(name)?.text());
    if currency.is_some_and(|currency| currency.is(USDT)) {
        for member in &IN_CRYPTO {
            migration.must_have(
                member.entry(),
                "every payment in USDT has it; the legacy body does not",
            );
        }
    }
}
