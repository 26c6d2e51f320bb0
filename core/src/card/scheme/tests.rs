//! Tests of card schemes.

#![expect(
    clippy::arithmetic_side_effects,
    reason = "small numbers, and a panic would be the message"
)]

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use super::*;
use crate::card::luhn::passes_luhn;
use crate::card::mask::visible_digits;
use crate::card::syntax::is_pan_syntax;
use crate::card::text::{MIN_DIGITS, contains_card_number};

/// The prefixes as sorted, disjoint ranges of six digits, written independently of the table.
const EXPECTED: [(usize, usize, Scheme); 89] = [
    (180000, 180099, Scheme::Jcb),
    (194600, 194699, Scheme::Gpn),
    (213100, 213199, Scheme::Jcb),
    (220000, 220499, Scheme::Mir),
    (220500, 220599, Scheme::Borica),
    (222100, 272099, Scheme::Mastercard),
    (300000, 305999, Scheme::DinersClub),
    (340000, 349999, Scheme::AmericanExpress),
    (352800, 358999, Scheme::Jcb),
    (360000, 369999, Scheme::DinersClub),
    (370000, 379999, Scheme::AmericanExpress),
    (380000, 399999, Scheme::DinersClub),
    (400000, 401177, Scheme::Visa),
    (401178, 401179, Scheme::Elo),
    (401180, 431273, Scheme::Visa),
    (431274, 431274, Scheme::Elo),
    (431275, 438934, Scheme::Visa),
    (438935, 438935, Scheme::Elo),
    (438936, 451415, Scheme::Visa),
    (451416, 451416, Scheme::Elo),
    (451417, 457392, Scheme::Visa),
    (457393, 457393, Scheme::Elo),
    (457394, 457630, Scheme::Visa),
    (457631, 457632, Scheme::Elo),
    (457633, 499999, Scheme::Visa),
    (500000, 504174, Scheme::Maestro),
    (504175, 504175, Scheme::Elo),
    (504176, 506098, Scheme::Maestro),
    (506099, 506198, Scheme::Verve),
    (506199, 506698, Scheme::Maestro),
    (506699, 506778, Scheme::Elo),
    (506779, 507864, Scheme::Maestro),
    (507865, 507964, Scheme::Verve),
    (507965, 508499, Scheme::Maestro),
    (508500, 508999, Scheme::RuPay),
    (509000, 509999, Scheme::Elo),
    (510000, 559999, Scheme::Mastercard),
    (560000, 601099, Scheme::Maestro),
    (601100, 601199, Scheme::Discover),
    (601200, 606281, Scheme::Maestro),
    (606282, 606282, Scheme::Hipercard),
    (606283, 606984, Scheme::Maestro),
    (606985, 607984, Scheme::RuPay),
    (607985, 608000, Scheme::Maestro),
    (608001, 608500, Scheme::RuPay),
    (608501, 619999, Scheme::Maestro),
    (620000, 627779, Scheme::UnionPay),
    (627780, 627780, Scheme::Elo),
    (627781, 629999, Scheme::UnionPay),
    (630000, 636296, Scheme::Maestro),
    (636297, 636297, Scheme::Elo),
    (636298, 636367, Scheme::Maestro),
    (636368, 636368, Scheme::Elo),
    (636369, 643999, Scheme::Maestro),
    (644000, 650030, Scheme::Discover),
    (650031, 650033, Scheme::Elo),
    (650034, 650034, Scheme::Discover),
    (650035, 650051, Scheme::Elo),
    (650052, 650404, Scheme::Discover),
    (650405, 650439, Scheme::Elo),
    (650440, 650484, Scheme::Discover),
    (650485, 650538, Scheme::Elo),
    (650539, 650540, Scheme::Discover),
    (650541, 650598, Scheme::Elo),
    (650599, 650699, Scheme::Discover),
    (650700, 650718, Scheme::Elo),
    (650719, 650719, Scheme::Discover),
    (650720, 650727, Scheme::Elo),
    (650728, 650900, Scheme::Discover),
    (650901, 650978, Scheme::Elo),
    (650979, 651651, Scheme::Discover),
    (651652, 651679, Scheme::Elo),
    (651680, 652149, Scheme::Discover),
    (652150, 653149, Scheme::RuPay),
    (653150, 654999, Scheme::Discover),
    (655000, 655019, Scheme::Elo),
    (655020, 655020, Scheme::Discover),
    (655021, 655058, Scheme::Elo),
    (655059, 659999, Scheme::Discover),
    (660000, 699999, Scheme::Maestro),
    (810000, 817199, Scheme::UnionPay),
    (817200, 820199, Scheme::RuPay),
    (860000, 860099, Scheme::UzCard),
    (911200, 911299, Scheme::Belkart),
    (941700, 941799, Scheme::Elcart),
    (970400, 970499, Scheme::Napas),
    (979200, 979299, Scheme::Troy),
    (980400, 980499, Scheme::Prostir),
    (986000, 986099, Scheme::Humo),
];

