//! Masks in place: digits of a text become stars.

use core::iter;
use core::ops::Range;

use super::digits::digit;
use super::number::Number;
use super::symbol::{Cursor, FILLER};
use crate::card::mask::visible_digits;
use crate::util::bug::report_bug;
use crate::util::inline_vec::InlineVec;

/// The parts of a text whose digits become stars.
pub(super) type HiddenParts = InlineVec<Range<usize>, 4>;

/// Returns the parts that a number hides: from its first hidden digit to its last one (D22), and all
/// data of its track.
pub(super) fn hidden_parts(text: &[u8], number: Number) -> HiddenParts {
    let Number { range, track_data } = number;
    middle(text, &range).into_iter().chain(track_data).collect()
}

/// Returns the part of a range with the digits that a mask hides (D22).
fn middle(text: &[u8], range: &Range<usize>) -> Option<Range<usize>> {
    let count = digits_in(text, range).count();
    let (kept_first, kept_last) = visible_digits(count);
    let hidden = count.saturating_sub(kept_first).saturating_sub(kept_last);
    let mut hidden = digits_in(text, range).skip(kept_first).take(hidden);
    let first = hidden.next()?;
    let end = hidden.last().map_or(first.end, |last| last.end);
    Some(first.start..end)
}

/// Returns the places of the digits in a range.
fn digits_in(text: &[u8], range: &Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let end = range.end;
    let mut cursor = Cursor::new(text, range.start);
    iter::from_fn(move || {
        let start = cursor.at();
        let symbol = cursor.next().filter(|symbol| symbol.end <= end)?;
        Some((start..symbol.end, digit(symbol.character).is_some()))
    })
    .filter_map(|(place, is_digit)| is_digit.then_some(place))
}

/// Replaces the digits in parts of a text, which may overlap, by stars. Separators stay, and so do
/// all positions.
pub(super) fn hide_digits(text: &mut [u8], parts: &[Range<usize>]) {
    for part in parts {
        let mut at = part.start;
        while at < part.end
            && let Some(symbol) = Cursor::new(text, at).symbol()
        {
            if digit(symbol.character).is_some() {
                star(text, at..symbol.end);
            }
            at = symbol.end;
        }
    }
}

/// Replaces the bytes of a digit by a star and fillers, so that all positions stay valid.
fn star(text: &mut [u8], digit: Range<usize>) {
    match text.get_mut(digit) {
        Some([first, rest @ ..]) => {
            *first = b'*';
            rest.fill(FILLER);
        }
        _ => {
            report_bug();
            text.fill(b'*');
        }
    }
}

/// Removes the fillers. Returns the length of the rest, which is at the beginning.
pub(super) fn remove_fillers(text: &mut [u8]) -> usize {
    if !text.contains(&FILLER) {
        return text.len();
    }
    let mut kept = 0_usize;
    for at in 0..text.len() {
        let byte = text.get(at).copied().filter(|byte| *byte != FILLER);
        if let (Some(byte), Some(target)) = (byte, text.get_mut(kept)) {
            *target = byte;
            kept = kept.saturating_add(1);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use alloc::string::String;

    use super::*;
    use crate::util::bug::with_bug;

    fn masked(text: &str) -> String {
        let mut text = String::from(text).into_bytes();
        let whole = 0..text.len();
        let hidden = middle(&text, &whole).unwrap();
        hide_digits(&mut text, &[hidden]);
        let kept = remove_fillers(&mut text);
        text.truncate(kept);
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn keeps_separators_and_counts_digits() {
        for (text, expected) in [
            ("4111111111111111", "411111******1111"),
            ("4111-1111-1111-1111", "4111-11**-****-1111"),
            ("3782 822463 10005", "3782 82**** *0005"),
            ("4111%201111%201111%201111", "4111%2011**%20****%201111"),
            (
                "４１１１１１１１１１１１１１１１",
                "４１１１１１******１１１１",
            ),
            ("5000 0000 0009", "500* **** 0009"),
            ("1234 5678 9012 3456 7890", "**** **** **** **** ****"),
        ] {
            assert_eq!(masked(text), expected);
        }
    }

    #[test]
    fn masks_everything_if_the_range_is_wrong() {
        for range in [17..18, Range { start: 5, end: 4 }] {
            let mut text = *b"4111111111111111";
            with_bug(|| star(&mut text, range));
            assert_eq!(text, *b"****************");
        }
    }
}
