//! `Currency`: an active code of ISO 4217, as a row of the published table.

use core::fmt;
use core::str::FromStr;

use super::iso4217::{Entry, NAMES, TABLE, rows_with_initial};
use crate::util::bug::or_bug;

/// An active code of ISO 4217 (§2.2: `cur`). Codes compare in alphabetic order.
///
/// ```
/// # use payspec::Currency;
/// let yen = "JPY".parse::<Currency>().unwrap();
/// assert_eq!((yen.numeric(), yen.minor_unit(), yen.name()), (392, Some(0), "Yen"));
/// assert!("jpy".parse::<Currency>().is_err());
/// assert!("USDT".parse::<Currency>().is_err());
/// ```
// The value is the index of a row. The rows are in the order of their codes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Currency(u8);

/// The text is not an active ISO 4217 code in upper case. The error does not contain the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected an active ISO 4217 code in upper case")]
pub struct CurrencyError;

impl Currency {
    /// Returns the currency of an alphabetic code in upper case, or `None` if ISO 4217 has no such
    /// active code.
    #[inline]
    pub(crate) fn from_code(code: &str) -> Option<Self> {
        let letters: [u8; 3] = code.as_bytes().try_into().ok()?;
        // A binary search takes 20 ns more, 7 % of a verdict: its branches are not predictable.
        let mut rows = rows_with_initial(letters.first().copied()?);
        rows.find(|row| {
            TABLE
                .get(*row)
                .is_some_and(|entry| entry.letters == letters)
        })
        .and_then(Self::from_row)
    }

    /// Returns the currency of a row, which always fits a byte.
    fn from_row(row: usize) -> Option<Self> {
        u8::try_from(row).ok().map(Self)
    }

    /// Returns all currencies, in the order of their codes.
    pub fn all() -> impl ExactSizeIterator<Item = Self> {
        (0..or_bug(u8::try_from(TABLE.len()).ok(), 0)).map(Self)
    }

    fn entry(self) -> &'static Entry {
        let [first, ..] = &TABLE;
        or_bug(TABLE.get(usize::from(self.0)), first)
    }

    /// Returns the alphabetic code, such as `RUB`.
    pub fn code(self) -> &'static str {
        or_bug(core::str::from_utf8(&self.entry().letters).ok(), "")
    }

    /// Returns the numeric code, such as 643. ISO writes it with three digits: `008` for 8.
    pub fn numeric(self) -> u16 {
        self.entry().number
    }

    /// Returns the number of fraction digits of the smallest unit, 0 to 4, or `None` if the code is
    /// not a currency.
    pub fn minor_unit(self) -> Option<u32> {
        self.entry().minor_unit.map(u32::from)
    }

    /// Checks if the code is a currency, which has a minor unit in ISO 4217.
    ///
    /// Metals, units of account, the test code and `XXX` have no minor unit (XAU, XDR, XTS, …).
    /// Fund codes and clearing units that have one (CHE, CLF, MXV, USN, XAD, …) count as
    /// currencies: their amounts can be stated and rounded.
    pub fn is_fiat(self) -> bool {
        self.entry().minor_unit.is_some()
    }

    /// Returns the English name from the published list, such as `Russian Ruble`.
    pub fn name(self) -> &'static str {
        or_bug(NAMES.get(usize::from(self.0)).copied(), "")
    }
}

impl fmt::Display for Currency {
    /// Writes the alphabetic code.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.code())
    }
}

impl fmt::Debug for Currency {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.code())
    }
}

impl FromStr for Currency {
    type Err = CurrencyError;

    /// Parses an alphabetic code in upper case.
    ///
    /// # Errors
    /// Returns an error if ISO 4217 has no such active code.
    fn from_str(code: &str) -> Result<Self, CurrencyError> {
        Self::from_code(code).ok_or(CurrencyError)
    }
}

#[cfg(feature = "serde")]
crate::util::serde_str::impl_serde_via_str! { Currency, "an active ISO 4217 code in upper case" }

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::String;

    #[test]
    fn finds_the_row_of_every_three_letters() {
        let mut found = 0;
        for first in b'A'..=b'Z' {
            for second in b'A'..=b'Z' {
                for third in b'A'..=b'Z' {
                    let code = String::from_utf8([first, second, third].into()).unwrap();
                    if let Some(currency) = Currency::from_code(&code) {
                        assert_eq!(currency.code(), code);
                        found += 1;
                    }
                }
            }
        }
        assert_eq!(found, TABLE.len());
        assert_eq!(Currency::all().len(), TABLE.len());
    }

    #[test]
    fn table_is_sorted_with_unique_numbers() {
        assert!(TABLE.is_sorted_by(|a, b| a.letters < b.letters));
        let mut numbers = TABLE.map(|entry| entry.number);
        numbers.sort_unstable();
        assert!(numbers.is_sorted_by(|a, b| a < b));
    }

    #[test]
    fn distinguishes_money_from_other_codes() {
        let fiat = |code| Currency::from_code(code).unwrap().is_fiat();
        assert!(
            ["RUB", "JPY", "CLF", "CHE", "USN", "XOF"]
                .into_iter()
                .all(fiat)
        );
        assert!(
            !["XAU", "XDR", "XTS", "XXX", "XSU", "XUA"]
                .into_iter()
                .any(fiat)
        );
        for code in [
            "", "RU", "RUBB", "rub", "Rub", "USDT", "HRK", "@@@", "[[[", "R\u{e9}", "ZZZ", "AAA",
        ] {
            assert_eq!(Currency::from_code(code), None, "{code}");
        }
    }
}
