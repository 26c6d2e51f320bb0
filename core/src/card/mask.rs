//! Masks of card numbers (D22).

use zeroize::Zeroize;

use super::syntax::{MAX_PAN_DIGITS, MIN_PAN_DIGITS};
use crate::util::bug::or_bug;
use crate::util::inline_vec::InlineVec;

/// The number of digits of a card number that stay visible at each end.
const VISIBLE_PREFIX: usize = 6;
const VISIBLE_SUFFIX: usize = 4;

/// The minimum number of hidden digits. If six and four of twelve digits stayed, the check digit would
/// leave ten possible numbers.
const MIN_HIDDEN: usize = 5;

/// The number of digits that stay visible of a value that is too short for a card number.
const VISIBLE_SHORT: usize = 2;

/// The mask of a value that is not a number, and of any text that could not be masked.
pub(crate) const STARS: &str = "******";

/// Returns how many of the first and how many of the last digits of a number stay visible (D22).
pub(crate) fn visible_digits(digits: usize) -> (usize, usize) {
    match digits {
        ..MIN_PAN_DIGITS => (VISIBLE_SHORT, 0),
        MIN_PAN_DIGITS..=MAX_PAN_DIGITS => {
            let first = digits.saturating_sub(MIN_HIDDEN.saturating_add(VISIBLE_SUFFIX));
            (first.min(VISIBLE_PREFIX), VISIBLE_SUFFIX)
        }
        // A run that is too long for one number may contain several.
        _ => (0, 0),
    }
}

/// Masks a number that consists of digits alone.
pub(super) fn mask_digits(number: &mut [u8]) {
    let (first, last) = visible_digits(number.len());
    let hidden = number.len().saturating_sub(last);
    let hidden = number.get_mut(first..hidden);
    hidden.unwrap_or_default().fill(b'*');
}

/// A text with masks. It is on the stack, unless it is longer than nearly all texts.
pub(crate) struct Masked(InlineVec<u8, 1024>);

impl Masked {
    /// Returns a text that is valid UTF-8, because digits were replaced by stars.
    pub(super) fn new(text: InlineVec<u8, 1024>) -> Self {
        Masked(text)
    }

    pub(crate) fn as_str(&self) -> &str {
        or_bug(core::str::from_utf8(&self.0).ok(), STARS)
    }

    /// Overwrites a text that still contains card data.
    pub(super) fn wipe(&mut self) {
        self.0.zeroize();
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::String;

    use super::*;
    use crate::util::bug::with_bug;

    #[test]
    fn hides_at_least_five_digits() {
        for (number, expected) in [
            ("", ""),
            ("4", "4"),
            ("41", "41"),
            ("411", "41*"),
            ("41111111111", "41*********"),
            ("411111111111", "411*****1111"),
            ("4111111111111", "4111*****1111"),
            ("41111111111111", "41111*****1111"),
            ("411111111111111", "411111*****1111"),
            ("4111111111111111", "411111******1111"),
            ("4111111111111111110", "411111*********1110"),
            ("41111111111111111100", "********************"),
        ] {
            let mut masked = String::from(number).into_bytes();
            mask_digits(&mut masked);
            assert_eq!(masked, expected.as_bytes(), "{number}");
        }
    }

    #[test]
    fn returns_stars_for_text_that_is_not_utf8() {
        let masked = Masked(InlineVec::from(alloc::vec![0xFF]));
        assert_eq!(with_bug(|| String::from(masked.as_str())), STARS);
    }
}
