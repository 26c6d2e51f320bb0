//! Payment cards: schemes, check digits, masks, and card data in texts and JSON.

pub(crate) mod document;
mod info;
pub(crate) mod known;
pub(crate) mod luhn;
pub(crate) mod mask;
pub(crate) mod pan;
pub(crate) mod scheme;
pub(crate) mod syntax;
pub(crate) mod text;
mod wire;

pub use info::{CardInfo, card_info};
pub use luhn::passes_luhn;
pub use pan::{MaskedPan, Pan, PanError, SecurityCode, SecurityCodeError};
pub use scheme::{Scheme, SecurityCodeFormat};
