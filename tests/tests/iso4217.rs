//! Compares the table of currencies, which the library parses at compile time, with another reading
//! of the list of ISO 4217.

use payspec::{Currency, Engine};
use payspec_tests::call;
use payspec_tests::vector;
use std::collections::HashSet;

/// The published list. An empty minor unit means that the code is not a currency.
static PUBLISHED: &str = include_str!("../../core/src/money/iso4217.csv");

/// The list of withdrawn codes, without those that are active.
static WITHDRAWN: &str = include_str!("../../core/src/money/iso4217-withdrawn.csv");

/// Returns code, number, minor unit, and name of each row, without the space at the end of one
/// name.
fn published() -> Vec<(&'static str, String, String, &'static str)> {
    let mut lines = PUBLISHED.lines();
    assert_eq!(lines.next(), Some("code,numeric,minor_unit,name"));
    lines
        .map(|line| {
            let mut columns = line.splitn(4, ',');
            let mut column = || columns.next().expect("four columns");
            let (code, number, unit, name) = (column(), column(), column(), column());
            let name = name
                .strip_prefix('"')
                .and_then(|name| name.strip_suffix('"'))
                .expect("a quoted name");
            (code, number.to_owned(), unit.to_owned(), name.trim_end())
        })
        .collect()
}

#[test]
fn equals_the_published_list() {
    let table: Vec<_> = Currency::all()
        .map(|currency| {
            let number = format!("{:03}", currency.numeric());
            let unit = currency
                .minor_unit()
                .map(|unit| unit.to_string())
                .unwrap_or_default();
            (currency.code(), number, unit, currency.name())
        })
        .collect();
    assert_eq!(table, published());
}

#[test]
fn finds_every_published_code() {
    for (code, _, unit, _) in published() {
        let currency = code.parse::<Currency>().expect(code);
        assert_eq!(currency.code(), code);
        assert_eq!(currency.is_fiat(), !unit.is_empty());
        assert!(code.to_lowercase().parse::<Currency>().is_err());
    }
}

#[test]
fn serializes_a_currency_as_its_code() {
    for currency in Currency::all() {
        let json = serde_json::to_string(&currency).expect("a string");
        assert_eq!(json, format!("\"{currency}\""));
        assert_eq!(
            serde_json::from_str::<Currency>(&json).expect("the same"),
            currency
        );
    }
    for json in ["643", "null", "\"rub\"", "\"USDT\"", "[\"RUB\"]"] {
        assert!(serde_json::from_str::<Currency>(json).is_err(), "{json}");
    }
}

/// Returns the payment of the vectors in a withdrawn currency.
fn payment_in_withdrawn_currency() -> String {
    let files = vector::load().expect("the vectors");
    let name = "reported_withdrawn_currencies.json";
    let file = files
        .iter()
        .find(|file| file.operation == "check_payment" && file.path.ends_with(name));
    let vectors = &file.expect("the file").vectors;
    let inputs = vectors[0].arguments("check_payment");
    String::from_utf8(inputs[0].expect("a payment").to_vec()).expect("UTF-8")
}

/// Returns the codes of the violations of these members.
fn codes(operation: &str, input: &str, members: &[&str]) -> Vec<String> {
    let inputs = [Some(input.as_bytes()), None];
    let answer = call::answer(&Engine::default(), operation, &inputs);
    let violations = answer.violations().into_iter();
    let found = violations.filter(|(path, _)| members.contains(&path.as_str()));
    found.map(|(_, code)| code).collect()
}

/// Checks every three letters.
#[test]
fn only_stored_payments_may_have_a_withdrawn_currency() {
    let rows = WITHDRAWN.lines().skip(1);
    let withdrawn: HashSet<&str> = rows.filter_map(|row| row.split(',').next()).collect();
    let active: HashSet<&str> = published().iter().map(|(code, ..)| *code).collect();
    assert!(withdrawn.len() > 100 && withdrawn.is_disjoint(&active));
    let payment = payment_in_withdrawn_currency();
    assert!(payment.contains("BGN") && withdrawn.contains("BGN"));
    let letters = || 'A'..='Z';
    let all =
        letters().flat_map(|a| letters().flat_map(move |b| letters().map(move |c| [a, b, c])));
    for code in all.map(String::from_iter) {
        let request = format!(
            r#"{{"payment_type":"pay_in","mode":"P2P","subtype":"sbp","cur":"{code}","amount":"1"}}"#
        );
        let in_request = codes("validate_request", &request, &["/cur"]);
        let is_unknown = in_request.iter().any(|found| found == "currency_unknown");
        assert_eq!(is_unknown, !active.contains(code.as_str()), "{code}");
        let payment = payment.replace("BGN", &code);
        let members = ["/requested_currency", "/currency"];
        let in_payment = codes("check_payment", &payment, &members);
        let expected = match (withdrawn.contains(code.as_str()), is_unknown) {
            (true, _) => Some("currency_withdrawn"),
            (false, true) => Some("currency_unknown"),
            (false, false) => None,
        };
        let found = in_payment
            .iter()
            .map(String::as_str)
            .filter(|found| ["currency_withdrawn", "currency_unknown"].contains(found));
        let expected = expected.map_or_else(Vec::new, |code| vec![code; 2]);
        assert_eq!(found.collect::<Vec<_>>(), expected, "{code}");
    }
}
