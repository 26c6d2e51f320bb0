//! Runs of digits that contain a card number which the body declares.
//!
//! A run is digits with single separators between them, in groups of any length.

use core::ops::Range;

use super::digits::{digit, is_separator};
use super::symbol::Cursor;
use crate::card::known::{KnownPans, PackedDigits};

/// Returns the next run in a text, from `from` on, that contains a known PAN.
///
/// The whole run is masked, since digits before and after the number may belong to it.
pub(super) fn find_known(text: &[u8], from: usize, known: &KnownPans) -> Option<Range<usize>> {
    let mut cursor = Cursor::new(text, from);
    while let Some(symbol) = cursor.symbol() {
        if digit(symbol.character).is_none() {
            cursor.move_to(symbol.end);
            cursor.skip_words();
            continue;
        }
        let start = cursor.at();
        let (end, is_known) = read_run(&mut cursor, known);
        if is_known {
            return Some(start..end);
        }
    }
    None
}

/// Reads a run of digits. Returns its end, and whether it contains a known PAN.
fn read_run(cursor: &mut Cursor<'_>, known: &KnownPans) -> (usize, bool) {
    let (mut digits, mut count, mut end) = (PackedDigits::default(), 0_usize, cursor.at());
    let (mut is_known, mut is_separated) = (false, false);
    while let Some(symbol) = cursor.symbol() {
        if let Some(value) = digit(symbol.character) {
            digits.push(value);
            count = count.saturating_add(1);
            is_known |= known.are_at_end(digits, count);
            (end, is_separated) = (symbol.end, false);
        } else if is_separated || !is_separator(symbol.character) {
            break;
        } else {
            is_separated = true;
        }
        cursor.move_to(symbol.end);
    }
    (end, is_known)
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
                Some("********************"),
            ),
            // The data of a track are masked as well.
            (
                "500000000009",
                "500000000009=2512, ;500000000009^A^2512",
                Some("500*****0009=****, ;500*****0009^A^****"),
            ),
            (
                "500000000009",
                "0b6ea6a6-4c5e-4500-0000-00009d345678",
                Some("0b6ea6a6-4c5e-4500-****-*0009d345678"),
            ),
            ("4111111111111111123", "of 4111111111111111124", None),
            ("500000000009", "5000  00000009", None),
            ("500000000009", "00000000009", None),
            ("50000000000", "50000000000 and 600000000007", None),
            ("", "500000000009", None),
            // Longer than a card number.
            ("41111111111111111234", "of 411111111111", None),
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
