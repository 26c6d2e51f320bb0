//! Payment cards: schemes, check digits, masks, and card numbers in texts.

pub(crate) mod finder;
mod info;
#[cfg(feature = "alloc")]
pub(crate) mod known;
pub(crate) mod mask;
#[cfg(feature = "alloc")]
pub(crate) mod masked;
pub(crate) mod pan;
pub(crate) mod scheme;
#[cfg(feature = "alloc")]
mod wire;

pub use info::{CardInfo, card_info};
#[cfg(feature = "alloc")]
pub use pan::{MaskedPan, Pan, PanError, SecurityCode, SecurityCodeError};
#[cfg(feature = "alloc")]
pub use scheme::{Scheme, SecurityCodeFormat, luhn};
