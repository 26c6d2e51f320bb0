//! The creation request (§2.2): reading a body, judging it by the rules, and the typed value.

mod check;
mod members;
mod rules;
mod typed;
mod unknown;

pub(crate) use check::{Body, accepts, check, required};
pub(crate) use members::{BODY, Member, SLOTS, is_quantity, slot_at, variant_of};
pub(crate) use rules::uri::validate_uri;
pub use typed::{Card, Common, CreateRequest, PayIn, PayInDetails, PayOut, PayOutDetails};
pub(crate) use typed::{Deciding, Terms, Unfit, text};
pub(crate) use unknown::{Occurrence, occurrences, report as report_unknown};
