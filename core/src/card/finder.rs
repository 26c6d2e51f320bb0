//! Masks card numbers in outputs, and finds card numbers in free text (`card_number_in_text`).
//!
//! A card number in a text is 13 to 19 ASCII digits, with single spaces or hyphens allowed between them. It has the
//! prefix and a length of a known scheme, and passes Luhn.
//!
//! It begins and ends at the limits of a group of digits, so twenty consecutive digits contain none. The work at each
//! start is bounded, so the time is linear.

use core::ops::Range;

use super::scheme::{MAX_PAN_DIGITS, MIN_PAN_DIGITS, Scheme, luhn};
use crate::util::bug::or_bug;
use crate::util::inline_vec::InlineVec;

/// The minimum number of digits of a card number in free text. Numbers of twelve digits are too often something
/// different.
pub(crate) const MIN_TEXT_PAN_DIGITS: usize = 13;
/// The number of digits that stay visible at each end.
const VISIBLE_PREFIX: usize = 6;
const VISIBLE_SUFFIX: usize = 4;

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
    find_pan(text, 0).is_some()
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
    let next_run = |from| counts.and_then(|counts| long_run(bytes, from, counts));
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

/// Finds the next run that begins at `from` or later, has enough digits for a card number, and is accepted by the
/// filter. Returns it with its number of digits.
fn long_run(bytes: &[u8], mut from: usize, counts: RunFilter<'_>) -> Option<(Range<usize>, usize)> {
    while let Some(start) = next_candidate(bytes, from, MIN_PAN_DIGITS) {
        let (mut digits, mut at) = (0_usize, start);
        let end = loop {
            let end = group_end(bytes, at);
            digits = digits.saturating_add(end.saturating_sub(at));
            match next_group(bytes, end) {
                Some(next) => at = next,
                None => break end,
            }
        };
        if digits >= MIN_PAN_DIGITS && counts(bytes.get(start..end).unwrap_or_default()) {
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

#[cfg(test)]
#[expect(
    clippy::arithmetic_side_effects,
    clippy::as_conversions,
    clippy::string_slice,
    reason = "small numbers and ASCII, and a panic would be the message"
)]
mod tests {
    use alloc::format;
    use alloc::string::{String, ToString};
    use alloc::vec;
    use alloc::vec::Vec;

    use super::*;

    fn mask_text(text: &str) -> Option<String> {
        mask(text, None, true).map(|masked| masked.as_str().to_string())
    }

    #[test]
    fn finds_numbers_in_text() {
        for (text, number) in [
            ("4111111111111111", "4111111111111111"),
            ("card 4111 1111 1111 1111, thanks", "4111 1111 1111 1111"),
            ("card:4111-1111-1111-1111.", "4111-1111-1111-1111"),
            ("4111 1111-1111 1111", "4111 1111-1111 1111"),
            ("order 12 4111 1111 1111 1111", "4111 1111 1111 1111"),
            ("4111 1111 1111 1111 12/25", "4111 1111 1111 1111"),
            ("карта4111111111111111карта", "4111111111111111"),
            ("x4222222222222x", "4222222222222"),
            ("3782 822463 10005", "3782 822463 10005"),
            ("4 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1", "4 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1"),
            ("2200770239097761", "2200770239097761"),
            ("  4111111111111111-", "4111111111111111"),
            ("- 4111111111111111 -", "4111111111111111"),
            ("41111111111111111104111111111111111 4111111111111111", "4111111111111111"),
            ("1234567890123x4222222222222x", "4222222222222"),
        ] {
            let range = find_pan(text, 0).unwrap_or_else(|| panic!("{text}"));
            assert_eq!(&text[range], number, "{text}");
            assert!(contains_pan(text));
            for shift in 0..30 {
                let shifted = format!("{}{text}", "x".repeat(shift));
                assert_eq!(&shifted[find_pan(&shifted, 0).unwrap()], number, "{shifted}");
                let shifted = format!("{}{text}", " -".repeat(shift));
                assert!(contains_pan(&shifted), "{shifted}");
            }
        }
    }

    #[test]
    fn passes_over_what_is_none() {
        for text in [
            "",
            "4111111111111112",     // wrong check digit
            "7111111111111114",     // no scheme
            "411111111111116",      // Visa has no numbers of 15 digits
            "4111  1111 1111 1111", // two spaces
            "4111 -1111 1111 1111", // two separators
            "4111.1111.1111.1111",  // another separator
            "4111\u{A0}1111\u{A0}1111\u{A0}1111",
            "4111_1111_1111_1111",
            "04111111111111111",    // the group begins before the number
            "41111111111111110",    // the group ends after the number
            "41111111111111111111", // 20 digits
            "501800000009",         // 12 digits
            "４１１１１１１１１１１１１１１１",
            "no digits at all in this text, however long it may be",
            "- - - - - - - - - - - - - - -",
        ] {
            assert_eq!(find_pan(text, 0), None, "{text}");
            assert_eq!(mask_text(text), None, "{text}");
        }
        assert!(luhn(b"411111111111116") && luhn(b"7111111111111114"), "only the one thing is wrong");
        assert!(luhn(b"501800000009"), "only the one thing is wrong");
    }

    #[test]
    fn the_longest_of_those_that_begin_first() {
        // Its first 13 digits and all 16 digits pass Luhn.
        let text = "4000000000006 025";
        assert!(luhn(b"4000000000006") && luhn(b"4000000000006025"));
        assert_eq!(find_pan(text, 0), Some(0..text.len()));
        assert_eq!(find_pan("4000000000006 026", 0), Some(0..13));
    }

    #[test]
    fn goes_on_behind() {
        let text = "4111111111111111 4111111111111111";
        assert_eq!(find_pan(text, 0), Some(0..16));
        assert_eq!(find_pan(text, 16), Some(17..33));
        assert_eq!(find_pan(text, 1), Some(17..33), "within a group none begins");
        assert_eq!(find_pan(text, 18), None);
        assert_eq!(find_pan(text, 33), None);
        assert_eq!(find_pan(text, usize::MAX), None);
    }

    #[test]
    fn masks_every_number_and_nothing_else() {
        for (text, expected) in [
            ("4111111111111111", "411111******1111"),
            ("a 4111 1111 1111 1111 z", "a 4111 11** **** 1111 z"),
            ("4111-1111-1111-1111", "4111-11**-****-1111"),
            ("я4111111111111111 я 378282246310005я", "я411111******1111 я 378282*****0005я"),
            ("4111111111111111 4111111111111111", "411111******1111 411111******1111"),
            ("order 12 4111 1111 1111 1111 12/25", "order 12 4111 11** **** 1111 12/25"),
        ] {
            assert_eq!(mask_text(text).as_deref(), Some(expected));
        }
    }

    #[test]
    fn a_digit_before_uncovers_nothing() {
        // The first thirteen digits are a number of Maestro, which would leave most of the other number visible.
        let text = "6 4111 1111 1103 1111";
        assert!(luhn(b"6411111111103") && luhn(b"4111111111031111"));
        assert_eq!(mask_text(text).as_deref(), Some("6 4111 1*** **** 1111"));
    }

    #[test]
    fn what_the_mask_leaves_is_no_number() {
        // Stars end a group here, so the digits before them become a card number.
        for text in [
            "11 1 444 111444411 1 4411 11 441414 11 4 4 441 1144141 41114 14144114",
            "4 4 466  4   654  656444654 46 4  4 44445 565665644565 6466 466566 466 444465565 56 44 4",
        ] {
            let masked = mask_text(text).unwrap();
            assert!(!contains_pan(&masked), "{masked}");
            assert_eq!(mask_text(&masked), None);
        }
    }

    /// Checks if the byte is a digit, or a separator between two digits.
    fn in_run(bytes: &[u8], at: usize) -> bool {
        digit_at(bytes, at)
            || bytes.get(at).copied().is_some_and(is_separator)
                && digit_at(bytes, at + 1)
                && at.checked_sub(1).is_some_and(|before| digit_at(bytes, before))
    }

    /// Returns every range of the text that is a card number, by the rule alone.
    fn windows(bytes: &[u8]) -> Vec<Range<usize>> {
        let mut all = vec![];
        for start in 0..bytes.len() {
            for end in start + 1..=bytes.len() {
                let digits: Vec<u8> = bytes[start..end].iter().copied().filter(u8::is_ascii_digit).collect();
                let whole = digit_at(bytes, start)
                    && digit_at(bytes, end - 1)
                    && (start == 0 || !digit_at(bytes, start - 1))
                    && !digit_at(bytes, end);
                let single = (start..end).all(|at| in_run(bytes, at));
                let scheme = Scheme::of(&digits).is_some_and(|scheme| scheme.has_length(digits.len()));
                if whole && single && scheme && (13..=19).contains(&digits.len()) && luhn(&digits) {
                    all.push(start..end);
                }
            }
        }
        all
    }

    #[test]
    fn as_the_rule_says_on_random_digits() {
        let mut state = 7_u64;
        let mut random = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        };
        let mut hits = 0;
        for round in 0..12_000 {
            let alphabet = [&b"4111122223456780 -"[..], b"40 ", b"0123456789", b"411 -x", b"506192780 -"][round % 5];
            let length = random(60);
            let bytes: Vec<u8> = (0..length).map(|_| alphabet[random(alphabet.len() as u64) as usize]).collect();
            let text = str::from_utf8(&bytes).unwrap();
            let all = windows(&bytes);
            let first = all.iter().map(|range| range.start).min();
            let longest = all.iter().filter(|range| Some(range.start) == first).max_by_key(|range| range.end);
            assert_eq!(find_pan(text, 0).as_ref(), longest, "{text}");
            let masked = mask_text(text);
            assert_eq!(masked.is_some(), longest.is_some());
            if let Some(masked) = masked {
                hits += 1;
                assert!(!contains_pan(&masked) && windows(masked.as_bytes()).is_empty(), "{text}: {masked}");
                assert_eq!(masked.len(), text.len());
                for (a, b) in masked.bytes().zip(text.bytes()) {
                    assert!(a == b || a == b'*' && b.is_ascii_digit(), "{text}: {masked}");
                }
                // The middle of every number is masked, even if others overlap it.
                for range in all {
                    let shown = masked[range].bytes().filter(u8::is_ascii_digit).count();
                    assert!(shown <= VISIBLE_PREFIX + VISIBLE_SUFFIX, "{text}: {masked}");
                }
            }
        }
        assert!(hits > 200, "{hits} is too few");
    }

    #[test]
    fn runs_are_masked_whatever_they_are() {
        for (text, expected) in [
            ("41111111111", None),
            ("411111111111", Some("411111**1111")),
            ("x-712345678901-x", Some("x-712345**8901-x")),
            ("1234 5678 9012", Some("1234 56** 9012")),
            ("1-2-3-4-5-6-7-8-9-0-1-2", Some("1-2-3-4-5-6-*-*-9-0-1-2")),
            ("1234567890123456789", Some("123456*********6789")),
            ("12345678901234567890", Some("********************")),
            ("1234 5678  9012", None),
            ("12345678901a1", None),
            ("pay_in_details", None),
            ("я123456789012я411111111111", Some("я123456**9012я411111**1111")),
        ] {
            assert_eq!(mask_long_runs(text).as_ref().map(Masked::as_str), expected, "{text}");
        }
    }

    #[test]
    fn a_mask_is_left_alone() {
        for text in ["411111******1111", "4111 11** **** 1111", "***"] {
            assert_eq!((mask_text(text), mask_long_runs(text).is_none()), (None, true), "{text}");
        }
        let once = mask_long_runs("9".repeat(25).as_str()).unwrap();
        assert!(mask_long_runs(once.as_str()).is_none());
    }
}
