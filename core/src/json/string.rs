//! A JSON string as in the body: borrowed, and decoded only if the characters are needed.

use alloc::borrow::{Cow, ToOwned};
use alloc::vec;
use core::cmp::Ordering;
use core::fmt;
use core::ops::Deref;

use zeroize::Zeroize;

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
        if self.is_escaped { self.chars().eq(word.chars()) } else { self.raw == word }
    }

    /// Calls `read` with the characters and returns its result. Escapes are decoded on the stack, so that no ordinary
    /// body allocates.
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
            0..=SHORT => self.decoded_in(&mut [0; SHORT], read),
            len if len <= LONG => self.decoded_in(&mut [0; LONG], read),
            len => self.decoded_in(&mut vec![0; len], read),
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

    /// Decodes the characters into the buffer. One byte for each encoded byte is enough, because an escape is never
    /// shorter than its character.
    #[inline(never)]
    fn decode_into(self, buffer: &mut [u8]) -> &str {
        let bytes = self.raw.as_bytes();
        let (mut at, mut len) = (0_usize, 0_usize);
        while at < bytes.len() {
            // Most escapes encode a character of the Basic Multilingual Plane, and one often follows another.
            if let Some([b'\\', b'u', digits @ ..]) = bytes.get(at..).and_then(|rest| rest.first_chunk::<6>())
                && let Some(target) = buffer.get_mut(len..).and_then(|rest| rest.first_chunk_mut())
                && let Some((utf8, used)) = in_utf8(sound_hex(*digits))
            {
                *target = utf8;
                len = len.wrapping_add(used);
                at = at.wrapping_add(6);
                continue;
            }
            // The other escapes encode one ASCII character.
            if let Some([b'\\', kind]) = bytes.get(at..).and_then(|rest| rest.first_chunk())
                && *kind != b'u'
                && let Some(target) = buffer.get_mut(len)
            {
                *target = escaped(*kind);
                len = len.wrapping_add(1);
                at = at.wrapping_add(2);
                continue;
            }
            let rest = self.raw.get(at..).unwrap_or("");
            let plain = rest.bytes().position(|byte| byte == b'\\').unwrap_or(rest.len());
            let mut character = [0; 4];
            let piece = if plain > 0 {
                at = at.wrapping_add(plain);
                rest.get(..plain).unwrap_or("")
            } else {
                let mut characters = Unescape { rest };
                let first = characters.next();
                at = bytes.len().wrapping_sub(characters.rest.len());
                first.map_or("", |first| first.encode_utf8(&mut character))
            };
            let end = len.wrapping_add(piece.len());
            if let Some(target) = buffer.get_mut(len..end) {
                target.copy_from_slice(piece.as_bytes());
            }
            len = end;
        }
        // Always UTF-8, because it was written character by character.
        or_bug(buffer.get(..len).and_then(|bytes| utf8(bytes).ok()), "")
    }

    /// Returns the characters for a value that is kept. The copy is not wiped, even if it is a card number.
    pub(crate) fn to_cow(self) -> Cow<'a, str> {
        match self.plain() {
            Some(plain) => Cow::Borrowed(plain),
            None => Cow::Owned(self.with_decoded(str::to_owned)),
        }
    }

    /// Returns the characters, and wipes them when they are dropped. Unlike [`JsonStr::with_decoded`], it allocates if
    /// there is an escape, but it compiles to less code.
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

/// The characters of a string, which may be a card number. An owned copy is wiped when it is dropped.
pub(crate) struct Decoded<'a>(Cow<'a, str>);

impl Deref for Decoded<'_> {
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
        f.write_str("Text(…)")
    }
}

/// Enough for a URL with the escapes of PHP, `https:\/\/…`.
const SHORT: usize = 192;
/// Enough for the longest text that a body may contain by default: a description of 1024 characters, each an escape.
const LONG: usize = 12_288;

/// The characters of a JSON string whose escapes are known to be valid.
#[derive(Clone)]
pub(crate) struct Unescape<'a> {
    rest: &'a str,
}

