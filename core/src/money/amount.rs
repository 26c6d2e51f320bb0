//! `Amount`: a non-negative decimal that is added, subtracted, and compared exactly.

use core::cmp::Ordering;
use core::hash::{Hash, Hasher};
use core::str::FromStr;

use rust_decimal::Decimal;

use super::text::DecimalText;
use crate::util::bug::or_bug;

/// The maximum number of digits of an amount before and after the point together. The `0` of `0.5`
/// counts.
pub(super) const MAX_DIGITS: u32 = 28;
/// The mantissas of amounts are less than this limit.
const MANTISSA_LIMIT: u128 = 10_u128.pow(MAX_DIGITS);
/// The maximum number of digits of a wide amount. 10^38 is the largest power of ten in a `u128`.
const MAX_WIDE_DIGITS: u8 = 38;

/// A non-negative decimal of at most 28 digits without a unit, because the currency is a separate
/// member (§2.1).
///
/// It keeps the number of fraction digits that it was created with, but comparisons use only the
/// value. No operation rounds, wraps, or saturates: it is exact or returns `None`.
///
/// ```
/// # use payspec::Amount;
/// let amount = "1500.50".parse::<Amount>()?;
/// let mut text = Vec::new();
/// amount.write(3, &mut text);
/// assert_eq!(text, b"1500.500");
/// assert!("1e3".parse::<Amount>().is_err());
/// # Ok::<(), payspec::AmountError>(())
/// ```
// The value is `mantissa` ÷ 10^`scale`.
//
// Inside the library, a sum or the value of a body may be *wide*: its scale is at most 38, and its
// mantissa any `u128`. So it holds three times the 18 + 18 digits of an amount in a body. The
// functions with "wide" in their names return such amounts, and no public function does.
#[derive(Clone, Copy, Default)]
pub struct Amount {
    mantissa: u128,
    scale: u8,
}

/// The reason why a text is not an [`Amount`]. The error does not contain the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AmountError {
    /// The text is not `0` or digits without leading zeros, optionally followed by `.` and at least
    /// one digit.
    #[error(
        "expected a decimal: ASCII digits without leading zero, optionally a point and further digits"
    )]
    Syntax,
    /// The value has more than 28 digits before and after the point together.
    #[error("expected a decimal of at most 28 digits")]
    TooManyDigits,
    /// The value is negative.
    #[error("expected a decimal that is not negative")]
    Negative,
}

/// Returns 10^`exponent`, or `None` for an exponent over 38.
pub(super) fn power_of_ten(exponent: u32) -> Option<u128> {
    10_u128.checked_pow(exponent)
}

impl Amount {
    /// Zero without fraction digits.
    pub const ZERO: Self = Self {
        mantissa: 0,
        scale: 0,
    };

    /// Creates `mantissa` ÷ 10^`scale`, or returns `None` if it has more than 28 digits.
    pub(super) fn new(mantissa: u128, scale: u32) -> Option<Self> {
        Self::new_wide(mantissa, scale).filter(|amount| amount.is_narrow())
    }

    /// Creates the wide amount `mantissa` ÷ 10^`scale`, or returns `None` for a scale over 38.
    fn new_wide(mantissa: u128, scale: u32) -> Option<Self> {
        let scale = u8::try_from(scale).ok()?;
        (scale <= MAX_WIDE_DIGITS).then_some(Self { mantissa, scale })
    }

    /// Creates the amount of a text with all its fraction digits, or returns `None` if it has more
    /// than 28 digits.
    fn from_text(text: DecimalText<'_>) -> Option<Self> {
        Self::from_digits(text.integer, text.fraction).filter(|amount| amount.is_narrow())
    }

    /// Creates the wide amount of a text, without zeros at the end of its fraction. Returns `None`
    /// if it has more than 38 digits.
    pub(crate) fn wide_from_text(text: DecimalText<'_>) -> Option<Self> {
        Self::from_digits(text.integer, text.significant_fraction())
    }

