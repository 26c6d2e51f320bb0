//! Tables of members: what an object may hold, found by name in a few instructions.

use super::text::Text;

/// One member of an object.
#[derive(Debug)]
pub(crate) struct Field {
    pub(crate) name: &'static str,
    /// Its JSON Pointer from the root.
    pub(crate) pointer: &'static str,
    /// What its value must be.
    pub(crate) shape: Shape,
    /// The members of the object that it holds, where a table names them.
    pub(crate) scope: Option<&'static Scope>,
}

/// The JSON type that a member must have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    Text,
    Integer,
    Boolean,
    Object,
    Array,
    /// Judged by whoever reads the slot.
    Any,
}

impl Shape {
    /// The name for `expected` in a report.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Shape::Text => "string",
            Shape::Integer => "integer",
            Shape::Boolean => "boolean",
            Shape::Object => "object",
            Shape::Array => "array",
            Shape::Any => "value",
        }
    }
}

impl Field {
    pub(crate) const fn new(pointer: &'static str, shape: Shape) -> Self {
        Field { name: last_segment(pointer), pointer, shape, scope: None }
    }

    pub(crate) const fn text(pointer: &'static str) -> Self {
        Self::new(pointer, Shape::Text)
    }

    pub(crate) const fn object(pointer: &'static str, scope: &'static Scope) -> Self {
        Field { name: last_segment(pointer), pointer, shape: Shape::Object, scope: Some(scope) }
    }
}

#[expect(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "evaluated at compile time, where a slip is an error"
)]
const fn last_segment(pointer: &'static str) -> &'static str {
    let bytes = pointer.as_bytes();
    let mut start = bytes.len();
    while start > 0 && bytes[start - 1] != b'/' {
        start -= 1;
    }
    pointer.split_at(start).1
}

/// The members of one object, with an index by name that has no collisions.
#[derive(Debug)]
pub(crate) struct Scope {
    /// The object's own JSON Pointer.
    pub(crate) pointer: &'static str,
    pub(crate) fields: &'static [Field],
    /// The slot of the first field; the others follow.
    pub(crate) first: usize,
    multiplier: u32,
    index: [u8; BUCKETS],
}

const BUCKETS: usize = 64;
const EMPTY: u8 = u8::MAX;

impl Scope {
    /// A scope whose fields take the slots from `first` on. Fails to compile where two names cannot be told apart.
    #[expect(
        clippy::indexing_slicing,
        clippy::arithmetic_side_effects,
        clippy::as_conversions,
        clippy::panic,
        reason = "evaluated at compile time, where a slip is an error"
    )]
    pub(crate) const fn new(pointer: &'static str, first: usize, fields: &'static [Field]) -> Self {
        let mut multiplier = 0x9E37_79B1_u32;
        let mut tries = 0;
        'search: while tries < 4000 {
            let mut index = [EMPTY; BUCKETS];
            let mut place = 0;
            while place < fields.len() {
                let at = bucket(fields[place].name.as_bytes(), multiplier);
                if index[at] != EMPTY {
                    multiplier = multiplier.wrapping_mul(0x2C1B_3C6D).wrapping_add(2);
                    tries += 1;
                    continue 'search;
                }
                index[at] = place as u8;
                place += 1;
            }
            return Scope { pointer, fields, first, multiplier, index };
        }
        panic!("no index without collisions: widen the hash");
    }

    /// The slot and the field that `name` stands for.
    #[inline]
    pub(crate) fn find(&'static self, name: Text<'_>) -> Option<(usize, &'static Field)> {
        name.with(|name| self.find_str(name))
    }

    #[inline]
    pub(crate) fn find_str(&'static self, name: &str) -> Option<(usize, &'static Field)> {
        let place = usize::from(*self.index.get(bucket(name.as_bytes(), self.multiplier))?);
        let field = self.fields.get(place)?;
        (field.name == name).then(|| (self.first.wrapping_add(place), field))
    }
}

/// Length, first, middle and last byte tell the names of every table apart.
#[expect(clippy::indexing_slicing, clippy::as_conversions, reason = "every index is below the length, which is not 0")]
#[expect(clippy::arithmetic_side_effects, reason = "the length is not 0; shifts are constant")]
#[inline]
const fn bucket(name: &[u8], multiplier: u32) -> usize {
    if name.is_empty() {
        return 0;
    }
    let key = name[0] as u32
        ^ (name[name.len() / 2] as u32) << 8
        ^ (name[name.len() - 1] as u32) << 16
        ^ (name.len() as u32) << 24;
    (key.wrapping_mul(multiplier) >> 26) as usize
}
