//! Converts amounts by one exact division that is rounded once.

use crate::util::string_enum::string_enum;

use super::amount::{Amount, power_of_ten};

/// The maximum scale of a converted amount: the fraction digits of USDT on the wire (§2.1).
pub const MAX_CONVERTED_SCALE: u32 = 18;

/// The decimal places of one step of the long division. A remainder of 28 digits and these fit a
/// `u128`.
const STEP: u32 = 10;

string_enum! {
    /// The rounding of a value between two units of the last place (`crypto.rounding` of a policy).
    #[derive(Default)]
    #[non_exhaustive]
    Rounding {
        /// Rounds to the nearest unit, and ties to the even one.
        #[default]
        HalfEven = "half_even",
        /// Rounds to the nearest unit, and ties to the larger one.
        HalfUp = "half_up",
        /// Rounds to the nearest unit, and ties to the smaller one.
        HalfDown = "half_down",
        /// Rounds to the larger unit.
        Up = "up",
        /// Rounds to the smaller unit.
        Down = "down",
    }
}

impl Rounding {
    /// Checks if the quotient is rounded up, given the remainder of the division.
    fn rounds_up(self, quotient: u128, remainder: u128, divisor: u128) -> bool {
        // Twice the remainder might not fit, so it is compared with the distance to the next unit.
        let against_half = remainder.cmp(&divisor.abs_diff(remainder));
        match self {
            Self::HalfEven => against_half.is_gt() || against_half.is_eq() && quotient % 2 == 1,
            Self::HalfUp => against_half.is_ge(),
            Self::HalfDown => against_half.is_gt(),
            Self::Up => remainder != 0,
            Self::Down => false,
        }
    }
}

/// Returns `amount` ÷ `rate`, computed exactly and rounded once, with exactly `scale` fraction
/// digits.
///
/// `rate` is the price of one unit of the target in the currency of `amount` (§1, 4: of 1 USDT in
/// the fiat currency). Returns `None` for a rate of zero, a scale over [`MAX_CONVERTED_SCALE`], or
/// a result of more than 28 digits.
///
/// ```
/// use payspec::{Amount, Rounding, convert};
///
/// let (amount, rate) = ("1".parse::<Amount>()?, "3".parse::<Amount>()?);
/// assert_eq!(convert(amount, rate, 6, Rounding::HalfEven), Some("0.333333".parse::<Amount>()?));
/// assert_eq!(convert(amount, rate, 6, Rounding::Up), Some("0.333334".parse::<Amount>()?));
/// # Ok::<(), payspec::AmountError>(())
/// ```
pub fn convert(amount: Amount, rate: Amount, scale: u32, rounding: Rounding) -> Option<Amount> {
    if rate.is_zero() || scale > MAX_CONVERTED_SCALE {
        return None;
    }
    // In units of the last place, the result is amount × 10^(rate's scale + scale) ÷ (rate ×
    // 10^(amount's scale)). Here, amount and rate are the mantissas. Both powers are divided by the
    // smaller one.
    let dividend_exponent = rate.scale().checked_add(scale)?;
    let divisor_exponent = amount.scale();
    let divisor_power = power_of_ten(divisor_exponent.saturating_sub(dividend_exponent))?;
    let Some(divisor) = rate.mantissa().checked_mul(divisor_power) else {
        // The divisor has more than 38 digits, and the amount at most 28. So the result is less
        // than half of a unit.
        let is_raised = rounding == Rounding::Up && !amount.is_zero();
        return Amount::new(is_raised.into(), scale);
    };
    let exponent = dividend_exponent.saturating_sub(divisor_exponent);
    let (quotient, remainder) = divide_long(amount.mantissa(), exponent, divisor)?;
    let raised = u128::from(rounding.rounds_up(quotient, remainder, divisor));
    Amount::new(quotient.checked_add(raised)?, scale)
}

