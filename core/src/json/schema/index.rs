//! The positions of fields by the length of their names.
//!
//! A search compares a name with the fields of the same length. In the largest schemas, these are at
//! most four fields, and mostly one.

use crate::json::slots::{bit, slots_in};

/// The length of the longest name.
const MAX_LENGTH: usize = 31;

/// A set of fields for each length of a name.
#[derive(Debug)]
pub(super) struct NameIndex {
    /// One bit for each position.
    by_length: [u64; MAX_LENGTH + 1],
}

impl NameIndex {
    pub(super) const fn new() -> Self {
        NameIndex {
            by_length: [0; MAX_LENGTH + 1],
        }
    }

    /// Adds the field at a position. Fails to compile if its name is longer than `MAX_LENGTH`.
    #[expect(clippy::indexing_slicing, reason = "evaluated at compile time")]
    pub(super) const fn add(&mut self, position: usize, name: &str) {
        self.by_length[name.len()] |= bit(position);
    }

    /// Returns the positions of the fields whose names have the length of `name`.
    #[inline]
    pub(super) fn candidates(&self, name: &str) -> impl Iterator<Item = usize> + use<> {
        slots_in(self.by_length.get(name.len()).copied().unwrap_or(0))
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
