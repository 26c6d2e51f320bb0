//! Finds card numbers in free text (`card_number_in_text`).
//!
//! A card number in a text is 13 to 19 ASCII digits, with single spaces or hyphens allowed between
//! them. It has the prefix and a length of a known scheme, and passes Luhn.
//!
//! It begins and ends at the limits of a group of digits, so twenty consecutive digits contain
//! none. The work at each start is bounded, so the time is linear.

#[cfg(test)]
mod tests;

use core::ops::Range;

use super::scheme::{MAX_PAN_DIGITS, Scheme, can_begin, has_check_digit, is_separator};
use crate::util::bytes::{BITS, distance, leading_digits, number_bits};
use crate::util::text::Text;

/// The minimum number of digits of a card number in free text. Numbers of twelve digits are too
/// often something different.
pub(crate) const MIN_TEXT_PAN_DIGITS: usize = 13;
/// The length from which a text may contain two card numbers that share no byte.
const TWO_PANS: usize = 2 * MIN_TEXT_PAN_DIGITS;

/// Checks if the text contains a card number.
pub(crate) fn contains_pan<T: Text>(text: T) -> bool {
    // All numbers in a text of this length contain these bytes.
    let common_bytes = |length: usize| {
        text.slice(
            length.wrapping_sub(MIN_TEXT_PAN_DIGITS),
            MIN_TEXT_PAN_DIGITS,
        )
    };
    let is_of_number = |byte: &u8| byte.is_ascii_digit() || is_separator(*byte);
    match text.len() {
        ..MIN_TEXT_PAN_DIGITS => false,
        // Most short texts are letters: without this test, a report takes 5 ns more (P6).
        length @ ..TWO_PANS
            if common_bytes(length).is_some_and(|bytes| !bytes.iter().all(is_of_number)) =>
        {
            false
        }
        _ => find_pan(text, text.start()).is_some(),
    }
}

/// Finds the next card number that begins at the byte `from` or later. If several begin there, it
/// is the longest one.
pub(super) fn find_pan<T: Text>(text: T, from: usize) -> Option<Range<usize>> {
    // No number begins within a group.
    let mut at = if from > text.start() && digit_at(text, from.wrapping_sub(1)) {
        group_end(text, from)
    } else {
        from
    };
    while let Some(mut start) = next_candidate(text, at, MIN_TEXT_PAN_DIGITS) {
        loop {
            if let Some(end) = number_end(text, start, |_| true, |_| true) {
                return Some(start..end);
            }
            at = group_end(text, start);
            // With a search for each group of an identifier, a report costs 10 ns more (P6).
            match next_group(text, at) {
                Some(next) if T::IS_SLICE => start = next,
                _ => break,
            }
        }
    }
    None
}

/// Returns the end of the longest card number that begins with the group at `start`. Its other
/// groups and its end must be accepted.
#[inline]
pub(crate) fn number_end<T: Text>(
    text: T,
    start: usize,
    is_group: impl Fn(&usize) -> bool,
    is_end: impl Fn(usize) -> bool,
) -> Option<usize> {
    // Identifiers and times often have groups that begin with other digits.
    if let Some([one, two @ b'0'..=b'9', ..]) = text.slice(start, text.end())
        && !can_begin(*one, *two)
    {
        return None;
    }
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

fn digit_at<T: Text>(text: T, at: usize) -> bool {
    at < text.end() && text.byte(at).is_ascii_digit()
}

/// Returns the first digit at `from` or later that may begin a number of at least `length` digits.
/// There may be fewer.
///
/// `length` is from 8 to 16.
pub(super) fn next_candidate<T: Text>(text: T, from: usize, length: usize) -> Option<usize> {
    let mut start = from;
    let fits = |start: usize| {
        start.wrapping_add(if T::IS_SLICE {
            length.wrapping_sub(1)
        } else {
            0
        }) < text.end()
    };
    while fits(start)
        && let Some(bits) = text.slice(start, text.end()).and_then(number_bits)
    {
        // A bit for each byte at which a run starts. The steps require runs of 2, 4, 8, and
        // `length` bytes.
        let runs = [1, 2, 4, length.wrapping_sub(8)]
            .iter()
            .fold(bits, |runs, shift| runs & runs >> shift);
        // Without a run, the last `length - 1` of the 64 bytes may still begin one.
        start = start.wrapping_add(distance(runs).min((BITS + 1).wrapping_sub(length)));
        if runs != 0 {
            break;
        }
    }
    let digit = fits(start).then(|| text.skip(start, text.end(), |byte| !byte.is_ascii_digit()))?;
    fits(digit).then_some(digit)
}

/// Returns the end of the group of digits that contains `at`.
pub(crate) fn group_end<T: Text>(text: T, at: usize) -> usize {
    let digits = text.slice(at, text.end()).and_then(leading_digits);
    digits.map_or_else(
        || text.skip_digits(at, text.end()),
        |digits| at.wrapping_add(digits),
    )
}

/// Returns the start of the next group, if exactly one separator is between.
pub(crate) fn next_group<T: Text>(text: T, end: usize) -> Option<usize> {
    let next = end.wrapping_add(1);
    (end < text.end() && is_separator(text.byte(end)) && digit_at(text, next)).then_some(next)
}
