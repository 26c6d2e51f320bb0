//! Money: exact decimals, currencies, the rate of USDT, and the amounts of a payment.

mod amount;
mod breakdown;
mod convert;
mod currency;
mod iso4217;
mod print;
mod quote;
mod text;
mod withdrawn;

pub(crate) use text::{DecimalText, MAX_WIRE_DIGITS};
pub(crate) use withdrawn::WithdrawnCurrency;
pub use {
    amount::{Amount, AmountError},
    breakdown::{Breakdown, BreakdownError, Charges, ChargesError},
    convert::{MAX_CONVERTED_SCALE, Rounding, convert},
    currency::{Currency, CurrencyError},
    quote::{Freshness, Quote, QuoteError},
};

/// The currency of processed amounts in mode CRYPTO (§1, 4). It is not an ISO 4217 code, and
/// therefore not a [`Currency`].
pub const USDT: &str = "USDT";
