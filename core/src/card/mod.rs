//! Payment cards: schemes, check digits, masks, and card numbers in texts.

pub(crate) mod finder;
mod info;
pub(crate) mod known;
pub(crate) mod mask;
pub(crate) mod masked;
pub(crate) mod pan;
pub(crate) mod scheme;
mod wire;

pub use info::{CardInfo, card_info};
pub use pan::{MaskedPan, Pan, PanError, SecurityCode, SecurityCodeError};
pub use scheme::{Scheme, SecurityCodeFormat, luhn};