/// Returns quotient and remainder of `dividend` × 10^`exponent` ÷ `divisor`, or `None` if the
/// quotient does not fit a `u128`. Unless the exponent is 0, the divisor must be a mantissa of at
/// most 28 digits.
///
/// The product may have 73 digits. So this is the long division of school, with [`STEP`] decimal
/// places at a time: divide, write down the quotient, append zeros to the remainder, divide again.
fn divide_long(dividend: u128, exponent: u32, divisor: u128) -> Option<(u128, u128)> {
    let (mut quotient, mut remainder) = divide(dividend, divisor)?;
    let mut left = exponent;
    while left > 0 {
        let step = left.min(STEP);
        let power = power_of_ten(step)?;
        let (digits, rest) = divide(remainder.checked_mul(power)?, divisor)?;
        quotient = quotient.checked_mul(power)?.checked_add(digits)?;
        remainder = rest;
        left = left.checked_sub(step)?;
    }
    Some((quotient, remainder))
}

/// Returns quotient and remainder, or `None` for a divisor of zero.
fn divide(dividend: u128, divisor: u128) -> Option<(u128, u128)> {
    let quotient = dividend.checked_div(divisor)?;
    let remainder = dividend.checked_rem(divisor)?;
    Some((quotient, remainder))
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::{String, ToString};

    fn converted(amount: &str, rate: &str, scale: u32, rounding: Rounding) -> Option<String> {
        let parse = |text| Amount::parse(text).unwrap();
        convert(parse(amount), parse(rate), scale, rounding).map(|amount| amount.to_string())
    }

    #[test]
    fn rounds_once_by_name() {
        let by = |name: &str, amount| {
            converted(amount, "2", 0, Rounding::from_name(name).unwrap()).unwrap()
        };
        for (name, half, one_and_half, below, above) in [
            ("half_even", "0", "2", "0", "1"),
            ("half_up", "1", "2", "0", "1"),
            ("half_down", "0", "1", "0", "1"),
            ("up", "1", "2", "1", "1"),
            ("down", "0", "1", "0", "0"),
        ] {
            assert_eq!(by(name, "1"), half, "{name}");
            assert_eq!(by(name, "3"), one_and_half, "{name}");
            assert_eq!(by(name, "0.9999999999999999999999999"), below, "{name}");
            assert_eq!(by(name, "1.0000000000000000000000001"), above, "{name}");
        }
        assert_eq!(Rounding::from_name("HalfEven"), None);
    }

    #[test]
    fn returns_the_requested_scale() {
        assert_eq!(
            converted("1500.00", "92.45", 6, Rounding::HalfEven).as_deref(),
            Some("16.224986")
        );
        assert_eq!(
            converted("92.45", "92.45", 6, Rounding::Up).as_deref(),
            Some("1.000000")
        );
        assert_eq!(
            converted("0", "92.45", 18, Rounding::Up).as_deref(),
            Some("0.000000000000000000")
        );
        assert_eq!(
            converted("1", "3", 18, Rounding::Up).as_deref(),
            Some("0.333333333333333334")
        );
        assert_eq!(converted("1", "3", 19, Rounding::Up), None);
        assert_eq!(converted("1", "0.00", 6, Rounding::Up), None);
    }

    #[test]
    fn converts_the_ends_of_the_range() {
        let most = "9999999999999999999999999999";
        let least = "0.000000000000000000000000001";
        assert_eq!(converted(most, least, 18, Rounding::Down), None);
        assert_eq!(
            converted(most, most, 18, Rounding::Down).as_deref(),
            Some("1.000000000000000000")
        );
        assert_eq!(
            converted(least, least, 18, Rounding::Down).as_deref(),
            Some("1.000000000000000000")
        );
        // The divisor has 55 digits here.
        let tiny = |rounding| converted(least, most, 0, rounding).unwrap();
        assert_eq!(tiny(Rounding::HalfUp), "0");
        assert_eq!(tiny(Rounding::Up), "1");
        let zero = "0.000000000000000000000000000";
        assert_eq!(converted(zero, most, 0, Rounding::Up).as_deref(), Some("0"));
        // Long division takes five steps here.
        assert_eq!(
            converted(most, "9999999999.999999999999999999", 9, Rounding::Down).as_deref(),
            Some("1000000000000000000.000000000")
        );
    }
}
