//! Masks card numbers in outputs.

use core::ops::Range;

use super::scanner::PanScanner;
use super::syntax::{MAX_PAN_DIGITS, MIN_PAN_DIGITS, is_separator};
use crate::util::bug::{or_bug, report_bug};
use crate::util::inline_vec::InlineVec;

/// The number of digits of a card number that stay visible at each end.
pub(super) const VISIBLE_PREFIX: usize = 6;
pub(super) const VISIBLE_SUFFIX: usize = 4;

/// The mask of a value that is not a number, and of any text that could not be masked.
pub(crate) const STARS: &str = "******";

/// Returns how many of the first and how many of the last digits stay visible (D22).
fn visible_digits(digits: usize) -> (usize, usize) {
    match digits {
        // An unfinished number, which a form is still reading.
        ..MIN_PAN_DIGITS => (VISIBLE_PREFIX, 0),
        MIN_PAN_DIGITS..=MAX_PAN_DIGITS => (VISIBLE_PREFIX, VISIBLE_SUFFIX),
        // A run that is too long for one number may contain several.
        _ => (0, 0),
    }
}

/// Masks a number in place: its middle digits become stars, its separators stay.
pub(super) fn mask_number(number: &mut [u8]) {
    // A star counts as a digit, because it replaces one.
    let is_digit = |byte: &u8| !is_separator(*byte);
    let digits = number.iter().filter(|byte| is_digit(byte)).count();
    let (first, last) = visible_digits(digits);
    let middle = digits.saturating_sub(first).saturating_sub(last);
    let masked = number.iter_mut().filter(|byte| is_digit(byte));
    masked
        .skip(first)
        .take(middle)
        .for_each(|digit| *digit = b'*');
}

/// Masks the number in a range of a text. If the range is not within the text, which is a bug, the
/// whole text becomes stars.
pub(crate) fn mask_in_text(text: &mut [u8], range: Range<usize>) {
    match text.get_mut(range) {
        Some(number) => mask_number(number),
        None => {
            report_bug();
            text.fill(b'*');
        }
    }
}

/// A text with masked card numbers. It is on the stack, unless it is longer than nearly all texts.
pub(crate) struct Masked(InlineVec<u8, 1024>);

impl Masked {
    pub(crate) fn as_str(&self) -> &str {
        // Still valid UTF-8, because only ASCII was replaced by ASCII.
        or_bug(core::str::from_utf8(&self.0).ok(), STARS)
    }
}

impl PanScanner<'_> {
    /// Masks the card numbers in a text. Returns `None` if there is nothing to mask.
    ///
    /// Only the middle digits become stars. Masking the result again in the same way changes
    /// nothing.
    ///
    /// If numbers overlap, the middle of each is masked, because any of them may be the card
    /// number. If only the first one were masked, a digit before a number could uncover it.
    pub(crate) fn mask(self, text: &str) -> Option<Masked> {
        let bytes = text.as_bytes();
        let mut matches = self.matches(bytes).peekable();
        matches.peek()?;
        // The digits are masked before the buffer is moved, because a move leaves a copy of the
        // bytes in memory.
        let mut out = InlineVec::new();
        out.extend_from_slice(bytes);
        matches.for_each(|range| mask_in_text(&mut out, range));
        // Stars separate groups and can so create new card numbers, so the search repeats until it
        // finds none. Each round masks digits, and goes back at most as far as a number can reach.
        let mut from = 0;
        while let Some(range) = self.find_number(&out, from) {
            from = range.start.saturating_sub(2 * MAX_PAN_DIGITS);
            mask_in_text(&mut out, range);
        }
        Some(Masked(out))
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::String;

    use super::*;
    use crate::util::bug::with_bug;

    #[test]
    fn masks_the_middle_of_a_number() {
        for (number, expected) in [
            ("", ""),
            ("4", "4"),
            ("411111", "411111"),
            ("4111111", "411111*"),
            ("41111111111", "411111*****"),
            ("411111111111", "411111**1111"),
            ("4111111111111111", "411111******1111"),
            ("4111 1111-1111 1111", "4111 11**-**** 1111"),
            ("4111111111111111110", "411111*********1110"),
            ("4111 11** **** 1111", "4111 11** **** 1111"),
            ("41111111111111111100", "********************"),
            ("4111 1111 1111 1111 1100", "**** **** **** **** ****"),
        ] {
            let mut masked = String::from(number).into_bytes();
            mask_number(&mut masked);
            assert_eq!(masked, expected.as_bytes(), "{number}");
        }
    }

    #[test]
    fn masks_everything_if_the_range_is_wrong() {
        for range in [0..17, 17..18, Range { start: 5, end: 4 }] {
            let mut text = *b"4111111111111111";
            with_bug(|| mask_in_text(&mut text, range));
            assert_eq!(text, *b"****************");
        }
    }

    #[test]
    fn returns_stars_for_text_that_is_not_utf8() {
        let masked = Masked(InlineVec::from(alloc::vec![0xFF]));
        assert_eq!(with_bug(|| String::from(masked.as_str())), STARS);
    }
}
