//! A JSON string as it stands in the body: borrowed, decoded only where somebody needs the characters.

use alloc::borrow::Cow;
use alloc::string::String;
use core::fmt;
use core::ops::Deref;

/// The inside of a JSON string. Its syntax has been checked by the lexer.
#[derive(Clone, Copy)]
pub(crate) struct Text<'a> {
    raw: &'a str,
    escaped: bool,
}

impl<'a> Text<'a> {
    pub(crate) fn new(raw: &'a str, escaped: bool) -> Self {
        Text { raw, escaped }
    }

    /// As written between the quotes.
    pub(crate) fn raw(self) -> &'a str {
        self.raw
    }

    pub(crate) fn is_escaped(self) -> bool {
        self.escaped
    }

    pub(crate) fn chars(self) -> Unescape<'a> {
        Unescape { rest: self.raw }
    }

    /// Whether it spells `word`, escapes read.
    #[inline]
    pub(crate) fn is(self, word: &str) -> bool {
        if self.escaped { self.chars().eq(word.chars()) } else { self.raw == word }
    }

    /// The characters, without an allocation for anything that a well-meant body holds.
    #[inline]
    pub(crate) fn decode(self) -> Decoded<'a> {
        if !self.escaped {
            return Decoded::Borrowed(self.raw);
        }
        let mut bytes = [0; INLINE];
        let mut len = 0_usize;
        for character in self.chars() {
            let end = len.saturating_add(character.len_utf8());
            let Some(place) = bytes.get_mut(len..end) else {
                return Decoded::Heap(self.chars().collect());
            };
            character.encode_utf8(place);
            len = end;
        }
        Decoded::Inline { bytes, len }
    }

    pub(crate) fn to_cow(self) -> Cow<'a, str> {
        if self.escaped { Cow::Owned(self.chars().collect()) } else { Cow::Borrowed(self.raw) }
    }
}

// What a body says may be a card number, so a Text is never shown.
impl fmt::Debug for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Text(…)")
    }
}

/// Enough for an escaped name or number, and for most addresses: PHP writes `https:\/\/`.
const INLINE: usize = 256;

/// A decoded string that knows where it lives.
#[expect(clippy::large_enum_variant, reason = "the point of the inline variant is not to allocate")]
pub(crate) enum Decoded<'a> {
    Borrowed(&'a str),
    Inline { bytes: [u8; INLINE], len: usize },
    Heap(String),
}

impl Deref for Decoded<'_> {
    type Target = str;

    #[inline]
    fn deref(&self) -> &str {
        match self {
            Decoded::Borrowed(text) => text,
            // Always UTF-8: it was written character by character.
            Decoded::Inline { bytes, len } => {
                bytes.get(..*len).and_then(|bytes| core::str::from_utf8(bytes).ok()).unwrap_or("")
            }
            Decoded::Heap(text) => text,
        }
    }
}

/// The characters of a JSON string whose escapes are known to be sound.
#[derive(Clone)]
pub(crate) struct Unescape<'a> {
    rest: &'a str,
}

impl Unescape<'_> {
    fn unit(&mut self) -> u32 {
        let (digits, rest) = self.rest.split_at_checked(4).unwrap_or((self.rest, ""));
        self.rest = rest;
        u32::from_str_radix(digits, 16).unwrap_or(0)
    }
}

impl Iterator for Unescape<'_> {
    type Item = char;

    fn next(&mut self) -> Option<char> {
        let mut chars = self.rest.chars();
        let first = chars.next()?;
        if first != '\\' {
            self.rest = chars.as_str();
            return Some(first);
        }
        let kind = chars.next()?;
        self.rest = chars.as_str();
        Some(match kind {
            'b' => '\u{8}',
            'f' => '\u{c}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'u' => {
                let high = self.unit();
                if (0xD800..0xDC00).contains(&high) {
                    self.rest = self.rest.strip_prefix("\\u").unwrap_or(self.rest);
                    let low = self.unit();
                    // The ten bits of each half make the number above the first plane.
                    let above = (high & 0x3FF) << 10 | low & 0x3FF;
                    char::from_u32(above.saturating_add(0x10000)).unwrap_or(char::REPLACEMENT_CHARACTER)
                } else {
                    char::from_u32(high).unwrap_or(char::REPLACEMENT_CHARACTER)
                }
            }
            itself => itself,
        })
    }
}
