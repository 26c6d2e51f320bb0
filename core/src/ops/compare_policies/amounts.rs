//! The amounts that a policy accepts, as a range of integers.
//!
//! An amount of a body has at most 18 digits on either side of the point, so it is an integer in
//! units of 10^−18. The bounds of a policy, the smallest unit of the currency, and the rule that an
//! amount is positive are then a smallest and a largest integer, and a step between them.

use alloc::borrow::Cow;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::draft::{Json, quoted};
use crate::money::{Amount, Currency};
use crate::policy::{AmountBounds, Ruleset};
use crate::report::code::{Code, Severity};

/// The number of digits on either side of the point.
const DIGITS: usize = 18;
/// One, in units of 10^−18.
const ONE: u128 = 10_u128.pow(18);
/// The largest amount of a body.
const MOST: u128 = 10_u128.pow(36).saturating_sub(1);

/// The amounts of one currency that some policies accept, in units of 10^−18.
#[derive(Clone, Copy)]
pub(super) struct AmountRange {
    pub(super) low: u128,
    pub(super) high: u128,
    /// The distance between two amounts.
    step: u128,
}

impl AmountRange {
    /// Returns the amounts that all of these policies accept in a currency.
    pub(super) fn new(rulesets: &[&Ruleset], currency: Currency) -> Self {
        let is_error = |ruleset: &&&Ruleset, code| ruleset.severity(code) == Severity::Error;
        let has = |code| rulesets.iter().any(|ruleset| is_error(&ruleset, code));
        let mut range = AmountRange {
            low: u128::from(has(Code::AmountNotPositive)),
            high: MOST,
            step: 1,
        };
        if has(Code::AmountScale) {
            range.step = smallest_unit(currency);
        }
        for ruleset in rulesets {
            if is_error(&ruleset, Code::AmountOutOfBounds) {
                let bounds = bounds(ruleset, currency);
                range.low = range.low.max(bounds.min.map_or(0, at_least));
                range.high = range.high.min(bounds.max.map_or(MOST, at_most));
            }
        }
        range
    }

    /// Returns some amounts of the range as JSON: the least integer above zero, and both ends. The list is empty
    /// only if the range is.
    pub(super) fn samples(self) -> Vec<Json> {
        let Some((low, high)) = self.ends() else {
            return Vec::new();
        };
        let ordinary = low.checked_next_multiple_of(ONE).map(|one| one.max(ONE));
        let ordinary = ordinary.filter(|amount| (low..=high).contains(amount));
        ordinary.into_iter().chain([low, high]).map(json).collect()
    }

    /// Returns the amounts of the range that are multiples of the currency's smallest unit.
    pub(super) fn in_smallest_units(self, currency: Currency) -> Self {
        AmountRange {
            step: smallest_unit(currency),
            ..self
        }
    }

    /// Returns both ends as JSON, the one next to `boundary` first.
    pub(super) fn ends_near(self, boundary: u128) -> Vec<Json> {
        let Some((low, high)) = self.ends() else {
            return Vec::new();
        };
        if boundary <= low {
            [low, high].map(json).into()
        } else {
            [high, low].map(json).into()
        }
    }

    /// Returns amounts of the range that are no multiples of the currency's smallest unit.
    pub(super) fn finer_samples(self, currency: Currency) -> Vec<Json> {
        let unit = smallest_unit(currency);
        // An ordinary amount with one digit more, the lower end, and the amount after it.
        let ordinary = ONE.saturating_add(unit / 10);
        let amounts = [ordinary, self.low, self.low.saturating_add(1)];
        let is_finer =
            |amount: &u128| (self.low..=self.high).contains(amount) && !amount.is_multiple_of(unit);
        amounts.into_iter().filter(is_finer).map(json).collect()
    }

    /// Returns the smallest and the largest amount, if there is one.
    fn ends(self) -> Option<(u128, u128)> {
        let low = self.low.checked_next_multiple_of(self.step)?;
        let high = self.high.checked_sub(self.high.checked_rem(self.step)?)?;
        (low <= high).then_some((low, high))
    }
}