impl Unescape<'_> {
    /// Skips this number of bytes.
    fn skip(&mut self, bytes: usize) {
        self.rest = self.rest.get(bytes..).unwrap_or("");
    }

    /// Returns the value of the digits after `\u`.
    fn unit(&mut self) -> u32 {
        let digits = self.rest.as_bytes().get(2..).and_then(|behind| behind.first_chunk());
        let unit = digits.map_or(0, |digits| sound_hex(*digits));
        self.skip(6);
        unit
    }

    /// Reads the character of `\u` or of a surrogate pair.
    fn character(&mut self) -> char {
        let high = self.unit();
        if !(0xD800..0xDC00).contains(&high) {
            return char::from_u32(high).unwrap_or(char::REPLACEMENT_CHARACTER);
        }
        let low = self.unit();
        // Each half of the pair has ten bits of the code point minus 0x10000.
        let above = (high & 0x3FF) << 10 | low & 0x3FF;
        char::from_u32(above.saturating_add(0x10000)).unwrap_or(char::REPLACEMENT_CHARACTER)
    }
}

/// Returns the value of four hexadecimal digits, all converted at once. The lexer has checked that they are digits.
fn sound_hex(digits: [u8; 4]) -> u32 {
    let digits = u32::from_be_bytes(digits);
    // The low four bits of a letter count from 1, those of a digit from 0. Only letters have the bit 0x40.
    let letters = digits >> 6 & 0x0101_0101;
    let values = (digits & 0x0F0F_0F0F).wrapping_add(letters.wrapping_mul(9));
    let pairs = (values | values >> 4) & 0x00FF_00FF;
    (pairs | pairs >> 8) & 0xFFFF
}

/// Encodes a character of the Basic Multilingual Plane in UTF-8. Returns the bytes and their number, or `None` for a
/// surrogate.
#[expect(clippy::as_conversions, reason = "six bits and a mark each, or what has just been seen to be few")]
#[inline(always)]
fn in_utf8(unit: u32) -> Option<([u8; 3], usize)> {
    let (last, middle) = (0x80 | unit as u8 & 0x3F, 0x80 | (unit >> 6) as u8 & 0x3F);
    match unit {
        0..0x80 => Some(([unit as u8, 0, 0], 1)),
        0x80..0x800 => Some(([0xC0 | (unit >> 6) as u8, last, 0], 2)),
        0xD800..0xE000 => None,
        _ => Some(([0xE0 | (unit >> 12) as u8, middle, last], 3)),
    }
}

/// Returns the character for the letter after a backslash.
fn escaped(kind: u8) -> u8 {
    match kind {
        b'b' => 0x08,
        b'f' => 0x0C,
        b'n' => b'\n',
        b'r' => b'\r',
        b't' => b'\t',
        itself => itself,
    }
}

impl Iterator for Unescape<'_> {
    type Item = char;

    #[inline]
    fn next(&mut self) -> Option<char> {
        let kind = match self.rest.as_bytes() {
            [b'\\', b'u', ..] => return Some(self.character()),
            [b'\\', kind, ..] => *kind,
            _ => {
                let mut chars = self.rest.chars();
                let first = chars.next();
                self.rest = chars.as_str();
                return first;
            }
        };
        self.skip(2);
        Some(char::from(escaped(kind)))
    }
}

#[cfg(test)]
mod tests {
    use alloc::borrow::ToOwned;
    use alloc::format;
    use alloc::string::String;

    use super::{JsonStr, LONG, SHORT, in_utf8, sound_hex};
    use crate::json::lexer::hex_unit;

    #[test]
    fn texts_of_every_length_are_decoded_whole() {
        for length in [0, 1, SHORT - 2, SHORT - 1, SHORT, LONG - 2, LONG - 1, LONG, LONG + 1, 3 * LONG] {
            let plain = "x".repeat(length);
            let text = JsonStr::new(&format!("{plain}\\n"), true).with_decoded(str::to_owned);
            assert_eq!(text, format!("{plain}\n"), "{length}");
        }
    }

    #[test]
    fn every_number_of_four_digits() {
        for number in 0..=0xFFFF_u32 {
            let written = in_utf8(number).map(|(utf8, used)| utf8[..used].to_vec());
            assert_eq!(written, char::from_u32(number).map(|character| String::from(character).into_bytes()));
            for text in [format!("{number:04x}"), format!("{number:04X}")] {
                let digits = *text.as_bytes().first_chunk().unwrap();
                assert_eq!(sound_hex(digits), number);
                assert_eq!(hex_unit(digits), Some(number));
            }
        }
    }
}
