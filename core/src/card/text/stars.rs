//! Masks in place: digits of a text become stars.

use core::ops::Range;

use super::digits::digit;
use super::number::Number;
use super::symbol::{Cursor, FILLER};
use crate::card::mask::visible_digits;
use crate::util::bug::report_bug;

/// Masks a card number (D22), and all data of its track. Separators stay.
pub(super) fn mask_number(text: &mut [u8], number: &Number) {
    mask_range(text, &number.range);
    if let Some(data) = &number.track_data {
        let count = digits_in(text, data);
        star_digits(text, data, 0..count);
    }
}

/// Masks the middle of the digits in a range (D22).
fn mask_range(text: &mut [u8], range: &Range<usize>) {
    let count = digits_in(text, range);
    let (first, last) = visible_digits(count);
    star_digits(text, range, first..count.saturating_sub(last));
}

/// Returns the number of digits in a range.
fn digits_in(text: &[u8], range: &Range<usize>) -> usize {
    Cursor::new(text, range.start)
        .take_while(|symbol| symbol.end <= range.end)
        .filter(|symbol| digit(symbol.character).is_some())
        .count()
}

/// Replaces some of the digits in a range, counted from its first one.
fn star_digits(text: &mut [u8], range: &Range<usize>, hidden: Range<usize>) {
    let (mut at, mut index) = (range.start, 0_usize);
    while at < range.end
        && let Some(symbol) = Cursor::new(text, at).symbol()
    {
        if digit(symbol.character).is_some() {
            if hidden.contains(&index) {
                star(text, at..symbol.end);
            }
            index = index.saturating_add(1);
        }
        at = symbol.end;
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
        mask_range(&mut text, &whole);
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
