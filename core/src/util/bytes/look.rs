//! Checks a text of any length for control characters and counts the digits that could form a card number.
//!
//! It works in blocks of 64 bytes. Only blocks that may contain a control character are checked exactly.

use wide::u8x16;

use super::{TOPS, each, may_begin_control, zero};

/// The result of [`look`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Look {
    /// Set if the text contains a character that is not allowed (`text_control_character`).
    ///
    /// These are category Cc, the line and paragraph separators U+2028 and U+2029, and the bidi controls U+202A–U+202E
    /// and U+2066–U+2069.
    pub(crate) control: bool,
    /// An upper bound of the number of digits, because the six characters after the 9 count as well. Not complete if
    /// `control` is set.
    pub(crate) digits: usize,
}

/// The origin of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Source {
    /// Unchanged from a body: JSON allows characters below U+0020 only as escapes.
    Written,
    /// Decoded from escapes.
    Decoded,
}

/// Checks the text. With `allow_line_breaks`, as for a description, TAB, LF and CR are allowed.
pub(crate) fn look(text: &str, source: Source, allow_line_breaks: bool) -> Look {
    let bytes = text.as_bytes();
    let Some(last) = bytes.last_chunk::<64>() else {
        return Look { control: any_control(bytes, allow_line_breaks), digits: bytes.len() };
    };
    // The last bytes are checked as a full block. Bytes that are checked twice only increase the number of digits.
    let Some(mut digits) =
        in_blocks(core::slice::from_ref(last), bytes, bytes.len().wrapping_sub(64), source, allow_line_breaks)
    else {
        return Look { control: true, digits: usize::MAX };
    };
    let (blocks, _) = bytes.as_chunks::<64>();
    let mut at = 0_usize;
    // 63 blocks of four vectors add at most 252 to each lane, which fits a byte.
    for blocks in blocks.chunks(63) {
        let Some(more) = in_blocks(blocks, bytes, at, source, allow_line_breaks) else {
            return Look { control: true, digits: usize::MAX };
        };
        digits = digits.saturating_add(more);
        at = at.saturating_add(blocks.as_flattened().len());
    }
    Look { control: false, digits }
}

/// Returns the number of digits in the blocks, which begin at the byte `at`. Returns `None` if they contain a control
/// character.
fn in_blocks(blocks: &[[u8; 64]], bytes: &[u8], at: usize, source: Source, allow_line_breaks: bool) -> Option<usize> {
    let mut count = u8x16::ZERO;
    for (block, number) in blocks.iter().zip(0_usize..) {
        let lanes = block.as_chunks::<16>().0.first_chunk::<4>()?.map(u8x16::new);
        count = lanes.iter().fold(count, |count, lane| one_more(count, *lane));
        let printable = source == Source::Written && end_before_del(lanes);
        if !printable && any_may_begin_control(lanes) {
            // A character that begins in the block may end within the next two bytes.
            let at = at.wrapping_add(number.wrapping_mul(64));
            let closely = bytes.get(at..bytes.len().min(at.wrapping_add(66)))?;
            if any_control(closely, allow_line_breaks) {
                return None;
            }
        }
    }
    Some(count.to_array().iter().map(|count| usize::from(*count)).sum())
}

/// Adds one to each lane whose byte may be a digit: one of the sixteen bytes from 0x30.
#[expect(
    clippy::arithmetic_side_effects,
    reason = "each byte of a vector wraps by itself, here on purpose: less 255 is one more"
)]
#[inline(always)]
fn one_more(count: u8x16, lane: u8x16) -> u8x16 {
    count - (lane & u8x16::splat(0xF0)).simd_eq(u8x16::splat(0x30))
}

/// Checks if all bytes are ASCII and none is DEL.
#[inline(always)]
fn end_before_del([a, b, c, d]: [u8x16; 4]) -> bool {
    let most = a.max(b).max(c.max(d));
    most.min(u8x16::splat(b'~')).simd_eq(most).all()
}

/// Checks if a control character may begin anywhere in a block.
#[inline(always)]
fn any_may_begin_control(lanes: [u8x16; 4]) -> bool {
    lanes.into_iter().fold(u8x16::ZERO, |found, lane| found | may_begin_control(lane)).any()
}

