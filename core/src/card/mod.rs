//! Payment cards: schemes, check digits, masks, names of card data, and card numbers in texts.

mod info;
pub(crate) mod known;
pub(crate) mod luhn;
pub(crate) mod mask;
pub(crate) mod pan;
pub(crate) mod scanner;
pub(crate) mod scheme;
pub(crate) mod sensitive;
pub(crate) mod syntax;
mod wire;

pub use info::{CardInfo, card_info};
pub use luhn::passes_luhn;
pub use pan::{MaskedPan, Pan, PanError, SecurityCode, SecurityCodeError};
pub use scheme::{Scheme, SecurityCodeFormat};
