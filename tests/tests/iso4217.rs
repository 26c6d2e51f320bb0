//! Compares the table of currencies, which the library parses at compile time, with another reading
//! of the list of ISO 4217.

use payspec::Currency;

/// The published list. An empty minor unit means that the code is not a currency.
static PUBLISHED: &str = include_str!("../../core/src/money/iso4217.csv");

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