    /// Creates a wide amount from the digits before and after the point, or returns `None` if
    /// there are more than 38.
    fn from_digits(integer: &str, fraction: &str) -> Option<Self> {
        // The length rejects a long text before its digits are read.
        if integer.len().checked_add(fraction.len())? > usize::from(MAX_WIDE_DIGITS) {
            return None;
        }
        let mut digits = integer
            .bytes()
            .chain(fraction.bytes())
            .map(|byte| byte & 0x0F);
        let mantissa = digits.try_fold(0, append_digit)?;
        Self::new_wide(mantissa, u32::try_from(fraction.len()).ok()?)
    }

    /// Parses like `from_str`.
    pub(crate) fn parse(text: &str) -> Result<Self, AmountError> {
        let text = DecimalText::parse(text).ok_or(AmountError::Syntax)?;
        Self::from_text(text).ok_or(AmountError::TooManyDigits)
    }

    /// Parses the value of a decimal. If it has too many digits, zeros at the end of the fraction
    /// are dropped.
    ///
    /// So it parses every amount that a request may contain, including
    /// `100000000000000000.000000000000000000`.
    pub(crate) fn parse_value(text: &str) -> Option<Self> {
        let text = DecimalText::parse(text)?;
        Self::from_text(text).or_else(|| Self::wide_from_text(text)?.narrowed())
    }

    /// Parses a decimal like [`Amount::wide_from_text`].
    pub(crate) fn parse_wide(text: &str) -> Option<Self> {
        Self::wide_from_text(DecimalText::parse(text)?)
    }

    /// Checks if the amount has at most 28 digits. With 28 fraction digits, the `0` before the
    /// point is the 29th.
    fn is_narrow(self) -> bool {
        self.scale() < MAX_DIGITS && self.mantissa < MANTISSA_LIMIT
    }

    /// Returns the value of a wide amount with as few zeros dropped from its end as necessary.
    /// Returns `None` if it needs more than 28 digits.
    fn narrowed(mut self) -> Option<Self> {
        while !self.is_narrow() {
            self = self.drop_trailing_zero()?;
        }
        Some(self)
    }

    /// Returns all digits as one integer: 150050 for `1500.50`.
    pub(super) fn mantissa(self) -> u128 {
        self.mantissa
    }

    /// Returns the number of fraction digits, 0 to 27.
    pub fn scale(self) -> u32 {
        self.scale.into()
    }

    /// Checks if the value is zero, with any number of digits.
    pub fn is_zero(self) -> bool {
        self.mantissa == 0
    }

    /// Checks if this number of fraction digits is enough for the value.
    pub(crate) fn fits_scale(self, scale: u32) -> bool {
        self.trimmed(scale).scale() <= scale
    }

    /// Returns the exact sum, with the fraction digits of the operand that has more. Returns `None`
    /// if the sum needs more than 28 digits.
    ///
    /// ```
    /// # use payspec::Amount;
    /// let (a, b) = ("0.1".parse::<Amount>()?, "0.25".parse::<Amount>()?);
    /// assert_eq!(a.checked_add(b), Some("0.35".parse::<Amount>()?));
    /// assert_eq!(a.checked_sub(b), None);
    /// # Ok::<(), payspec::AmountError>(())
    /// ```
    pub fn checked_add(self, other: Self) -> Option<Self> {
        self.wide_sum(other)?.narrowed()
    }

    /// Returns the exact difference, with the fraction digits of the operand that has more. Returns
    /// `None` if the difference is negative or needs more than 28 digits.
    pub fn checked_sub(self, other: Self) -> Option<Self> {
        self.aligned(other, u128::checked_sub)?.narrowed()
    }

    /// Returns the exact sum as a wide amount, or `None` if it does not fit.
    pub(crate) fn wide_sum(self, other: Self) -> Option<Self> {
        self.aligned(other, u128::checked_add)
    }

    /// Returns the result of an operation on both mantissas at the greater scale. If a mantissa or
    /// the result does not fit, zeros at the ends of the fractions are dropped first.
    fn aligned(self, other: Self, operation: impl Fn(u128, u128) -> Option<u128>) -> Option<Self> {
        let as_written = |left: Self, right: Self| {
            let scale = left.scale.max(right.scale);
            let mantissa = operation(left.units(scale)?, right.units(scale)?)?;
            Some(Self { mantissa, scale })
        };
        as_written(self, other).or_else(|| as_written(self.trimmed(0), other.trimmed(0)))
    }

