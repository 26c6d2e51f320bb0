//! Cheap tests of whole texts. Most texts contain no card data, and are then searched no further.

use super::names::NAMES;

/// Checks if a text may contain so many digits of one number.
///
/// A number without escapes is at least `least` bytes in a row, each a part of a digit or separator.
/// So a window of `least` bytes moves over the text:
///
/// - The window is read from its end to its start, up to the first other byte.
/// - If there is one, no number contains it, so the window moves to the byte after it. Most windows
///   of words end with a letter, so one of `least` bytes is read.
/// - If the window does not fit into the text, no number follows.
///
/// In texts with escapes, separators may have any length, so only the digits are counted. Short texts,
/// such as most members, are not read at all.
pub(super) fn may_contain_number(text: &[u8], least: usize) -> bool {
    text.len() >= least && (has_window(text, least) || has_escapes(text)) && has_digits(text, least)
}

/// Checks if so many bytes in a row may be parts of digits and separators.
fn has_window(text: &[u8], least: usize) -> bool {
    let mut rest = text;
    while let Some(window) = rest.get(..least) {
        let Some(other) = window.iter().rposition(|byte| !is_of_number(*byte)) else {
            return true;
        };
        rest = rest.get(other.saturating_add(1)..).unwrap_or_default();
    }
    false
}

/// Checks if a text has at least so many digits.
fn has_digits(text: &[u8], least: usize) -> bool {
    let mut count = 0_usize;
    text.chunks(128).any(|part| {
        let digits = part.iter().map(|byte| u8::from(is_of_digit(*byte)));
        let digits = digits.fold(0, u8::saturating_add);
        count = count.saturating_add(usize::from(digits));
        count >= least
    })
}

/// Checks if a text has a byte that begins the escape of a separator.
fn has_escapes(text: &[u8]) -> bool {
    text.iter().any(|byte| matches!(byte, b'\\' | b'%' | b'&'))
}

/// Checks if every digit has such a byte: a digit in ASCII, or the first byte of one in another
/// script.
fn is_of_digit(byte: u8) -> bool {
    matches!(byte, b'0'..=b'9' | 0xD9 | 0xDB | 0xEF)
}

/// Checks if a byte may be a part of a digit or separator.
fn is_of_number(byte: u8) -> bool {
    matches!(
        byte,
        b' ' | b'\t' | b'-' | b'.' | b'_' | b'+' | 0x80..=0xBF | 0xC2 | 0xE2
    ) || is_of_digit(byte)
}

/// Checks if the letters of a name of card data are in a text.
///
/// The last three letters are kept in 15 bits, without separators. A table contains the bits of the
/// last three letters of all names. If it contains those of the text, the letters before are
/// compared with the names.
pub(super) fn may_name_card_data(text: &[u8]) -> bool {
    let mut last = 0_usize;
    for (at, byte) in text.iter().enumerate() {
        let letter = letter_of(*byte);
        let longer = last << 5 | usize::from(letter);
        // Separators between the letters of a name do not count.
        last = if letter == SEPARATOR { last } else { longer };
        let bits = ENDINGS.get(last >> 5 & 0x3FF).copied().unwrap_or(0);
        if bits >> (last & 31) & 1 == 1 && letter != SEPARATOR {
            let (before, after) = text
                .split_at_checked(at.saturating_add(1))
                .unwrap_or((text, &[]));
            if ends_with_name(before, after.first()) {
                return true;
            }
        }
    }
    false
}

/// Checks if a text ends with the letters of a name, before any digit that the name ends with.
fn ends_with_name(text: &[u8], next: Option<&u8>) -> bool {
    // A name is not part of a longer word in lower case.
    if next.is_some_and(u8::is_ascii_lowercase) {
        return false;
    }
    // The bytes of an escaped space count as separators too: `card%20number`.
    let is_of_space = |byte: &u8| matches!(byte, b'%' | b'+' | b'&' | b'#' | b';' | b'0'..=b'9');
    let letters = text
        .iter()
        .rev()
        .filter(|byte| letter_of(**byte) != SEPARATOR && !is_of_space(byte));
    NAMES.iter().any(|(name, _)| {
        let mut letters = letters.clone();
        let stem = name.trim_end_matches('2').bytes().rev();
        stem.into_iter().all(|letter| {
            letters
                .next()
                .is_some_and(|byte| byte.to_ascii_lowercase() == letter)
        })
    })
}

fn letter_of(byte: u8) -> u8 {
    LETTERS.get(usize::from(byte)).copied().unwrap_or(OTHER)
}

/// A byte that is not a letter and ends a name.
const OTHER: u8 = 0;

/// A byte that may be between the letters of a name.
const SEPARATOR: u8 = 0xFF;

/// The number of each letter in the alphabet.
#[expect(
    clippy::indexing_slicing,
    clippy::as_conversions,
    reason = "evaluated at compile time"
)]
static LETTERS: [u8; 256] = {
    let mut letters = [OTHER; 256];
    let mut index = 0;
    while index < 26 {
        letters[b'a' as usize + index] = 1 + index as u8;
        letters[b'A' as usize + index] = 1 + index as u8;
        index += 1;
    }
    let separators = b"_-. []\"'";
    index = 0;
    while index < separators.len() {
        letters[separators[index] as usize] = SEPARATOR;
        index += 1;
    }
    letters
};

/// The last three letters of every name, one bit for each combination.
#[expect(
    clippy::indexing_slicing,
    clippy::as_conversions,
    reason = "evaluated at compile time"
)]
static ENDINGS: [u32; 1024] = {
    let mut endings = [0; 1024];
    let mut index = 0;
    while index < NAMES.len() {
        let name = NAMES[index].0.as_bytes();
        let mut end = name.len();
        if name[end - 1] == b'2' {
            end -= 1;
        }
        let [first, second, third] = [name[end - 3], name[end - 2], name[end - 1]];
        let bits = [first, second, third];
        let mut last = 0;
        let mut at = 0;
        while at < bits.len() {
            last = last << 5 | LETTERS[bits[at] as usize] as usize;
            at += 1;
        }
        endings[last >> 5] |= 1 << (last & 31);
        index += 1;
    }
    endings
};

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
                    format!("{before}{name}"),
                    format!("{before}{}:", name.to_ascii_uppercase()),
                    format!(
                        "{before}\"{}\"",
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
        ] {
            for shift in 0..40 {
                let text = format!("{}{number}{}", "x".repeat(shift), "x".repeat(40 - shift));
                assert!(may_contain_number(text.as_bytes(), 14), "{text}");
            }
        }
        for text in [
            "4111111111111",
            "4111111x1111111",
            "20:15:30 2026/11/27 10.0.0.1",
            "0b6ea6a6-4c5e-4b7e-9d0f-6a1f0c7b2e11",
            "Оплата заказа, спасибо",
            "\\n123456789012",
            "",
        ] {
            assert!(!may_contain_number(text.as_bytes(), 14), "{text}");
        }
    }
}
