//! `convert`: converts a fiat amount to USDT at the price of a quote.

use crate::context::ConvertContext;
use crate::model::outcome::{Conversion, Outcome, OutcomeBody};
use crate::model::problem::ProblemCode;
use crate::money::{Amount, Breakdown, BreakdownError, Charges, Currency, Freshness, Quote};
use crate::policy::Ruleset;
use crate::types::timestamp::Timestamp;

/// Converts a fiat amount to USDT.
pub(crate) fn convert(ruleset: &Ruleset, context: &ConvertContext) -> Outcome {
    let (requested_amount, requested_currency) = (context.amount, context.currency);
    let (charges, quote) = (Charges::default(), context.quote.as_ref());
    match usdt_breakdown(
        ruleset,
        requested_currency,
        requested_amount,
        &charges,
        quote,
        context.now,
    ) {
        Ok((amounts, scale, rate)) => {
            let amount = amounts.amount;
            let conversion = Conversion {
                amount,
                scale,
                requested_amount,
                requested_currency,
                rate,
            };
            Outcome::success(200, OutcomeBody::Conversion(conversion))
        }
        Err(problem) => problem.into(),
    }
}

/// Computes amounts in USDT, if the quote is valid for `currency` at `now`. Returns them with their
/// scale and the rate.
pub(super) fn usdt_breakdown(
    ruleset: &Ruleset,
    currency: Currency,
    amount: Amount,
    charges: &Charges,
    quote: Option<&Quote>,
    now: Option<Timestamp>,
) -> Result<(Breakdown, u32, Amount), ProblemCode> {
    let crypto = ruleset.policy.crypto;
    let quote = quote.ok_or(ProblemCode::QuoteMissing)?;
    if quote.currency() != currency {
        return Err(ProblemCode::QuoteMismatch);
    }
    if now.is_some_and(|now| quote.freshness(now, crypto.max_quote_age_ms) == Freshness::Stale) {
        return Err(ProblemCode::QuoteStale);
    }
    let rate = quote.rate();
    let amounts = Breakdown::usdt(amount, charges, rate, crypto.scale, crypto.rounding)
        .map_err(problem_for)?;
    Ok((amounts, crypto.scale, rate))
}

pub(super) fn problem_for(error: BreakdownError) -> ProblemCode {
    match error {
        BreakdownError::TooSmall => ProblemCode::AmountTooSmall,
        BreakdownError::TooLarge => ProblemCode::AmountTooLarge,
        BreakdownError::ChargesExceedAmount => ProblemCode::ChargesExceedAmount,
    }
}
