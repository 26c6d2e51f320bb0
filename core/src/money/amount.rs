//! `Amount`: a non-negative decimal of at most 28 digits, which is parsed, computed and written
//! exactly.

use alloc::string::ToString;
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

use rust_decimal::Decimal;

use super::exact::{Exact, power_of_ten};
use super::text::DecimalText;
use crate::card::masked::{Masked, mask_long_runs};
use crate::json::writer::text_by;

/// The maximum number of digits before and after the point together. The `0` of `0.5` counts.
const MAX_DIGITS: usize = 28;
/// The maximum scale of an amount, with one digit before the point.
const MAX_SCALE: u32 = 27;

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
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Amount(Decimal);

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

impl Amount {
    /// Zero without fraction digits.
    pub const ZERO: Self = Self(Decimal::ZERO);

    /// Parses like `from_str`.
    pub(crate) fn parse(text: &str) -> Result<Self, AmountError> {
        Self::from_text(DecimalText::parse(text).ok_or(AmountError::Syntax)?)
            .ok_or(AmountError::TooManyDigits)
    }

    fn from_text(text: DecimalText<&[u8]>) -> Option<Self> {
        let Exact { mantissa, scale } = text.value(text.fraction_digits)?;
        Self::from_parts(mantissa, scale)
    }

    /// Parses the value of a decimal. If it has too many digits, zeros at the end of the fraction
    /// are dropped.
    ///
    /// So it parses every amount that a request may contain, including
    /// `100000000000000000.000000000000000000`.
    pub(crate) fn parse_value(text: &str) -> Option<Self> {
        let text = DecimalText::parse(text)?;
        Self::from_text(text).or_else(|| Self::from_exact(text.exact()?))
    }

    /// Returns `mantissa` ÷ 10^`scale`, with `scale` fraction digits, or `None` if it needs more
    /// than 28 digits.
    pub(super) fn from_parts(mantissa: u128, scale: u32) -> Option<Self> {
        if mantissa >= power_of_ten(28)? || scale > MAX_SCALE {
            return None;
        }
        Decimal::try_from_i128_with_scale(i128::try_from(mantissa).ok()?, scale)
            .ok()
            .map(Self)
    }

    /// Returns the value with as few zeros dropped from its end as necessary, or `None` if it needs
    /// more than 28 digits.
    pub(super) fn from_exact(mut exact: Exact) -> Option<Self> {
        loop {
            if let Some(amount) = Self::from_parts(exact.mantissa, exact.scale) {
                return Some(amount);
            }
            exact = exact.drop_trailing_zero()?;
        }
    }

    /// Returns all digits as one integer: 150050 for `1500.50`.
    pub(super) fn mantissa(self) -> u128 {
        self.0.mantissa().unsigned_abs()
    }

    pub(crate) fn exact(self) -> Exact {
        Exact {
            mantissa: self.mantissa(),
            scale: self.scale(),
        }
    }

    /// Converts to a [`Decimal`] with the same number of fraction digits.
    pub fn decimal(self) -> Decimal {
        self.0
    }

    /// Checks if the value is zero, with any number of digits.
    pub fn is_zero(self) -> bool {
        self.0.is_zero()
    }

    /// Returns the number of fraction digits, 0 to 27.
    pub fn scale(self) -> u32 {
        self.0.scale()
    }

    /// Checks if this number of fraction digits is enough for the value.
    pub(crate) fn fits(self, scale: u32) -> bool {
        let excess = self.scale().saturating_sub(scale);
        power_of_ten(excess).is_some_and(|unit| self.mantissa().is_multiple_of(unit))
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
        Self::from_exact(self.exact().checked_add(other.exact())?)
    }

    /// Returns the exact difference, with the fraction digits of the operand that has more. Returns
    /// `None` if the difference is negative or needs more than 28 digits.
    pub fn checked_sub(self, other: Self) -> Option<Self> {
        Self::from_exact(self.exact().checked_sub(other.exact())?)
    }

