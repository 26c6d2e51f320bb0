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

use super::scheme::{MAX_PAN_DIGITS, Scheme, can_begin, luhn};
use crate::util::bytes::has_digit;

/// The minimum number of digits of a card number in free text. Numbers of twelve digits are too often something
/// different.
pub(crate) const MIN_TEXT_PAN_DIGITS: usize = 13;
/// The length from which a text may contain two card numbers that share no byte.
const TWO_PANS: usize = 2 * MIN_TEXT_PAN_DIGITS;
/// The number of bytes over which a text is first tested for any digit.
const LONG_TEXT: usize = 256;

/// Checks if the text contains a card number.
pub(crate) fn contains_pan(text: &str) -> bool {
    let bytes = text.as_bytes();
    // Long texts often have no digit (P12), and short ones are mostly letters: without these tests, a report takes 5 ns
    // more (P6).
    let may_contain = match bytes.len() {
        ..MIN_TEXT_PAN_DIGITS => false,
        // All numbers that fit contain these bytes.
        length @ ..TWO_PANS => {
            let common = bytes.get(length.saturating_sub(MIN_TEXT_PAN_DIGITS)..MIN_TEXT_PAN_DIGITS);
            common.unwrap_or_default().iter().all(|byte| is_of_number(*byte))
        }
        LONG_TEXT.. => has_digit(bytes),
        _ => true,
    };
    may_contain && find_pan(bytes, 0).is_some()
}

/// Finds the next card number that begins at the byte `from` or later. If several begin there, it is the longest one.
pub(super) fn find_pan(bytes: &[u8], from: usize) -> Option<Range<usize>> {
    // No number begins within a group.
    let mut at = match from.checked_sub(1) {
        Some(before) if digit_at(bytes, before) => group_end(bytes, from),
        _ => from,
    };
    while let Some(mut start) = next_candidate(bytes, at, MIN_TEXT_PAN_DIGITS) {
        loop {
            if let Some(end) = number_end(bytes, start, |_| true, |_| true) {
                return Some(start..end);
            }
            at = group_end(bytes, start);
            // With a search for each group of an identifier, a report costs 10 ns more (P6).
            let Some(next) = next_group(bytes, at) else { break };
            start = next;
        }
    }
    None
}

/// Returns the end of the longest card number that begins with the group at `start`. Its other groups and its end must be
/// accepted.
#[inline]
pub(crate) fn number_end(
    bytes: &[u8],
    start: usize,
    is_group: impl Fn(&usize) -> bool,
    is_end: impl Fn(usize) -> bool,
) -> Option<usize> {
    // Identifiers and times often have groups that begin with other digits.
    if let Some([one, two @ b'0'..=b'9', ..]) = bytes.get(start..)
        && !can_begin(*one, *two)
    {
        return None;
    }
    let mut digits = [0; MAX_PAN_DIGITS];
    // The end of a group by the number of digits up to it, or 0 if no group ends there.
    let mut ends = [0; MAX_PAN_DIGITS + 1];
    let (mut count, mut last_end, mut at) = (0_usize, 0, start);
    loop {
        if let Some(digit @ b'0'..=b'9') = bytes.get(at) {
            let Some(slot) = digits.get_mut(count) else { break };
            *slot = *digit;
            count = count.wrapping_add(1);
            at = at.wrapping_add(1);
        } else {
            *ends.get_mut(count)? = at;
            last_end = count;
            let Some(next) = next_group(bytes, at).filter(&is_group) else { break };
            at = next;
        }
    }
    if last_end < MIN_TEXT_PAN_DIGITS {
        return None;
    }
    let lengths = Scheme::of(&digits)?.lengths().iter().rev().map(|length| usize::from(*length));
    lengths.filter(|length| *length >= MIN_TEXT_PAN_DIGITS).find_map(|length| {
        let end = *ends.get(length)?;
        (end != 0 && is_end(end) && digits.get(..length).is_some_and(luhn)).then_some(end)
    })
}

fn is_of_number(byte: u8) -> bool {
    byte.is_ascii_digit() || is_separator(byte)
}

pub(super) fn is_separator(byte: u8) -> bool {
    matches!(byte, b' ' | b'-')
}

fn digit_at(bytes: &[u8], at: usize) -> bool {
    bytes.get(at).is_some_and(u8::is_ascii_digit)
}

/// Returns the first digit at `from` or later that may begin a number of at least `length` digits.
pub(super) fn next_candidate(bytes: &[u8], from: usize, length: usize) -> Option<usize> {
    let mut start = from;
    loop {
        // The last other byte of the next `length` bytes excludes the bytes before it, so most bytes are not read.
        let window = bytes.get(start..start.checked_add(length)?)?;
        match window.iter().rposition(|byte| !is_of_number(*byte)) {
            Some(other) => start = start.saturating_add(other).saturating_add(1),
            None => break,
        }
    }
    let offset = bytes.get(start..)?.iter().position(u8::is_ascii_digit)?;
    start.checked_add(offset)
}

/// Returns the end of the group of digits that contains `at`.
pub(crate) fn group_end(bytes: &[u8], at: usize) -> usize {
    let digits = bytes.get(at..).unwrap_or_default().iter().take_while(|byte| byte.is_ascii_digit()).count();
    at.saturating_add(digits)
}

/// Returns the start of the next group, if exactly one separator is between.
pub(crate) fn next_group(bytes: &[u8], end: usize) -> Option<usize> {
    let next = end.saturating_add(1);
    (bytes.get(end).copied().is_some_and(is_separator) && digit_at(bytes, next)).then_some(next)
}
