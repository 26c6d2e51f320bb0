//! The form of card numbers.

use crate::util::bytes::all_digits;

/// The minimum and the maximum number of digits of a card number (`card_number_syntax`).
pub(crate) const MIN_PAN_DIGITS: usize = 12;
pub(crate) const MAX_PAN_DIGITS: usize = 19;

/// Checks if the text has the form of a card number (`card_number_syntax`): 12 to 19 ASCII digits.
pub(crate) fn is_pan_syntax(text: &[u8]) -> bool {
    (MIN_PAN_DIGITS..=MAX_PAN_DIGITS).contains(&text.len()) && all_digits(text)
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
}
