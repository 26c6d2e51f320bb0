//! Schemas: the fields of an object, with their order and types.

mod index;
mod layout;
mod macros;
mod name_order;
mod quoted_name;

pub(crate) use layout::check_schemas;
pub(crate) use macros::object_schema;

use self::index::NameIndex;
use self::name_order::{NameOrder, is_before};
use self::quoted_name::QuotedName;
use super::slots::range;
use super::string::JsonStr;

/// A field of an object.
#[derive(Debug)]
pub(crate) struct Field {
    pub(crate) name: &'static str,
    /// The JSON Pointer from the root.
    pub(crate) pointer: &'static str,
    /// The required JSON type.
    pub(crate) json_type: JsonType,
    /// The schema of the value, if it is an object with one.
    pub(crate) schema: Option<&'static ObjectSchema>,
    /// The name as in a text.
    pub(super) quoted: QuotedName,
}

/// The JSON type that a field requires.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum JsonType {
    String,
    Integer,
    Boolean,
    Object,
    Array,
    /// Any type. The code that reads the slot checks the value.
    Any,
}

impl JsonType {
    /// Returns the name for `expected` in a report.
    pub(crate) fn name(self) -> &'static str {
        match self {
            JsonType::String => "string",
            JsonType::Integer => "integer",
            JsonType::Boolean => "boolean",
            JsonType::Object => "object",
            JsonType::Array => "array",
            JsonType::Any => "value",
        }
    }
}

impl Field {
    pub(crate) const fn new(pointer: &'static str, json_type: JsonType) -> Self {
        let name = last_segment(pointer);
        Field {
            name,
            pointer,
            json_type,
            schema: None,
            quoted: QuotedName::new(name),
        }
    }

    /// Returns the field with a schema for its value.
    pub(crate) const fn with_schema(mut self, schema: &'static ObjectSchema) -> Self {
        self.schema = Some(schema);
        self
    }

    #[cfg(test)]
    pub(crate) const fn string(pointer: &'static str) -> Self {
        Self::new(pointer, JsonType::String)
    }
}

#[expect(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "evaluated at compile time"
)]
const fn last_segment(pointer: &'static str) -> &'static str {
    let bytes = pointer.as_bytes();
    let mut start = bytes.len();
    while start > 0 && bytes[start - 1] != b'/' {
        start -= 1;
    }
    pointer.split_at(start).1
}

/// Returns the number of fields whose names are before a name.
const fn names_before(name: &str, fields: &[Field]) -> usize {
    let (mut count, mut rest) = (0_usize, fields);
    while let Some((field, others)) = rest.split_first() {
        if is_before(field.name, name) {
            count = count.saturating_add(1);
        }
        rest = others;
    }
    count
}

/// The fields of one object, with an index by name.
#[derive(Debug)]
pub(crate) struct ObjectSchema {
    /// The JSON Pointer of the object.
    pub(crate) pointer: &'static str,
    pub(crate) fields: &'static [Field],
    /// The slot of the first field. The others follow in order.
    pub(crate) first: usize,
    /// One bit for each slot.
    pub(crate) slots: u64,
    index: NameIndex,
    by_name: NameOrder,
}

impl ObjectSchema {
    /// Returns a schema whose fields take the slots from `first` on.
    #[expect(
        clippy::indexing_slicing,
        clippy::arithmetic_side_effects,
        reason = "evaluated at compile time"
    )]
    pub(crate) const fn new(pointer: &'static str, first: usize, fields: &'static [Field]) -> Self {
        let (mut index, mut by_name) = (NameIndex::new(), NameOrder::new());
        let mut position = 0;
        while position < fields.len() {
            let name = fields[position].name;
            index.add(position, name);
            by_name.add(position, names_before(name, fields));
            position += 1;
        }
        ObjectSchema {
            pointer,
            fields,
            first,
            slots: range(first, fields.len()),
            index,
            by_name,
        }
    }

    /// Returns the fields with their slots, sorted by name.
    pub(crate) fn fields_by_name(&'static self) -> impl Iterator<Item = (usize, &'static Field)> {
        self.by_name.iter().filter_map(|position| {
            let field = self.fields.get(position)?;
            Some((self.first.saturating_add(position), field))
        })
    }

    /// Finds the field with this name, and its position.
    pub(crate) fn find(&'static self, name: JsonStr<'_>) -> Option<(usize, &'static Field)> {
        name.with_decoded(|name| {
            self.index.candidates(name).find_map(|position| {
                let field = self.fields.get(position)?;
                (field.name == name).then_some((position, field))
            })
        })
    }
}

/// A field of an object schema, by its slot.
pub(crate) trait FieldId: Copy {
    /// The schema of the object itself.
    const ROOT: &'static ObjectSchema;
    /// The fields of all schemas by slot.
    const ALL: &'static [&'static Field];

    /// Returns the slot.
    fn slot(self) -> usize;
    /// Returns the entry of the schema.
    fn entry(self) -> &'static Field;
    /// Returns the required JSON type.
    fn json_type(self) -> JsonType;
}
