//! `Breakdown`: the seven processed amounts of a payment, computed from its amount and its charges.

use super::amount::Amount;
use super::convert::{Rounding, convert};

/// The charges of a payment, in the currency of its amount (§2.1). All are zero by default.
///
/// ```
/// use payspec::{Amount, Charges};
///
/// let charges = Charges::new("1.50".parse()?, "2.00".parse()?, Amount::ZERO)?;
/// assert_eq!(charges.fee().to_string(), "1.50");
/// assert!(Charges::new(Amount::ZERO, "2.00".parse()?, "2.01".parse()?).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Charges {
    fee: Amount,
    commission: Amount,
    shared_commission: Amount,
}

/// The shared commission is greater than the commission.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the shared commission is more than the commission")]
pub struct ChargesError;

impl Charges {
    /// Creates the charges from the service fee, the processor's commission, and the part of it
    /// that partners share.
    ///
    /// # Errors
    /// Returns [`ChargesError`] if the shared commission is greater than the commission.
    pub fn new(
        fee: Amount,
        commission: Amount,
        shared_commission: Amount,
    ) -> Result<Self, ChargesError> {
        if shared_commission > commission {
            return Err(ChargesError);
        }
        Ok(Charges {
            fee,
            commission,
            shared_commission,
        })
    }

    /// Returns the service fee.
    pub fn fee(&self) -> Amount {
        self.fee
    }

    /// Returns the commission of the payment processor.
    pub fn commission(&self) -> Amount {
        self.commission
    }

    /// Returns the part of the commission that partners share, which is at most the commission.
    pub fn shared_commission(&self) -> Amount {
        self.shared_commission
    }
}

/// The processed amounts of a payment (§2.1), all in one currency.
///
/// These identities are exact: `amount` = `gross_amount`, `total` = gross + fee + commission, and
/// `net_processed` = gross − fee − commission.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Breakdown {
    /// The processed amount.
    pub amount: Amount,
    /// The amount plus fee and commission.
    pub total: Amount,
    /// The amount minus fee and commission.
    pub net_processed: Amount,
    /// The service fee.
    pub fee: Amount,
    /// The commission of the payment processor.
    pub commission: Amount,
    /// The amount before deductions.
    pub gross_amount: Amount,
    /// The part of the commission that partners share.
    pub shared_commission: Amount,
}

/// The reason why a payment has no valid amounts. Each becomes a problem with status 455 (§7).
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BreakdownError {
    /// The amount converts to zero.
    #[error("the amount converts to zero")]
    TooSmall,
    /// One of the amounts needs more than 28 digits.
    #[error("an amount does not fit 28 digits")]
    TooLarge,
    /// The sum of fee and commission exceeds the amount.
    #[error("fee and commission exceed the amount")]
    ChargesExceedAmount,
}

