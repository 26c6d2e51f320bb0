//! A body under construction: for each field the text of its value.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use crate::json::writer::{Writer, text_by};
use crate::json::{ObjectSchema, bit};
use crate::schema::request::{REQUEST, RequestField};

/// A value as JSON.
pub(super) type Json = Cow<'static, str>;

/// The value of an object, whose members are fields of their own.
pub(super) const EMPTY_OBJECT: Json = Cow::Borrowed("{}");

/// A body under construction.
#[derive(Clone)]
pub(super) struct Draft {
    values: [Option<Json>; RequestField::COUNT],
    /// A member that is written a second time, with this value.
    repeated: Option<(RequestField, Json)>,
    /// A member outside the schema, at the end of the body.
    unknown: Option<(&'static str, Json)>,
}

impl Draft {
    /// Creates a body without members.
    pub(super) fn new() -> Self {
        Draft {
            values: [const { None }; RequestField::COUNT],
            repeated: None,
            unknown: None,
        }
    }

    /// Returns whether the body has the field in this slot.
    pub(super) fn has(&self, slot: usize) -> bool {
        self.values.get(slot).is_some_and(Option::is_some)
    }

    /// Sets the value of a field, and adds the objects that contain it.
    pub(super) fn set(&mut self, slot: usize, value: Json) {
        if let Some(parent) = parent(slot)
            && !self.has(parent)
        {
            self.set(parent, EMPTY_OBJECT);
        }
        if let Some(entry) = self.values.get_mut(slot) {
            *entry = Some(value);
        }
    }

    /// Removes the field in a slot, and all fields in it.
    pub(super) fn remove(&mut self, slot: usize) {
        if let Some(entry) = self.values.get_mut(slot) {
            *entry = None;
        }
    }

    /// Adds a member that is not in the schema.
    pub(super) fn set_unknown(&mut self, name: &'static str, value: Json) {
        self.unknown = Some((name, value));
    }

    /// Writes a field twice, the second time with this value. A field that the body does not have
    /// is first written as null, which counts as absent.
    pub(super) fn repeat(&mut self, field: RequestField, second: Json) {
        if !self.has(field.slot()) {
            self.set(field.slot(), Cow::Borrowed("null"));
        }
        self.repeated = Some((field, second));
    }

    /// Returns the text of the body.
    pub(super) fn text(&self) -> String {
        text_by(|out| {
            // Most bodies are shorter, and thousands are written for a comparison.
            out.reserve(256);
            self.write_object(&REQUEST, &mut Writer::new(out));
        })
    }

    fn write_object(&self, schema: &'static ObjectSchema, w: &mut Writer<'_>) {
        w.object(|w| {
            for (slot, field) in (schema.first..).zip(schema.fields) {
                let Some(value) = self.values.get(slot).and_then(Option::as_ref) else {
                    continue;
                };
                match field.schema {
                    Some(inner) => self.write_object(inner, w.name(field.name)),
                    None => w.name(field.name).raw(value),
                }
                if let Some((repeated, second)) = &self.repeated
                    && repeated.slot() == slot
                {
                    w.name(field.name).raw(second);
                }
            }
            if let Some((name, value)) = &self.unknown
                && schema.pointer.is_empty()
            {
                w.name(name).raw(value);
            }
        });
    }
}

/// Returns the slot of the object that contains a field, unless that is the body.
pub(super) fn parent(slot: usize) -> Option<usize> {
    RequestField::FIELDS.iter().position(|field| {
        field
            .schema
            .is_some_and(|schema| schema.slots & bit(slot) != 0)
    })
}

/// Returns all slots of the request.
pub(super) fn slots() -> impl Iterator<Item = usize> {
    0..RequestField::COUNT
}

/// Returns a text as a JSON string. It must not need escapes.
pub(super) fn quoted(text: &str) -> Json {
    Cow::Owned(["\"", text, "\""].concat())
}

/// Returns the opening or closing brackets of nested arrays.
pub(super) fn nested_arrays(levels: usize) -> Json {
    let mut text: Vec<u8> = Vec::new();
    text.resize(levels, b'[');
    text.resize(levels.saturating_mul(2), b']');
    Cow::Owned(String::from_utf8(text).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_objects_with_the_fields_in_them() {
        let mut draft = Draft::new();
        draft.set(RequestField::CardNumber.slot(), quoted("1"));
        draft.set(RequestField::Cur.slot(), quoted("RUB"));
        draft.repeat(RequestField::Cur, Cow::Borrowed("0"));
        draft.set_unknown("x", nested_arrays(2));
        assert_eq!(
            draft.text(),
            r#"{"cur":"RUB","cur":0,"pay_in_details":{"card":{"card_number":"1"}},"x":[[]]}"#
        );
        draft.remove(RequestField::PayInDetails.slot());
        draft.remove(RequestField::Cur.slot());
        assert_eq!(draft.text(), r#"{"x":[[]]}"#);
    }
}
