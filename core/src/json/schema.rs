//! Schemas: the fields of an object, found by name in a few instructions.

use super::slots::{MAX_NESTING, MAX_SLOTS, range};
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
    key: FieldKey,
}

/// The name of a field in a form that takes few comparisons.
#[derive(Debug)]
struct FieldKey {
    /// The first and the last eight bytes of the name, for comparing it in two steps.
    head: u64,
    tail: u64,
    /// The result of [`encoded_key`]: first bytes, their mask, and last bytes of the name with
    /// quote and colon.
    encoded: (u64, u64, u64),
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
        Field::of(pointer, json_type, None)
    }

    pub(crate) const fn of(
        pointer: &'static str,
        json_type: JsonType,
        schema: Option<&'static ObjectSchema>,
    ) -> Self {
        let name = last_segment(pointer);
        Field {
            name,
            pointer,
            json_type,
            schema,
            key: FieldKey {
                head: head(name.as_bytes(), 0, name.len()),
                tail: tail(name.as_bytes()),
                encoded: encoded_key(name),
            },
        }
    }

    /// Checks if the text at `start` is this name, the closing quote, and the colon.
    #[inline(always)]
    pub(crate) fn matches_at(&self, text: &[u8], start: usize) -> bool {
        let Some(rest) = text.get(start..) else {
            return false;
        };
        let Some(first) = rest.first_chunk() else {
            return false;
        };
        let (head, mask, tail) = self.key.encoded;
        if (u64::from_le_bytes(*first) ^ head) & mask != 0 {
            return false;
        }
        // Eight bytes hold a name of six with quote and colon.
        let len = self.name.len();
        if len <= 6 {
            return true;
        }
        let last = rest
            .get(len.wrapping_sub(6)..)
            .and_then(|last| last.first_chunk());
        last.is_some_and(|last| u64::from_le_bytes(*last) == tail)
            && (len <= 14 || rest.get(..len) == Some(self.name.as_bytes()))
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

/// Returns the first eight bytes of a name with quote and colon, a mask of those in use, and its
/// last eight bytes.
#[expect(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "evaluated at compile time"
)]
const fn encoded_key(name: &str) -> (u64, u64, u64) {
    let mut key = [0; 64];
    let len = name.len() + 2;
    key.split_at_mut(name.len())
        .0
        .copy_from_slice(name.as_bytes());
    key[len - 2] = b'"';
    key[len - 1] = b':';
    let mask = if len < 8 {
        !(u64::MAX << (8 * len))
    } else {
        u64::MAX
    };
    (padded(&key), mask, tail(key.split_at(len).0))
}

/// The fields of one object, with an index by name that has no collisions.
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
}

/// An index by name that has no collisions.
#[derive(Debug)]
struct NameIndex {
    multiplier: u64,
    buckets: [u8; BUCKETS],
}

const BUCKETS: usize = 64;
const EMPTY: u8 = u8::MAX;

impl ObjectSchema {
    /// Returns a schema whose fields take the slots from `first` on.
    pub(crate) const fn new(pointer: &'static str, first: usize, fields: &'static [Field]) -> Self {
        ObjectSchema {
            pointer,
            fields,
            first,
            slots: range(first, fields.len()),
            index: ObjectSchema::index_of(fields),
        }
    }

    /// Returns the index of these fields. Fails to compile if it cannot distinguish two names.
    #[expect(
        clippy::indexing_slicing,
        clippy::arithmetic_side_effects,
        clippy::as_conversions,
        clippy::panic,
        reason = "evaluated at compile time"
    )]
    const fn index_of(fields: &[Field]) -> NameIndex {
        let mut multiplier = 0x9E37_79B9_7F4A_7C15_u64;
        let mut tries = 0;
        'search: while tries < 4000 {
            let mut buckets = [EMPTY; BUCKETS];
            let mut position = 0;
            while position < fields.len() {
                let at = bucket(
                    fields[position].key.head,
                    fields[position].name.len(),
                    multiplier,
                );
                if buckets[at] != EMPTY {
                    multiplier = multiplier
                        .wrapping_mul(0xD134_2543_DE82_EF95)
                        .wrapping_add(2);
                    tries += 1;
                    continue 'search;
                }
                buckets[at] = position as u8;
                position += 1;
            }
            return NameIndex {
                multiplier,
                buckets,
            };
        }
        panic!("no index without collisions: widen the hash");
    }

    /// Finds the field with this name, and its position.
    pub(crate) fn find(&'static self, name: JsonStr<'_>) -> Option<(usize, &'static Field)> {
        match name.plain() {
            Some(plain) => self.find_in(plain.as_bytes(), 0, plain.len()),
            None => self
                .fields
                .iter()
                .enumerate()
                .find(|(_, field)| name.is(field.name)),
        }
    }

    /// Finds the field with the name at `start..end` of a text, and its position. Most names take
    /// no call, only a comparison of two words.
    #[inline(always)]
    pub(crate) fn find_in(
        &'static self,
        text: &[u8],
        start: usize,
        end: usize,
    ) -> Option<(usize, &'static Field)> {
        let len = end.wrapping_sub(start);
        let key = head(text, start, len);
        let position = usize::from(*self.index.buckets.get(bucket(
            key,
            len,
            self.index.multiplier,
        ))?);
        let field = self.fields.get(position)?;
        if field.key.head != key || field.name.len() != len {
            return None;
        }
        if len > 8 {
            let name = text.get(start..end)?;
            if tail(name) != field.key.tail || len > 16 && field.name.as_bytes() != name {
                return None;
            }
        }
        Some((position, field))
    }
}

