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
    !digits.is_empty() && all_digits(digits) && ends_with_check_digit(digits)
}

/// Checks the last of ASCII digits, like [`passes_luhn`]. The digits are not compared as a block, of
/// which a copy could stay on the stack.
pub(super) fn ends_with_check_digit(digits: &[u8]) -> bool {
    luhn_sum(digits).is_multiple_of(10)
}

/// Returns the sum of the Luhn algorithm over ASCII digits: of every second digit, counted from the
/// last one, the digits of its double count.
///
/// Eight digits are the bytes of one number, so that each step computes with all of them:
///
/// 1. The digits that are doubled are every second byte. A double of 10 or more is recognized by its
///    bit of 16 after 6 is added, and 9 is subtracted: 2 × 7 = 14 counts as 1 + 4 = 14 − 9.
/// 2. A multiplication adds all bytes in the highest one. They are at most 8 × 9.
#[expect(
    clippy::arithmetic_side_effects,
    reason = "no byte exceeds 24, and no text is long enough for the sum to overflow"
)]
fn luhn_sum(digits: &[u8]) -> u64 {
    const EACH: u64 = 0x0101_0101_0101_0101;
    const DOUBLED: u64 = 0x0F00_0F00_0F00_0F00;
    let sum_of_eight = |digits: u64| {
        let doubles = (digits & DOUBLED) * 2;
        let carries = (doubles + 6 * EACH) >> 4 & EACH;
        let sums = (digits & DOUBLED >> 8) + doubles - 9 * carries;
        sums.wrapping_mul(EACH) >> 56
    };
    let append = |digits: u64, digit: &u8| digits << 8 | u64::from(*digit);
    let numbers = digits
        .rchunks(8)
        .map(|digits| digits.iter().fold(0, append));
    numbers.map(sum_of_eight).sum()
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
