//! Facts about text that several rules share: its length, control characters, digits only.
//!
//! Bytes are looked at sixteen at a time, or eight in a plain `u64`. The common answer is "nothing unusual among these";
//! only where something may be is it looked at alone.

use wide::u8x16;

/// 1 in every byte.
const ONES: u64 = 0x0101_0101_0101_0101;
/// The top bit of every byte.
const TOPS: u64 = 0x8080_8080_8080_8080;

/// How many Unicode scalar values the text has: the unit of `text_too_long`.
pub(crate) fn char_count(text: &str) -> usize {
    text.chars().count()
}

/// Whether the text has more than `limit` Unicode scalar values (`text_too_long`). Counts only where the number of
/// bytes leaves it open: a character has one to four of them.
pub(crate) fn longer_than(text: &str, limit: usize) -> bool {
    text.len() > limit && (text.len().div_ceil(4) > limit || char_count(text) > limit)
}

/// Whether the text holds what must not be in one (`text_control_character`): category Cc, the line and paragraph
/// separators U+2028 and U+2029, the bidi controls U+202A–U+202E and U+2066–U+2069. With `allow_line_breaks`, as for a
/// description, TAB, LF and CR are fine.
pub(crate) fn has_control(text: &str, allow_line_breaks: bool) -> bool {
    !is_plain(text.as_bytes()) && any_control(text.as_bytes(), allow_line_breaks)
}

/// Whether a quick look tells that a text breaks no rule: at most 64 bytes and no more than `limit`, none of them such as
/// control characters have, and nowhere 13 in a row that could be a card number. Nearly every text is like that.
#[inline]
pub(crate) fn is_harmless(text: &str, limit: usize) -> bool {
    let bytes = text.as_bytes();
    if bytes.len() > limit.min(64) {
        return false;
    }
    let Some(last) = bytes.last_chunk::<8>() else { return !bytes.is_empty() && is_plain(bytes) };
    let plain = match (bytes.first_chunk::<8>(), bytes.last_chunk::<16>()) {
        // The last bytes are read as a whole vector: some of them twice, which changes nothing.
        (_, Some(tail)) => {
            bytes.as_chunks().0.iter().fold(printable(*tail), |all, block| all & printable(*block)).all()
        }
        (Some(first), None) => printable(both(*first, *last)).all(),
        (None, None) => false,
    };
    // Where every thirteenth byte is a letter, no thirteen are without one.
    let letters = bytes.iter().skip(12).step_by(13).all(|byte| *byte >= 0x40);
    (plain || !begins_control(bytes, *last)) && (letters || !has_run(bytes, *last))
}

/// All ones where a byte is printable ASCII.
#[inline(always)]
fn printable(bytes: [u8; 16]) -> u8x16 {
    within(u8x16::new(bytes), b' ', b'~')
}

/// All ones where a byte is one from `first` to `last`.
#[expect(clippy::arithmetic_side_effects, reason = "each byte of a vector wraps by itself, here on purpose")]
#[inline(always)]
pub(crate) fn within(bytes: u8x16, first: u8, last: u8) -> u8x16 {
    let above = bytes - u8x16::splat(first);
    above.min(u8x16::splat(last.wrapping_sub(first))).simd_eq(above)
}

#[inline(always)]
fn both(first: [u8; 8], last: [u8; 8]) -> [u8; 16] {
    (u128::from(u64::from_le_bytes(last)) << 64 | u128::from(u64::from_le_bytes(first))).to_le_bytes()
}

/// Whether there is a byte with which a control character begins; others do so, too, but none in Cyrillic.
#[inline(never)]
fn begins_control(bytes: &[u8], last: [u8; 8]) -> bool {
    let begins = |word: [u8; 8]| {
        let word = u64::from_le_bytes(word);
        // C2 and E2 differ in one bit.
        word.wrapping_sub(each(0x20)) & !word | zero(word ^ each(0x7F)) | zero((word | each(0x20)) ^ each(0xE2))
    };
    bytes.as_chunks::<8>().0.iter().fold(begins(last), |found, word| found | begins(*word)) & TOPS != 0
}

/// Whether thirteen bytes in a row of a text of 8 to 64 may belong to a card number.
#[inline(never)]
fn has_run(bytes: &[u8], last: [u8; 8]) -> bool {
    let place = u32::try_from(bytes.len()).unwrap_or(0).wrapping_sub(8);
    let mut run = numeric(u64::from_le_bytes(last)).wrapping_shl(place);
    let mut place = 0_u32;
    for word in bytes.as_chunks::<8>().0 {
        run |= numeric(u64::from_le_bytes(*word)).wrapping_shl(place);
        place = place.wrapping_add(8);
    }
    // What is left of a run after each step: those of two, four, eight and thirteen bits.
    for longer in [1, 2, 4, 5] {
        run &= run >> longer;
    }
    run != 0
}

