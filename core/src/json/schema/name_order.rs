//! The order of fields by name.

use crate::json::slots::MAX_SLOTS;

/// The positions of the fields of an object, sorted by name.
#[derive(Debug)]
pub(super) struct NameOrder {
    positions: [u8; MAX_SLOTS],
    count: usize,
}

impl NameOrder {
    pub(super) const fn new() -> Self {
        NameOrder {
            positions: [0; MAX_SLOTS],
            count: 0,
        }
    }

    /// Adds the field at a position. `others_before` is the number of names before its name.
    #[expect(
        clippy::indexing_slicing,
        clippy::arithmetic_side_effects,
        clippy::as_conversions,
        reason = "evaluated at compile time, and positions are below MAX_SLOTS"
    )]
    pub(super) const fn add(&mut self, position: usize, others_before: usize) {
        self.positions[others_before] = position as u8;
        self.count += 1;
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = usize> {
        let positions = self.positions.iter().take(self.count);
        positions.copied().map(usize::from)
    }
}

/// Compares names byte by byte, which is the order of code points.
pub(super) const fn is_before(name: &str, other: &str) -> bool {
    let (mut rest, mut others) = (name.as_bytes(), other.as_bytes());
    while let ([first, further @ ..], [other, others_further @ ..]) = (rest, others) {
        if *first != *other {
            return *first < *other;
        }
        (rest, others) = (further, others_further);
    }
    rest.len() < others.len()
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use crate::json::{FieldId, ObjectSchema};
    use crate::schema::payment::PaymentField;
    use crate::schema::request::RequestField;

    #[test]
    fn sorts_the_fields_of_every_object() {
        let check = |schema: &'static ObjectSchema| {
            let sorted: Vec<&str> = schema
                .fields_by_name()
                .map(|(_, field)| field.name)
                .collect();
            assert_eq!(sorted.len(), schema.fields.len());
            assert!(sorted.is_sorted(), "{sorted:?}");
        };
        let inner = RequestField::ALL.iter().filter_map(|field| field.schema);
        [RequestField::ROOT, PaymentField::ROOT]
            .into_iter()
            .chain(inner)
            .for_each(check);
    }
}
