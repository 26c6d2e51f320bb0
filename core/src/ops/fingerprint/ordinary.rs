//! The canonical form of an ordinary request: every member is a field of §2.2, none is repeated, and
//! only the objects of §2.2 have members of their own.
//!
//! The rules have read such a request into slots, and the order of its members by name is known at
//! compile time. So it is written without a second reading, without sorting, and without a search
//! for the names of card data.

use hmac::digest::Update;

use super::{scalar, write_number, write_quoted, write_text};
use crate::card::text::TextMask;
use crate::card::text::names::CardName;
use crate::json::{Field, FieldId, ObjectSchema, Value};
use crate::schema::request::{CARD_NUMBERS, REQUEST, RequestField, is_default, is_quantity};
use crate::validate::request::RequestBody;

/// Checks if a request is ordinary.
pub(super) fn is_ordinary(body: &RequestBody<'_>) -> bool {
    let has_one_value = |(slot, field): (usize, &&Field)| match body.at(slot) {
        Value::Object(_) => field.schema.is_some(),
        Value::Array(_) => false,
        // Texts that repeat a card number are masked, if it is a string as in §2.2.
        Value::Number(_) => !is_card_number(slot),
        _ => true,
    };
    body.has_distinct_fields() && RequestField::ALL.iter().enumerate().all(has_one_value)
}

/// Writes an ordinary request, its texts masked if there is a mask.
pub(super) fn write(body: &RequestBody<'_>, mask: Option<TextMask<'_>>, out: &mut impl Update) {
    write_object(body, &REQUEST, mask, out);
}

/// Writes an object, its members sorted by name. The objects of §2.2 nest twice.
fn write_object(
    body: &RequestBody<'_>,
    schema: &'static ObjectSchema,
    mask: Option<TextMask<'_>>,
    out: &mut impl Update,
) {
    out.update(b"{");
    let mut separator = "\"";
    for (slot, field) in schema.fields_by_name() {
        let value = body.at(slot);
        let is_omitted = matches!(value, Value::Absent)
            || slot == RequestField::SecurityCode.slot()
            || is_default(field, value);
        if is_omitted {
            continue;
        }
        for part in [separator, field.name, "\":"] {
            out.update(part.as_bytes());
        }
        separator = ",\"";
        if mask.is_some()
            && is_card_number(slot)
            && let Some(masked) = CardName::CardNumber.mask_json(value)
        {
            write_quoted(masked.as_str(), out);
            continue;
        }
        let text_mask = mask.filter(|_| !is_quantity(slot, field, value));
        match (value, field.schema) {
            (Value::Object(_), Some(inner)) => write_object(body, inner, mask, out),
            (Value::String(text), _) => text.with_decoded(|text| write_text(text, text_mask, out)),
            (Value::Number(digits), _) => write_number(digits, text_mask, out),
            (value, _) => out.update(scalar(value).as_bytes()),
        }
    }
    out.update(b"}");
}

fn is_card_number(slot: usize) -> bool {
    CARD_NUMBERS.iter().any(|field| field.slot() == slot)
}
