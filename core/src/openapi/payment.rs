//! The fields of a payment (§2.1) and its states (§3).

use super::frame::{include_compact, write};
use super::schema_writer::{enum_schema, kind, refer, text};
use crate::json::member;
use crate::json::writer::Writer;
use crate::schema::payment::{ALWAYS, PAYMENT, is_nullable};
use crate::types::state::State;
use crate::util::inline_vec::InlineVec;

/// The schema of each member, with a gap for the part that depends on whether the member may be
/// null.
static MEMBERS: &str = include_compact!("payment.json");

/// The pattern of an amount of any size, including zero.
pub(super) const AMOUNT: &str = "^(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?$";

/// Writes the members `required` and `properties` of the schema.
pub(super) fn members(w: &mut Writer<'_>) {
    let is_always = |slot| ALWAYS.iter().any(|field| field.slot() == slot);
    let always = PAYMENT
        .fields
        .iter()
        .enumerate()
        .filter(|(slot, _)| is_always(*slot));
    w.name("required")
        .strings(always.map(|(_, field)| field.name));
    w.name("properties").object(|w| {
        for (slot, field) in PAYMENT.fields.iter().enumerate() {
            let nullable = is_nullable(slot);
            write(
                member(MEMBERS, field.name),
                w.name(field.name),
                &mut |gap, w| match gap {
                    "string" => kind(w, "string", nullable),
                    "amount" => {
                        kind(w, "string", nullable);
                        text(w, "pattern", AMOUNT);
                    }
                    component => refer(w, component, nullable),
                },
            );
        }
    });
}

/// Writes the schema of the states.
pub(super) fn state(w: &mut Writer<'_>) {
    let meanings: InlineVec<_, 8> = State::ALL
        .iter()
        .map(|state| (state.name(), state.meaning()))
        .collect();
    let intro = "The state of a payment. The allowed transitions are not specified.";
    enum_schema(w, "State", intro, &["D7", "D19"], &meanings);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json;

    #[test]
    fn describes_every_field_in_order() {
        assert!(
            json::members(MEMBERS)
                .map(|(name, _)| name.raw())
                .eq(PAYMENT.fields.iter().map(|field| field.name))
        );
    }
}