    /// Returns the value in units of 10^-`scale`, or `None` if it is not an integer or does not
    /// fit.
    fn units(self, scale: u8) -> Option<u128> {
        let zeros = scale.checked_sub(self.scale)?;
        if zeros == 0 {
            return Some(self.mantissa);
        }
        self.mantissa.checked_mul(power_of_ten(zeros.into())?)
    }

    /// Returns the value with one fraction digit less, if the last one is `0`.
    fn drop_trailing_zero(self) -> Option<Self> {
        let scale = self.scale.checked_sub(1)?;
        let mantissa = self.mantissa / 10;
        let is_exact = self.mantissa.is_multiple_of(10);
        is_exact.then_some(Self { mantissa, scale })
    }

    /// Returns the same value without zeros at the end of its fraction after the first `min_scale`
    /// digits.
    pub(super) fn trimmed(mut self, min_scale: u32) -> Self {
        while self.scale() > min_scale
            && let Some(shorter) = self.drop_trailing_zero()
        {
            self = shorter;
        }
        self
    }

    /// Returns the integer part, and the fraction in units of 10^-38. Both fit a `u128`, because
    /// the fraction is less than 1.
    fn parts(self) -> (u128, u128) {
        let parts = || {
            let unit = power_of_ten(self.scale())?;
            let integer = self.mantissa.checked_div(unit)?;
            let fraction = Self {
                mantissa: self.mantissa.checked_rem(unit)?,
                ..self
            };
            Some((integer, fraction.units(MAX_WIDE_DIGITS)?))
        };
        or_bug(parts(), (0, 0))
    }
}

/// Returns the number with a digit at its end, or `None` if it does not fit.
fn append_digit(number: u128, digit: u8) -> Option<u128> {
    number.checked_mul(10)?.checked_add(digit.into())
}

impl Ord for Amount {
    /// Compares by value, so `1.5` equals `1.50`.
    fn cmp(&self, other: &Self) -> Ordering {
        if self.scale == other.scale {
            self.mantissa.cmp(&other.mantissa)
        } else {
            // Unlike mantissas at a common scale, these parts always fit.
            self.parts().cmp(&other.parts())
        }
    }
}

impl PartialOrd for Amount {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Amount {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Amount {}

impl Hash for Amount {
    /// Hashes the value, because equal amounts may have different numbers of fraction digits.
    fn hash<H: Hasher>(&self, state: &mut H) {
        let Self { mantissa, scale } = self.trimmed(0);
        mantissa.hash(state);
        scale.hash(state);
    }
}

impl FromStr for Amount {
    type Err = AmountError;

    /// Parses a decimal with all its fraction digits. Signs, exponents, spaces, and leading zeros
    /// are not allowed.
    ///
    /// # Errors
    /// Returns [`AmountError`] if the text has another form or more than 28 digits.
    fn from_str(text: &str) -> Result<Self, AmountError> {
        Self::parse(text)
    }
}

impl From<Amount> for Decimal {
    /// Converts to `Decimal` with the same number of fraction digits, which always fits.
    ///
    /// `Decimal` is for callers that compute with `rust_decimal`. The library does not, because it
    /// rounds a sum of more than 28 digits and cannot hold 36.
    fn from(amount: Amount) -> Self {
        let mantissa = i128::try_from(amount.mantissa).ok();
        let decimal = mantissa
            .and_then(|mantissa| Self::try_from_i128_with_scale(mantissa, amount.scale()).ok());
        or_bug(decimal, Self::ZERO)
    }
}

impl TryFrom<Decimal> for Amount {
    type Error = AmountError;

