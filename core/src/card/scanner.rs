//! Searches texts for card numbers.
//!
//! A *number* is 13 to 19 ASCII digits, with single spaces or hyphens allowed between them. It has
//! the prefix and a length of a known scheme, and passes Luhn. It begins and ends at the limits of
//! a group of digits, so twenty consecutive digits contain none.
//!
//! A *run* is the longest sequence of digits, of any scheme, that cannot be extended.
//!
//! The work at each start is bounded, so the time is linear.

#[cfg(test)]
mod tests;

use core::ops::Range;

use super::known::KnownPans;
use super::luhn::{LuhnSums, passes_luhn};
use super::scheme::{Issuer, may_begin_number};
use super::syntax::{
    MAX_PAN_DIGITS, MIN_PAN_DIGITS, group, group_end, is_digit_at, is_separator, next_group,
};
use crate::util::bug::or_bug;

/// The minimum number of digits of a card number in free text. Numbers of twelve digits are too
/// often something different.
pub(crate) const MIN_TEXT_PAN_DIGITS: usize = 13;

/// A search for card numbers in texts.
#[derive(Clone, Copy)]
pub(crate) struct PanScanner<'k> {
    /// Set if numbers of known schemes are found.
    finds_numbers: bool,
    runs: Runs<'k>,
}

/// The runs that are found.
#[derive(Clone, Copy)]
enum Runs<'k> {
    None,
    /// Twelve or more digits without separators that pass Luhn.
    Luhn,
    /// Twelve or more digits, with single spaces or hyphens allowed between them.
    All,
    /// The same, if they contain a card number that the body declares.
    Known(&'k KnownPans),
}

impl PanScanner<'static> {
    /// Numbers of known schemes, for free text (`card_number_in_text`).
    pub(crate) const TEXT: Self = PanScanner {
        finds_numbers: true,
        runs: Runs::None,
    };

    /// Twelve or more digits that pass Luhn, for `info` of a payment (`unmasked_card_number`).
    pub(crate) const INFO: Self = PanScanner {
        finds_numbers: false,
        runs: Runs::Luhn,
    };

    /// The same and numbers of known schemes, for members of `info` that the caller adds.
    pub(crate) const INFO_DETAILS: Self = PanScanner {
        finds_numbers: true,
        runs: Runs::Luhn,
    };

    /// Twelve or more digits of any scheme and check digit, for texts in which a missed card number
    /// is worse than a masked other number, such as the name of an unknown member.
    pub(crate) const ANY_RUN: Self = PanScanner {
        finds_numbers: false,
        runs: Runs::All,
    };
}

impl<'k> PanScanner<'k> {
    /// The card numbers that the body declares.
    pub(crate) fn known(pans: &'k KnownPans) -> Self {
        let runs = if pans.is_empty() {
            Runs::None
        } else {
            Runs::Known(pans)
        };
        PanScanner {
            finds_numbers: false,
            runs,
        }
    }

    /// The card numbers that the body declares, and numbers of known schemes.
    pub(crate) fn text_and_known(pans: &'k KnownPans) -> Self {
        PanScanner {
            finds_numbers: true,
            ..PanScanner::known(pans)
        }
    }

    /// Checks if the text contains a card number.
    pub(crate) fn contains(self, text: &[u8]) -> bool {
        self.find_number(text, 0).is_some() || self.find_run(text, 0).is_some()
    }

    /// Returns the runs and then the numbers in the text. Numbers may overlap.
    pub(super) fn matches(self, text: &[u8]) -> impl Iterator<Item = Range<usize>> {
        let next_run = move |run: &Range<usize>| self.find_run(text, run.end);
        let next_number =
            move |number: &Range<usize>| self.find_number(text, number.start.saturating_add(1));
        core::iter::successors(self.find_run(text, 0), next_run).chain(core::iter::successors(
            self.find_number(text, 0),
            next_number,
        ))
    }

    /// Finds the next number of a known scheme that begins at `from` or later. If several begin
    /// there, it is the longest one.
    #[inline]
    pub(super) fn find_number(self, text: &[u8], from: usize) -> Option<Range<usize>> {
        // Most names are shorter than any number.
        if self.finds_numbers && text.len() >= MIN_TEXT_PAN_DIGITS {
            find_number(text, from)
        } else {
            None
        }
    }

    /// Finds the next run that begins at `from` or later.
    #[inline]
    fn find_run(self, text: &[u8], from: usize) -> Option<Range<usize>> {
        match self.runs {
            Runs::None => None,
            Runs::Luhn => find_luhn_run(text, from),
            Runs::All => find_run(text, from, MIN_PAN_DIGITS, |_| true),
            Runs::Known(pans) => find_run(text, from, MIN_PAN_DIGITS, |run| pans.are_in(run)),
        }
    }
}

/// Checks if the text has enough digits in a row for a card number, with single spaces or hyphens
/// allowed between them.
///
/// It is a prefilter of [`number_end`].
pub(crate) fn may_contain_number(text: &[u8]) -> bool {
    find_run(text, 0, MIN_TEXT_PAN_DIGITS, |_| true).is_some()
}

fn find_number(text: &[u8], from: usize) -> Option<Range<usize>> {
    // No number begins within a group.
    let is_within_group = from
        .checked_sub(1)
        .is_some_and(|before| is_digit_at(text, before));
    let at = if is_within_group {
        group_end(text, from)
    } else {
        from
    };
    let mut start = next_candidate(text, at, MIN_TEXT_PAN_DIGITS)?;
    loop {
        match number_in_run(text, start) {
            Ok(number) => return Some(number),
            Err(end) => start = next_candidate(text, end, MIN_TEXT_PAN_DIGITS)?,
        }
    }
}

