//! `Quote`: the price of 1 USDT in a currency, with its timestamp.

use super::amount::Amount;
use super::currency::Currency;
use crate::types::timestamp::{NANOS_PER_MILLI, Timestamp};

/// How far a quote may be ahead of the caller's clock, because clocks differ: 5 s, in nanoseconds.
const AHEAD_NANOS: i128 = 5_000_000_000;

/// The price of 1 USDT in a fiat currency (§1, 4). The rate is greater than zero.
///
/// ```
/// use payspec::{Quote, Rounding, convert};
///
/// let quote = Quote::new("RUB".parse()?, "92.45".parse()?, None)?;
/// let usdt = convert("10000.00".parse()?, quote.rate(), 6, Rounding::HalfEven);
/// assert_eq!(usdt.expect("within 28 digits").to_string(), "108.166577");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Quote {
    currency: Currency,
    rate: Amount,
    as_of: Option<Timestamp>,
}

/// The reason why a [`Quote`] is invalid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum QuoteError {
    /// The currency is not fiat, such as gold.
    #[error("expected a fiat currency")]
    Currency,
    /// The rate is zero.
    #[error("expected a rate greater than zero")]
    Rate,
}

/// The result of checking the age of a quote.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Freshness {
    /// The quote is recent enough.
    Fresh,
    /// The quote is too old, or too far in the future.
    Stale,
}

impl Quote {
    /// Creates a quote: `rate` units of `currency` for 1 USDT at the time `as_of`.
    ///
    /// # Errors
    /// Returns an error if the rate is zero, or if `currency` is not fiat.
    pub fn new(
        currency: Currency,
        rate: Amount,
        as_of: Option<Timestamp>,
    ) -> Result<Self, QuoteError> {
        if !currency.is_fiat() {
            Err(QuoteError::Currency)
        } else if rate.is_zero() {
            Err(QuoteError::Rate)
        } else {
            Ok(Self {
                currency,
                rate,
                as_of,
            })
        }
    }

    /// Returns the fiat currency.
    pub fn currency(&self) -> Currency {
        self.currency
    }

    /// Returns the units of the fiat currency for 1 USDT.
    pub fn rate(&self) -> Amount {
        self.rate
    }

    /// Returns the time of the rate, if the caller supplied it.
    pub fn as_of(&self) -> Option<Timestamp> {
        self.as_of
    }

    /// Checks if the quote is stale: older than `max_age_ms` milliseconds, or more than 5 s ahead
    /// of `now`. The check is exact to the nanosecond, and both limits are fresh.
    ///
    /// A quote without a timestamp is always fresh, because the caller is responsible for its age.
    pub fn freshness(&self, now: Timestamp, max_age_ms: u64) -> Freshness {
        let Some(as_of) = self.as_of else {
            return Freshness::Fresh;
        };
        let age = now.nanos_since(&as_of);
        // 2^64 ms are far below the limit of an `i128` in nanoseconds.
        let max_age = i128::from(max_age_ms).checked_mul(NANOS_PER_MILLI.into());
        let is_old = max_age.is_some_and(|max_age| age > max_age);
        if is_old || age < -AHEAD_NANOS {
            Freshness::Stale
        } else {
            Freshness::Fresh
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepts_the_bounds_of_age_to_the_nanosecond() {
        let at = |text| Timestamp::parse(text).unwrap();
        let rub = Currency::from_code("RUB").unwrap();
        let quote = |as_of| Quote::new(rub, Amount::parse("92.45").unwrap(), as_of).unwrap();
        let noon = quote(Some(at("2026-01-02T12:00:00Z")));
        for (now, expected) in [
            ("2026-01-02T12:01:00Z", Freshness::Fresh),
            ("2026-01-02T12:01:00.000000001Z", Freshness::Stale),
            ("2026-01-02T11:59:55Z", Freshness::Fresh),
            ("2026-01-02T11:59:54.999999999Z", Freshness::Stale),
        ] {
            assert_eq!(noon.freshness(at(now), 60_000), expected, "{now}");
        }
        let last = at("9999-12-31T23:59:59Z");
        assert_eq!(noon.freshness(last, u64::MAX), Freshness::Fresh);
        assert_eq!(quote(None).freshness(last, 0), Freshness::Fresh);
        assert_eq!(
            Quote::new(rub, Amount::parse("0.00").unwrap(), None),
            Err(QuoteError::Rate)
        );
        let gold = Currency::from_code("XAU").unwrap();
        assert_eq!(
            Quote::new(gold, Amount::parse("92.45").unwrap(), None),
            Err(QuoteError::Currency)
        );
    }
}
