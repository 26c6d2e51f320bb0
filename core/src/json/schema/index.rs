//! Finds a field by its name.
//!
//! The index has a set of fields for each length of a name. A search compares the name with the
//! fields of one set. In the largest schemas, a set has at most four fields, and mostly one.

use super::Field;
use crate::json::slots::{bit, slots_in};

/// The length of the longest name.
const MAX_LENGTH: usize = 31;

/// The positions of the fields by the length of their names.
#[derive(Debug)]
pub(super) struct NameIndex {
    /// One bit for each position.
    by_length: [u64; MAX_LENGTH + 1],
}

impl NameIndex {
    /// Returns the index of these fields. Fails to compile if a name is longer than `MAX_LENGTH`.
    #[expect(
        clippy::indexing_slicing,
        clippy::arithmetic_side_effects,
        reason = "evaluated at compile time"
    )]
    pub(super) const fn new(fields: &[Field]) -> Self {
        let mut by_length = [0; MAX_LENGTH + 1];
        let mut position = 0;
        while position < fields.len() {
            by_length[fields[position].name.len()] |= bit(position);
            position += 1;
        }
        NameIndex { by_length }
    }

    /// Finds the field with this name, and its position. `fields` are those of the index.
    #[inline]
    pub(super) fn find(
        &self,
        fields: &'static [Field],
        name: &str,
    ) -> Option<(usize, &'static Field)> {
        let same_length = self.by_length.get(name.len())?;
        slots_in(*same_length).find_map(|position| {
            let field = fields.get(position)?;
            (field.name == name).then_some((position, field))
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::json::{Field, FieldId, JsonStr, ObjectSchema};
    use crate::schema::context::CreateField;
    use crate::schema::payment::PaymentField;
    use crate::schema::request::RequestField;

    #[test]
    fn finds_each_name_in_its_object_only() {
        let find_all = |schema: &'static ObjectSchema| {
            for (position, field) in schema.fields.iter().enumerate() {
                let found = |name: &str| schema.find(JsonStr::new(name, false)).map(|(at, _)| at);
                assert_eq!(found(field.name), Some(position), "{}", field.pointer);
                // Each byte is compared, and so is the length.
                for changed in 0..field.name.len() {
                    let mut name = field.name.as_bytes().to_vec();
                    name[changed] ^= 1;
                    assert_eq!(found(core::str::from_utf8(&name).unwrap()), None);
                }
                assert_eq!(found(field.name.split_at(1).1), None, "{}", field.pointer);
            }
        };
        let inner = |fields: &'static [&'static Field]| fields.iter().filter_map(|it| it.schema);
        [RequestField::ROOT, PaymentField::ROOT, CreateField::ROOT]
            .into_iter()
            .chain(inner(RequestField::ALL))
            .chain(inner(CreateField::ALL))
            .for_each(find_all);
    }

    #[test]
    fn finds_a_name_with_escapes() {
        let found = RequestField::ROOT.find(JsonStr::new(r"cu\u0072", true));
        assert_eq!(found.map(|(_, field)| field.name), Some("cur"));
    }
}