/// One bit for each of eight bytes that is a digit, a blank or a hyphen, or another one below 0x40; letters have none.
#[inline]
fn numeric(word: u64) -> u64 {
    let other = (word | word << 1) & TOPS;
    // The eight top bits, gathered into one byte.
    ((other ^ TOPS) >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56
}

/// Whether all of it is printable ASCII.
fn is_plain(bytes: &[u8]) -> bool {
    // The last bytes are read as a whole vector where there is one to read: some of them twice, which changes nothing.
    let Some(last) = bytes.last_chunk() else {
        return bytes.iter().all(|byte| matches!(byte, b' '..=b'~'));
    };
    let (blocks, rest) = bytes.as_chunks::<64>();
    blocks.iter().all(|block| are_plain(block.as_chunks().0)) && are_plain(rest.as_chunks().0) && printable(*last).all()
}

fn are_plain(lanes: &[[u8; 16]]) -> bool {
    lanes.iter().fold(u8x16::splat(u8::MAX), |all, lane| all & printable(*lane)).all()
}

/// The same as `has_control`, for text that has something to look at.
fn any_control(bytes: &[u8], allow_line_breaks: bool) -> bool {
    let mut left = bytes;
    // Blocks of 32 bytes, with the two behind that may belong to a character of theirs.
    while let Some(block) = left.first_chunk::<34>() {
        let ([firsts @ .., _, _], [_, seconds @ .., _], [_, _, thirds @ ..]) = (block, block, block);
        let words = firsts.as_chunks::<8>().0.iter().zip(seconds.as_chunks::<8>().0).zip(thirds.as_chunks::<8>().0);
        let found = words.fold(0, |all, ((first, second), third)| {
            all | suspects(u64::from_le_bytes(*first), u64::from_le_bytes(*second), u64::from_le_bytes(*third))
        });
        if found & TOPS != 0 && word_by_word(block, allow_line_breaks) {
            return true;
        }
        left = left.get(32..).unwrap_or_default();
    }
    word_by_word(left, allow_line_breaks)
}

/// For the few bytes that fill no block.
fn word_by_word(bytes: &[u8], allow_line_breaks: bool) -> bool {
    // With what follows them read as blanks, which are fine themselves.
    let mut padded = [b' '; 48];
    let Some(place) = padded.get_mut(..bytes.len()) else { return true };
    place.copy_from_slice(bytes);
    let words = padded.as_chunks::<8>().0.iter().map(|word| u64::from_le_bytes(*word));
    let used = bytes.len().div_ceil(8);
    words.clone().zip(words.skip(1)).take(used).any(|(word, behind)| is_control(word, behind, allow_line_breaks))
}

/// Whether these are ASCII digits, all of them. True for nothing at all.
pub(crate) fn all_digits(bytes: &[u8]) -> bool {
    let (words, tail) = bytes.as_chunks::<8>();
    let mut other = words.iter().fold(0, |all, word| all | not_digits(u64::from_le_bytes(*word)));
    match bytes.last_chunk::<8>() {
        Some(last) => other |= not_digits(u64::from_le_bytes(*last)),
        None => return tail.iter().all(u8::is_ascii_digit),
    }
    other == 0
}

/// Not zero if one of the eight bytes is no ASCII digit.
pub(crate) fn not_digits(word: u64) -> u64 {
    // A digit is 0x30 and its value: after the exclusive or only values up to 9 stay below 0x80 when 0x76 is added. A
    // carry into the next byte comes from a byte that counts already.
    let values = word ^ each(0x30);
    (values.wrapping_add(each(0x76)) | values) & TOPS
}

/// A top bit is set where a control character may begin, and is where one does. Given are eight bytes and, for each of
/// them, the second and the third of its character.
fn suspects(first: u64, second: u64, third: u64) -> u64 {
    let ascii = first.wrapping_sub(each(0x20)) & !first | zero(first ^ each(0x7F));
    // C2 begins U+0080–U+00BF, of which the first half are controls: those whose second byte has no bit 20. E2 begins the
    // others, whose third byte has it; that of the common dashes and quotes has not.
    ascii | zero(first ^ each(0xC2)) & !(second << 2) | zero(first ^ each(0xE2)) & third << 2
}

/// Whether a control character begins in the word, `behind` being what follows it.
#[inline]
fn is_control(word: u64, behind: u64, allow_line_breaks: bool) -> bool {
    let (second, third) = (word >> 8 | behind << 56, word >> 16 | behind << 48);
    let found = suspects(word, second, third) & TOPS;
    found != 0 && any_of(found, word, second, third, allow_line_breaks)
}

#[inline(never)]
fn any_of(found: u64, word: u64, second: u64, third: u64, allow_line_breaks: bool) -> bool {
    let mut found = found;
    while found != 0 {
        let at = found.trailing_zeros() & !7;
        found &= found.wrapping_sub(1);
        let byte = |word: u64| word >> at & 0xFF;
        let control = match byte(word) {
            0x09 | 0x0A | 0x0D => !allow_line_breaks,
            0x00..0x20 | 0x7F => true,
            0xC2 => byte(second) < 0xA0,
            0xE2 => matches!((byte(second), byte(third)), (0x80, 0xA8..=0xAE) | (0x81, 0xA6..=0xA9)),
            _ => false,
        };
        if control {
            return true;
        }
    }
    false
}

/// The byte, eight times.
const fn each(byte: u8) -> u64 {
    u64::from_ne_bytes([byte; 8])
}

/// A top bit is set if one of the eight bytes is zero: that byte's own, and maybe those above it.
fn zero(word: u64) -> u64 {
    word.wrapping_sub(ONES) & !word
}

#[cfg(test)]
mod tests {
    use alloc::format;
    use alloc::string::String;

    use super::*;

    /// The same rule, character by character.
    fn plainly(text: &str, allow_line_breaks: bool) -> bool {
        text.chars().any(|c| {
            if allow_line_breaks && matches!(c, '\t' | '\n' | '\r') {
                return false;
            }
            c.is_control() || matches!(c, '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
        })
    }

    #[test]
    fn every_character_alone_and_at_every_place() {
        let all = (0..=0x2100_u32).chain([0xFFFD, 0xE000, 0x1_F600, 0x10_FFFF, 0x2_80A8, 0xA080]);
        for c in all.filter_map(char::from_u32) {
            for around in [0, 1, 6, 7, 8, 9, 23, 30, 31, 32, 33, 40] {
                // A Cyrillic filler makes sequences that cross the words and blocks.
                for (before, behind) in [("a", "b"), ("я", "ю"), ("", "")] {
                    let text = format!("{}{c}{}", before.repeat(around), behind.repeat(around));
                    assert_eq!(has_control(&text, false), plainly(&text, false), "{c:?} {around}");
                    assert_eq!(has_control(&text, true), plainly(&text, true), "{c:?} {around}, breaks");
                }
            }
        }
    }

    #[test]
    fn one_control_in_long_text() {
        for filler in ["a", "я", "«", "—", "€", "\u{1F600}"] {
            let clean: String = filler.repeat(300);
            assert!(!has_control(&clean, false), "{filler}");
            for bad in ["\0", "\u{1F}", "\u{7F}", "\u{80}", "\u{9F}", "\u{2028}", "\u{202E}", "\u{2066}", "\u{2069}"] {
                let text = format!("{clean}{bad}{clean}");
                assert!(has_control(&text, true), "{bad:?} in {filler}");
            }
        }
        let lines = "line\r\n\tline".repeat(20);
        assert!(!has_control(&lines, true));
        assert!(has_control(&lines, false));
    }

    #[test]
    fn the_neighbours_of_controls_are_fine() {
        for text in ["\u{20}~", "\u{A0}", "\u{200F}", "\u{2027}", "\u{202F}", "\u{2065}", "\u{206A}", "\u{FEFF}"] {
            assert!(!has_control(text, false), "{text:?}");
        }
    }

    #[test]
    fn length_is_counted_in_characters() {
        for (text, chars) in [("", 0), ("abc", 3), ("рубль", 5), ("€€", 2), ("\u{1F600}x", 2), ("e\u{301}", 2)]
        {
            assert_eq!(char_count(text), chars);
            assert!(!longer_than(text, chars), "{text}");
            if chars > 0 {
                assert!(longer_than(text, chars - 1), "{text}");
            }
            for count in [7, 63, 64, 65, 255, 256] {
                let long = text.repeat(count);
                assert!(!longer_than(&long, chars * count));
                assert_eq!(longer_than(&long, (chars * count).saturating_sub(1)), chars > 0);
            }
        }
    }

    #[test]
    fn digits_only() {
        for length in 0..40 {
            let digits: String = "0918273645".chars().cycle().take(length).collect();
            assert!(all_digits(digits.as_bytes()), "{digits}");
            for at in 0..length {
                for bad in [b'/', b':', b'a', b' ', 0, 0x7F, 0x80, 0xB0, 0xB9, 0xFF] {
                    let mut bytes = digits.clone().into_bytes();
                    bytes[at] = bad;
                    assert!(!all_digits(&bytes), "{bad:#x} at {at} of {length}");
                }
            }
        }
    }
}
