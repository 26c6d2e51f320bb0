//! The encoding of a text: that of the command line, or the one that its first bytes show.

use encoding_rs::{UTF_8, UTF_16BE, UTF_16LE};

/// An encoding that `redact` decodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    /// UTF-32, which encoding_rs does not decode.
    Utf32(ByteOrder),
    /// An encoding of the Encoding Standard.
    Standard(&'static encoding_rs::Encoding),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ByteOrder {
    Little,
    Big,
}

use ByteOrder::{Big, Little};

/// The number of first bytes that show the encoding.
pub(super) const WINDOW: usize = 4096;

/// The byte order marks. That of UTF-32 begins with that of UTF-16.
const MARKS: [(Encoding, &[u8]); 4] = [
    (Encoding::Utf32(Little), b"\xFF\xFE\0\0"),
    (Encoding::Utf32(Big), b"\0\0\xFE\xFF"),
    (Encoding::Standard(UTF_16LE), b"\xFF\xFE"),
    (Encoding::Standard(UTF_16BE), b"\xFE\xFF"),
];

/// How often a NUL follows or precedes a character of UTF-16 without a byte order mark.
const ALTERNATIONS: usize = 4;

/// NULs that are the other half of a character, as in U+0100, are this many times fewer.
const FEW: usize = 4;

impl Encoding {
    pub(super) const UTF_8: Self = Encoding::Standard(UTF_8);

    /// Returns the encoding with a label of the Encoding Standard, or UTF-32.
    pub(super) fn parse(label: &str) -> Result<Self, String> {
        match label.to_ascii_lowercase().as_str() {
            "utf-32" | "utf-32le" => return Ok(Encoding::Utf32(Little)),
            "utf-32be" => return Ok(Encoding::Utf32(Big)),
            _ => {}
        }
        encoding_rs::Encoding::for_label_no_replacement(label.as_bytes())
            .map(Encoding::Standard)
            .ok_or_else(|| {
                "expected utf-8, utf-16le, utf-16be, utf-32le, utf-32be, or another label of the \
                 Encoding Standard, such as windows-1251"
                    .into()
            })
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Encoding::Utf32(Little) => "UTF-32LE",
            Encoding::Utf32(Big) => "UTF-32BE",
            Encoding::Standard(encoding) => encoding.name(),
        }
    }

    /// Returns the encoding of a text with these first bytes, and the length of its byte order mark.
    ///
    /// A mark decides the byte order even if the command line names UTF-16 or UTF-32, since their
    /// labels without an order mean either one.
    pub(super) fn of(given: Option<Self>, first: &[u8]) -> (Self, usize) {
        let marked = MARKS.iter().find(|(_, mark)| first.starts_with(mark));
        match (given, marked) {
            (None, Some((encoding, mark))) => (*encoding, mark.len()),
            (None, None) => (without_mark(first), 0),
            (Some(given), Some((encoding, mark))) if given.width() == encoding.width() => {
                (*encoding, mark.len())
            }
            (Some(given), _) => (given, 0),
        }
    }

    /// Returns the number of bytes of its shortest character.
    fn width(self) -> usize {
        match self {
            Encoding::Utf32(_) => 4,
            _ if self.is_utf16() => 2,
            Encoding::Standard(_) => 1,
        }
    }

    pub(super) fn is_utf16(self) -> bool {
        matches!(self, Encoding::Standard(encoding) if encoding == UTF_16LE || encoding == UTF_16BE)
    }
}

/// Returns UTF-16 or UTF-32 if NUL bytes alternate with others, otherwise UTF-8.
fn without_mark(first: &[u8]) -> Encoding {
    if let Some(order) = [Little, Big]
        .into_iter()
        .find(|order| is_utf32(first, *order))
    {
        return Encoding::Utf32(order);
    }
    let Some(start) = alternating_nuls(first) else {
        return Encoding::UTF_8;
    };
    let nuls = |at: usize| first.iter().skip(at).step_by(2).filter(|byte| **byte == 0);
    let (even, odd) = (nuls(0).count(), nuls(1).count());
    let before = first.get(..=start).unwrap_or_default();
    if is_narrow(before) {
        Encoding::UTF_8
    } else if odd > FEW * even {
        Encoding::Standard(UTF_16LE)
    } else if even > FEW * odd {
        Encoding::Standard(UTF_16BE)
    } else {
        Encoding::UTF_8
    }
}

/// Returns whether a text up to the first NUL of UTF-16 is UTF-8: a text of another encoding was
/// written before. In UTF-16, letters have control characters or bytes outside UTF-8.
fn is_narrow(text: &[u8]) -> bool {
    let is_control = |c: char| c.is_control() && !matches!(c, '\t' | '\n' | '\r' | '\u{1b}');
    text.len() > 1 && str::from_utf8(text).is_ok_and(|text| !text.contains(is_control))
}

/// Returns whether all groups of four bytes are characters, and most have two NULs in the high
/// bytes.
fn is_utf32(first: &[u8], order: ByteOrder) -> bool {
    let (characters, _) = first.as_chunks();
    let is_low = |bytes: &&[u8; 4]| character(**bytes, order).is_some_and(|c| c <= '\u{FFFF}');
    let low = characters.iter().filter(is_low).count();
    low * 2 > characters.len()
        && characters
            .iter()
            .all(|bytes| character(*bytes, order).is_some())
}

