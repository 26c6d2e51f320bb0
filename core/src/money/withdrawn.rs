//! The codes that ISO 4217 has withdrawn, which stored payments may have.
//!
//! The compiler reads `iso4217-withdrawn.csv`: list three of the maintenance agency
//! (`list-three.xml`, published 2026-01-01; the file is also in the Python package iso-4217
//! 0.8.260101), without the codes that are active. Of several dates of a code, the file has the last
//! one; the list has only years for some codes. If the list changes, replace that file and the
//! number of its codes.
#![expect(clippy::indexing_slicing, reason = "evaluated by the compiler")]

use super::iso4217::split_once;

/// The number of codes.
const COUNT: usize = 129;

/// A code that ISO 4217 has withdrawn.
#[derive(Clone, Copy)]
pub(crate) struct WithdrawnCurrency {
    code: &'static str,
    /// The month or the year of the withdrawal, such as `2026-01`.
    pub(crate) withdrawn: &'static str,
}

/// The rows of the list, in ascending order of their codes.
static TABLE: [WithdrawnCurrency; COUNT] = LIST;

/// If the list is malformed, the library does not compile.
const LIST: [WithdrawnCurrency; COUNT] = {
    let empty = WithdrawnCurrency {
        code: "",
        withdrawn: "",
    };
    let mut table = [empty; COUNT];
    let (_titles, mut lines) = split_once(include_str!("iso4217-withdrawn.csv"), b'\n');
    let mut row = 0;
    while !lines.is_empty() {
        let (line, rest) = split_once(lines, b'\n');
        let (code, columns) = split_once(line, b',');
        let (withdrawn, _name) = split_once(columns, b',');
        table[row] = WithdrawnCurrency { code, withdrawn };
        lines = rest;
        row += 1;
    }
    assert!(row == COUNT, "COUNT is the number of codes in the list");
    table
};

impl WithdrawnCurrency {
    /// Returns the row of an alphabetic code in upper case, if ISO 4217 has withdrawn it.
    pub(crate) fn from_code(code: &str) -> Option<Self> {
        let row = TABLE.binary_search_by_key(&code, |entry| entry.code).ok()?;
        TABLE.get(row).copied()
    }

    /// Returns the code as a text of the table.
    pub(crate) fn code(self) -> &'static str {
        self.code
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::money::Currency;

    #[test]
    fn finds_every_code_and_its_date() {
        assert!(TABLE.is_sorted_by(|a, b| a.code < b.code));
        for entry in TABLE {
            let found = WithdrawnCurrency::from_code(entry.code()).unwrap();
            assert_eq!(found.withdrawn, entry.withdrawn);
            assert_eq!(entry.code.len(), 3, "{}", entry.code);
            assert!(matches!(entry.withdrawn.len(), 4 | 7), "{}", entry.code);
            assert_eq!(Currency::from_code(entry.code), None, "{}", entry.code);
        }
    }

    #[test]
    fn contains_the_codes_that_the_euro_replaced_last() {
        for (code, withdrawn) in [("BGN", "2026-01"), ("HRK", "2023-01"), ("LTL", "2014-12")] {
            let found = WithdrawnCurrency::from_code(code).map(|entry| entry.withdrawn);
            assert_eq!(found, Some(withdrawn), "{code}");
        }
        for code in ["EUR", "RUB", "USDT", "bgn", "BG", "BGNN", ""] {
            assert!(WithdrawnCurrency::from_code(code).is_none(), "{code}");
        }
    }
}
