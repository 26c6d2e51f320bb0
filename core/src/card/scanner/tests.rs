//! Tests of the search for card numbers.

#![expect(
    clippy::arithmetic_side_effects,
    clippy::as_conversions,
    clippy::string_slice,
    reason = "small numbers and ASCII, and a panic would be the message"
)]

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use super::*;
use crate::card::mask::{Masked, VISIBLE_PREFIX, VISIBLE_SUFFIX};

impl PanScanner<'_> {
    /// Finds the first card number that begins at the byte `from` or later.
    pub(crate) fn find(self, text: &[u8], from: usize) -> Option<Range<usize>> {
        let found = [self.find_number(text, from), self.find_run(text, from)];
        found.into_iter().flatten().min_by_key(|range| range.start)
    }
}

fn mask_text(text: &str) -> Option<String> {
    let masked = PanScanner::TEXT.mask(text);
    masked.map(|masked| masked.as_str().to_string())
}

/// Returns a generator of numbers below a limit, the same ones in each run.
fn random() -> impl FnMut(u64) -> u64 {
    let mut state = 7_u64;
    move |below| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    }
}

fn find_pan(text: &str, from: usize) -> Option<Range<usize>> {
    PanScanner::TEXT.find(text.as_bytes(), from)
}

fn contains_pan(text: &[u8]) -> bool {
    PanScanner::TEXT.contains(text)
}

fn mask_long_runs(text: &str) -> Option<Masked> {
    PanScanner::ANY_RUN.mask(text)
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
        (
            "4 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1",
            "4 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1",
        ),
        ("2200770239097761", "2200770239097761"),
        ("  4111111111111111-", "4111111111111111"),
        ("- 4111111111111111 -", "4111111111111111"),
        (
            "41111111111111111104111111111111111 4111111111111111",
            "4111111111111111",
        ),
        ("1234567890123x4222222222222x", "4222222222222"),
    ] {
        let range = find_pan(text, 0).unwrap_or_else(|| panic!("{text}"));
        assert_eq!(&text[range], number, "{text}");
        assert!(contains_pan(text.as_bytes()));
        for shift in 0..30 {
            let shifted = format!("{}{text}", "x".repeat(shift));
            assert_eq!(
                &shifted[find_pan(&shifted, 0).unwrap()],
                number,
                "{shifted}"
            );
            let shifted = format!("{}{text}", " -".repeat(shift));
            assert!(contains_pan(shifted.as_bytes()), "{shifted}");
        }
    }
}

#[test]
fn finds_a_number_at_every_position() {
    for before in 0..150 {
        for after in 0..100 {
            let text = format!("{}4222222222222{}", "x".repeat(before), "x".repeat(after));
            assert_eq!(find_pan(&text, 0), Some(before..before + 13), "{text}");
            assert_eq!(find_pan(&text, before + 1), None, "{text}");
        }
    }
}

#[test]
fn finds_runs_of_twelve_at_every_position() {
    for run in [
        "123456789012",
        "1234 5678 9012",
        "1234567890123456",
        "1234-5678-9012-3456-789",
    ] {
        for before in 0..70 {
            for after in [0, 1, 20, 70] {
                let text = format!("{}{run}{}", "x".repeat(before), "x".repeat(after));
                let masked = mask_long_runs(&text).unwrap_or_else(|| panic!("{text}"));
                let masked = &masked.as_str()[before..before + run.len()];
                assert!(
                    masked.contains('*') && mask_long_runs(run).unwrap().as_str() == masked,
                    "{text}"
                );
            }
        }
    }
}

