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
pub(super) fn run(validator: &mut RequestValidator<'_, '_>) {
    validator.v.expect_known(RequestField::PaymentType, validator.variant.is_some(), PaymentType::NAMES);
    validator.v.expect_known(RequestField::Mode, validator.mode.is_some(), Mode::NAMES);
    amount::currency(validator);
    amount::amount(validator);
    validator.v.expect_known(RequestField::Subtype, validator.subtype.is_some(), Subtype::NAMES);
    text::validate(validator, RequestField::MerchantId);
    text::validate(validator, RequestField::UserId);
    text::validate(validator, RequestField::UserName);
    // Checked for `callback` only: a payer's browser may be in a private network, but the server must not be directed to
    // one.
    if uri(validator, RequestField::Callback) == Some(true) {
        validator.v.report(Code::UriPrivateHost, RequestField::Callback, Params::None);
    }
    uri(validator, RequestField::RedirectUrl);
    text::validate(validator, RequestField::BankName);
    host2host(validator);
    text::validate(validator, RequestField::Description);
    time_to_complete(validator);
    recipient::details(validator);
    card::details(validator);
    system(validator);
}

/// Validates a URI. Returns whether its host is private, unless an error has ended its rules.
fn uri(validator: &mut RequestValidator<'_, '_>, member: RequestField) -> Option<bool> {
    validator
        .v
        .string(member)?
        .with_decoded(|text| validate_uri(&mut validator.v, Pointer::field(member.entry()), text))
}

fn host2host(validator: &mut RequestValidator<'_, '_>) {
    if let Some(value) = validator.v.field(RequestField::HostToHost)
        && !matches!(value, Value::Bool(_))
    {
        validator.v.wrong_type(RequestField::HostToHost, value);
    }
}

fn time_to_complete(validator: &mut RequestValidator<'_, '_>) {
    let Some(digits) = validator.v.integer(RequestField::TimeToComplete) else { return };
    let range = validator.v.ruleset.policy().limits.time_to_complete_payment;
    if !integer_value(digits).is_some_and(|number| (range.min..=range.max).contains(&number)) {
        let params = Params::Range { min: range.min, max: range.max };
        validator.v.report(Code::IntegerRange, RequestField::TimeToComplete, params);
    }
}

/// Reports `system` as a legacy member: the specification does not show whether the current request has it (D4).
fn system(validator: &mut RequestValidator<'_, '_>) {
    if matches!(validator.v.value(RequestField::System), Value::Absent) {
        validator.v.field(RequestField::System);
    } else if !validator.v.stops_as_duplicate(RequestField::System) {
        validator.v.report(Code::LegacyMember, RequestField::System, Params::ReplacedBy(None));
    }
}