/// Finds the first number in the run that begins at `start`. Returns the end of the run as an error
/// if it contains none.
// Most texts have no candidate, and are then searched without this function's stack frame: a report
// takes 50 instructions less (P6).
#[inline(never)]
fn number_in_run(text: &[u8], mut start: usize) -> Result<Range<usize>, usize> {
    // Most groups belong to dates, phone numbers, and identifiers with fewer digits.
    if let Some(end) = short_run_end(text, start) {
        return Err(end);
    }
    loop {
        if let Some(end) = number_end(text, start, |_| true, |_| true) {
            return Ok(start..end);
        }
        let end = group_end(text, start);
        start = next_group(text, end).ok_or(end)?;
    }
}

/// Returns the end of the run at `start`, if it has too few digits for a number in a text.
fn short_run_end(text: &[u8], start: usize) -> Option<usize> {
    let (mut digits, mut at) = (0_usize, start);
    loop {
        let end = group_end(text, at);
        digits = digits.saturating_add(end.saturating_sub(at));
        if digits >= MIN_TEXT_PAN_DIGITS {
            return None;
        }
        match next_group(text, end) {
            Some(next) => at = next,
            None => return Some(end),
        }
    }
}

/// Returns the end of the longest card number that begins with the group at `start`. Its other
/// groups and its end must be accepted.
#[inline]
pub(crate) fn number_end(
    text: &[u8],
    start: usize,
    is_group: impl Fn(&usize) -> bool,
    is_end: impl Fn(usize) -> bool,
) -> Option<usize> {
    // Groups of identifiers and times often begin with other digits: without this test, the search of
    // a UUID of digits takes twice as many instructions (P6).
    if !text.get(start..).is_some_and(may_begin_number) {
        return None;
    }
    let (mut count, mut sums, mut summed) = (0_usize, LuhnSums::default(), start);
    let (mut issuer, mut longest) = (None, None);
    let mut next = Some(start);
    while let Some(at) = next {
        let end = group_end(text, at);
        count = count.saturating_add(end.saturating_sub(at));
        if count > MAX_PAN_DIGITS {
            break;
        }
        // Groups with too few digits are not summed, since too many may follow.
        if count >= MIN_TEXT_PAN_DIGITS {
            digits_in(text, summed..end).for_each(|digit| sums.push(digit));
            summed = end;
            if sums.is_valid() && is_end(end) {
                // The first digits of longer numbers are the same, so they have no issuer either.
                let first_digits = digits_in(text, start..end);
                let known = issuer.or_else(|| Issuer::from_first_digits(first_digits))?;
                if known.has_length(count) {
                    longest = Some(end);
                }
                issuer = Some(known);
            }
        }
        next = next_group(text, end).filter(&is_group);
    }
    longest
}

/// Returns the digits in a range of the text, without separators.
fn digits_in(text: &[u8], range: Range<usize>) -> impl Iterator<Item = u8> {
    let bytes = text.get(range).unwrap_or_default().iter().copied();
    bytes.filter(u8::is_ascii_digit)
}

/// Finds the next run that begins at `from` or later, has at least `least` digits, and is accepted.
fn find_run(
    text: &[u8],
    mut from: usize,
    least: usize,
    accepts: impl Fn(&[u8]) -> bool,
) -> Option<Range<usize>> {
    while let Some(start) = next_candidate(text, from, least) {
        let (mut digits, mut end) = (0_usize, start);
        let mut next = Some(start);
        while let Some(at) = next {
            end = group_end(text, at);
            digits = digits.saturating_add(end.saturating_sub(at));
            next = next_group(text, end);
        }
        // Without a range, which is a bug, the whole text is tested.
        if digits >= least && accepts(or_bug(text.get(start..end), text)) {
            return Some(start..end);
        }
        from = end;
    }
    None
}

/// Finds the next run without separators of at least twelve digits that pass Luhn.
fn find_luhn_run(text: &[u8], mut from: usize) -> Option<Range<usize>> {
    while let Some(start) = next_candidate(text, from, MIN_PAN_DIGITS) {
        let run = group(text, start);
        let end = start.saturating_add(run.len());
        if run.len() >= MIN_PAN_DIGITS && passes_luhn(run) {
            return Some(start..end);
        }
        from = end;
    }
    None
}

/// Returns the first digit at `from` or later that may begin a number of at least `length` digits.
/// There may be fewer.
///
/// A number and its separators are at least `length` bytes in a row, each a digit, a space, or a
/// hyphen. So a window of `length` bytes moves over the text:
///
/// - The window is read from its end to its start, up to the first other byte.
/// - If there is one, no number contains it, so the window moves to the byte after it. Most windows
///   of words end with a letter, so one of `length` bytes is read.
/// - Without one, the first digit in or after the window is the result.
/// - If the window does not fit into the text, no number follows.
fn next_candidate(text: &[u8], from: usize, length: usize) -> Option<usize> {
    let mut start = from;
    loop {
        let window = text.get(start..start.checked_add(length)?)?;
        let Some(other) = window.iter().rposition(|byte| !is_of_number(*byte)) else {
            break;
        };
        start = start.saturating_add(other).saturating_add(1);
    }
    let offset = text.get(start..)?.iter().position(u8::is_ascii_digit)?;
    start.checked_add(offset)
}

fn is_of_number(byte: u8) -> bool {
    byte.is_ascii_digit() || is_separator(byte)
}
