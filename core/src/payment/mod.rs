//! The payment (§2.1): building one from a request, checking one, moving one from state to state.

mod advance;
mod build;
mod check;
mod currencies;
mod members;
mod value;

pub(crate) use advance::advance;
pub(crate) use build::{convert, create, invalid_body_problem};
pub(crate) use check::check;
pub use currencies::FieldCurrencies;
pub(crate) use currencies::field_currencies;
pub(crate) use members::{ALWAYS, PAYMENT, PaymentField, SLOTS};
pub use value::{Info, InfoKind, Payment};
