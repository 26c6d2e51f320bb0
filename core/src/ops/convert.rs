//! `convert`: converts a fiat amount to USDT at the price of a quote.

use crate::context::ConvertContext;
use crate::model::outcome::{Conversion, Outcome, OutcomeBody};
use crate::model::problem::ProblemCode;
use crate::money::{Amount, Breakdown, BreakdownError, Charges, Currency, Freshness, Quote};
use crate::policy::Ruleset;
use crate::types::timestamp::Timestamp;

/// Converts a fiat amount to USDT.
pub(crate) fn convert(ruleset: &Ruleset, context: &ConvertContext) -> Outcome {
    let usdt = UsdtAmounts::new(
        ruleset,
        context.currency,
        context.amount,
        &Charges::default(),
        context.quote.as_ref(),
        context.now,
    );
    match usdt {
        Ok(UsdtAmounts {
            amounts,
            scale,
            rate,
        }) => {
            let conversion = Conversion {
                amount: amounts.amount,
                scale,
                requested_amount: context.amount,
                requested_currency: context.currency,
                rate,
            };
            Outcome::success(200, OutcomeBody::Conversion(conversion))
        }
        Err(problem) => problem.into(),
    }
}

/// The amounts of a payment in USDT.
pub(super) struct UsdtAmounts {
    pub(super) amounts: Breakdown,
    /// The number of their fraction digits.
    pub(super) scale: u32,
    /// The price of 1 USDT in the fiat currency.
    rate: Amount,
}

impl UsdtAmounts {
    /// Converts a fiat amount and its charges, if the quote is valid for `currency` at `now`.
    pub(super) fn new(
        ruleset: &Ruleset,
        currency: Currency,
        amount: Amount,
        charges: &Charges,
        quote: Option<&Quote>,
        now: Option<Timestamp>,
    ) -> Result<Self, ProblemCode> {
        let crypto = ruleset.policy.crypto;
        let quote = quote.ok_or(ProblemCode::QuoteMissing)?;
        if quote.currency() != currency {
            return Err(ProblemCode::QuoteMismatch);
        }
        let freshness = now.map(|now| quote.freshness(now, crypto.max_quote_age_ms));
        if freshness == Some(Freshness::Stale) {
            return Err(ProblemCode::QuoteStale);
        }
        let rate = quote.rate();
        let amounts = Breakdown::usdt(amount, charges, rate, crypto.scale, crypto.rounding)
            .map_err(problem_for)?;
        Ok(UsdtAmounts {
            amounts,
            scale: crypto.scale,
            rate,
        })
    }
}

pub(super) fn problem_for(error: BreakdownError) -> ProblemCode {
    match error {
        BreakdownError::TooSmall => ProblemCode::AmountTooSmall,
        BreakdownError::TooLarge => ProblemCode::AmountTooLarge,
        BreakdownError::ChargesExceedAmount => ProblemCode::ChargesExceedAmount,
    }
}
