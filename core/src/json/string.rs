//! A JSON string as in the body: borrowed, and decoded only if the characters are needed.

use alloc::borrow::{Cow, ToOwned};
use core::cmp::Ordering;
use core::fmt;

use zeroize::Zeroize;

use super::escape;
use crate::util::bug::or_bug;
use crate::util::bytes::utf8;

/// The content of a JSON string, without the quotes. The lexer has checked its syntax.
#[derive(Clone, Copy)]
pub(crate) struct JsonStr<'a> {
    raw: &'a str,
    is_escaped: bool,
}

impl<'a> JsonStr<'a> {
    pub(crate) fn new(raw: &'a str, is_escaped: bool) -> Self {
        JsonStr { raw, is_escaped }
    }

    /// Returns the content as in the text, with escapes.
    pub(crate) fn raw(self) -> &'a str {
        self.raw
    }

    /// Returns the content, if it contains no escape.
    #[inline]
    pub(crate) fn plain(self) -> Option<&'a str> {
        (!self.is_escaped).then_some(self.raw)
    }

    pub(crate) fn chars(self) -> Unescape<'a> {
        Unescape { rest: self.raw }
    }

    /// Checks if the string, with escapes decoded, equals `word`.
    #[inline]
    pub(crate) fn is(self, word: &str) -> bool {
        if self.is_escaped {
            self.chars().eq(word.chars())
        } else {
            self.raw == word
        }
    }

    /// Calls `read` with the characters and returns its result. Escapes are decoded on the stack,
    /// so that no ordinary body allocates.
    #[inline]
    pub(crate) fn with_decoded<R: Default>(self, read: impl FnOnce(&str) -> R) -> R {
        if !self.is_escaped {
            return read(self.raw);
        }
        // The decoder is compiled once, not once for each closure.
        let (mut read, mut result) = (Some(read), R::default());
        self.decode_escaped(&mut |text| {
            if let Some(read) = read.take() {
                result = read(text);
            }
        });
        result
    }

    #[cold]
    #[inline(never)]
    fn decode_escaped(self, read: &mut dyn FnMut(&str)) {
        // Most texts are short, and clearing the large buffer costs more than decoding them.
        match self.raw.len() {
            0..=SHORT => self.decoded_in(&mut [0; SHORT + MAX_UTF8], read),
            len if len <= LONG => self.decoded_in(&mut [0; LONG + MAX_UTF8], read),
            len => self.decoded_in(&mut alloc::vec![0; len.saturating_add(MAX_UTF8)], read),
        }
    }

    /// Calls `read` with the characters, then wipes them, because they may be a card number.
    fn decoded_in(self, buffer: &mut [u8], read: &mut dyn FnMut(&str)) {
        let text = self.decode_into(buffer);
        let len = text.len();
        read(text);
        // The bytes after the text are still zero.
        buffer.get_mut(..len).unwrap_or_default().zeroize();
    }

    /// Decodes the characters into the buffer. It has one byte for each encoded byte, which is
    /// enough because an escape is never shorter than its character, and `MAX_UTF8` more, so that
    /// every character is written into an array.
    #[inline(never)]
    pub(super) fn decode_into(self, buffer: &mut [u8]) -> &str {
        let bytes = self.raw.as_bytes();
        let (mut at, mut len) = (0_usize, 0_usize);
        while let Some(rest) = bytes.get(at..).filter(|rest| !rest.is_empty()) {
            // A character outside ASCII often follows another one, and each is an escape.
            if rest.first() == Some(&b'\\') {
                let (character, used) =
                    or_bug(escape::decode(rest).ok(), (char::REPLACEMENT_CHARACTER, 1));
                if let Some(target) = buffer
                    .get_mut(len..)
                    .and_then(|rest| rest.first_chunk_mut::<MAX_UTF8>())
                {
                    len = len.wrapping_add(character.encode_utf8(target).len());
                }
                at = at.wrapping_add(used);
                continue;
            }
            let plain = rest
                .iter()
                .position(|byte| *byte == b'\\')
                .unwrap_or(rest.len());
            let end = len.wrapping_add(plain);
            if let (Some(target), Some(text)) = (buffer.get_mut(len..end), rest.get(..plain)) {
                target.copy_from_slice(text);
            }
            (at, len) = (at.wrapping_add(plain), end);
        }
        // Always UTF-8, because it was written character by character.
        or_bug(buffer.get(..len).and_then(|bytes| utf8(bytes).ok()), "")
    }

    /// Returns the characters for a value that is kept. The copy is not wiped, even if it is a card
    /// number.
    pub(crate) fn to_cow(self) -> Cow<'a, str> {
        match self.plain() {
            Some(plain) => Cow::Borrowed(plain),
            None => Cow::Owned(self.with_decoded(str::to_owned)),
        }
    }

    /// Returns the characters, and wipes them when they are dropped. Unlike
    /// [`JsonStr::with_decoded`], it allocates if there is an escape, but it compiles to less code.
    pub(crate) fn decoded(self) -> Decoded<'a> {
        Decoded(self.to_cow())
    }

    /// Compares two strings by code points, with escapes decoded.
    pub(crate) fn compare(self, other: JsonStr<'_>) -> Ordering {
        match (self.plain(), other.plain()) {
            // UTF-8 bytes have the same order as code points.
            (Some(one), Some(other)) => one.cmp(other),
            _ => self.chars().cmp(other.chars()),
        }
    }
}

