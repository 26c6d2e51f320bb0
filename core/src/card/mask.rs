//! Masks card numbers in outputs.

use core::ops::Range;

use super::finder::{MIN_TEXT_PAN_DIGITS, group_end, next_candidate, next_group};
use super::scheme::{MAX_PAN_DIGITS, MIN_PAN_DIGITS, is_separator};

/// The number of digits that stay visible at each end.
pub(super) const VISIBLE_PREFIX: usize = 6;
pub(super) const VISIBLE_SUFFIX: usize = 4;

/// Selects the runs of digits to mask.
pub(super) type RunFilter<'c> = &'c dyn Fn(&[u8]) -> bool;

/// Checks if the text has enough digits in a row for a card number, with single spaces or hyphens
/// allowed between them.
pub(crate) fn may_contain_pan(text: &[u8]) -> bool {
    long_run(text, 0, MIN_TEXT_PAN_DIGITS, &|_| true).is_some()
}

/// Finds the next run that begins at `from` or later, has at least `least` digits, and is accepted
/// by the filter. Returns it with its number of digits.
pub(super) fn long_run(
    bytes: &[u8],
    mut from: usize,
    least: usize,
    filter: RunFilter<'_>,
) -> Option<(Range<usize>, usize)> {
    while let Some(start) = next_candidate(bytes, from, least) {
        let (mut digits, mut at) = (0_usize, start);
        let end = loop {
            let end = group_end(bytes, at);
            digits = digits.saturating_add(end.saturating_sub(at));
            match next_group(bytes, end) {
                Some(next) => at = next,
                None => break end,
            }
        };
        if digits >= least && filter(bytes.get(start..end).unwrap_or_default()) {
            return Some((start..end, digits));
        }
        from = end;
    }
    None
}

/// Masks a card number in place: its middle digits become stars. If the text is too short for a
/// card number (an unfinished form field), only the first six digits stay.
pub(crate) fn mask_in_place(number: &mut [u8]) {
    let last = if number.len() < MIN_PAN_DIGITS {
        number.len()
    } else {
        number.len().saturating_sub(VISIBLE_SUFFIX)
    };
    number
        .get_mut(VISIBLE_PREFIX..last)
        .unwrap_or_default()
        .fill(b'*');
}

/// Masks a run of digits.
pub(super) fn mask_run(out: &mut [u8], range: &Range<usize>, digits: usize) {
    // A run that is too long for one number may contain several, so no digit stays visible.
    let (head, tail) = if digits <= MAX_PAN_DIGITS {
        (VISIBLE_PREFIX, VISIBLE_SUFFIX)
    } else {
        (0, 0)
    };
    mask_digits(out, range, head, tail);
}

/// Masks the card number in the range, but not its separators.
pub(crate) fn mask_pan(out: &mut [u8], range: &Range<usize>) {
    mask_digits(out, range, VISIBLE_PREFIX, VISIBLE_SUFFIX);
}

/// Replaces all digits of the range by stars, except for the first `head` and the last `tail`
/// digits.
fn mask_digits(out: &mut [u8], range: &Range<usize>, head: usize, tail: usize) {
    let Some(number) = out.get_mut(range.clone()) else {
        return;
    };
    // A star counts as a digit, because it replaces one.
    let is_digit = |byte: &u8| !is_separator(*byte);
    let last = number
        .iter()
        .filter(|byte| is_digit(byte))
        .count()
        .saturating_sub(tail);
    for (index, digit) in number.iter_mut().filter(|byte| is_digit(byte)).enumerate() {
        if (head..last).contains(&index) {
            *digit = b'*';
        }
    }
}
