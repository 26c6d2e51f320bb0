//! Cheap tests of whole texts. Most texts contain no card data, and are then searched no further.

use wide::u8x16;

use super::names::{NAMES, is_ending};
use super::symbol::begins_digit as is_first_of_digit;
use crate::util::bytes::{all, bits, distance, within};

/// The number of bytes that are tested at once.
const BLOCK: usize = 64;

/// The length of the shortest text with a name and a value: `cvv=1`.
const SHORTEST: usize = 5;

/// The number of bytes in which the letters of a name are compared. If separators fill them, the text
/// may name card data: to look for the letters before them would take quadratic time.
const LONGEST: usize = 128;

/// The number of bytes in which an escape may be between two words of a name.
const NEAR: usize = 48;

/// Checks if a text may contain so many digits of one number.
///
/// In texts with escapes, separators may have any length, so only the digits are counted. Short
/// texts, such as most members, are not read at all.
pub(super) fn may_contain_number(text: &[u8], least: usize) -> bool {
    has_digits(text, least)
        && (has_series_of_digits(text, least)
            || !all(text, |bytes| !begins_separator(bytes))
            || has_octal_escape(text))
}

/// Checks if a text has at least so many digits. 64 bytes become the bits of a number, which are
/// counted.
pub(super) fn has_digits(text: &[u8], least: usize) -> bool {
    if text.len() < least {
        return false;
    }
    let mut missing = u32::try_from(least).unwrap_or(u32::MAX);
    text.chunks(BLOCK).any(|part| {
        missing = missing.saturating_sub(bits(part, begins_digit).count_ones());
        missing == 0
    })
}

/// Checks if so many digits may have only separators between them, as in a number without escapes.
///
/// A window of `least` bytes moves over the text. It is read from its end to its start, up to the
/// first byte that is of no number, after which the next window begins. Most windows of words end
/// with a letter, so one of `least` bytes is read. At a window without such a byte, the digits up to
/// the next one are counted: without the count, an address before a date would pass, and the lines of
/// a web server would take 66 instructions a byte instead of 18.
fn has_series_of_digits(text: &[u8], least: usize) -> bool {
    let mut rest = text;
    while let Some(window) = rest.get(..least) {
        let next = match window.iter().rposition(|byte| !is_of_number(*byte)) {
            Some(other) => other.saturating_add(1),
            None => {
                let end = rest.iter().position(|byte| !is_of_number(*byte));
                let series = rest.get(..end.unwrap_or(rest.len())).unwrap_or_default();
                let digits = series.iter().filter(|byte| is_first_of_digit(**byte));
                if digits.count() >= least {
                    return true;
                }
                series.len()
            }
        };
        rest = rest.get(next..).unwrap_or_default();
    }
    false
}

/// Checks if a byte may be a part of a digit or separator.
fn is_of_number(byte: u8) -> bool {
    let is_ascii = matches!(byte, b' ' | b'\t' | b'-' | b'.' | b'_' | b'+');
    is_ascii || matches!(byte, 0x80..=0xBF | 0xC2 | 0xE2) || is_first_of_digit(byte)
}

/// Checks if the system log may have written a separator in octal digits, as in `#011`. In `order #7`,
/// no digit follows that begins one.
fn has_octal_escape(text: &[u8]) -> bool {
    text.windows(2).any(|pair| pair == b"#0")
}

/// Finds the bytes that begin the escape of a separator, except `#`.
#[inline(always)]
fn begins_separator(bytes: u8x16) -> u8x16 {
    within::<b'%', b'&'>(bytes) | bytes.simd_eq(u8x16::splat(b'\\'))
}

/// Finds the bytes that begin a digit: in ASCII, or in another script. An escaped digit has digits in
/// its escape.
#[inline(always)]
fn begins_digit(bytes: u8x16) -> u8x16 {
    // D9 and DB differ in one bit.
    let is_arabic = (bytes | u8x16::splat(0x02)).simd_eq(u8x16::splat(0xDB));
    within::<b'0', b'9'>(bytes) | is_arabic | bytes.simd_eq(u8x16::splat(0xEF))
}

