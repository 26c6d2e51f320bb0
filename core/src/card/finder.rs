//! Masks card numbers in outputs, and finds card numbers in free text (`card_number_in_text`).
//!
//! A card number in a text is 13 to 19 ASCII digits, with single spaces or hyphens allowed between them. It has the
//! prefix and a length of a known scheme, and passes Luhn.
//!
//! It begins and ends at the limits of a group of digits, so twenty consecutive digits contain none. The work at each
//! start is bounded, so the time is linear.

#[cfg(test)]
mod tests;

use core::ops::Range;

use super::scheme::{MAX_PAN_DIGITS, MIN_PAN_DIGITS, Scheme, luhn};
use crate::util::bug::or_bug;
use crate::util::bytes::has_digit;
use crate::util::inline_vec::InlineVec;

/// The minimum number of digits of a card number in free text. Numbers of twelve digits are too often something
/// different.
pub(crate) const MIN_TEXT_PAN_DIGITS: usize = 13;
/// The number of digits that stay visible at each end.
const VISIBLE_PREFIX: usize = 6;
const VISIBLE_SUFFIX: usize = 4;

/// The number of bytes over which a text is first tested for any digit.
const LONG_TEXT: usize = 256;

/// Selects the runs of digits to mask.
pub(super) type RunFilter<'c> = &'c dyn Fn(&[u8]) -> bool;

/// A text with masked card numbers. It is on the stack, unless it is longer than nearly all texts.
pub(crate) struct Masked(InlineVec<u8, 1024>);

impl Masked {
    pub(crate) fn as_str(&self) -> &str {
        // Still valid UTF-8, because only ASCII was replaced by ASCII.
        or_bug(core::str::from_utf8(&self.0).ok(), "")
    }
}

/// Checks if the text contains a card number.
pub(crate) fn contains_pan(text: &str) -> bool {
    let bytes = text.as_bytes();
    // Long texts often have no digit, and this test takes less time than the search (P12).
    let is_excluded = bytes.len() < MIN_TEXT_PAN_DIGITS || bytes.len() > LONG_TEXT && !has_digit(bytes);
    !is_excluded && find_pan(text, 0).is_some()
}

/// Checks if the text has enough digits in a row for a card number, with single spaces or hyphens allowed between them.
pub(crate) fn may_contain_pan(text: &[u8]) -> bool {
    long_run(text, 0, MIN_TEXT_PAN_DIGITS, &|_| true).is_some()
}

/// Finds the next card number that begins at the byte `from` or later. If several begin there, it is the longest one.
pub(crate) fn find_pan(text: &str, from: usize) -> Option<Range<usize>> {
    find_in(text.as_bytes(), from)
}

/// Masks every run of twelve or more digits, with single spaces or hyphens allowed between them, for any scheme and
/// check digit. Returns `None` if there is nothing to mask.
///
/// It is for texts in which a missed card number is worse than a masked other number, such as the name of an unknown
/// member.
pub(crate) fn mask_long_runs(text: &str) -> Option<Masked> {
    mask(text, Some(&|_| true), false)
}

/// Masks the long runs of digits that `counts` accepts and, if `numbers` is set, the card numbers. Returns `None` if
/// there is nothing to mask.
///
/// Only the middle digits become stars. Masking the result again in the same way changes nothing.
///
/// If numbers overlap, the middle of each is masked, because any of them may be the card number. If only the first one
/// were masked, a digit before a number could uncover it.
pub(super) fn mask(text: &str, counts: Option<RunFilter<'_>>, numbers: bool) -> Option<Masked> {
    let bytes = text.as_bytes();
    let next_run = |from| counts.and_then(|counts| long_run(bytes, from, MIN_PAN_DIGITS, counts));
    let (mut run, mut number) = (next_run(0), if numbers { find_in(bytes, 0) } else { None });
    if run.is_none() && number.is_none() {
        return None;
    }
    // The digits are masked before the buffer is moved, because a move leaves a copy of the bytes in memory.
    let mut out = InlineVec::new();
    out.extend_from_slice(bytes);
    while let Some((range, digits)) = run {
        // A run that is too long for one number may contain several, so no digit stays visible.
        let (head, tail) = if digits <= MAX_PAN_DIGITS { (VISIBLE_PREFIX, VISIBLE_SUFFIX) } else { (0, 0) };
        mask_digits(&mut out, &range, head, tail);
        run = next_run(range.end);
    }
    while let Some(range) = number {
        mask_pan(&mut out, &range);
        number = find_in(bytes, range.start.saturating_add(1));
    }
    // Stars separate groups and can so create new card numbers, so the search repeats until it finds none. Each round
    // masks digits, and goes back at most as far as a number can reach.
    let mut from = 0;
    while numbers && let Some(range) = find_in(&out, from) {
        mask_pan(&mut out, &range);
        from = range.start.saturating_sub(2 * MAX_PAN_DIGITS);
    }
    Some(Masked(out))
}

/// Finds the next run that begins at `from` or later, has at least `least` digits, and is accepted by the filter.
/// Returns it with its number of digits.
fn long_run(bytes: &[u8], mut from: usize, least: usize, counts: RunFilter<'_>) -> Option<(Range<usize>, usize)> {
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
        if digits >= least && counts(bytes.get(start..end).unwrap_or_default()) {
            return Some((start..end, digits));
        }
        from = end;
    }
    None
}

/// Masks a card number in place: its middle digits become stars. If the text is too short for a card number (an
/// unfinished form field), only the first six digits stay.
pub(crate) fn mask_in_place(number: &mut [u8]) {
    let last = if number.len() < MIN_PAN_DIGITS { number.len() } else { number.len().saturating_sub(VISIBLE_SUFFIX) };
    number.get_mut(VISIBLE_PREFIX..last).unwrap_or_default().fill(b'*');
}

/// Masks the card number in the range, but not its separators.
pub(crate) fn mask_pan(out: &mut [u8], range: &Range<usize>) {
    mask_digits(out, range, VISIBLE_PREFIX, VISIBLE_SUFFIX);
}

/// Replaces all digits of the range by stars, except for the first `head` and the last `tail` digits.
fn mask_digits(out: &mut [u8], range: &Range<usize>, head: usize, tail: usize) {
    let Some(number) = out.get_mut(range.clone()) else { return };
    // A star counts as a digit, because it replaces one.
    let counts = |byte: &u8| !is_separator(*byte);
    let last = number.iter().filter(|byte| counts(byte)).count().saturating_sub(tail);
    for (index, digit) in number.iter_mut().filter(|byte| counts(byte)).enumerate() {
        if (head..last).contains(&index) {
            *digit = b'*';
        }
    }
}

fn find_in(bytes: &[u8], from: usize) -> Option<Range<usize>> {
    // No number begins within a group.
    let mut at = match from.checked_sub(1) {
        Some(before) if digit_at(bytes, before) => group_end(bytes, from),
        _ => from,
    };
    while let Some(start) = next_candidate(bytes, at, MIN_TEXT_PAN_DIGITS) {
        if let Some(end) = number_end(bytes, start, |_| true, |_| true) {
            return Some(start..end);
        }
        at = group_end(bytes, start);
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

fn is_separator(byte: u8) -> bool {
    matches!(byte, b' ' | b'-')
}

fn digit_at(bytes: &[u8], at: usize) -> bool {
    bytes.get(at).is_some_and(u8::is_ascii_digit)
}

/// Returns the first digit at `from` or later that may begin a number of at least `length` digits.
fn next_candidate(bytes: &[u8], from: usize, length: usize) -> Option<usize> {
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
