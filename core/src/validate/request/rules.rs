//! The rules of a request, in the order of the fields. The table in `crate::report::code` defines the codes.

use super::validator::RequestValidator;
use super::{amount, card, recipient, text};
use crate::json::{FieldId, Value, integer_value};
use crate::report::code::Code;
use crate::report::{Params, Pointer};
use crate::schema::request::RequestField;
use crate::types::payment_type::{Mode, PaymentType, Subtype};
use crate::validate::uri::validate_uri;

/// Runs every rule, in the order of the fields of §2.2.
pub(super) fn run(s: &mut RequestValidator<'_, '_>) {
    s.v.expect_known(RequestField::PaymentType, s.variant.is_some(), PaymentType::NAMES);
    s.v.expect_known(RequestField::Mode, s.mode.is_some(), Mode::NAMES);
    amount::currency(s);
    amount::amount(s);
    s.v.expect_known(RequestField::Subtype, s.subtype.is_some(), Subtype::NAMES);
    text::validate(s, RequestField::MerchantId);
    text::validate(s, RequestField::UserId);
    text::validate(s, RequestField::UserName);
    // Checked for `callback` only: a payer's browser may be in a private network, but the server must not be directed to
    // one.
    if uri(s, RequestField::Callback) == Some(true) {
        s.v.report(Code::UriPrivateHost, RequestField::Callback, Params::None);
    }
    uri(s, RequestField::RedirectUrl);
    text::validate(s, RequestField::BankName);
    host2host(s);
    text::validate(s, RequestField::Description);
    time_to_complete(s);
    recipient::details(s);
    card::details(s);
    system(s);
}

/// Validates a URI. Returns whether its host is private, unless an error has ended its rules.
fn uri(s: &mut RequestValidator<'_, '_>, member: RequestField) -> Option<bool> {
    s.v.string(member)?.with_decoded(|text| validate_uri(&mut s.v, Pointer::field(member.entry()), text))
}

fn host2host(s: &mut RequestValidator<'_, '_>) {
    if let Some(value) = s.v.field(RequestField::HostToHost)
        && !matches!(value, Value::Bool(_))
    {
        s.v.wrong_type(RequestField::HostToHost, value);
    }
}

fn time_to_complete(s: &mut RequestValidator<'_, '_>) {
    let Some(digits) = s.v.integer(RequestField::TimeToComplete) else { return };
    let range = s.v.ruleset.policy().limits.time_to_complete_payment;
    if !integer_value(digits).is_some_and(|number| (range.min..=range.max).contains(&number)) {
        let params = Params::Range { min: range.min, max: range.max };
        s.v.report(Code::IntegerRange, RequestField::TimeToComplete, params);
    }
}

/// Reports `system` as a legacy member: the specification does not show whether the current request has it (D4).
fn system(s: &mut RequestValidator<'_, '_>) {
    if matches!(s.v.value(RequestField::System), Value::Absent) {
        s.v.field(RequestField::System);
    } else if !s.v.stops_as_duplicate(RequestField::System) {
        s.v.report(Code::LegacyMember, RequestField::System, Params::ReplacedBy(None));
    }
}
