//! Runs of digits that contain a card number which the body declares.
//!
//! A run is digits with single separators between them, in groups of any length.

use core::ops::Range;

use super::digits::{digit, is_separator};
use super::symbol::Cursor;
use crate::card::known::{KnownPans, PackedDigits};
use crate::card::syntax::MIN_PAN_DIGITS;

/// The number of positions that are kept, which is at least that of the digits of a card number.
const POSITIONS: usize = 32;

/// Returns the next part of a text, from `from` on, that repeats a known PAN.
pub(super) fn find_known(text: &[u8], from: usize, known: &KnownPans) -> Option<Range<usize>> {
    let mut cursor = Cursor::new(text, from);
    while let Some(symbol) = cursor.symbol() {
        if digit(symbol.character).is_some() {
            let found = read_run(&mut cursor, known);
            if found.is_some() {
                return found;
            }
        } else {
            cursor.at = symbol.end;
        }
    }
    None
}

/// Reads a run of digits up to the end of the first known PAN in it, or up to its own end.
///
/// If any number is masked, it is the whole run, which may contain several.
fn read_run(cursor: &mut Cursor<'_>, known: &KnownPans) -> Option<Range<usize>> {
    let start = cursor.at;
    let (mut digits, mut count, mut end) = (PackedDigits::default(), 0_usize, start);
    let mut starts = [start; POSITIONS];
    let mut is_separated = false;
    while let Some(symbol) = cursor.symbol() {
        if let Some(value) = digit(symbol.character) {
            if let Some(target) = starts.get_mut(count % POSITIONS) {
                *target = cursor.at;
            }
            count = count.saturating_add(1);
            digits.push(value);
            (end, is_separated) = (symbol.end, false);
            if let Some(length) = known.length_at_end(digits, count) {
                let first = count.saturating_sub(length) % POSITIONS;
                cursor.at = end;
                return starts.get(first).map(|start| *start..end);
            }
        } else if is_separated || !is_separator(symbol.character) {
            break;
        } else {
            is_separated = true;
        }
        cursor.at = symbol.end;
    }
    (known.are_any() && count >= MIN_PAN_DIGITS).then_some(start..end)
}

#[cfg(test)]
mod tests {
    use alloc::format;
    use alloc::string::{String, ToString};

    use crate::card::known::KnownPans;
    use crate::card::text::TextMask;

    fn known(numbers: &[&str]) -> KnownPans {
        let mut known_pans = KnownPans::default();
        for number in numbers {
            known_pans.collect(number.chars());
        }
        known_pans
    }

    fn mask(known_pans: &KnownPans, text: &str) -> Option<String> {
        let masked = TextMask::known(known_pans).mask(text);
        masked.map(|masked| masked.as_str().to_string())
    }

    #[test]
    fn masks_a_known_number_only() {
        for (number, text, expected) in [
            (
                "4111111111111111",
                "4111111111111111",
                Some("411111******1111"),
            ),
            (
                "4111-1111.1111 x1111",
                "of 4111 1111-1111 1111",
                Some("of 4111 11**-**** 1111"),
            ),
            (
                "500000000009",
                "500000000009, order 600000000007",
                Some("500*****0009, order 600000000007"),
            ),
            (
                "500000000009",
                "order 600000000007, 5000.0000.0009",
                Some("order 600000000007, 500*.****.0009"),
            ),
            (
                "500000000009",
                "５００００００００００９",
                Some("５００*****０００９"),
            ),
            ("500000000009", "1500000000009", Some("1500*****0009")),
            (
                "500000000009",
                "00000000500000000009",
                Some("00000000500*****0009"),
            ),
            ("4111111111111111123", "of 4111111111111111124", None),
            ("500000000009", "5000  00000009", None),
            ("500000000009", "00000000009", None),
            ("50000000000", "50000000000 and 600000000007", None),
            ("", "500000000009", None),
            // Longer than a card number, so any of its digits may belong to one.
            (
                "41111111111111111234",
                "of 411111111111",
                Some("of 411*****1111"),
            ),
        ] {
            let masked = mask(&known(&[number]), text);
            assert_eq!(masked.as_deref(), expected, "{number} in {text}");
        }
    }

    #[test]
    fn masks_long_runs_beyond_the_limit_of_known_numbers() {
        let number = |last: usize| format!("90000000000000{last:02}");
        let mut known_pans = KnownPans::default();
        for last in (0..8).chain(0..8) {
            known_pans.collect(number(last).chars());
        }
        assert!(mask(&known_pans, "123456789012").is_none());
        for last in 0..8 {
            assert!(mask(&known_pans, &number(last)).is_some());
        }
        known_pans.collect(number(8).chars());
        assert_eq!(
            mask(&known_pans, "of 123456789012").as_deref(),
            Some("of 123*****9012")
        );
        assert!(mask(&known_pans, "12345678901").is_none());
        let long = "1234 5678 9012 3456 7890";
        assert_eq!(
            mask(&known_pans, long).as_deref(),
            Some("**** **** **** **** ****")
        );
    }
}