/// Checks if the letters of a name of card data are in a text.
///
/// In 64 bytes at once, the letters are found that end a name and are not before a lower-case letter.
/// At each, the last three letters without separators are compared with those of all names, and at
/// the few that remain, all letters of the names.
pub(super) fn may_name_card_data(text: &[u8]) -> bool {
    if text.len() < SHORTEST {
        return false;
    }
    let mut rest = text;
    let mut start = 0_usize;
    while !rest.is_empty() {
        let (part, after) = rest.split_at_checked(BLOCK).unwrap_or((rest, &[]));
        let mut ends = bits(part, ends_name) & !(bits(part, within::<b'a', b'z'>) >> 1);
        while ends != 0 {
            let at = start.saturating_add(distance(ends));
            let end = at.saturating_add(1);
            if ends_with_name(text.get(..end).unwrap_or_default(), text.get(end)) {
                return true;
            }
            // Clears the lowest bit.
            ends &= ends.saturating_sub(1);
        }
        start = start.saturating_add(BLOCK);
        rest = after;
    }
    false
}

/// Finds the letters that end a name, before any digit at its end: `c`, `d`, `e`, `m` to `p`, `r`,
/// and `v`.
#[inline(always)]
fn ends_name(bytes: u8x16) -> u8x16 {
    let lower = bytes | u8x16::splat(0x20);
    let is_ending = within::<b'c', b'e'>(lower) | within::<b'm', b'p'>(lower);
    is_ending | lower.simd_eq(u8x16::splat(b'r')) | lower.simd_eq(u8x16::splat(b'v'))
}

/// Checks if a text may end with the letters of a name, before any digit that the name ends with.
fn ends_with_name(text: &[u8], next: Option<&u8>) -> bool {
    // A name is not part of a longer word in lower case.
    if next.is_some_and(u8::is_ascii_lowercase) {
        return false;
    }
    if ends_with_other_word(text) {
        return false;
    }
    let earliest = text.len().saturating_sub(LONGEST);
    let mut letters = (earliest..text.len())
        .rev()
        .filter_map(|at| last_letter(text.get(..=at)?))
        .map(|letter| letter.to_ascii_lowercase());
    let all_letters = letters.clone();
    let (last, middle, first) = (letters.next(), letters.next(), letters.next());
    let (Some(last), Some(middle), Some(first)) = (last, middle, first) else {
        return earliest > 0;
    };
    let is_name = |name: &str| {
        let mut letters = all_letters.clone();
        let mut stem = name.trim_end_matches('2').bytes().rev();
        stem.all(|letter| {
            let found = letters.next();
            found == Some(letter) || found.is_none() && earliest > 0
        })
    };
    let letters = [first, middle, last];
    is_ending(letters) && NAMES.iter().any(|(name, _)| is_name(name))
        || (is_ending(letters) || is_no(letters)) && has_escape_at_end(text)
}

/// Checks if a text ends with three letters in a row that end no name, as nearly all words do. Without
/// this test, prose takes 15 instructions a byte instead of 8.
fn ends_with_other_word(text: &[u8]) -> bool {
    let [before @ .., middle, last] = text else {
        return false;
    };
    let Some(first) = last_letter(before) else {
        return false;
    };
    let letters = [first, *middle, *last].map(|letter| letter.to_ascii_lowercase());
    letters.iter().all(u8::is_ascii_lowercase) && !is_ending(letters) && !is_no(letters)
}

/// Checks if the last word of a name may be `no`, which has two letters, after any escape.
fn is_no([_, middle, last]: [u8; 3]) -> bool {
    [middle, last] == *b"no"
}

/// Checks if an escape may be between the words of a name at the end of a text, as in
/// `card&quot;number` and `card\u{20}no`. It contains letters.
fn has_escape_at_end(text: &[u8]) -> bool {
    let near = text.get(text.len().saturating_sub(NEAR)..);
    let mut bytes = near.unwrap_or(text).iter();
    bytes.any(|byte| matches!(byte, b'\\' | b'%' | b'&' | b'#'))
}

