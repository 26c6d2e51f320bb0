//! Money: exact decimals, currencies, the rate of USDT, and the amounts of a payment.

mod amount;
mod breakdown;
mod convert;
mod currency;
mod exact;
mod iso4217;
mod quote;
mod text;

pub use currency::Currency;
pub(crate) use text::DecimalText;

pub use {
    amount::{Amount, AmountError},
    breakdown::{Breakdown, BreakdownError, Charges, ChargesError},
    convert::{MAX_CONVERTED_SCALE, Rounding, convert},
    currency::CurrencyError,
    quote::{Freshness, Quote, QuoteError},
};
pub(crate) use {exact::Exact, text::MAX_WIRE_DIGITS};

/// The currency of processed amounts in mode CRYPTO (§1, 4). It is not an ISO 4217 code, and
/// therefore not a [`Currency`].
pub const USDT: &str = "USDT";
