//! The rules of a request, one group in each file. The table in `crate::report::code` defines the codes.

use super::validator::RequestValidator;
use super::{amount, card, kind, recipient, text, timing, uri};
use crate::json::Value;
use crate::report::Params;
use crate::report::code::Code;
use crate::schema::request::RequestField;

/// Runs every rule, in the order of the fields of §2.2.
pub(super) fn run(s: &mut RequestValidator<'_, '_>) {
    kind::payment_type(s);
    kind::mode(s);
    amount::currency(s);
    amount::amount(s);
    kind::subtype(s);
    text::free(s, RequestField::MerchantId);
    text::free(s, RequestField::UserId);
    text::free(s, RequestField::UserName);
    uri::callback(s);
    uri::redirect_url(s);
    text::free(s, RequestField::BankName);
    kind::host2host(s);
    text::description(s);
    timing::time_to_complete(s);
    recipient::details(s);
    card::details(s);
    system(s);
}

/// Reports `system` as a legacy member: the specification does not show whether the current request has it (D4).
fn system(s: &mut RequestValidator<'_, '_>) {
    match s.v.value(RequestField::System) {
        Value::Absent => {
            s.v.field(RequestField::System);
        }
        _ if s.v.stops_as_duplicate(RequestField::System) => {}
        _ => {
            s.v.report(Code::LegacyMember, RequestField::System, Params::ReplacedBy(None));
        }
    }
}