    /// Converts from `Decimal`, with the same number of fraction digits. Negative zero becomes
    /// zero.
    ///
    /// ```
    /// use payspec::{Amount, AmountError, Decimal};
    ///
    /// assert_eq!(Amount::try_from(Decimal::new(1050, 2))?.to_string(), "10.50");
    /// assert_eq!(Amount::try_from(Decimal::new(-1, 0)), Err(AmountError::Negative));
    /// # Ok::<(), AmountError>(())
    /// ```
    fn try_from(decimal: Decimal) -> Result<Self, AmountError> {
        let mantissa = u128::try_from(decimal.mantissa()).map_err(|_| AmountError::Negative)?;
        Self::new(mantissa, decimal.scale()).ok_or(AmountError::TooManyDigits)
    }
}

#[cfg(feature = "serde")]
crate::util::serde_str::impl_serde_via_str! { Amount, "a decimal string of at most 28 digits" }

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;
    use alloc::string::ToString;
    use alloc::vec::Vec;

    fn amount(text: &str) -> Amount {
        Amount::parse(text).unwrap()
    }

    fn wide(text: &str) -> Amount {
        Amount::parse_wide(text).unwrap()
    }

    #[test]
    fn accepts_at_most_28_digits() {
        for text in [
            "0",
            "0.0",
            "9999999999999999999999999999",
            "0.999999999999999999999999999",
            "12345678901234567.89",
        ] {
            assert_eq!(amount(text).to_string(), text);
        }
        for text in [
            "10000000000000000000000000000",
            "0.0000000000000000000000000000",
            "1.0000000000000000000000000001",
        ] {
            assert_eq!(Amount::parse(text), Err(AmountError::TooManyDigits));
        }
        assert_eq!(Amount::parse("1_000"), Err(AmountError::Syntax));
    }

    #[test]
    fn parse_value_drops_only_zeros() {
        let long = Amount::parse_value("100000000000000000.000000000000000000").unwrap();
        assert_eq!(long, amount("100000000000000000"));
        assert_eq!(Amount::parse_value("1.50").unwrap().scale(), 2);
        assert_eq!(
            Amount::parse_value("100000000000000000.000000000000000001"),
            None
        );
        assert_eq!(Amount::parse_value("1."), None);
    }

    #[test]
    fn parses_wide_values_of_at_most_38_digits() {
        let seven = Amount::parse_wide(&format!("7.{:0<50}", ""));
        assert_eq!(seven, Some(amount("7")));
        assert_eq!(Amount::parse_wide(&format!("7.{:0<50}1", "")), None);
        assert_eq!(wide("1.50").scale(), 1);
        assert!(Amount::parse_wide(&"9".repeat(38)).is_some());
        // The value fits a `u128`.
        assert_eq!(Amount::parse_wide(&"1".repeat(39)), None);
        assert_eq!(Amount::parse_wide(&"9".repeat(1 << 20)), None);
    }

    #[test]
    fn returns_exact_sums_or_none() {
        let most = amount("9999999999999999999999999999");
        assert_eq!(most.checked_add(amount("1")), None);
        // `rust_decimal` would round this sum.
        assert_eq!(most.checked_add(amount("0.4")), None);
        assert_eq!(most.checked_sub(amount("0.4")), None);
        assert_eq!(most.checked_add(amount("0.000")), Some(most));
        let half = amount("999999999999999999999999999.5");
        assert_eq!(
            half.checked_add(amount("0.5")),
            Some(amount("1000000000000000000000000000"))
        );
        assert_eq!(amount("1").checked_sub(amount("1.1")), None);
    }

    #[test]
    fn keeps_the_fraction_digits_of_the_longer_operand() {
        let sum = amount("1.5").checked_add(amount("1.500"));
        assert_eq!(sum.unwrap().to_string(), "3.000");
        let difference = amount("1.5").checked_sub(amount("1.50"));
        assert_eq!(difference.unwrap().to_string(), "0.00");
    }

    #[test]
    fn wide_sums_hold_eighteen_and_eighteen_digits() {
        let most = wide("999999999999999999.999999999999999999");
        let sum = most.wide_sum(most).and_then(|sum| sum.wide_sum(most));
        assert_eq!(sum, Some(wide("2999999999999999999.999999999999999997")));
        assert_eq!(most.checked_add(most), None);
        let rest = wide("999999999999999999.999999999999999998");
        let least = amount("0.000000000000000001");
        assert_eq!(rest.wide_sum(least), Some(most));
    }

