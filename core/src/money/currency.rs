//! `Currency`: an active code of ISO 4217, in one byte: the row of the table, from 1.

use core::fmt;
use core::num::NonZeroU8;
use core::str::FromStr;

use super::iso4217::{self, CODES, MINOR_UNITS, NAMES, NO_MINOR_UNIT, NUMBERS};
use crate::util::text::Text;

/// An active code of ISO 4217 (§2.2: `cur`). Codes compare in alphabetic order.
///
/// ```
/// # use payspec::Currency;
/// let yen = "JPY".parse::<Currency>().unwrap();
/// assert_eq!((yen.numeric(), yen.minor_unit(), yen.name()), (392, Some(0), "Yen"));
/// assert!("jpy".parse::<Currency>().is_err());
/// assert!("USDT".parse::<Currency>().is_err());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Currency(NonZeroU8);

/// The text is not an active ISO 4217 code in upper case. The error does not contain the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected an active ISO 4217 code in upper case")]
pub struct CurrencyError;

impl Currency {
    /// The number of letters of an alphabetic code.
    pub(crate) const LETTERS: usize = 3;

    /// Returns the currency of an alphabetic code in upper case, or `None` if ISO 4217 has no such
    /// active code.
    #[inline]
    pub(crate) fn from_code(code: &str) -> Option<Self> {
        Self::from_text(code.as_bytes())
    }

    /// Returns the currency of an alphabetic code in upper case.
    #[inline]
    pub(crate) fn from_text<T: Text>(code: T) -> Option<Self> {
        let byte = |index: usize| code.byte(code.start().wrapping_add(index));
        // A binary search of all codes takes four times as many instructions, 2 % of a verdict
        // (P8).
        let mut rows = iso4217::FIRST_ROWS
            .get(usize::from(byte(0).checked_sub(b'A')?)..)?
            .iter();
        let mut rows = *rows.next()?..*rows.next()?;
        let letters = [byte(0), byte(1), byte(2)];
        let row = rows.find(|row| CODES.get(usize::from(*row)) == Some(&letters));
        row.filter(|_| code.len() == Self::LETTERS)
            .map(|row| Self(NonZeroU8::MIN.saturating_add(row)))
    }

    /// Returns all currencies, in the order of their codes.
    pub fn all() -> impl ExactSizeIterator<Item = Self> {
        // The table has fewer rows than a byte has values.
        (0..u8::try_from(CODES.len()).unwrap_or(u8::MAX))
            .map(|row| Self(NonZeroU8::MIN.saturating_add(row)))
    }

    fn row(self) -> usize {
        usize::from(self.0.get()).wrapping_sub(1)
    }

    /// Returns the alphabetic code, such as `RUB`.
    pub fn code(self) -> &'static str {
        CODES
            .get(self.row())
            .and_then(|code| core::str::from_utf8(code).ok())
            .unwrap_or_default()
    }

    /// Returns whether the alphabetic code is at a position of a text.
    pub(crate) fn is_at(self, text: impl Text, at: usize) -> bool {
        Self::from_text(text.part(at, at.wrapping_add(Self::LETTERS))) == Some(self)
    }

    /// Returns the numeric code, such as 643. ISO writes it with three digits: `008` for 8.
    pub fn numeric(self) -> u16 {
        NUMBERS.get(self.row()).copied().unwrap_or_default()
    }

    /// Returns the number of fraction digits of the smallest unit, 0 to 4, or `None` if the code is
    /// not a currency.
    #[inline(always)]
    pub fn minor_unit(self) -> Option<u32> {
        MINOR_UNITS
            .get(self.row())
            .filter(|unit| **unit < NO_MINOR_UNIT)
            .copied()
            .map(u32::from)
    }

    /// Checks if the code is a currency, which has a minor unit in ISO 4217.
    ///
    /// Metals, units of account, the test code and `XXX` have no minor unit (XAU, XDR, XTS, …).
    /// Fund codes and clearing units that have one (CHE, CLF, MXV, USN, XAD, …) count as
    /// currencies: their amounts can be stated and rounded.
    pub fn is_fiat(self) -> bool {
        self.minor_unit().is_some()
    }

    /// Returns the English name from the published list, such as `Russian Ruble`.
    pub fn name(self) -> &'static str {
        NAMES.get(self.row()).copied().unwrap_or_default()
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
        assert_eq!(found, CODES.len());
        assert_eq!(Currency::all().len(), CODES.len());
    }

    #[test]
    fn table_is_sorted_with_unique_numbers() {
        assert!(CODES.is_sorted_by(|a, b| a < b));
        let mut numbers = NUMBERS;
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
