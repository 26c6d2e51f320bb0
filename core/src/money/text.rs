//! The grammar of amounts, which is checked before any library parses the text.

/// The numbers of digits in the text of an amount. They have no upper limit here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct DecimalText {
    /// The number of digits before the point, at least 1.
    pub(crate) integer_digits: usize,
    /// The number of digits after the point, or 0 without a point.
    pub(crate) fraction_digits: usize,
    /// The number of digits after the point, up to the last one that is not `0`.
    pub(crate) significant_fraction: usize,
    /// Set if every digit is `0`.
    pub(crate) zero: bool,
}

/// Scans `0` or digits without leading zeros, optionally followed by `.` and at least one digit. Returns `None` for
/// any other text.
#[inline]
pub(crate) fn scan(text: &str) -> Option<DecimalText> {
    let bytes = text.as_bytes();
    let integer_digits = bytes.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(bytes.len());
    let (integer, rest) = bytes.split_at_checked(integer_digits)?;
    let zero_integer = match integer {
        [] | [b'0', _, ..] => return None,
        [b'0'] => true,
        _ => false,
    };
    let fraction = match rest {
        [] => rest,
        [b'.', fraction @ ..] if !fraction.is_empty() && fraction.iter().all(u8::is_ascii_digit) => fraction,
        _ => return None,
    };
    // The significant digits are those of the fraction without the zeros at its end.
    let trailing_zeros = fraction.iter().rev().take_while(|digit| **digit == b'0').count();
    let significant_fraction = fraction.len().saturating_sub(trailing_zeros);
    Some(DecimalText {
        integer_digits,
        fraction_digits: fraction.len(),
        significant_fraction,
        zero: zero_integer && significant_fraction == 0,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::String;

    fn json_type(text: &str) -> (usize, usize, usize, bool) {
        let found = scan(text).unwrap();
        (found.integer_digits, found.fraction_digits, found.significant_fraction, found.zero)
    }

    #[test]
    fn counts_digits() {
        assert_eq!(json_type("0"), (1, 0, 0, true));
        assert_eq!(json_type("0.00"), (1, 2, 0, true));
        assert_eq!(json_type("0.010"), (1, 3, 2, false));
        assert_eq!(json_type("1500.00"), (4, 2, 0, false));
        assert_eq!(json_type("10"), (2, 0, 0, false));
    }

    #[test]
    fn refuses_what_other_parsers_take() {
        for text in [
            "", ".", ".5", "1.", "00", "01", "00.1", "+1", "-1", "-0", "1e3", "1_000", "1,0", " 1", "1 ", "1.2.3",
            "0x1", "١", "1.٢", "NaN", "1.-2", "1\0",
        ] {
            assert_eq!(scan(text), None, "{text}");
        }
    }

    #[test]
    fn takes_a_megabyte_of_digits() {
        let text: String = core::iter::repeat_n('9', 1 << 20).collect();
        assert_eq!(json_type(&text), (1 << 20, 0, 0, false));
    }
}
