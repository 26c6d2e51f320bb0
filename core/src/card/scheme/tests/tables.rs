//! Writes the tables of `wasm/js/card_tables.js`, from which `payspec/card` recognizes card
//! numbers, and compares them.

use super::*;
use crate::card::card_info;
use crate::card::mask::visible_digits;
use crate::card::syntax::MAX_PAN_DIGITS;
use crate::engine::Engine;
use crate::model::request::CreateRequest;
use crate::util::tests::{compare, constant, list};

fn joined(numbers: &[u8]) -> String {
    numbers
        .iter()
        .map(ToString::to_string)
        .collect::<Vec<_>>()
        .join(",")
}

/// Returns the gaps of a scheme if they differ from the usual ones, and the most digits that have
/// them.
fn special_gaps(scheme: Scheme) -> String {
    let gaps = scheme.grouping(0);
    if gaps == GROUPING {
        assert_eq!(scheme.grouping(usize::MAX), GROUPING);
        return String::from("|");
    }
    let most = (0..=MAX_PAN_DIGITS)
        .take_while(|digits| scheme.grouping(*digits) == gaps)
        .count()
        - 1;
    let always = scheme.grouping(usize::MAX) == gaps;
    assert!(always || (most + 1..100).all(|digits| scheme.grouping(digits) == GROUPING));
    format!(
        "{}|{}",
        joined(gaps),
        if always {
            String::new()
        } else {
            most.to_string()
        }
    )
}

/// Returns a row as the shortest prefix or range of prefixes.
fn range(row: &Prefixes) -> String {
    let (mut first, mut last) = (row.first, row.last);
    while first % 10 == 0 && last % 10 == 9 && last > 9 {
        (first, last) = (first / 10, last / 10);
    }
    if first == last {
        first.to_string()
    } else {
        format!("{first}-{last}")
    }
}

/// Returns the year that the library reads for a year of two digits.
fn read_year(year: u16) -> u16 {
    let body = format!(
        r#"{{"payment_type":"pay_in","mode":"P2P","subtype":"bank_card","cur":"RUB","amount":"1","pay_in_details":{{"card":{{"expiry_year":{year}}}}}}}"#
    );
    let engine = Engine::default();
    let (request, _) = engine
        .parse_request(body.as_bytes(), None)
        .expect("a valid request");
    let CreateRequest::PayIn(request) = request else {
        panic!("a pay_in")
    };
    request
        .pay_in_details
        .unwrap()
        .card
        .unwrap()
        .expiry_year
        .unwrap()
}

fn tables() -> String {
    let mut out = String::new();
    let schemes = Scheme::ALL.iter().map(|scheme| {
        let code = scheme.security_code();
        let lengths = joined(scheme.lengths());
        format!(
            "{}|{}|{}|{lengths}|{}",
            scheme.name(),
            code.name,
            code.length,
            special_gaps(*scheme)
        )
    });
    let doc = "The schemes: name, name and length of the security code, lengths, special gaps, and most digits with them.";
    list(&mut out, doc, "SCHEMES", schemes);
    let mut rows: Vec<String> = Vec::new();
    for row in PREFIXES {
        let scheme = Scheme::ALL
            .iter()
            .position(|scheme| *scheme == row.scheme)
            .unwrap();
        match rows.last_mut() {
            // Neighbors of one scheme are one line.
            Some(line) if line.starts_with(&format!("{scheme}|")) => {
                *line += &format!(",{}", range(row))
            }
            _ => rows.push(format!("{scheme}|{}", range(row))),
        }
    }
    let doc = "The prefixes: index of the scheme, and its prefixes or ranges. The first that contains the digits decides.";
    list(&mut out, doc, "PREFIXES", rows);
    constant(
        &mut out,
        "The lengths of a card number.",
        "LENGTHS",
        &format!("[{}]", joined(LENGTHS)),
    );
    constant(
        &mut out,
        "The usual gaps.",
        "GAPS",
        &format!("[{}]", joined(GROUPING)),
    );
    let visible = (0..=MAX_PAN_DIGITS).map(visible_digits);
    let visible: Vec<String> = visible
        .map(|(first, last)| format!("[{first},{last}]"))
        .collect();
    constant(
        &mut out,
        "The first and last digits that a mask shows of a number with so many digits (D22).",
        "VISIBLE",
        &format!("[{}]", visible.join(",")),
    );
    let long = card_info(&"1".repeat(MAX_PAN_DIGITS + 1)).masked;
    constant(
        &mut out,
        "The mask of a text that is too long.",
        "TOO_LONG",
        &format!("\"{}\"", long.as_str()),
    );
    let century = read_year(0);
    assert!((0..100).all(|year| read_year(year) == century + year));
    constant(
        &mut out,
        "The century of a year of two digits (D23).",
        "CENTURY",
        &century.to_string(),
    );
    out
}

#[test]
fn card_tables_are_those_of_the_core() {
    compare("card_tables.js", "Tables of card schemes", &tables());
}