    /// Appends the plain decimal with at least `min_scale` fraction digits, and with more only if
    /// the value needs them.
    ///
    /// Only zeros are ever omitted. A `min_scale` over 28 counts as 28.
    pub fn write(self, min_scale: u32, out: &mut Vec<u8>) {
        let mut value = self.exact();
        while value.scale > min_scale
            && let Some(shorter) = value.drop_trailing_zero()
        {
            value = shorter;
        }
        let mut digits = [b'0'; MAX_DIGITS];
        let (mut rest, mut length) = (value.mantissa, 0_usize);
        for digit in digits.iter_mut().rev() {
            if rest == 0 {
                break;
            }
            // Ordinary amounts need no division of 128 bits.
            let (quotient, remainder) = match u64::try_from(rest) {
                Ok(rest) => ((rest / 10).into(), (rest % 10).into()),
                Err(_) => (rest / 10, rest % 10),
            };
            *digit = b'0' | u8::try_from(remainder).unwrap_or(0);
            (rest, length) = (quotient, length.saturating_add(1));
        }
        let scale = usize::try_from(value.scale).unwrap_or(0);
        let min_scale = usize::try_from(min_scale)
            .unwrap_or(MAX_DIGITS)
            .min(MAX_DIGITS);
        let point = MAX_DIGITS.saturating_sub(scale);
        let start = MAX_DIGITS
            .saturating_sub(length)
            .min(point.saturating_sub(1));
        out.extend_from_slice(digits.get(start..point).unwrap_or_default());
        if scale.max(min_scale) > 0 {
            out.push(b'.');
        }
        out.extend_from_slice(digits.get(point..).unwrap_or_default());
        out.extend(core::iter::repeat_n(b'0', min_scale.saturating_sub(scale)));
    }

    /// Appends the plain decimal with all fraction digits of the amount.
    pub fn write_text(self, out: &mut Vec<u8>) {
        self.write(self.scale(), out);
    }
}

impl fmt::Debug for Amount {
    /// Masks the middle of twelve or more consecutive digits, because a user may enter a card
    /// number into the wrong field.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.to_string();
        let masked = mask_long_runs(&text);
        let shown = masked.as_ref().map_or(&*text, Masked::as_str);
        formatter
            .debug_tuple("Amount")
            .field(&format_args!("{shown}"))
            .finish()
    }
}

impl fmt::Display for Amount {
    /// Writes the text of [`Amount::write_text`]. The width applies, but a precision does not
    /// truncate the value.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad_integral(true, "", &text_by(|out| self.write_text(out)))
    }
}

impl TryFrom<Decimal> for Amount {
    type Error = AmountError;

    /// Converts from `Decimal`. Negative zero becomes zero.
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
        Self::from_parts(mantissa, decimal.scale()).ok_or(AmountError::TooManyDigits)
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

#[cfg(feature = "serde")]
crate::util::serde_str::impl_serde_via_str! { Amount, "a decimal string of at most 28 digits" }

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;
    use alloc::string::String;

    fn amount(text: &str) -> Amount {
        Amount::parse(text).unwrap()
    }

    fn written(text: &str, min_scale: u32) -> String {
        let mut out = Vec::new();
        amount(text).write(min_scale, &mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn hides_long_numbers_in_debug_output() {
        for (text, shown) in [
            ("1500.50", "Amount(1500.50)"),
            ("99999999999.99", "Amount(99999999999.99)"),
            ("4111111111111111", "Amount(411111******1111)"),
            ("4111111111111111.00", "Amount(411111******1111.00)"),
        ] {
            assert_eq!(format!("{:?}", amount(text)), shown);
        }
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
    fn writes_at_least_the_minor_unit() {
        assert_eq!(written("0", 0), "0");
        assert_eq!(written("0", 2), "0.00");
        assert_eq!(written("100", 2), "100.00");
        assert_eq!(written("100.00", 0), "100");
        assert_eq!(written("100.5", 0), "100.5");
        assert_eq!(written("100.500", 2), "100.50");
        assert_eq!(written("100.505", 2), "100.505");
        assert_eq!(written("0.001000", 2), "0.001");
        assert_eq!(written("1.0", u32::MAX), format!("1.{:0<28}", ""));
        assert_eq!(
            format!("[{:>7}] [{:.1}]", amount("1.25"), amount("1.25")),
            "[   1.25] [1.25]"
        );
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
        assert_eq!(
            amount("1.5")
                .checked_sub(amount("1.50"))
                .unwrap()
                .to_string(),
            "0.00"
        );
        assert_eq!(amount("1").checked_sub(amount("1.1")), None);
    }

    #[test]
    fn takes_decimals_that_fit() {
        assert_eq!(
            Amount::try_from(Decimal::NEGATIVE_ONE),
            Err(AmountError::Negative)
        );
        assert_eq!(
            Amount::try_from(Decimal::MAX),
            Err(AmountError::TooManyDigits)
        );
        assert_eq!(
            Amount::try_from(Decimal::new(1, 28)),
            Err(AmountError::TooManyDigits)
        );
        let mut negative_zero = Decimal::new(0, 2);
        negative_zero.set_sign_negative(true);
        assert_eq!(Amount::try_from(negative_zero).unwrap().to_string(), "0.00");
        assert_eq!(amount("1.50").decimal(), Decimal::new(15, 1));
    }
}