    #[test]
    fn sums_drop_zeros_instead_of_overflowing() {
        let large = Amount::new_wide(10_u128.pow(38), 0).unwrap();
        let zero = Amount::new_wide(0, 38).unwrap();
        assert_eq!(large.wide_sum(zero), Some(large));
        // The mantissas fit at a common scale, but their sum does not.
        let (large, small) = (Amount::new_wide(u128::MAX, 1), Amount::new_wide(10, 1));
        assert_eq!(large.unwrap().wide_sum(small.unwrap()), None);
        let (large, small) = (Amount::new_wide(34 * 10_u128.pow(37), 37), amount("2"));
        assert_eq!(large.unwrap().wide_sum(small), Some(amount("36")));
    }

    #[test]
    fn compares_by_value() {
        for (less, greater) in [
            ("0", "0.000000000000000000000000001"),
            ("0.9", "0.91"),
            ("1.09", "1.1"),
            ("9.99", "10"),
            (
                "9999999999999999999999999998",
                "9999999999999999999999999999",
            ),
            (
                "999999999999999999999999999.9",
                "9999999999999999999999999999",
            ),
        ] {
            assert!(amount(less) < amount(greater), "{less} {greater}");
            assert!(amount(greater) > amount(less), "{less} {greater}");
            assert_ne!(amount(less), amount(greater));
        }
        for (one, other) in [("0", "0.00"), ("1.5", "1.50"), ("10", "10.0")] {
            assert_eq!(amount(one), amount(other));
        }
    }

    #[test]
    fn compares_without_a_common_scale() {
        let large = wide(&"9".repeat(38));
        let small = Amount::new_wide(u128::MAX, 38).unwrap();
        assert!(small < large);
        assert!(large > small);
        assert!(amount("3") < small);
        assert!(small < amount("4"));
        assert_eq!(large.wide_sum(small), None);
    }

    /// A hasher that keeps the bytes.
    #[derive(Default)]
    struct Bytes(Vec<u8>);

    impl Hasher for Bytes {
        fn write(&mut self, bytes: &[u8]) {
            self.0.extend_from_slice(bytes);
        }

        fn finish(&self) -> u64 {
            0
        }
    }

    #[test]
    fn hashes_by_value() {
        let hashed = |text| {
            let mut bytes = Bytes::default();
            amount(text).hash(&mut bytes);
            bytes.0
        };
        assert_eq!(hashed("1.5"), hashed("1.500"));
        assert_eq!(hashed("0"), hashed("0.00"));
        assert_ne!(hashed("1.5"), hashed("15"));
    }

    #[test]
    fn fits_a_scale_without_its_last_zeros() {
        for (text, scale, fits) in [
            ("1.500", 1, true),
            ("1.500", 0, false),
            ("0.000", 0, true),
            ("1.505", 2, false),
            ("1.505", 3, true),
            ("1", 30, true),
        ] {
            assert_eq!(amount(text).fits_scale(scale), fits, "{text}");
        }
    }

    #[test]
    fn converts_from_decimals_that_fit() {
        for (decimal, error) in [
            (Decimal::NEGATIVE_ONE, AmountError::Negative),
            (Decimal::MAX, AmountError::TooManyDigits),
            (Decimal::new(1, 28), AmountError::TooManyDigits),
        ] {
            assert_eq!(Amount::try_from(decimal), Err(error));
        }
        let mut negative_zero = Decimal::new(0, 2);
        negative_zero.set_sign_negative(true);
        assert_eq!(Amount::try_from(negative_zero).unwrap().to_string(), "0.00");
    }

    #[test]
    fn converts_to_decimals_with_all_digits() {
        for text in [
            "1.50",
            "0.000",
            "9999999999999999999999999999",
            "0.999999999999999999999999999",
        ] {
            assert_eq!(Decimal::from(amount(text)).to_string(), text);
        }
    }
}
