//! The document of rates, the same in a file and over HTTP:
//!
//! ```json
//! {"as_of": "2026-11-20T10:15:30Z", "per_usdt": {"RUB": "92.45", "USD": "1.0004"}}
//! ```
//!
//! `per_usdt` is the price of 1 USDT, as a decimal text: a JSON number is refused, since most
//! programs would make a binary fraction of it. `as_of` may be left out: the rates then hold as of
//! the moment they are read.

use std::collections::HashMap;
use std::fmt;

use payspec::{Amount, Currency, Quote, Timestamp};
use serde::Deserialize;
use serde::de::{Deserializer, Error, MapAccess, Visitor};

use super::RateError;

/// The most currencies of a document, far more than there are.
pub(super) const MAX_BYTES: usize = 64 * 1024;

/// Rates that were read together.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)] // a mistyped as_of would make old rates new
pub(super) struct Document {
    #[serde(default)]
    as_of: Option<Timestamp>,
    per_usdt: Rates,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Rates(HashMap<Currency, Amount>);

impl Document {
    pub(super) fn parse(bytes: &[u8]) -> Result<Self, RateError> {
        if bytes.len() > MAX_BYTES {
            return Err(RateError::TooLarge(MAX_BYTES));
        }
        serde_json::from_slice(bytes).map_err(|error| RateError::Document(error.to_string()))
    }

    /// Returns the price in a currency, if the document has one. `read` is when the document was
    /// read.
    pub(super) fn quote(&self, currency: Currency, read: Timestamp) -> Option<Quote> {
        let rate = *self.per_usdt.0.get(&currency)?;
        Quote::new(currency, rate, Some(self.as_of.unwrap_or(read))).ok()
    }
}

impl<'de> Deserialize<'de> for Rates {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(RatesVisitor)
    }
}

struct RatesVisitor;

impl<'de> Visitor<'de> for RatesVisitor {
    type Value = Rates;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object of rates by ISO 4217 code")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Rates, A::Error> {
        let mut rates = HashMap::new();
        while let Some((currency, rate)) = map.next_entry::<Currency, Amount>()? {
            if Quote::new(currency, rate, None).is_err() {
                return Err(Error::custom(format_args!(
                    "{currency}: expected money, and a rate above zero"
                )));
            }
            // A map would keep the last of two, but the author may have meant the first.
            if rates.insert(currency, rate).is_some() {
                return Err(Error::custom(format_args!("{currency} is there twice")));
            }
        }
        Ok(Rates(rates))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        Document::parse(text.as_bytes()).unwrap_err().to_string()
    }

    #[test]
    fn rates_are_exact_and_as_of_what_they_say() {
        let read = "2026-11-20T10:15:30.25Z".parse().unwrap();
        let quote = |text: &str, code: &str| {
            Document::parse(text.as_bytes())
                .unwrap()
                .quote(code.parse().unwrap(), read)
        };
        let dated = r#"{"as_of":"2026-11-19T23:00:00+01:00","per_usdt":{"RUB":"92.4500000000000000000000001"}}"#;
        let rub = quote(dated, "RUB").unwrap();
        assert_eq!(rub.rate().to_string(), "92.4500000000000000000000001");
        assert_eq!(rub.as_of(), Some("2026-11-19T22:00:00Z".parse().unwrap()));
        assert_eq!(quote(dated, "USD"), None);
        let undated = r#"{"per_usdt":{"RUB":"92.45"}}"#;
        assert_eq!(quote(undated, "RUB").unwrap().as_of(), Some(read));
        assert_eq!(quote(r#"{"as_of":null,"per_usdt":{}}"#, "RUB"), None);
    }

    #[test]
    fn nothing_is_guessed() {
        assert!(error(r#"{"per_usdt":{"RUB":92.45}}"#).contains("a decimal string"));
        assert!(
            error(r#"{"per_usdt":{"RUB":"0.00"}}"#)
                .contains("RUB: expected money, and a rate above zero")
        );
        assert!(error(r#"{"per_usdt":{"XAU":"1"}}"#).contains("XAU: expected money"));
        assert!(
            error(r#"{"per_usdt":{"RUB":"1","USD":"1","RUB":"2"}}"#).contains("RUB is there twice")
        );
        assert!(
            error(r#"{"as-of":"2026-11-19T23:00:00Z","per_usdt":{}}"#).contains("unknown field")
        );
        assert!(error(r#"{"as_of":"today","per_usdt":{}}"#).contains("RFC 3339"));
        for text in [
            "",
            "[]",
            "{}",
            r#"{"per_usdt":{"rub":"1"}}"#,
            r#"{"per_usdt":{"RUB":"-1"}}"#,
            r#"{"per_usdt":{}}x"#,
        ] {
            assert!(error(text).starts_with("not a document of rates"), "{text}");
        }
        let long = format!(r#"{{"per_usdt":{{}}}}{}"#, " ".repeat(MAX_BYTES));
        assert_eq!(error(&long), "the document of rates is over 65536 bytes");
    }
}
