//! The grammar of amounts, which is checked before any library parses the text.

use core::cmp::Ordering;

/// The maximum number of digits before and after the point of an amount in a body (§2.2).
pub(crate) const MAX_WIRE_DIGITS: u8 = 18;

/// The text of an amount and its numbers of digits, which have no upper limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct DecimalText<'a> {
    pub(crate) text: &'a [u8],
    /// The number of digits before the point, at least 1.
    pub(super) integer_digits: usize,
    /// The number of digits after the point, or 0 without a point.
    pub(super) fraction_digits: usize,
    /// The number of digits after the point, up to the last one that is not `0`.
    pub(crate) significant_fraction: usize,
    /// Set if every digit is `0`.
    pub(crate) zero: bool,
}

impl<'a> DecimalText<'a> {
    /// Parses `0` or digits without leading zeros, optionally followed by `.` and at least one digit. Returns `None`
    /// for any other text.
    #[inline]
    pub(crate) fn parse(text: &'a str) -> Option<Self> {
        Self::of(text.as_bytes())
    }

    /// Parses like `parse`.
    #[inline]
    pub(crate) fn of(bytes: &'a [u8]) -> Option<Self> {
        let integer_digits = bytes.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(bytes.len());
        let (integer, rest) = bytes.split_at_checked(integer_digits)?;
        if matches!(integer, [] | [b'0', _, ..]) {
            return None;
        }
        let fraction = match rest {
            [] => rest,
            [b'.', fraction @ ..] if !fraction.is_empty() && fraction.iter().all(u8::is_ascii_digit) => fraction,
            _ => return None,
        };
        let significant_fraction =
            fraction.iter().rposition(|digit| *digit != b'0').map_or(0, |last| last.wrapping_add(1));
        Some(Self {
            text: bytes,
            integer_digits,
            fraction_digits: fraction.len(),
            significant_fraction,
            zero: integer == b"0" && significant_fraction == 0,
        })
    }

    /// Compares two amounts by value.
    pub(crate) fn compare(self, other: DecimalText<'_>) -> Ordering {
        // Without leading zeros, the longer integer is greater; without trailing ones, fractions compare like texts.
        let by_length = self.integer_digits.cmp(&other.integer_digits);
        by_length.then_with(|| self.significant().cmp(other.significant()))
    }

    /// Returns the text without zeros at the end of its fraction.
    fn significant(self) -> &'a [u8] {
        let point = usize::from(self.significant_fraction > 0);
        let length = self.integer_digits.saturating_add(point).saturating_add(self.significant_fraction);
        self.text.get(..length).unwrap_or_default()
    }

    /// Checks if the number of digits is within the limits of a body.
    pub(crate) fn fits_body(self) -> bool {
        self.integer_digits.max(self.fraction_digits) <= usize::from(MAX_WIRE_DIGITS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::String;

    fn digits(text: &str) -> (usize, usize, usize, bool) {
        let found = DecimalText::parse(text).unwrap();
        (found.integer_digits, found.fraction_digits, found.significant_fraction, found.zero)
    }

    #[test]
    fn counts_digits() {
        assert_eq!(digits("0"), (1, 0, 0, true));
        assert_eq!(digits("0.00"), (1, 2, 0, true));
        assert_eq!(digits("0.010"), (1, 3, 2, false));
        assert_eq!(digits("1500.00"), (4, 2, 0, false));
        assert_eq!(digits("10"), (2, 0, 0, false));
    }

    #[test]
    fn rejects_other_forms_of_numbers() {
        for text in [
            "", ".", ".5", "1.", "00", "01", "00.1", "+1", "-1", "-0", "1e3", "1_000", "1,0", " 1", "1 ", "1.2.3",
            "0x1", "١", "1.٢", "NaN", "1.-2", "1\0",
        ] {
            assert_eq!(DecimalText::parse(text), None, "{text}");
        }
    }

    #[test]
    fn accepts_a_megabyte_of_digits() {
        let text: String = core::iter::repeat_n('9', 1 << 20).collect();
        assert_eq!(digits(&text), (1 << 20, 0, 0, false));
    }
}