/// Returns the scheme of every prefix of six digits.
fn by_range() -> Vec<Option<Scheme>> {
    let mut all = vec![None; 1_000_000];
    for (first, last, scheme) in EXPECTED {
        all[first..=last].fill(Some(scheme));
    }
    all
}

#[test]
fn knows_the_first_two_digits() {
    let begins = |pair: usize| {
        let pairs = |number: usize| number / 10_000;
        let mut ranges = EXPECTED.iter();
        ranges.any(|(first, last, _)| (pairs(*first)..=pairs(*last)).contains(&pair))
    };
    for first in 0..10 {
        for second in 0..10 {
            let text = format!("{first}{second}");
            let expected = begins(first * 10 + second);
            assert_eq!(may_begin_number(text.as_bytes()), expected, "{text}");
        }
    }
}

#[test]
fn returns_the_scheme_of_every_six_digits() {
    for (six, scheme) in by_range().into_iter().enumerate() {
        let number = format!("{six:06}");
        assert_eq!(Scheme::from_digits(number.as_bytes()), scheme, "{number}");
    }
    for (first, last, scheme) in EXPECTED {
        for six in [first, last] {
            assert_eq!(
                Scheme::from_digits(format!("{six:06}0000000000").as_bytes()),
                Some(scheme),
                "{six}"
            );
        }
    }
}

/// Returns the scheme of the longest prefix of digits that several schemes have, written
/// independently of the table.
fn longest_prefix_of(typed: &str) -> Option<Scheme> {
    let prefixes = [
        ("65", Scheme::Discover),
        ("62", Scheme::UnionPay),
        ("81", Scheme::UnionPay),
        ("6", Scheme::Maestro),
        ("50", Scheme::Maestro),
        ("4", Scheme::Visa),
    ];
    prefixes
        .into_iter()
        .find(|(prefix, _)| typed.starts_with(prefix))
        .map(|(_, scheme)| scheme)
}

#[test]
fn returns_the_scheme_of_typed_digits() {
    let all = by_range();
    for length in 0..6 {
        for (typed, completed) in all.chunks(10_usize.pow(6 - length)).enumerate() {
            let width = usize::try_from(length).unwrap();
            let typed = if width == 0 {
                String::new()
            } else {
                format!("{typed:0width$}")
            };
            let only = completed.iter().all(|scheme| *scheme == completed[0]);
            let expected = if only {
                completed[0]
            } else {
                longest_prefix_of(&typed)
            };
            assert_eq!(Scheme::from_digits(typed.as_bytes()), expected, "{typed}");
        }
    }
    for (typed, scheme) in [
        ("4", Scheme::Visa),
        ("40117", Scheme::Visa),
        ("41", Scheme::Visa),
        ("50", Scheme::Maestro),
        ("6", Scheme::Maestro),
        ("601", Scheme::Maestro),
        ("65", Scheme::Discover),
        ("402", Scheme::Visa),
        ("6510", Scheme::Discover),
        ("23", Scheme::Mastercard),
        ("9792", Scheme::Troy),
        ("5095", Scheme::Elo),
        ("50615", Scheme::Verve),
    ] {
        assert_eq!(
            Scheme::from_digits(typed.as_bytes()),
            Some(scheme),
            "{typed}"
        );
    }
    for typed in [
        "", "2", "22", "220", "222", "3", "30", "35", "5", "8", "9", "04",
    ] {
        assert_eq!(Scheme::from_digits(typed.as_bytes()), None, "{typed}");
    }
}

/// Returns the digits with the check digit that makes them pass Luhn.
fn with_check_digit(digits: &str) -> String {
    let number = |check: u8| format!("{digits}{}", char::from(check));
    (b'0'..=b'9')
        .map(number)
        .find(|number| passes_luhn(number.as_bytes()))
        .unwrap()
}

/// Returns a number of each length for both ends of every row. The last prefix of a row may have a
/// longer one.
fn numbers() -> impl Iterator<Item = (Scheme, String)> {
    let ends = PREFIXES.iter().flat_map(|row| {
        let first = u64::from(row.first);
        let last = u64::from(row.last);
        let issuer = Issuer::from_digits(last.to_string().as_bytes()).unwrap();
        [(first, row.issuer), (last, issuer)]
    });
    ends.flat_map(|(prefix, issuer)| {
        let lengths = issuer.lengths.iter().map(|length| usize::from(*length));
        lengths.map(move |length| {
            (
                issuer.scheme,
                with_check_digit(&format!("{prefix:0<width$}", width = length - 1)),
            )
        })
    })
}

