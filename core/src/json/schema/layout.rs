//! Checks that schemas fit the reader, which has a limited number of slots and levels.

use super::ObjectSchema;
use crate::json::slots::{MAX_NESTING, MAX_SLOTS};

/// Fails to compile if the schemas, which share one array of slots, exceed the limits of the
/// reader.
#[expect(
    clippy::panic,
    reason = "evaluated at compile time, where a panic is an error of the compiler"
)]
pub(crate) const fn check_schemas(schemas: &[&ObjectSchema]) {
    if let Some(error) = layout_error(schemas) {
        panic!("{}", error);
    }
}

/// Returns the first error in schemas that share one array of slots.
const fn layout_error(schemas: &[&ObjectSchema]) -> Option<&'static str> {
    let (mut count, mut rest) = (0_usize, schemas);
    while let Some((schema, others)) = rest.split_first() {
        if nesting(schema) > MAX_NESTING {
            return Some("objects nest deeper than the reader allows");
        }
        count = count.saturating_add(schema.fields.len());
        rest = others;
    }
    if count > MAX_SLOTS {
        Some("more fields than a set of slots can hold")
    } else {
        None
    }
}

/// Returns how deep objects with a schema nest in the object, which itself does not count.
const fn nesting(schema: &ObjectSchema) -> usize {
    let mut deepest = 0;
    let mut rest = schema.fields;
    while let Some((field, others)) = rest.split_first() {
        if let Some(inner) = field.schema {
            let depth = nesting(inner).saturating_add(1);
            deepest = if depth > deepest { depth } else { deepest };
        }
        rest = others;
    }
    deepest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::{Field, JsonType};

    const fn schema(first: usize, fields: &'static [Field]) -> ObjectSchema {
        ObjectSchema::new("", first, fields)
    }

    const fn object(inner: &'static ObjectSchema) -> Field {
        Field::new("/x", JsonType::Object).with_schema(inner)
    }

    #[test]
    fn rejects_layouts_that_the_reader_would_truncate() {
        static FULL: [Field; MAX_SLOTS] = [const { Field::string("/x") }; MAX_SLOTS];
        static SIXTY_FOUR: ObjectSchema = schema(0, &FULL);
        static SIXTY_FIFTH: ObjectSchema = schema(63, &[Field::string("/x")]);
        assert_eq!(layout_error(&[&SIXTY_FOUR]), None);
        let error = layout_error(&[&SIXTY_FOUR, &SIXTY_FIFTH]);
        assert_eq!(error, Some("more fields than a set of slots can hold"));

        static DEPTH_0: ObjectSchema = schema(0, &[Field::string("/x")]);
        static DEPTH_1: ObjectSchema = schema(0, &[object(&DEPTH_0)]);
        static DEPTH_2: ObjectSchema = schema(0, &[object(&DEPTH_1)]);
        static DEPTH_3: ObjectSchema = schema(0, &[object(&DEPTH_2)]);
        static DEPTH_4: ObjectSchema = schema(0, &[object(&DEPTH_3)]);
        static DEPTH_5: ObjectSchema = schema(0, &[object(&DEPTH_4)]);
        assert_eq!(layout_error(&[&DEPTH_4]), None);
        assert_eq!(
            layout_error(&[&DEPTH_5]),
            Some("objects nest deeper than the reader allows")
        );
    }
}
