//! The types of JSON values.

#![cfg_attr(
    feature = "fast",
    expect(unreachable_pub, reason = "public in the build for pages")
)]

use crate::util::text::Text;

/// The type of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum ValueKind {
    /// The member is missing.
    Nothing,
    /// `null`.
    Null,
    /// `true` or `false`.
    Boolean,
    /// A number.
    Number,
    /// A string.
    String,
    /// An array.
    Array,
    /// An object.
    Object,
}

impl ValueKind {
    /// The names, for `found` in a report.
    pub(crate) const NAMES: [&'static str; 7] = [
        "nothing", "null", "boolean", "number", "string", "array", "object",
    ];

    pub(crate) fn name(self) -> &'static str {
        Self::NAMES.get(self.index()).copied().unwrap_or_default()
    }

    /// Returns the index in [`NAMES`](Self::NAMES).
    #[expect(clippy::as_conversions, reason = "the discriminants are the indexes")]
    pub fn index(self) -> usize {
        self as usize
    }
}

/// The members of a body, by the slots of its fields.
pub trait Members: Copy {
    /// The type of the values.
    type Value: Member;

    /// Returns the value of a field. The first one counts.
    fn member(self, slot: usize) -> Self::Value;

    /// Returns the fields that are in the body, one bit for each slot.
    fn given(self) -> u64;

    /// Returns whether a field is named more than once.
    fn is_duplicate(self, slot: usize) -> bool;
}

/// The value of a member.
pub trait Member: Copy {
    /// A text of the body.
    type Text: Text;
    /// Other texts: decoded strings, and those of the policy.
    type Other<'m>: Text;

    /// Returns the JSON type.
    fn kind(self) -> ValueKind;

    /// Checks if the value is `true`.
    fn is_true(self) -> bool;

    /// Returns the result of `read` for the characters of a string. For any other value, it is the
    /// default, or the result for an empty text. Both must be the same.
    fn string<R: Default>(self, read: impl for<'m> FnOnce(Self::Other<'m>) -> R) -> R;

    /// Returns the characters of a string without escapes, if that takes no time.
    fn plain(self) -> Option<Self::Text>;

    /// Returns the text of a number. It is empty for any other value.
    fn number(self) -> Self::Text;

    /// Checks if the value is neither absent nor null. In an optional member, null counts as
    /// absent.
    #[inline]
    fn is_present(self) -> bool {
        !matches!(self.kind(), ValueKind::Nothing | ValueKind::Null)
    }
}

/// Returns the value of an integer in JSON. For other numbers, and more than 18 digits, it is
/// `u64::MAX`, which exceeds every limit. JSON has a negative zero, whose value is zero.
pub(crate) fn integer_value<T: Text>(digits: T) -> u64 {
    let mut value = 0_u64;
    let end = digits.skip(digits.start(), digits.end(), |byte| {
        value = value.wrapping_mul(10).wrapping_add((byte & 0x0F).into());
        byte.is_ascii_digit()
    });
    if end == digits.end() && digits.len() < 19 {
        return value;
    }
    if digits.is(b"-0") { 0 } else { u64::MAX }
}
