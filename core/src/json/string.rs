//! A JSON string as it stands in the body: borrowed, decoded only where somebody needs the characters.

use alloc::borrow::{Cow, ToOwned};
use alloc::vec;
use core::cmp::Ordering;
use core::fmt;
use core::ops::Deref;

use zeroize::Zeroize;

use crate::util::bytes::utf8;

/// The inside of a JSON string. Its syntax has been checked by the lexer.
#[derive(Clone, Copy)]
pub(crate) struct JsonStr<'a> {
    raw: &'a str,
    escapes: Escapes,
}

/// A whole word, where a bool would do: a bool leaves padding behind it, which is copied in two halves that overlap, and
/// the processor then waits for them at every string.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(usize)]
enum Escapes {
    None,
    Some,
}

impl<'a> JsonStr<'a> {
    pub(crate) fn new(raw: &'a str, escaped: bool) -> Self {
        JsonStr { raw, escapes: if escaped { Escapes::Some } else { Escapes::None } }
    }

    #[inline]
    fn is_escaped(self) -> bool {
        self.escapes == Escapes::Some
    }

    /// As written between the quotes.
    pub(crate) fn raw(self) -> &'a str {
        self.raw
    }

    /// The text itself, where no escape stands in it.
    #[inline]
    pub(crate) fn plain(self) -> Option<&'a str> {
        (!self.is_escaped()).then_some(self.raw)
    }

    pub(crate) fn chars(self) -> Unescape<'a> {
        Unescape { rest: self.raw }
    }

    /// Whether it spells `word`, escapes read.
    #[inline]
    pub(crate) fn is(self, word: &str) -> bool {
        if self.is_escaped() { self.chars().eq(word.chars()) } else { self.raw == word }
    }

    /// What `read` makes of the characters. Escapes are decoded on the stack, so that no well-meant body allocates.
    #[inline]
    pub(crate) fn with_decoded<R: Default>(self, read: impl FnOnce(&str) -> R) -> R {
        if !self.is_escaped() {
            return read(self.raw);
        }
        // The decoding stands once in the program, not once for each reader.
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
        // The small place is for the many short texts: to clear the large one costs more than to read them.
        match self.raw.len() {
            0..=SHORT => self.decoded_in(&mut [0; SHORT], read),
            len if len <= LONG => self.decoded_in(&mut [0; LONG], read),
            len => self.decoded_in(&mut vec![0; len], read),
        }
    }

    /// Gives `read` the characters, which are then wiped from their place: they may be a card number.
    fn decoded_in(self, buffer: &mut [u8], read: &mut dyn FnMut(&str)) {
        let text = self.decode_into(buffer);
        let len = text.len();
        read(text);
        // Behind the text there are only zeros.
        buffer.get_mut(..len).unwrap_or_default().zeroize();
    }

    /// The characters, in a place with a byte for each that was written between the quotes: an escape is never shorter
    /// than what it stands for.
    #[inline(never)]
    fn decode_into(self, buffer: &mut [u8]) -> &str {
        let bytes = self.raw.as_bytes();
        let (mut at, mut len) = (0_usize, 0_usize);
        while at < bytes.len() {
            // Most escapes are of a character of the first plane, and one often follows the other.
            if let Some([b'\\', b'u', digits @ ..]) = bytes.get(at..).and_then(|rest| rest.first_chunk::<6>())
                && let Some(room) = buffer.get_mut(len..).and_then(|room| room.first_chunk_mut())
                && let Some((utf8, used)) = in_utf8(sound_hex(*digits))
            {
                *room = utf8;
                len = len.wrapping_add(used);
                at = at.wrapping_add(6);
                continue;
            }
            // The others are of one character in ASCII.
            if let Some([b'\\', kind]) = bytes.get(at..).and_then(|rest| rest.first_chunk())
                && *kind != b'u'
                && let Some(room) = buffer.get_mut(len)
            {
                *room = escaped(*kind);
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
            if let Some(room) = buffer.get_mut(len..end) {
                room.copy_from_slice(piece.as_bytes());
            }
            len = end;
        }
        // Always UTF-8: it was written character by character.
        buffer.get(..len).and_then(|bytes| utf8(bytes).ok()).unwrap_or("")
    }

    /// Returns the characters for a value that is kept: nothing wipes the copy, which may be a card
    /// number.
    pub(crate) fn to_cow(self) -> Cow<'a, str> {
        match self.plain() {
            Some(plain) => Cow::Borrowed(plain),
            None => Cow::Owned(self.with_decoded(str::to_owned)),
        }
    }

    /// Returns the characters, and wipes them when they are dropped. Unlike [`JsonStr::with`], it allocates if there is an
    /// escape, but it compiles to less code.
    pub(crate) fn decoded(self) -> Decoded<'a> {
        Decoded(self.to_cow())
    }

    /// Their order by code points, escapes read.
    pub(crate) fn compare(self, other: JsonStr<'_>) -> Ordering {
        match (self.plain(), other.plain()) {
            // The bytes of UTF-8 have the same order.
            (Some(one), Some(other)) => one.cmp(other),
            _ => self.chars().cmp(other.chars()),
        }
    }
}

/// The characters of a string, which may be a card number: an owned copy is wiped when it is dropped.
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

// What a body says may be a card number, so a JsonStr is never shown.
impl fmt::Debug for JsonStr<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Text(…)")
    }
}

/// Enough for an address in PHP's writing, `https:\/\/…`.
const SHORT: usize = 192;
/// Enough for the longest text that a body may hold by default: a description of 1024 characters, each an escape.
const LONG: usize = 12_288;

/// The characters of a JSON string whose escapes are known to be sound.
#[derive(Clone)]
pub(crate) struct Unescape<'a> {
    rest: &'a str,
}

impl Unescape<'_> {
    /// Passes over so many bytes.
    fn skip(&mut self, bytes: usize) {
        self.rest = self.rest.get(bytes..).unwrap_or("");
    }

    /// The number behind `\u`.
    fn unit(&mut self) -> u32 {
        let digits = self.rest.as_bytes().get(2..).and_then(|behind| behind.first_chunk());
        let unit = digits.map_or(0, |digits| sound_hex(*digits));
        self.skip(6);
        unit
    }

    /// The character of `\u` and, for those above the first plane, of a second one.
    fn character(&mut self) -> char {
        let high = self.unit();
        if !(0xD800..0xDC00).contains(&high) {
            return char::from_u32(high).unwrap_or(char::REPLACEMENT_CHARACTER);
        }
        let low = self.unit();
        // The ten bits of each half make the number above the first plane.
        let above = (high & 0x3FF) << 10 | low & 0x3FF;
        char::from_u32(above.saturating_add(0x10000)).unwrap_or(char::REPLACEMENT_CHARACTER)
    }
}

/// The number that four hexadecimal digits make, all at once: the lexer has seen that they are some.
fn sound_hex(digits: [u8; 4]) -> u32 {
    let digits = u32::from_be_bytes(digits);
    // The low half of a letter counts from 1 on, that of a digit from 0 on; letters have the bit 0x40.
    let letters = digits >> 6 & 0x0101_0101;
    let values = (digits & 0x0F0F_0F0F).wrapping_add(letters.wrapping_mul(9));
    let pairs = (values | values >> 4) & 0x00FF_00FF;
    (pairs | pairs >> 8) & 0xFFFF
}

/// A character of the first plane in UTF-8, in the first bytes of three, and how many they are. None for half a pair.
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

/// What a letter behind the backslash stands for.
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
