//! Money: exact decimals, currencies, the price of USDT, and what a payment's amounts are made of.

mod amount;
mod breakdown;
mod columns;
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
pub use quote::{Freshness, Quote};
pub(crate) use text::scan;

/// The currency of processed amounts in mode CRYPTO (§1, 4). No ISO 4217 code, hence no [`Currency`].
pub const USDT: &str = "USDT";