/// Returns the last byte of a text, unless it may be between the letters of a name: a separator, or a
/// byte of an escaped one, as in `card%20number` and `card%5Bnumber%5D`.
fn last_letter(text: &[u8]) -> Option<u8> {
    match text {
        [
            ..,
            b'_'
            | b'-'
            | b'.'
            | b' '
            | b'['
            | b']'
            | b'"'
            | b'\''
            | b'%'
            | b'+'
            | b'&'
            | b'#'
            | b';'
            | b'\\'
            | b'0'..=b'9',
        ]
        | [.., b'\\' | b'#', b'u' | b'x'] => None,
        // In hexadecimal: `+`, `-`, `.`, `[`, `]`, and `_`. No name begins with one of these letters.
        [.., b'2', b'b' | b'd' | b'e' | b'B' | b'D' | b'E'] => None,
        [.., b'5', b'b' | b'd' | b'f' | b'B' | b'D' | b'F'] => None,
        [.., letter] => Some(*letter),
        [] => None,
    }
}

#[cfg(test)]
mod tests {
    use alloc::format;

    use super::*;

    #[test]
    fn names_are_found_at_every_position() {
        for (name, _) in NAMES {
            for shift in 0..40 {
                let before = "x ".repeat(shift);
                for text in [
                    format!("{before}{name}=1"),
                    format!("{before}{}:1", name.to_ascii_uppercase()),
                    format!("{before}{}=1", name.replace("number", "%20number")),
                    format!("{before}{}%5D=1", name.replace("number", "%5Bnumber")),
                    format!("{before}{}=1", name.replace("no", "\\u002eno")),
                    format!("{before}{}=1", name.replace("no", "%2Eno")),
                    format!("{before}{}]=1", name.replace("no", "%5Bno")),
                    format!("{before}{}=1", name.replace("no", "\\u{20}no")),
                    format!("{before}{}]=1", name.replace("no", "[&quot;no")),
                    format!("{before}{}]=1", name.replace("no", "[&quot%3Bno")),
                    format!("{before}{}=1", name.replace("num", "\\x5fnum")),
                    format!("{before}{}=1", name.replace("num", "\\u{20}num")),
                    format!("{before}{}=1", name.replace("num", "%u0020num")),
                    format!("{before}{}=1", name.replace("num", "[&amp;quot;num")),
                    format!(
                        "{before}{}=1",
                        name.replace("num", &format!("{}num", "_".repeat(200)))
                    ),
                    format!(
                        "{before}\"{}\":1",
                        name.replace("number", "_number").replace('v', "v-")
                    ),
                ] {
                    assert!(may_name_card_data(text.as_bytes()), "{text}");
                }
            }
        }
        for text in [
            "panel",
            "the number of the code",
            "a value",
            "scanning",
            "",
            "cv:v",
            "card",
        ] {
            assert!(!may_name_card_data(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn numbers_are_found_at_every_position() {
        for number in [
            "41111111111111",
            "4111 1111 1111 11",
            "4111.1111.1111.11",
            "4111\u{2009}1111\u{2009}1111\u{2009}11",
            "４１１１１１１１１１１１１１",
            "٤١١١١١١١١١١١١١",
            "4111%201111%201111%2011",
            "4111\\t1111\\t1111\\t11",
            "4111&nbsp;1111&nbsp;1111&nbsp;11",
            "4111#0111111#0111111#01111",
        ] {
            for shift in 0..130 {
                let text = format!("{}{number}{}", "x".repeat(shift), "x".repeat(130 - shift));
                assert!(may_contain_number(text.as_bytes(), 14), "{text}");
            }
        }
        for text in [
            "4111111111111",
            "4111111x1111111",
            "20:15:30 2026/11/27 10.0.0.1",
            "10.0.123.45 - - [29/Nov/2026",
            "0b6ea6a6-4c5e-4b7e-9d0f-6a1f0c7b2e11",
            "Оплата заказа, спасибо",
            "\\n1234567890",
            "",
        ] {
            assert!(!may_contain_number(text.as_bytes(), 14), "{text}");
        }
    }
}
