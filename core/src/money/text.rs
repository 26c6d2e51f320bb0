//! The grammar of amounts, which is checked before any library parses the text.

use core::cmp::Ordering;

use crate::util::text::Text;

/// The maximum number of digits before and after the point of an amount in a body (§2.2).
pub(crate) const MAX_WIRE_DIGITS: u8 = 18;

/// The text of an amount and its numbers of digits, which have no upper limit.
#[derive(Clone, Copy)]
pub(crate) struct DecimalText<T> {
    pub(crate) text: T,
    /// The number of digits before the point, at least 1.
    pub(super) integer_digits: usize,
    /// The number of digits after the point, or 0 without a point.
    pub(super) fraction_digits: usize,
    /// The number of digits after the point, up to the last one that is not `0`.
    pub(crate) significant_fraction: usize,
    /// Set if every digit is `0`.
    pub(crate) zero: bool,
}

impl<'a> DecimalText<&'a [u8]> {
    /// Parses a text.
    #[inline]
    pub(crate) fn parse(text: &'a str) -> Option<Self> {
        Self::of(text.as_bytes())
    }
}

impl<T: Text> DecimalText<T> {
    /// Parses `0` or digits without leading zeros, optionally followed by `.` and at least one
    /// digit. Returns `None` for any other text.
    #[inline]
    pub(crate) fn of(text: T) -> Option<Self> {
        let (at, end) = (text.start(), text.end());
        let point = text.skip_digits(at, end);
        let (integer_digits, fraction) = (point.wrapping_sub(at), point.wrapping_add(1));
        let has_zero = text.byte(at) == b'0';
        let has_fraction = point < end;
        let is_fraction =
            || text.byte(point) == b'.' && fraction < end && text.skip_digits(fraction, end) == end;
        if integer_digits == 0 || has_zero && integer_digits > 1 || has_fraction && !is_fraction() {
            return None;
        }
        let last = text.skip_back(fraction, end, |byte| byte == b'0');
        let digits = |end: usize| {
            if has_fraction {
                end.wrapping_sub(fraction)
            } else {
                0
            }
        };
        Some(Self {
            text,
            integer_digits,
            fraction_digits: digits(end),
            significant_fraction: digits(last),
            zero: has_zero && digits(last) == 0,
        })
    }

    /// Checks if the currency's minor unit, a number of fraction digits, can express the amount.
    pub(crate) fn fits_minor_unit(&self, minor_unit: u32) -> bool {
        usize::try_from(minor_unit).is_ok_and(|most| self.significant_fraction <= most)
    }

    /// Checks if the number of digits is within the limits of a body.
    pub(crate) fn fits_body(self) -> bool {
        self.integer_digits.max(self.fraction_digits) <= usize::from(MAX_WIRE_DIGITS)
    }
}

/// Compares two amounts by value.
pub(crate) fn compare_amounts(one: impl Text, other: impl Text) -> Ordering {
    let (mut at, mut other_at) = (one.start(), other.start());
    let (point, other_point) = (
        one.find(at, one.end(), b'.'),
        other.find(other_at, other.end(), b'.'),
    );
    // Without leading zeros, the longer integer is greater. A point or the end counts like a zero,
    // so that fractions compare like texts.
    let mut order = point
        .wrapping_sub(at)
        .cmp(&other_point.wrapping_sub(other_at));
    while order.is_eq() && (at < one.end() || other_at < other.end()) {
        let digit = if at < one.end() {
            one.byte(at).max(b'0')
        } else {
            b'0'
        };
        order = digit.cmp(&if other_at < other.end() {
            other.byte(other_at).max(b'0')
        } else {
            b'0'
        });
        (at, other_at) = (at.wrapping_add(1), other_at.wrapping_add(1));
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::String;

    fn digits(text: &str) -> (usize, usize, usize, bool) {
        let found = DecimalText::parse(text).unwrap();
        (
            found.integer_digits,
            found.fraction_digits,
            found.significant_fraction,
            found.zero,
        )
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
            "", ".", ".5", "1.", "00", "01", "00.1", "+1", "-1", "-0", "1e3", "1_000", "1,0", " 1",
            "1 ", "1.2.3", "0x1", "١", "1.٢", "NaN", "1.-2", "1\0",
        ] {
            assert!(DecimalText::parse(text).is_none(), "{text}");
        }
    }

    #[test]
    fn accepts_a_megabyte_of_digits() {
        let text: String = core::iter::repeat_n('9', 1 << 20).collect();
        assert_eq!(digits(&text), (1 << 20, 0, 0, false));
    }
}
