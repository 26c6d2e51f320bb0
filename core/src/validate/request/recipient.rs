//! Rules of `pay_out_details`, the recipient of a pay-out.

use super::validator::RequestValidator;
use super::{card, text};
use crate::report::Params;
use crate::report::code::Code;
use crate::schema::request::{RECIPIENT, RequestField};
use crate::types::payment_type::{PaymentType, Subtype};
use crate::types::phone::is_phone;

pub(super) fn details(validator: &mut RequestValidator<'_, '_>) {
    // A pay-in does not have these members.
    if !validator.v.is_relevant(RECIPIENT) && validator.variant != Some(PaymentType::PayOut) {
        return;
    }
    validator.details(RequestField::PayOutDetails);
    text::validate(validator, RequestField::RecipientBankName);
    text::validate(validator, RequestField::RecipientFullName);
    card::number(validator, RequestField::RecipientCardNumber);
    incomplete(validator, Subtype::BankCard, RequestField::RecipientCardNumber);
    phone_number(validator);
    incomplete(validator, Subtype::Sbp, RequestField::RecipientPhoneNumber);
}

fn phone_number(validator: &mut RequestValidator<'_, '_>) {
    if let Some(text) = validator.v.string(RequestField::RecipientPhoneNumber)
        && !text.with_decoded(is_phone)
    {
        validator.v.report(Code::PhoneNumberSyntax, RequestField::RecipientPhoneNumber, Params::None);
    }
}

/// Reports a missing member that the payment method requires to identify the recipient.
fn incomplete(validator: &mut RequestValidator<'_, '_>, subtype: Subtype, member: RequestField) {
    let relevant = validator.variant == Some(PaymentType::PayOut) && validator.subtype == Some(subtype);
    if relevant && !validator.v.value(member).is_present() && !validator.v.absence_reported(member) {
        validator.v.report(Code::RecipientIncomplete, member, Params::None);
    }
}