#[test]
fn misses_no_candidate() {
    let mut random = random();
    for length in 8..=16 {
        for size in (0..200).chain([500, 1000]) {
            let text: Vec<u8> = (0..size)
                .map(|_| b"444444444444 -  -44x"[random(20) as usize])
                .collect();
            let run = |start: usize| {
                text.get(start..start + length)
                    .is_some_and(|run| run.iter().all(|byte| is_of_number(*byte)))
            };
            let starts = |start: &usize| text[*start].is_ascii_digit() && run(*start);
            for from in [0, 1, size / 3, size / 2] {
                let expected = (from..text.len()).find(starts);
                let found = next_candidate(&text, from, length);
                assert!(
                    expected.is_none_or(|expected| found.is_some_and(|found| found <= expected)),
                    "{text:?} {from}"
                );
                assert!(
                    found.is_none_or(|found| found >= from && text[found].is_ascii_digit()),
                    "{text:?} {from}"
                );
            }
        }
    }
}

#[test]
fn ignores_other_digits() {
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
    assert!(
        passes_luhn(b"411111111111116") && passes_luhn(b"7111111111111114"),
        "only the one thing is wrong"
    );
    assert!(passes_luhn(b"501800000009"), "only the one thing is wrong");
}

#[test]
fn finds_the_longest_number_of_the_first_position() {
    // Its first 13 digits and all 16 digits pass Luhn.
    let text = "4000000000006 025";
    assert!(passes_luhn(b"4000000000006") && passes_luhn(b"4000000000006025"));
    assert_eq!(find_pan(text, 0), Some(0..text.len()));
    assert_eq!(find_pan("4000000000006 026", 0), Some(0..13));
}

#[test]
fn continues_after_a_number() {
    let text = "4111111111111111 4111111111111111";
    assert_eq!(find_pan(text, 0), Some(0..16));
    assert_eq!(find_pan(text, 16), Some(17..33));
    assert_eq!(
        find_pan(text, 1),
        Some(17..33),
        "within a group none begins"
    );
    assert_eq!(find_pan(text, 18), None);
    assert_eq!(find_pan(text, 33), None);
    assert_eq!(find_pan(text, usize::MAX), None);
}

#[test]
fn masks_card_numbers_only() {
    for (text, expected) in [
        ("4111111111111111", "411111******1111"),
        ("a 4111 1111 1111 1111 z", "a 4111 11** **** 1111 z"),
        ("4111-1111-1111-1111", "4111-11**-****-1111"),
        (
            "я4111111111111111 я 378282246310005я",
            "я411111******1111 я 378282*****0005я",
        ),
        (
            "4111111111111111 4111111111111111",
            "411111******1111 411111******1111",
        ),
        (
            "order 12 4111 1111 1111 1111 12/25",
            "order 12 4111 11** **** 1111 12/25",
        ),
    ] {
        assert_eq!(mask_text(text).as_deref(), Some(expected));
    }
}

#[test]
fn masks_a_number_after_another_digit() {
    // The first thirteen digits are a number of Maestro, which would leave most of the other number
    // visible.
    let text = "6 4111 1111 1103 1111";
    assert!(passes_luhn(b"6411111111103") && passes_luhn(b"4111111111031111"));
    assert_eq!(mask_text(text).as_deref(), Some("6 4111 1*** **** 1111"));
}

#[test]
fn leaves_no_card_number_after_masking() {
    // Stars end a group here, so the digits before them become a card number.
    for text in [
        "11 1 444 111444411 1 4411 11 441414 11 4 4 441 1144141 41114 14144114",
        "4 4 466  4   654  656444654 46 4  4 44445 565665644565 6466 466566 466 444465565 56 44 4",
    ] {
        let masked = mask_text(text).unwrap();
        assert!(!contains_pan(masked.as_bytes()), "{masked}");
        assert_eq!(mask_text(&masked), None);
    }
}

/// Checks if the byte is a digit, or a separator between two digits.
fn in_run(bytes: &[u8], at: usize) -> bool {
    is_digit_at(bytes, at)
        || bytes.get(at).copied().is_some_and(is_separator)
            && is_digit_at(bytes, at + 1)
            && at
                .checked_sub(1)
                .is_some_and(|before| is_digit_at(bytes, before))
}

