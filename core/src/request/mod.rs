//! The creation request (§2.2): reading a body, judging it by the rules, and the typed value.

mod check;
mod members;
mod rules;
mod typed;
mod unknown;

pub(crate) use check::{RequestBody, accepts, check, required};
pub(crate) use members::{REQUEST, RequestField, SLOTS, is_quantity, slot_at, variant_of};
pub(crate) use rules::uri::validate_uri;
pub(crate) use typed::{BuildError, KeyField, PaymentInputs, text};
pub use typed::{Card, CommonFields, CreateRequest, PayIn, PayInDetails, PayOut, PayOutDetails};
pub(crate) use unknown::{Occurrence, occurrences, report as report_unknown};