#[test]
fn finds_every_row_of_the_table() {
    for (scheme, number) in numbers().filter(|(_, number)| number.len() >= MIN_DIGITS) {
        assert_eq!(
            Scheme::from_digits(number.as_bytes()),
            Some(scheme),
            "{number}"
        );
        for separator in ["", " ", "-"] {
            let groups: Vec<&str> = number
                .as_bytes()
                .chunks(4)
                .map(|group| str::from_utf8(group).unwrap())
                .collect();
            let written = groups.join(separator);
            let text = format!("card {written}, thanks");
            assert!(contains_card_number(&text), "{text}");
            let mut out = Vec::new();
            crate::ops::redact::redact(&format!(r#"{{"description":"{text}"}}"#), &mut out);
            let redacted = String::from_utf8(out).unwrap();
            let shown = redacted.bytes().filter(u8::is_ascii_digit).count();
            let (first, last) = visible_digits(number.len());
            assert!(
                shown == first + last && !redacted.contains(&written),
                "{number}: {redacted}"
            );
        }
    }
}

#[test]
fn returns_no_scheme_for_other_characters() {
    for typed in ["a", "a4", "4a", "22a", "220a", "22 00", "-4111", "٤١١١"] {
        assert_eq!(Scheme::from_digits(typed.as_bytes()), None, "{typed}");
    }
}

/// Test numbers that the schemes and processors publish.
const PUBLISHED: [(&str, Scheme); 29] = [
    ("4111111111111111", Scheme::Visa),
    ("4012888888881881", Scheme::Visa),
    ("4222222222222", Scheme::Visa),
    ("5555555555554444", Scheme::Mastercard),
    ("5105105105105100", Scheme::Mastercard),
    ("2223003122003222", Scheme::Mastercard),
    ("378282246310005", Scheme::AmericanExpress),
    ("371449635398431", Scheme::AmericanExpress),
    ("2200770239097761", Scheme::Mir),
    ("6200000000000005", Scheme::UnionPay),
    ("6205500000000000004", Scheme::UnionPay),
    ("3530111333300000", Scheme::Jcb),
    ("3566002020360505", Scheme::Jcb),
    ("6011111111111117", Scheme::Discover),
    ("30569309025904", Scheme::DinersClub),
    ("38520000023237", Scheme::DinersClub),
    ("6759649826438453", Scheme::Maestro),
    ("5066991111111118", Scheme::Elo),
    ("6362970000457013", Scheme::Elo),
    ("6062826786276634", Scheme::Hipercard),
    ("5060990580000217499", Scheme::Verve),
    ("5061050254756707864", Scheme::Verve),
    ("9792030394440796", Scheme::Troy),
    ("9792072000017956", Scheme::Troy),
    ("8600495473316478", Scheme::UzCard),
    ("9860020138100068", Scheme::Humo),
    ("9704000000000018", Scheme::Napas),
    ("9112000000000014", Scheme::Belkart),
    ("6074820000000009", Scheme::RuPay),
];

#[test]
fn accepts_published_test_numbers() {
    for (number, scheme) in PUBLISHED {
        assert_eq!(
            Scheme::from_digits(number.as_bytes()),
            Some(scheme),
            "{number}"
        );
        assert!(scheme.has_length(number.len()), "{number}");
        assert!(passes_luhn(number.as_bytes()), "{number}");
        assert!(is_pan_syntax(number.as_bytes()), "{number}");
    }
}

#[test]
fn equals_the_published_ranges() {
    let names = "visa mastercard american_express mir unionpay jcb discover diners_club maestro elo hipercard verve \
                 troy uzcard humo rupay napas belkart elcart prostir borica gpn";
    let names = names.split(' ');
    assert_eq!(names.clone().count(), Scheme::ALL.len());
    let codes =
        "CVV CVC CID CVP2 CVN CAV CID CVV CVC CVE CVC CVV CVV CVV CVV CVV CVV CVV CVV CVV CVV CVV"
            .split(' ');
    for (scheme, (name, code)) in Scheme::ALL.iter().zip(names.zip(codes)) {
        let length = if *scheme == Scheme::AmericanExpress {
            4
        } else {
            3
        };
        assert_eq!(
            (scheme.name(), scheme.security_code()),
            (name, SecurityCodeFormat { name: code, length })
        );
        assert!(
            scheme.lengths().is_sorted()
                && scheme
                    .lengths()
                    .iter()
                    .all(|length| LENGTHS.contains(length))
        );
    }
    assert!(
        Scheme::Visa.has_length(13) && !Scheme::Visa.has_length(14) && Scheme::Visa.has_length(19)
    );
    assert!(!Scheme::Mastercard.has_length(15) && !Scheme::Mastercard.has_length(17));
    assert!(!Scheme::AmericanExpress.has_length(16) && !Scheme::DinersClub.has_length(13));
    assert!(!Scheme::Mir.has_length(15) && Scheme::Maestro.has_length(12));
    assert_eq!(Scheme::Verve.lengths(), [16, 18, 19]);
    for scheme in [
        Scheme::Elo,
        Scheme::Hipercard,
        Scheme::Troy,
        Scheme::UzCard,
        Scheme::Humo,
        Scheme::RuPay,
        Scheme::Belkart,
        Scheme::Elcart,
        Scheme::Prostir,
        Scheme::Borica,
        Scheme::Gpn,
    ] {
        assert_eq!(scheme.lengths(), [16]);
    }
    assert_eq!(Scheme::DinersClub.grouping(14), [4, 10]);
    assert_eq!(Scheme::DinersClub.grouping(15), [4, 8, 12]);
    assert_eq!(Scheme::AmericanExpress.grouping(15), [4, 10]);
    assert_eq!(Scheme::UnionPay.grouping(19), [4, 8, 12]);
}