/// The characters of a string, which may be a card number. An owned copy is wiped when it is
/// dropped.
pub(crate) struct Decoded<'a>(Cow<'a, str>);

impl core::ops::Deref for Decoded<'_> {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl Drop for Decoded<'_> {
    fn drop(&mut self) {
        if let Cow::Owned(copy) = &mut self.0 {
            copy.zeroize();
        }
    }
}

// The string may be a card number, so `Debug` does not show it.
impl fmt::Debug for JsonStr<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JsonStr(…)")
    }
}

/// The maximum length of a character in UTF-8.
pub(super) const MAX_UTF8: usize = 4;
/// Enough for a URL with the escapes of PHP, `https:\/\/…`.
const SHORT: usize = 192;
/// Enough for the longest text that a body may contain by default: a description of 1024
/// characters, each an escape.
const LONG: usize = 12_288;

/// The characters of a JSON string whose escapes are known to be valid.
#[derive(Clone)]
pub(crate) struct Unescape<'a> {
    rest: &'a str,
}

impl Iterator for Unescape<'_> {
    type Item = char;

    #[inline]
    fn next(&mut self) -> Option<char> {
        if self.rest.as_bytes().first() == Some(&b'\\') {
            return Some(self.escaped());
        }
        let mut characters = self.rest.chars();
        let first = characters.next();
        self.rest = characters.as_str();
        first
    }
}

impl Unescape<'_> {
    /// Reads an escape. It is a function of its own, so that loops over characters stay small.
    #[cold]
    fn escaped(&mut self) -> char {
        let decoded = escape::decode(self.rest.as_bytes()).ok();
        let (character, len) = or_bug(decoded, (char::REPLACEMENT_CHARACTER, 1));
        self.rest = self.rest.get(len..).unwrap_or("");
        character
    }
}

#[cfg(test)]
mod tests {
    use alloc::borrow::ToOwned;
    use alloc::format;

    use super::{JsonStr, LONG, SHORT};

    #[test]
    fn decodes_texts_of_every_length() {
        for length in [
            0,
            1,
            SHORT - 2,
            SHORT - 1,
            SHORT,
            LONG - 2,
            LONG - 1,
            LONG,
            LONG + 1,
            3 * LONG,
        ] {
            let plain = "x".repeat(length);
            let text = JsonStr::new(&format!("{plain}\\n"), true).with_decoded(str::to_owned);
            assert_eq!(text, format!("{plain}\n"), "{length}");
        }
    }
}