/// Returns every range of the text that is a card number, by the rule alone.
fn windows(bytes: &[u8]) -> Vec<Range<usize>> {
    let mut all = vec![];
    for start in 0..bytes.len() {
        for end in start + 1..=bytes.len() {
            let digits: Vec<u8> = bytes[start..end]
                .iter()
                .copied()
                .filter(u8::is_ascii_digit)
                .collect();
            let whole = is_digit_at(bytes, start)
                && is_digit_at(bytes, end - 1)
                && (start == 0 || !is_digit_at(bytes, start - 1))
                && !is_digit_at(bytes, end);
            let single = (start..end).all(|at| in_run(bytes, at));
            let scheme =
                Issuer::from_digits(&digits).is_some_and(|issuer| issuer.has_length(digits.len()));
            if whole
                && single
                && scheme
                && (13..=19).contains(&digits.len())
                && passes_luhn(&digits)
            {
                all.push(start..end);
            }
        }
    }
    all
}

#[test]
fn equals_the_reference_on_random_digits() {
    let mut random = random();
    let mut hits = 0;
    for round in 0..12_000 {
        let alphabet = [
            &b"4111122223456780 -"[..],
            b"40 ",
            b"0123456789",
            b"411 -x",
            b"506192780 -",
        ][round % 5];
        let length = random(60);
        let bytes: Vec<u8> = (0..length)
            .map(|_| alphabet[random(alphabet.len() as u64) as usize])
            .collect();
        let text = str::from_utf8(&bytes).unwrap();
        let all = windows(&bytes);
        let first = all.iter().map(|range| range.start).min();
        let longest = all
            .iter()
            .filter(|range| Some(range.start) == first)
            .max_by_key(|range| range.end);
        assert_eq!(find_pan(text, 0).as_ref(), longest, "{text}");
        let masked = mask_text(text);
        assert_eq!(masked.is_some(), longest.is_some());
        if let Some(masked) = masked {
            hits += 1;
            assert!(
                !contains_pan(masked.as_bytes()) && windows(masked.as_bytes()).is_empty(),
                "{text}: {masked}"
            );
            assert_eq!(masked.len(), text.len());
            for (a, b) in masked.bytes().zip(text.bytes()) {
                assert!(
                    a == b || a == b'*' && b.is_ascii_digit(),
                    "{text}: {masked}"
                );
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
fn masks_long_runs_of_any_digits() {
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
        (
            "я123456789012я411111111111",
            Some("я123456**9012я411111**1111"),
        ),
    ] {
        assert_eq!(
            mask_long_runs(text).as_ref().map(Masked::as_str),
            expected,
            "{text}"
        );
    }
}

#[test]
fn keeps_masked_numbers() {
    for text in ["411111******1111", "4111 11** **** 1111", "***"] {
        assert_eq!(
            (mask_text(text), mask_long_runs(text).is_none()),
            (None, true),
            "{text}"
        );
    }
    let once = mask_long_runs("9".repeat(25).as_str()).unwrap();
    assert!(mask_long_runs(once.as_str()).is_none());
}

#[test]
fn finds_full_numbers_in_info() {
    for (text, expected) in [
        ("411111111111", None),
        ("501800000009", Some(0..12)),
        ("x4111111111111111x", Some(1..17)),
        ("4111 1111 1111 1111", None),
        ("41111111111 501800000009", Some(12..24)),
        ("00000000000000000000000", Some(0..23)),
        ("7111111111111114", Some(0..16)),
        ("71111111111111", None),
        ("", None),
    ] {
        assert_eq!(
            PanScanner::INFO.find(text.as_bytes(), 0),
            expected,
            "{text}"
        );
    }
}

#[test]
fn finds_the_first_match_of_details() {
    for (text, expected) in [
        ("4111 1111 1111 1111, 501800000009", Some(0..19)),
        ("501800000009, 4111 1111 1111 1111", Some(0..12)),
        ("5018 0000 0009", None),
    ] {
        let found = PanScanner::INFO_DETAILS.find(text.as_bytes(), 0);
        assert_eq!(found, expected, "{text}");
    }
}