/// Checks if a control character begins in these bytes. Bytes after the end are read as spaces.
fn any_control(bytes: &[u8], allow_line_breaks: bool) -> bool {
    let mut left = bytes;
    // Each block is 32 bytes and the two after it, which may belong to its last character.
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

/// Checks the last bytes, which do not fill a block. Bytes after the end are read as spaces, which are allowed.
fn word_by_word(bytes: &[u8], allow_line_breaks: bool) -> bool {
    let (words, rest) = bytes.as_chunks::<8>();
    let mut word = each(b' ');
    let mut behind = words.iter().map(|word| u64::from_le_bytes(*word)).chain([last_word(bytes, rest), each(b' ')]);
    behind.any(|next| is_control(core::mem::replace(&mut word, next), next, allow_line_breaks))
}

/// Returns the bytes after the last full word, padded with spaces.
fn last_word(bytes: &[u8], rest: &[u8]) -> u64 {
    let bits = u32::try_from(rest.len()).unwrap_or(0).wrapping_mul(8);
    let word = match bytes.last_chunk() {
        Some(last) => u64::from_le_bytes(*last).checked_shr(u64::BITS.wrapping_sub(bits)).unwrap_or(0),
        None => rest.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte)),
    };
    word | each(b' ').wrapping_shl(bits)
}

/// Returns a word with the top bit set for each byte that begins a control character, and for some that only may.
///
/// The words contain eight bytes and, for each of them, the second and the third byte of its character.
fn suspects(first: u64, second: u64, third: u64) -> u64 {
    let ascii = first.wrapping_sub(each(0x20)) & !first | zero(first ^ each(0x7F));
    // C2 begins U+0080–U+00BF. The first half are controls, whose second byte does not have the bit 0x20. E2 begins
    // the other controls, whose third byte has that bit; common dashes and quotes do not have it.
    ascii | zero(first ^ each(0xC2)) & !(second << 2) | zero(first ^ each(0xE2)) & third << 2
}

/// Checks if a control character begins in the word. `behind` contains the bytes after it.
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

#[cfg(test)]
mod tests {
    use alloc::format;
    use alloc::string::String;

    use super::*;

    fn control(text: &str, allow_line_breaks: bool) -> bool {
        let decoded = look(text, Source::Decoded, allow_line_breaks).control;
        if !text.bytes().any(|byte| byte < 0x20) {
            assert_eq!(look(text, Source::Written, allow_line_breaks).control, decoded, "{text:?}");
        }
        decoded
    }

    /// Applies the same rule character by character.
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
                // A Cyrillic filler makes sequences that cross the limits of words and blocks.
                for (before, behind) in [("a", "b"), ("я", "ю"), ("", "")] {
                    let text = format!("{}{c}{}", before.repeat(around), behind.repeat(around));
                    assert_eq!(control(&text, false), plainly(&text, false), "{c:?} {around}");
                    assert_eq!(control(&text, true), plainly(&text, true), "{c:?} {around}, breaks");
                }
            }
        }
    }

    #[test]
    fn one_control_in_long_text() {
        for filler in ["a", "я", "«", "—", "€", "\u{1F600}"] {
            let clean: String = filler.repeat(300);
            assert!(!control(&clean, false), "{filler}");
            for bad in ["\0", "\u{1F}", "\u{7F}", "\u{80}", "\u{9F}", "\u{2028}", "\u{202E}", "\u{2066}", "\u{2069}"] {
                let text = format!("{clean}{bad}{clean}");
                assert!(control(&text, true), "{bad:?} in {filler}");
            }
        }
        let lines = "line\r\n\tline".repeat(20);
        assert!(!control(&lines, true));
        assert!(control(&lines, false));
    }

    #[test]
    fn the_neighbours_of_controls_are_fine() {
        for text in ["\u{20}~", "\u{A0}", "\u{200F}", "\u{2027}", "\u{202F}", "\u{2065}", "\u{206A}", "\u{FEFF}"] {
            assert!(!control(text, false), "{text:?}");
        }
    }

    #[test]
    fn every_digit_counts() {
        for length in [0, 1, 12, 63, 64, 65, 127, 128, 200, 63 * 64, 63 * 64 + 1, 5000, 10_000] {
            for (filler, digit) in [("a", '7'), ("я", '0'), ("/", '9'), (":", '5')] {
                for count in [0, 1, 12, 13, length] {
                    let digits = String::from(digit).repeat(count);
                    for text in
                        [format!("{}{digits}", filler.repeat(length)), format!("{digits}{}", filler.repeat(length))]
                    {
                        let found = look(&text, Source::Written, false).digits;
                        let may_be_digit = |byte: &u8| matches!(byte, b'0'..=b'?');
                        let seen_twice = text.bytes().rev().take(64).filter(may_be_digit).count();
                        let in_all = text.bytes().filter(may_be_digit).count();
                        let most = if text.len() < 64 { text.len() } else { in_all + seen_twice };
                        assert!((count..=most).contains(&found), "{found} of {count} beside {length} {filler}");
                    }
                }
            }
        }
    }
}