/// Returns the first eight bytes of the name of `len` bytes at `start`. A shorter name fills the
/// upper bytes.
#[expect(clippy::as_conversions, reason = "at most 64")]
#[inline(always)]
const fn head(text: &[u8], start: usize, len: usize) -> u64 {
    let Some((_, rest)) = text.split_at_checked(start) else {
        return 0;
    };
    // The text nearly always has eight more bytes. The bytes after the name are shifted out.
    let word = match rest.first_chunk() {
        Some(word) => u64::from_le_bytes(*word),
        None => padded(rest),
    };
    // The result for an empty name does not matter, because no field has one.
    let unused = 8_usize.saturating_sub(len).wrapping_mul(8);
    word.wrapping_shl(unused as u32)
}

#[cold]
const fn padded(rest: &[u8]) -> u64 {
    let mut word = [0; 8];
    let mut rest = rest;
    let mut position = word.as_mut_slice();
    while let (Some((byte, following)), Some((target, others))) =
        (rest.split_first(), position.split_first_mut())
    {
        *target = *byte;
        rest = following;
        position = others;
    }
    u64::from_le_bytes(word)
}

/// Returns the last eight bytes of a name, or 0 for a shorter one.
#[inline(always)]
const fn tail(name: &[u8]) -> u64 {
    match name.last_chunk() {
        Some(word) => u64::from_le_bytes(*word),
        None => 0,
    }
}

/// Returns the bucket of a name. Length and first eight bytes distinguish the names in every
/// schema.
#[expect(
    clippy::as_conversions,
    reason = "a length as a number to mix in; six bits that are below the table's size"
)]
#[inline(always)]
const fn bucket(key: u64, len: usize, multiplier: u64) -> usize {
    ((key ^ (len as u64).rotate_right(8)).wrapping_mul(multiplier) >> 58) as usize
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

/// Declares the fields of an object and of the objects in it. It creates an enum with one variant
/// for each field, and one [`ObjectSchema`] for each object.
///
/// The slots follow the order of the fields in the source.
macro_rules! object_schema {
    (
        $(#[$doc:meta])* $vis:vis enum $kind:ident;
        $($schema:ident $pointer:literal { $($field:ident $name:literal $json_type:ident $(($inner:ident))?),+ $(,)? })+
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u8)]
        $vis enum $kind {
            $($(#[doc = concat!("`", $pointer, "/", $name, "`")] $field,)+)+
        }

        $(
            pub(crate) static $schema: $crate::json::ObjectSchema = $crate::json::ObjectSchema::new(
                $pointer,
                [$($kind::$field.slot()),+][0],
                &[$($crate::json::Field::of(
                    concat!($pointer, "/", $name),
                    $crate::json::JsonType::$json_type,
                    $crate::json::object_schema!(@schema $($inner)?),
                )),+],
            );
        )+

        impl $kind {
            /// The number of fields.
            $vis const COUNT: usize = [$($($kind::$field),+),+].len();

            /// The fields of all schemas by slot.
            $vis const FIELDS: &'static [&'static $crate::json::Field; Self::COUNT] = {
                static FIELDS: [&$crate::json::Field; $kind::COUNT] =
                    [$($(&$schema.fields[$kind::$field.slot() - $schema.first]),+),+];
                &FIELDS
            };

            /// The JSON types by slot.
            const TYPES: &'static [$crate::json::JsonType; Self::COUNT] = &[$($($crate::json::JsonType::$json_type),+),+];

            #[expect(clippy::as_conversions, reason = "the discriminants are the slots")]
            $vis const fn slot(self) -> usize {
                self as usize
            }
        }

        const _: () = $crate::json::check_schemas(&[$(&$schema),+]);

        impl $crate::json::FieldId for $kind {
            const ROOT: &'static $crate::json::ObjectSchema = [$(&$schema),+][0];
            const ALL: &'static [&'static $crate::json::Field] = $kind::FIELDS;

            fn slot(self) -> usize {
                self.slot()
            }

            #[expect(clippy::indexing_slicing, reason = "a slot is below COUNT, and the compiler knows it")]
            fn entry(self) -> &'static $crate::json::Field {
                $kind::FIELDS[self.slot()]
            }

            #[expect(clippy::indexing_slicing, reason = "a slot is below COUNT, and the compiler knows it")]
            #[inline]
            fn json_type(self) -> $crate::json::JsonType {
                $kind::TYPES[self.slot()]
            }
        }
    };
    (@schema) => { None };
    (@schema $inner:ident) => { Some(&$inner) };
}

