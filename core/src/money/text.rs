//! The grammar of amounts: `DecimalText`, which every text of an amount passes first.

/// The maximum number of digits before and after the point of an amount in a body (§2.2).
pub(crate) const MAX_WIRE_DIGITS: u8 = 18;

/// The digits of an amount before and after its point. Their number has no upper limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct DecimalText<'a> {
    /// The digits before the point: `0`, or digits without leading zeros.
    pub(super) integer: &'a str,
    /// The digits after the point, or nothing without a point.
    pub(super) fraction: &'a str,
}

impl<'a> DecimalText<'a> {
    /// Parses `0` or digits without leading zeros, optionally followed by `.` and at least one
    /// digit. Returns `None` for any other text.
    pub(crate) fn parse(text: &'a str) -> Option<Self> {
        // `split_once` calls a search that is made for long texts: 100 instructions more.
        let point = text.bytes().position(|byte| byte == b'.');
        let (integer, rest) = text.split_at_checked(point.unwrap_or(text.len()))?;
        let fraction = match rest.strip_prefix('.') {
            Some("") => return None,
            Some(fraction) => fraction,
            None => "",
        };
        let has_leading_zero = integer.len() > 1 && integer.starts_with('0');
        let has_digits = !integer.is_empty() && all_digits(integer) && all_digits(fraction);
        (has_digits && !has_leading_zero).then_some(Self { integer, fraction })
    }

    /// Returns the fraction without zeros at its end.
    pub(super) fn significant_fraction(self) -> &'a str {
        self.fraction.trim_end_matches('0')
    }

    /// Checks if every digit is `0`.
    pub(crate) fn is_zero(self) -> bool {
        self.integer == "0" && self.significant_fraction().is_empty()
    }

    /// Checks if the number of digits is within the limits of a body.
    pub(crate) fn fits_body(self) -> bool {
        self.integer.len().max(self.fraction.len()) <= usize::from(MAX_WIRE_DIGITS)
    }

    /// Checks if the currency's minor unit, a number of fraction digits, can express the amount.
    pub(crate) fn fits_minor_unit(self, minor_unit: u32) -> bool {
        let needed = self.significant_fraction().len();
        u32::try_from(needed).is_ok_and(|needed| needed <= minor_unit)
    }
}

/// Checks if all bytes are ASCII digits.
fn all_digits(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;

    #[test]
    fn splits_at_the_point() {
        for (text, integer, fraction, significant, is_zero) in [
            ("0", "0", "", "", true),
            ("0.00", "0", "00", "", true),
            ("0.010", "0", "010", "01", false),
            ("1500.00", "1500", "00", "", false),
            ("10", "10", "", "", false),
        ] {
            let found = DecimalText::parse(text).unwrap();
            assert_eq!(found.integer, integer, "{text}");
            assert_eq!(found.fraction, fraction, "{text}");
            assert_eq!(found.significant_fraction(), significant);
            assert_eq!(found.is_zero(), is_zero, "{text}");
        }
    }

    #[test]
    fn rejects_other_forms_of_numbers() {
        for text in [
            "", ".", ".5", "1.", "00", "01", "00.1", "+1", "-1", "-0", "1e3", "1_000", "1,0", " 1",
            "1 ", "1.2.3", "1..2", "0x1", "1a", "0.a", "0a", "١", "1.٢", "NaN", "1.-2", "1\0",
        ] {
            assert_eq!(DecimalText::parse(text), None, "{text}");
        }
    }

    #[test]
    fn counts_digits_on_both_sides_of_the_point() {
        let (most, over) = ("9".repeat(18), "9".repeat(19));
        for (text, fits) in [
            (format!("{most}.{most}"), true),
            (format!("{over}.0"), false),
            (format!("0.{over}"), false),
            // Zeros at the end count.
            (format!("0.{}", "0".repeat(19)), false),
        ] {
            assert_eq!(
                DecimalText::parse(&text).unwrap().fits_body(),
                fits,
                "{text}"
            );
        }
    }

    #[test]
    fn ignores_zeros_at_the_end_for_the_minor_unit() {
        for (text, minor_unit, fits) in [
            ("1.50", 2, true),
            ("1.50", 1, true),
            ("1.50", 0, false),
            ("1.00", 0, true),
            ("1.505", 2, false),
        ] {
            assert_eq!(
                DecimalText::parse(text)
                    .unwrap()
                    .fits_minor_unit(minor_unit),
                fits,
                "{text}"
            );
        }
    }

    #[test]
    fn accepts_a_megabyte_of_digits() {
        let text = "9".repeat(1 << 20);
        let digits = DecimalText::parse(&text).unwrap();
        assert_eq!(digits.integer.len(), 1 << 20);
    }
}
