//! Exact arithmetic on non-negative decimals of up to 38 digits. No operation rounds: it is exact
//! or returns `None`.

use core::cmp::Ordering;

use super::text::DecimalText;

/// The maximum number of digits of an [`Exact`]. 10^38 is the largest power of ten in a `u128`.
const MAX_DIGITS: usize = 38;

/// Returns 10^`exponent`, for exponents up to 38.
pub(super) const fn power_of_ten(exponent: u32) -> Option<u128> {
    10_u128.checked_pow(exponent)
}

/// The value `mantissa` ÷ 10^`scale`. It fits the 18 + 18 digits of an amount on the wire, and sums
/// of them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Exact {
    pub(super) mantissa: u128,
    /// The number of fraction digits, at most 38.
    pub(super) scale: u32,
}

impl Exact {
    /// Returns the exact sum, or `None` if it does not fit.
    pub(crate) fn checked_add(self, other: Self) -> Option<Self> {
        let (left, right, scale) = self.aligned(other)?;
        Some(Self {
            mantissa: left.checked_add(right)?,
            scale,
        })
    }

    /// Returns the exact difference, or `None` if it is negative or does not fit.
    pub(crate) fn checked_sub(self, other: Self) -> Option<Self> {
        let (left, right, scale) = self.aligned(other)?;
        Some(Self {
            mantissa: left.checked_sub(right)?,
            scale,
        })
    }

    /// Returns both mantissas at the greater scale. Zeros at the end are dropped only if the
    /// mantissas would not fit.
    fn aligned(self, other: Self) -> Option<(u128, u128, u32)> {
        self.aligned_as_written(other)
            .or_else(|| self.trimmed().aligned_as_written(other.trimmed()))
    }

    fn aligned_as_written(self, other: Self) -> Option<(u128, u128, u32)> {
        if self.scale == other.scale {
            return Some((self.mantissa, other.mantissa, self.scale));
        }
        let scale = self.scale.max(other.scale);
        let at_scale = |value: Self| {
            value
                .mantissa
                .checked_mul(power_of_ten(scale.checked_sub(value.scale)?)?)
        };
        Some((at_scale(self)?, at_scale(other)?, scale))
    }

    /// Returns the value with one fraction digit less, if the last one is `0`.
    pub(super) fn drop_trailing_zero(self) -> Option<Self> {
        match self.scale.checked_sub(1) {
            Some(scale) if self.mantissa.is_multiple_of(10) => Some(Self {
                mantissa: self.mantissa / 10,
                scale,
            }),
            _ => None,
        }
    }

    /// Returns the same value without zeros at the end of its fraction.
    fn trimmed(mut self) -> Self {
        while let Some(shorter) = self.drop_trailing_zero() {
            self = shorter;
        }
        self
    }

    /// Returns the integer part, and the fraction in units of the given scale. The scale must not
    /// be less than that of the value.
    fn parts(self, scale: u32) -> (u128, u128) {
        let unit = power_of_ten(self.scale).unwrap_or(1);
        let finer = power_of_ten(scale.saturating_sub(self.scale)).unwrap_or(1);
        // The fraction is less than 1, so it is less than 10^scale in these units and fits.
        let whole = self.mantissa.checked_div(unit).unwrap_or(0);
        (
            whole,
            self.mantissa
                .checked_rem(unit)
                .unwrap_or(0)
                .saturating_mul(finer),
        )
    }
}

impl DecimalText<&[u8]> {
    /// Returns the value, or `None` if it has more than 38 digits without the zeros at its end.
    pub(crate) fn exact(self) -> Option<Exact> {
        self.value(self.significant_fraction)
    }

    /// Returns the value with this number of its fraction digits, or `None` if it has more than 38
    /// digits.
    pub(super) fn value(self, fraction_digits: usize) -> Option<Exact> {
        let point = usize::from(fraction_digits > 0);
        let length = self
            .integer_digits
            .checked_add(point)?
            .checked_add(fraction_digits)?;
        // The length rejects a long text before its digits are read.
        if length > MAX_DIGITS.saturating_add(point) {
            return None;
        }
        let digits = || {
            self.text
                .iter()
                .copied()
                .take(length)
                .filter(|byte| *byte != b'.')
                .map(|byte| byte & 0x0F)
        };
        // 19 digits fit a `u64`, for which each step is much cheaper than for a `u128`.
        let mantissa = if length <= 19 {
            digits()
                .try_fold(0_u64, |value, digit| {
                    value.checked_mul(10)?.checked_add(digit.into())
                })?
                .into()
        } else {
            digits().try_fold(0_u128, |value, digit| {
                value.checked_mul(10)?.checked_add(digit.into())
            })?
        };
        Some(Exact {
            mantissa,
            scale: u32::try_from(fraction_digits).ok()?,
        })
    }
}

impl Ord for Exact {
    /// Compares by value, even if no common scale fits.
    fn cmp(&self, other: &Self) -> Ordering {
        if self.scale == other.scale {
            return self.mantissa.cmp(&other.mantissa);
        }
        let scale = self.scale.max(other.scale);
        self.parts(scale).cmp(&other.parts(scale))
    }
}

impl PartialOrd for Exact {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Exact {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Exact {}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;

    fn value(text: &str) -> Option<Exact> {
        DecimalText::parse(text)?.exact()
    }

    fn exact(text: &str) -> Exact {
        value(text).unwrap()
    }

    #[test]
    fn holds_eighteen_and_eighteen_digits() {
        let most = exact("999999999999999999.999999999999999999");
        let sum = most
            .checked_add(most)
            .and_then(|sum| sum.checked_add(most))
            .unwrap();
        assert_eq!(sum, exact("2999999999999999999.999999999999999997"));
        assert_eq!(
            sum.checked_sub(most)
                .and_then(|rest| rest.checked_sub(most)),
            Some(most)
        );
        assert_eq!(most.checked_sub(sum), None);
    }

    #[test]
    fn ignores_trailing_zeros() {
        assert_eq!(value(&format!("7.{:0<50}", "")), Some(exact("7")));
        assert_eq!(value(&format!("7.{:0<50}1", "")), None);
        assert_eq!(value(&"9".repeat(39)), None);
        let large = Exact {
            mantissa: 10_u128.pow(38),
            scale: 0,
        };
        let zero = Exact {
            mantissa: 0,
            scale: 38,
        };
        assert_eq!(large.checked_add(zero), Some(large));
    }

    #[test]
    fn compares_without_a_common_scale() {
        let large = exact(&"9".repeat(38));
        let small = Exact {
            mantissa: u128::MAX,
            scale: 38,
        };
        assert!(large > small);
        assert!(small < large);
        assert!(exact("0.1") == exact("0.10"));
        assert!(
            exact("3")
                < Exact {
                    mantissa: u128::MAX,
                    scale: 38
                }
        );
        assert_eq!(large.checked_add(small), None);
    }
}