/// Returns a character of UTF-32.
pub(super) fn character(bytes: [u8; 4], order: ByteOrder) -> Option<char> {
    char::from_u32(match order {
        Little => u32::from_le_bytes(bytes),
        Big => u32::from_be_bytes(bytes),
    })
}

/// Returns the offset of some bytes that one to three NULs separate, as in UTF-16 and UTF-32.
pub(super) fn alternating_nuls(bytes: &[u8]) -> Option<usize> {
    // Of a text without NULs, memchr reads many bytes at once.
    let mut at = memchr::memchr(0, bytes)?.saturating_sub(1);
    let (mut start, mut count) = (at, 0);
    while let Some(rest) = bytes.get(at..).filter(|rest| !rest.is_empty()) {
        let others = memchr::memchr(0, rest).unwrap_or(rest.len());
        let nuls = rest[others..].iter().take_while(|byte| **byte == 0).count();
        if others != 1 || !(1..=3).contains(&nuls) {
            (start, count) = (at + others + nuls, 0);
        } else {
            count += 1;
            if count == ALTERNATIONS {
                return Some(start);
            }
        }
        at += others + nuls;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn utf16(text: &str, to_bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
        text.encode_utf16().flat_map(to_bytes).collect()
    }

    fn utf32(text: &str, to_bytes: fn(u32) -> [u8; 4]) -> Vec<u8> {
        text.chars().map(u32::from).flat_map(to_bytes).collect()
    }

    #[test]
    fn recognizes_encodings_without_a_mark() {
        for text in [
            "pan=4111111111111111\n",
            "cvv=123",
            "Оплата: 4111 1111 1111 1111\n",
            "卡号4111111111111111",
            "😀 pan=4111111111111111",
        ] {
            for (bytes, expected) in [
                (text.into(), Encoding::UTF_8),
                (utf16(text, u16::to_le_bytes), Encoding::Standard(UTF_16LE)),
                (utf16(text, u16::to_be_bytes), Encoding::Standard(UTF_16BE)),
                (utf32(text, u32::to_le_bytes), Encoding::Utf32(Little)),
                (utf32(text, u32::to_be_bytes), Encoding::Utf32(Big)),
            ] {
                assert_eq!(Encoding::of(None, &bytes), (expected, 0), "{text}");
                // A part of the last character.
                let cut = &bytes[..bytes.len() - 1];
                assert_eq!(Encoding::of(None, cut).0, expected, "{text}");
            }
        }
        let mixed = "Карта\n4\x001\x001\x001\x00";
        for text in ["", "a", "a\0", "PATH=/bin\0HOME=/\0", "a=1\0b\0", mixed] {
            let encoding = Encoding::of(None, text.as_bytes());
            assert_eq!(encoding, (Encoding::UTF_8, 0), "{text:?}");
        }
    }

    #[test]
    fn follows_marks_and_labels() {
        let parse = |label| Encoding::parse(label).unwrap();
        for (label, first, expected) in [
            (None, b"\xFF\xFEa\0".as_slice(), ("UTF-16LE", 2)),
            (None, b"\xFE\xFF\0a", ("UTF-16BE", 2)),
            (None, b"\xFF\xFE\0\0a\0\0\0", ("UTF-32LE", 4)),
            (None, b"\0\0\xFE\xFF\0\0\0a", ("UTF-32BE", 4)),
            (Some("utf-16"), b"a\0", ("UTF-16LE", 0)),
            (Some("UTF-16"), b"\xFE\xFF\0a", ("UTF-16BE", 2)),
            (Some("utf-32"), b"\0\0\xFE\xFF\0\0\0a", ("UTF-32BE", 4)),
            (Some("windows-1251"), b"\xFF\xFEa", ("windows-1251", 0)),
            (Some("latin1"), b"a", ("windows-1252", 0)),
            (Some("utf8"), b"a\0b\0c\0d\0", ("UTF-8", 0)),
        ] {
            let (encoding, mark) = Encoding::of(label.map(parse), first);
            assert_eq!((encoding.name(), mark), expected, "{label:?} {first:?}");
        }
        for label in ["", "utf-7", "ebcdic", "iso-2022-kr"] {
            assert!(Encoding::parse(label).is_err(), "{label}");
        }
    }

    #[test]
    fn finds_bytes_between_nuls() {
        for (bytes, expected) in [
            (b"ab 4\x001\x001\x00end".as_slice(), None),
            (b"ab\n4\x001\x001\x001\x001\x00", Some(3)),
            (b"\x004\x001\x001\x001\x00", Some(1)),
            (b"\0\0\x004\0\0\x001\0\0\x001\0\0\x001\0\0\0", Some(3)),
            (b"a=1\0b=2\0c\0d\0e=1\0", None),
            (b"\0\0\0\0\0\0\0\0\0", None),
            (b"", None),
        ] {
            assert_eq!(alternating_nuls(bytes), expected, "{bytes:?}");
        }
    }
}
