//! Money: exact decimals, currencies, the rate of USDT, and the amounts of a payment.

mod amount;
mod breakdown;
mod convert;
mod currency;
mod exact;
mod iso4217;
mod quote;
mod text;

pub use amount::{Amount, AmountError};
pub use breakdown::{Breakdown, BreakdownError, Charges, ChargesError};
pub use convert::{MAX_CONVERTED_SCALE, Rounding, convert};
pub use currency::{Currency, CurrencyError};
pub(crate) use exact::Exact;
pub use quote::{Freshness, Quote, QuoteError};
pub(crate) use text::{DecimalText, MAX_WIRE_DIGITS};

/// The currency of processed amounts in mode CRYPTO (§1, 4). It is not an ISO 4217 code, and therefore not a
/// [`Currency`].
pub const USDT: &str = "USDT";
