//! The check digit of card numbers (`card_number_checksum`).

use crate::util::bytes::all_digits;

/// Checks if the last digit is the check digit of the others, by the Luhn algorithm
/// (`card_number_checksum`). Returns false for an empty slice and for characters other than ASCII
/// digits.
///
/// ```
/// use payspec::card::passes_luhn;
///
/// assert!(passes_luhn(b"4111111111111111"));
/// assert!(!passes_luhn(b"4111111111111112"));
/// ```
#[must_use]
pub fn passes_luhn(digits: &[u8]) -> bool {
    !digits.is_empty() && all_digits(digits) && luhn_sum(digits).is_multiple_of(10)
}

/// Returns the sum of the Luhn algorithm over ASCII digits: of every second digit, counted from the
/// last one, its double counts.
#[expect(
    clippy::arithmetic_side_effects,
    reason = "no text is long enough for the sum to overflow"
)]
fn luhn_sum(digits: &[u8]) -> u64 {
    let value = |digit: u8| u64::from(digit & 0x0F);
    // The sum of the digits of a doubled digit: 2 × 7 = 14 counts as 1 + 4.
    let twice = |digit: u64| if digit > 4 { 2 * digit - 9 } else { 2 * digit };
    let pairs = digits.rchunks(2).map(|pair| match *pair {
        [doubled, last] => twice(value(doubled)) + value(last),
        [first] => value(first),
        _ => 0,
    });
    pairs.sum()
}

/// Checks if the last digit is the check digit of the others, which are not all zero. Zeros pass
/// Luhn, but are a placeholder, not a number.
pub(crate) fn has_check_digit(digits: &[u8]) -> bool {
    passes_luhn(digits) && digits.iter().any(|digit| *digit != b'0')
}

#[cfg(test)]
mod tests {
    #![expect(
        clippy::arithmetic_side_effects,
        reason = "small numbers, and a panic would be the message"
    )]

    use alloc::string::String;

    use super::*;

    /// Computes the published algorithm, digit by digit from the last one.
    fn plainly(digits: &[u8]) -> bool {
        let mut sum = 0_u32;
        for (index, digit) in digits.iter().rev().enumerate() {
            let value = u32::from(digit - b'0');
            sum += match index % 2 {
                0 => value,
                _ if value > 4 => value * 2 - 9,
                _ => value * 2,
            };
        }
        sum.is_multiple_of(10)
    }

    #[test]
    fn rejects_every_wrong_digit() {
        for number in [
            "4111111111111111",
            "5555555555554444",
            "378282246310005",
            "30569309025904",
            "6759649826438453",
            "6205500000000000004",
        ] {
            for at in 0..number.len() {
                let mut digits = number.as_bytes().to_vec();
                let right = digits[at];
                for digit in b'0'..=b'9' {
                    digits[at] = digit;
                    assert_eq!(
                        passes_luhn(&digits),
                        digit == right,
                        "{number} with {digit} at {at}"
                    );
                }
                for other in [b'/', b':', b' ', 0, 0x7F, 0x80, 0xB0, 0xFF] {
                    digits[at] = other;
                    assert!(!passes_luhn(&digits), "{number} with {other:#x} at {at}");
                }
            }
        }
    }

    #[test]
    fn zeros_have_no_check_digit() {
        assert!(passes_luhn(b"0000000000000000") && !has_check_digit(b"0000000000000000"));
        assert!(has_check_digit(b"4111111111111111") && !has_check_digit(b"4111111111111112"));
        assert!(!has_check_digit(b""));
    }

    #[test]
    fn equals_the_published_algorithm_at_every_length() {
        assert!(!passes_luhn(b""));
        let mut state = 1_u32;
        for _ in 0..500 {
            for length in 1..48 {
                let digits: String = (0..length)
                    .map(|_| {
                        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                        char::from_digit(state / 65_536 % 10, 10).unwrap()
                    })
                    .collect();
                assert_eq!(
                    passes_luhn(digits.as_bytes()),
                    plainly(digits.as_bytes()),
                    "{digits}"
                );
            }
        }
        let long = "9".repeat(100_000);
        assert_eq!(passes_luhn(long.as_bytes()), plainly(long.as_bytes()));
    }
}