pub(crate) use object_schema;

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
    use alloc::format;

    use super::*;
    use crate::json::bit;

    static SCHEMA: ObjectSchema = ObjectSchema::new(
        "",
        0,
        &[
            Field::string("/x"),
            Field::string("/cur"),
            Field::string("/amount"),
            Field::string("/subtype"),
            Field::string("/host2host"),
            Field::string("/payment_type"),
            Field::string("/callback_address"),
            Field::string("/time_to_complete_payment"),
        ],
    );

    #[test]
    fn finds_a_name_in_its_object_only() {
        for field in SCHEMA.fields {
            let name = field.name;
            let text = format!(r#"{{"{name}":"and what follows""#);
            assert!(field.matches_at(text.as_bytes(), 2), "{name}");
            assert!(!field.matches_at(text.as_bytes(), 1), "{name}");
            assert!(!field.matches_at(text.as_bytes(), text.len()), "{name}");
            for other in SCHEMA.fields.iter().filter(|other| other.name != name) {
                assert!(
                    !other.matches_at(text.as_bytes(), 2),
                    "{} for {name}",
                    other.name
                );
            }
            // Each byte of the name, the quote, and the colon are compared.
            for position in 2..name.len() + 4 {
                let mut other = text.clone().into_bytes();
                other[position] ^= 1;
                assert!(!field.matches_at(&other, 2), "{name} changed at {position}");
                assert!(
                    SCHEMA.find_in(&other, 2, name.len() + 2).is_none()
                        || position >= name.len() + 2,
                    "{name}"
                );
            }
        }
    }

    /// Returns a schema whose index is not used.
    const fn unindexed(first: usize, fields: &'static [Field]) -> ObjectSchema {
        let index = NameIndex {
            multiplier: 0,
            buckets: [EMPTY; BUCKETS],
        };
        ObjectSchema {
            pointer: "",
            fields,
            first,
            slots: 0,
            index,
        }
    }

    #[test]
    fn rejects_layouts_that_the_reader_would_truncate() {
        static FULL: [Field; MAX_SLOTS] = [const { Field::string("/x") }; MAX_SLOTS];
        static SIXTY_FOUR: ObjectSchema = unindexed(0, &FULL);
        static SIXTY_FIFTH: ObjectSchema = unindexed(64, &[Field::string("/x")]);
        assert_eq!(layout_error(&[&SIXTY_FOUR]), None);
        let error = layout_error(&[&SIXTY_FOUR, &SIXTY_FIFTH]);
        assert_eq!(error, Some("more fields than a set of slots can hold"));

        static DEPTH_0: ObjectSchema = unindexed(0, &[Field::string("/x")]);
        static DEPTH_1: ObjectSchema =
            unindexed(0, &[Field::of("/x", JsonType::Object, Some(&DEPTH_0))]);
        static DEPTH_2: ObjectSchema =
            unindexed(0, &[Field::of("/x", JsonType::Object, Some(&DEPTH_1))]);
        static DEPTH_3: ObjectSchema =
            unindexed(0, &[Field::of("/x", JsonType::Object, Some(&DEPTH_2))]);
        static DEPTH_4: ObjectSchema =
            unindexed(0, &[Field::of("/x", JsonType::Object, Some(&DEPTH_3))]);
        static DEPTH_5: ObjectSchema =
            unindexed(0, &[Field::of("/x", JsonType::Object, Some(&DEPTH_4))]);
        assert_eq!(layout_error(&[&DEPTH_4]), None);
        assert_eq!(
            layout_error(&[&DEPTH_5]),
            Some("objects nest deeper than the reader allows")
        );
    }

    #[test]
    fn a_set_has_a_bit_for_every_slot() {
        assert_eq!(range(0, 64), u64::MAX);
        assert_eq!(range(3, 2), bit(3) | bit(4));
        assert_eq!(range(63, 1), bit(63));
        assert_eq!(range(5, 0), 0);
    }
}