/// Returns the policy's bounds for a currency.
pub(super) fn bounds(ruleset: &Ruleset, currency: Currency) -> AmountBounds {
    let bounds = ruleset.policy.limits.amount.get(&currency);
    bounds.copied().unwrap_or_default()
}

/// Returns the least integer that is not below an amount.
pub(super) fn at_least(amount: Amount) -> u128 {
    let (units, is_exact) = units(amount);
    if is_exact {
        units
    } else {
        units.saturating_add(1)
    }
}

/// Returns the greatest integer that is not above an amount.
pub(super) fn at_most(amount: Amount) -> u128 {
    units(amount).0
}

/// Returns an amount in units of 10^−18, rounded down, and whether that is exact. More than 18
/// digits before the point are more than any amount of a body.
fn units(amount: Amount) -> (u128, bool) {
    let text = amount.to_string();
    let (integer, fraction) = text.split_once('.').unwrap_or((&text, ""));
    if integer.len() > DIGITS {
        return (MOST.saturating_add(1), true);
    }
    let (kept, rest) = fraction.split_at_checked(DIGITS).unwrap_or((fraction, ""));
    let zeros = "0".repeat(DIGITS.saturating_sub(kept.len()));
    let digits = [integer, kept, &zeros].concat();
    let is_exact = rest.bytes().all(|digit| digit == b'0');
    (digits.parse().unwrap_or(MOST), is_exact)
}

/// Returns the smallest unit of a currency in units of 10^−18.
fn smallest_unit(currency: Currency) -> u128 {
    let divisor = currency
        .minor_unit()
        .and_then(|digits| 10_u128.checked_pow(digits));
    divisor
        .and_then(|divisor| ONE.checked_div(divisor))
        .unwrap_or(1)
}

/// Returns the amount as a JSON string, without zeros at the end of its fraction.
fn json(units: u128) -> Json {
    let integer = (units / ONE).to_string();
    let fraction = zero_padded(units % ONE);
    match fraction.trim_end_matches('0') {
        "" => quoted(&integer),
        fraction => Cow::Owned(["\"", &integer, ".", fraction, "\""].concat()),
    }
}

fn zero_padded(fraction: u128) -> String {
    let digits = fraction.to_string();
    let zeros = "0".repeat(DIGITS.saturating_sub(digits.len()));
    [zeros, digits].concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::Policy;

    fn range(policy: &str) -> AmountRange {
        let ruleset = Ruleset::new(Policy::from_json(policy).unwrap());
        AmountRange::new(&[&ruleset], "RUB".parse().unwrap())
    }

    #[test]
    fn samples_are_in_the_range() {
        for (policy, samples) in [
            (
                "{}",
                &["\"1\"", "\"0.01\"", "\"999999999999999999.99\""][..],
            ),
            (
                r#"{"limits":{"amount":{"RUB":{"min":"2.005","max":"2.019"}}}}"#,
                &["\"2.01\"", "\"2.01\""],
            ),
            (
                r#"{"limits":{"amount":{"RUB":{"min":"2.011","max":"2.019"}}}}"#,
                &[],
            ),
        ] {
            assert_eq!(range(policy).samples(), samples, "{policy}");
        }
    }

    #[test]
    fn finer_samples_have_a_digit_too_many() {
        let rub = "RUB".parse().unwrap();
        let off = r#""severity":{"amount_scale":"off"}"#;
        for (limits, samples) in [
            (
                "",
                &[
                    "\"1.001\"",
                    "\"0.000000000000000001\"",
                    "\"0.000000000000000002\"",
                ][..],
            ),
            (
                r#","limits":{"amount":{"RUB":{"min":"5","max":"6"}}}"#,
                &["\"5.000000000000000001\""],
            ),
            (r#","limits":{"amount":{"RUB":{"min":"5","max":"5"}}}"#, &[]),
        ] {
            let policy = ["{", off, limits, "}"].concat();
            assert_eq!(range(&policy).finer_samples(rub), samples, "{limits}");
        }
    }
}
