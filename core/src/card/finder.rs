//! Finds card numbers in free text (`card_number_in_text`).
//!
//! A card number in a text is 13 to 19 ASCII digits, with single spaces or hyphens allowed between them. It has the
//! prefix and a length of a known scheme, and passes Luhn.
//!
//! It begins and ends at the limits of a group of digits, so twenty consecutive digits contain none. The work at each
//! start is bounded, so the time is linear.

#[cfg(test)]
mod tests;

use core::ops::Range;

use super::scheme::{MAX_PAN_DIGITS, Scheme, has_check_digit, is_separator};
use crate::util::bytes::has_digit;
use crate::util::memory::{Memory, Text};

/// The minimum number of digits of a card number in free text. Numbers of twelve digits are too often something
/// different.
pub(crate) const MIN_TEXT_PAN_DIGITS: usize = 13;
/// The number of bytes over which a text is first tested for any digit.
const LONG_TEXT: usize = 256;

/// Checks if the text contains a card number.
pub(crate) fn contains_pan<M: Memory>(text: Text<M>) -> bool {
    // Long texts often have no digit, and this test takes less time than the search (P12).
    let is_excluded =
        text.len() < MIN_TEXT_PAN_DIGITS || text.len() > LONG_TEXT && text.slice().is_some_and(|text| !has_digit(text));
    !is_excluded && find_pan(text, text.at).is_some()
}

/// Finds the next card number that begins at the byte `from` or later. If several begin there, it is the longest one.
pub(super) fn find_pan<M: Memory>(text: Text<M>, from: usize) -> Option<Range<usize>> {
    // No number begins within a group.
    let mut at = if from > text.at && digit_at(text, from.wrapping_sub(1)) { group_end(text, from) } else { from };
    while let Some(start) = next_candidate(text, at, MIN_TEXT_PAN_DIGITS) {
        if let Some(end) = number_end(text, start, |_| true, |_| true) {
            return Some(start..end);
        }
        at = group_end(text, start);
    }
    None
}

/// Returns the end of the longest card number that begins with the group at `start`. Its other groups and its end must be
/// accepted.
#[inline]
pub(crate) fn number_end<M: Memory>(
    text: Text<M>,
    start: usize,
    is_group: impl Fn(&usize) -> bool,
    is_end: impl Fn(usize) -> bool,
) -> Option<usize> {
    let (mut count, mut at) = (0_usize, start);
    let (mut scheme, mut longest) = (None, None);
    loop {
        let end = group_end(text, at);
        count = count.wrapping_add(end.wrapping_sub(at));
        if count > MAX_PAN_DIGITS {
            return longest;
        }
        if count >= MIN_TEXT_PAN_DIGITS {
            let number = text.part(start, end);
            scheme = scheme.or_else(|| Scheme::of_number(number));
            if scheme?.has_length(count) && is_end(end) && has_check_digit(number) {
                longest = Some(end);
            }
        }
        match next_group(text, end).filter(&is_group) {
            Some(next) => at = next,
            None => return longest,
        }
    }
}

fn digit_at<M: Memory>(text: Text<M>, at: usize) -> bool {
    at < text.end && text.memory.byte(at).is_ascii_digit()
}

/// Returns the first digit at `from` or later that may begin a number of at least `length` digits.
pub(super) fn next_candidate<M: Memory>(text: Text<M>, from: usize, length: usize) -> Option<usize> {
    let is_of_number = |byte: u8| byte.is_ascii_digit() || is_separator(byte);
    let mut start = from;
    loop {
        let end = start.wrapping_add(length);
        // The last other byte of the next `length` bytes excludes the bytes before it, so most bytes are not read.
        match text.part(start, end).skip_back(is_of_number) {
            _ if end > text.end => return None,
            after if after == start => break,
            after => start = after,
        }
    }
    let digit = text.part(start, text.end).skip(|byte| !byte.is_ascii_digit());
    (digit < text.end).then_some(digit)
}

/// Returns the end of the group of digits that contains `at`.
pub(crate) fn group_end<M: Memory>(text: Text<M>, at: usize) -> usize {
    text.part(at, text.end).skip(|byte| byte.is_ascii_digit())
}

/// Returns the start of the next group, if exactly one separator is between.
pub(crate) fn next_group<M: Memory>(text: Text<M>, end: usize) -> Option<usize> {
    let next = end.wrapping_add(1);
    (end < text.end && is_separator(text.memory.byte(end)) && digit_at(text, next)).then_some(next)
}
