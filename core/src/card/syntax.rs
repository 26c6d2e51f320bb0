//! The form of card numbers: their number of digits, and groups of digits in a text.

use crate::util::bytes::all_digits;

/// The minimum and the maximum number of digits of a card number (`card_number_syntax`).
pub(crate) const MIN_PAN_DIGITS: usize = 12;
pub(crate) const MAX_PAN_DIGITS: usize = 19;

/// Checks if the text has the form of a card number (`card_number_syntax`): 12 to 19 ASCII digits.
pub(crate) fn is_pan_syntax(text: &[u8]) -> bool {
    (MIN_PAN_DIGITS..=MAX_PAN_DIGITS).contains(&text.len()) && all_digits(text)
}

/// Checks if the byte may be between the digits of a card number.
pub(crate) fn is_separator(byte: u8) -> bool {
    matches!(byte, b' ' | b'-')
}

/// Checks if the byte at a position is a digit. No byte is after the end.
pub(super) fn is_digit_at(text: &[u8], at: usize) -> bool {
    text.get(at).is_some_and(u8::is_ascii_digit)
}

/// Returns the digits of the group at `start`, up to the first other byte.
pub(crate) fn group(text: &[u8], start: usize) -> &[u8] {
    let rest = text.get(start..).unwrap_or_default();
    rest.split(|byte| !byte.is_ascii_digit())
        .next()
        .unwrap_or_default()
}

/// Returns the end of the group of digits at `start`.
pub(crate) fn group_end(text: &[u8], start: usize) -> usize {
    start.saturating_add(group(text, start).len())
}

/// Returns the start of the next group, if exactly one separator is between. The group before it
/// ends at `end`.
pub(crate) fn next_group(text: &[u8], end: usize) -> Option<usize> {
    let next = end.saturating_add(1);
    let is_separated = text.get(end).copied().is_some_and(is_separator);
    (is_separated && is_digit_at(text, next)).then_some(next)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepts_12_to_19_digits() {
        for length in 0..25 {
            let digits = "5".repeat(length);
            let expected = (12..=19).contains(&length);
            assert_eq!(is_pan_syntax(digits.as_bytes()), expected, "{length}");
        }
        assert!(!is_pan_syntax(b"4111 1111 1111 1"));
        assert!(!is_pan_syntax("４１１１１１".as_bytes()));
    }

    #[test]
    fn splits_groups_at_one_separator() {
        for (text, end, next) in [
            ("4111", 4, None),
            ("4111 1111", 4, Some(5)),
            ("4111-1111", 4, Some(5)),
            ("4111  1111", 4, None),
            ("4111 -1111", 4, None),
            ("4111.1111", 4, None),
            ("4111 x", 4, None),
            ("4111 ", 4, None),
            ("x111 1", 0, None),
            ("", 0, None),
        ] {
            assert_eq!(group_end(text.as_bytes(), 0), end, "{text}");
            assert_eq!(next_group(text.as_bytes(), end), next, "{text}");
        }
        assert_eq!(group(b"41", usize::MAX), b"");
    }
}