impl Breakdown {
    /// Returns the amounts of a payment in its own currency.
    ///
    /// # Errors
    /// Returns [`BreakdownError`] if the charges exceed the amount, or a sum needs more than 28
    /// digits.
    ///
    /// # Examples
    /// ```
    /// use payspec::{Amount, Breakdown, Charges};
    ///
    /// let charges = Charges::new("1.50".parse()?, "2.00".parse()?, Amount::ZERO)?;
    /// let breakdown = Breakdown::fiat("100.00".parse()?, &charges)?;
    /// assert_eq!(breakdown.total.to_string(), "103.50");
    /// assert_eq!(breakdown.net_processed.to_string(), "96.50");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn fiat(gross: Amount, charges: &Charges) -> Result<Self, BreakdownError> {
        let Charges {
            fee,
            commission,
            shared_commission,
        } = *charges;
        // Each charge is checked alone first, because their sum may not fit if one of them is much
        // greater than the amount.
        if fee > gross || commission > gross {
            return Err(BreakdownError::ChargesExceedAmount);
        }
        // The sum may be wide: its zeros are dropped only from the results.
        let deducted = fee.wide_sum(commission).ok_or(BreakdownError::TooLarge)?;
        if deducted > gross {
            return Err(BreakdownError::ChargesExceedAmount);
        }
        let total = gross.checked_add(deducted);
        let net_processed = gross.checked_sub(deducted);
        Ok(Self {
            amount: gross,
            total: total.ok_or(BreakdownError::TooLarge)?,
            net_processed: net_processed.ok_or(BreakdownError::TooLarge)?,
            fee,
            commission,
            gross_amount: gross,
            shared_commission,
        })
    }

    /// Converts the amount and charges of a payment from fiat to USDT, with a rate as in
    /// [`convert`].
    ///
    /// Gross, fee, commission, and shared commission are each converted and rounded. Total and net
    /// are computed from the rounded amounts, so that the identities are exact.
    ///
    /// Rounding keeps the order of two amounts, so the shared commission never exceeds the
    /// commission.
    ///
    /// # Errors
    /// Returns [`BreakdownError`] if the amount converts to zero, the charges exceed the amount, or
    /// a value needs more than 28 digits. A rate of zero or a scale over 18 is
    /// [`BreakdownError::TooLarge`].
    pub fn usdt(
        gross: Amount,
        charges: &Charges,
        rate: Amount,
        scale: u32,
        rounding: Rounding,
    ) -> Result<Self, BreakdownError> {
        let converted =
            |amount| convert(amount, rate, scale, rounding).ok_or(BreakdownError::TooLarge);
        let gross = converted(gross)?;
        if gross.is_zero() {
            return Err(BreakdownError::TooSmall);
        }
        let charges = Charges {
            fee: converted(charges.fee)?,
            commission: converted(charges.commission)?,
            shared_commission: converted(charges.shared_commission)?,
        };
        Self::fiat(gross, &charges)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    fn amount(text: &str) -> Amount {
        Amount::parse(text).unwrap()
    }

    fn charges(fee: &str, commission: &str, shared: &str) -> Charges {
        Charges {
            fee: amount(fee),
            commission: amount(commission),
            shared_commission: amount(shared),
        }
    }

    #[test]
    fn adds_up_fiat_amounts() {
        let breakdown = Breakdown::fiat(amount("100"), &charges("1.00", "2.005", "0.5")).unwrap();
        assert_eq!(breakdown.total.to_string(), "103.005");
        assert_eq!(breakdown.net_processed.to_string(), "96.995");
        let all = Breakdown::fiat(amount("3"), &charges("1", "2", "2")).unwrap();
        assert!(all.net_processed.is_zero());
        let over = Breakdown::fiat(amount("3"), &charges("1", "2.01", "0"));
        assert_eq!(over, Err(BreakdownError::ChargesExceedAmount));
        let most = amount("9999999999999999999999999999");
        assert_eq!(
            Breakdown::fiat(most, &charges("1", "0", "0")),
            Err(BreakdownError::TooLarge)
        );
    }

    #[test]
    fn adds_up_rounded_usdt_amounts() {
        let usdt = |gross, scale| {
            Breakdown::usdt(
                amount(gross),
                &charges("1.00", "2.00", "0.50"),
                amount("92.45"),
                scale,
                Rounding::HalfEven,
            )
        };
        let breakdown = usdt("1500.00", 6).unwrap();
        assert_eq!(breakdown.gross_amount.to_string(), "16.224986");
        assert_eq!(breakdown.fee.to_string(), "0.010817");
        assert_eq!(breakdown.commission.to_string(), "0.021633");
        assert_eq!(breakdown.shared_commission.to_string(), "0.005408");
        assert_eq!(breakdown.total.to_string(), "16.257436");
        assert_eq!(breakdown.net_processed.to_string(), "16.192536");
        assert_eq!(usdt("0.00001", 6), Err(BreakdownError::TooSmall));
        assert_eq!(usdt("2", 6), Err(BreakdownError::ChargesExceedAmount));
        assert_eq!(
            usdt("9999999999999999999999999999", 18),
            Err(BreakdownError::TooLarge)
        );
    }
}
