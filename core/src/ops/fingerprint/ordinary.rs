//! The canonical form of an ordinary request: every member is a field of §2.2, none is repeated, and
//! no string has an escape. Without a key, it has no card data.
//!
//! The rules have read such a request into slots, and the order of its members by name is known at
//! compile time. So it is hashed without a second reading, without sorting, and without a search for
//! the names of card data.

use hmac::digest::Update;

use super::scalar;
use crate::card::text::TextMask;
use crate::json::{Field, FieldId, ObjectSchema, Value};
use crate::schema::request::{CARD_DATA, REQUEST, RequestField, is_default};
use crate::validate::request::RequestBody;

/// Checks if a request is ordinary.
pub(super) fn is_ordinary(body: &RequestBody<'_>, has_key: bool) -> bool {
    let is_plain = |field: &Field, value| match value {
        Value::String(text) => text.plain().is_some(),
        Value::Object(_) => field.schema.is_some(),
        Value::Array(_) => false,
        _ => true,
    };
    let is_unmasked = |value| match value {
        Value::String(text) => !TextMask::COMPLETE.may_change(text.raw()),
        Value::Number(digits) => !TextMask::COMPLETE.may_change(digits),
        _ => true,
    };
    let mut fields = RequestField::ALL.iter().enumerate();
    // Texts are searched only without a key, and not in vain if the members contain card data.
    body.has_distinct_fields()
        && (has_key || !body.has_any(CARD_DATA))
        && fields.all(|(slot, field)| {
            let value = body.at(slot);
            is_plain(field, value) && (has_key || is_unmasked(value))
        })
}

/// Writes an ordinary request.
pub(super) fn write(body: &RequestBody<'_>, out: &mut impl Update) {
    write_object(body, &REQUEST, out);
}

/// Writes an object, its members sorted by name. The objects of §2.2 nest twice.
fn write_object(body: &RequestBody<'_>, schema: &'static ObjectSchema, out: &mut impl Update) {
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
        match (value, field.schema) {
            (Value::String(text), _) => {
                for part in ["\"", text.raw(), "\""] {
                    out.update(part.as_bytes());
                }
            }
            (Value::Object(_), Some(inner)) => write_object(body, inner, out),
            (value, _) => out.update(scalar(value).as_bytes()),
        }
    }
    out.update(b"}");
}
