//! International bank account numbers (ISO 13616), whose groups of digits are not card numbers.

use core::ops::{Range, RangeInclusive};

/// The number of characters of an IBAN.
const LENGTHS: RangeInclusive<usize> = 15..=34;

/// The number of characters of the country and its check digits, which the checksum reads last.
const HEAD: usize = 4;

/// The maximum number of bytes of an IBAN in groups of four characters.
const MAX_BYTES: usize = 42;

/// Checks if a part of the text overlaps a valid IBAN.
pub(super) fn overlaps_iban(text: &[u8], part: &Range<usize>) -> bool {
    let earliest = part.start.saturating_sub(MAX_BYTES);
    (earliest..part.end)
        .any(|start| begins_iban(text, start) && ends_after(text, start, part.start))
}

/// Checks if an IBAN may begin here: with a country and two digits, at the beginning of a word.
fn begins_iban(text: &[u8], start: usize) -> bool {
    let before = start.checked_sub(1).and_then(|at| text.get(at));
    let head = text.get(start..).unwrap_or_default();
    matches!(
        head,
        [b'A'..=b'Z', b'A'..=b'Z', b'0'..=b'9', b'0'..=b'9', ..]
    ) && !before.is_some_and(u8::is_ascii_alphanumeric)
}

/// Checks if a valid IBAN begins at `start` and ends with a word after `least`. Single spaces and
/// hyphens may separate its words.
fn ends_after(text: &[u8], start: usize, least: usize) -> bool {
    let mut checksum = Checksum::default();
    let mut at = start;
    while let Some(byte) = text.get(at) {
        at = at.saturating_add(1);
        let next = text.get(at);
        match byte {
            b'0'..=b'9' | b'A'..=b'Z' => checksum.push(*byte),
            b' ' | b'-' if next.is_some_and(u8::is_ascii_alphanumeric) => continue,
            _ => return false,
        }
        let is_word_end = !next.is_some_and(u8::is_ascii_alphanumeric);
        if is_word_end && at > least && checksum.is_valid() {
            return true;
        }
        if checksum.count > *LENGTHS.end() {
            return false;
        }
    }
    false
}

/// The remainder by 97 of the characters that were read, without the first four.
#[derive(Default)]
struct Checksum {
    head: [u8; HEAD],
    remainder: u32,
    count: usize,
}

impl Checksum {
    fn push(&mut self, character: u8) {
        match self.head.get_mut(self.count) {
            Some(target) => *target = character,
            None => self.remainder = append(self.remainder, character),
        }
        self.count = self.count.saturating_add(1);
    }

    /// Checks if the characters, with the first four at the end, have the remainder 1.
    fn is_valid(&self) -> bool {
        LENGTHS.contains(&self.count) && self.head.into_iter().fold(self.remainder, append) == 1
    }
}

/// Returns the remainder by 97 of a number that is extended by a digit, or by the two digits of a
/// letter: 10 for A, 35 for Z.
#[expect(
    clippy::arithmetic_side_effects,
    reason = "a remainder times 100 and a value of two digits fit in 32 bits"
)]
fn append(remainder: u32, character: u8) -> u32 {
    let value = char::from(character).to_digit(36).unwrap_or(0);
    let factor = if value < 10 { 10 } else { 100 };
    (remainder * factor + value) % 97
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recognizes_ibans_in_words() {
        for (text, expected) in [
            ("DE12 5001 0517 0648 4898 90", true),
            ("DE12-5001-0517-0648-4898-90", true),
            ("DE12500105170648489890", true),
            ("to GB82 WEST 1234 5698 7654 32, thanks", true),
            ("NO93 8601 1117 947", true),
            ("DE13 5001 0517 0648 4898 90", false),
            ("XDE12 5001 0517 0648 4898 90", false),
            ("de12 5001 0517 0648 4898 90", false),
            ("DE12  5001 0517 0648 4898 90", false),
            ("DE12 5001 0517 0648 4898 901", false),
            ("4111 1111 1111 1111", false),
        ] {
            // The last group of four digits.
            let start = text.find("4898").or(text.find("7654")).unwrap_or(10);
            assert_eq!(
                overlaps_iban(text.as_bytes(), &(start..start + 4)),
                expected,
                "{text}"
            );
        }
        let text = "DE12 5001 0517 0648 4898 90 4111 1111 1111 1111";
        assert!(!overlaps_iban(text.as_bytes(), &(28..47)));
        assert!(overlaps_iban(text.as_bytes(), &(25..35)));
    }
}
