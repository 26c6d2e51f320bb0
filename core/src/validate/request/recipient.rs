//! Rules of `pay_out_details`, the recipient of a pay-out.

use super::validator::RequestValidator;
use super::{card, text};
use crate::report::Params;
use crate::report::code::Code;
use crate::schema::request::{RECIPIENT, RequestField};
use crate::types::payment_type::{PaymentType, Subtype};
use crate::types::phone::is_phone;

pub(super) fn details(s: &mut RequestValidator<'_, '_>) {
    // A pay-in does not have these members.
    if !s.v.is_relevant(RECIPIENT) && s.variant != Some(PaymentType::PayOut) {
        return;
    }
    s.details(RequestField::PayOutDetails);
    text::validate(s, RequestField::RecipientBankName);
    text::validate(s, RequestField::RecipientFullName);
    card::number(s, RequestField::RecipientCardNumber);
    incomplete(s, Subtype::BankCard, RequestField::RecipientCardNumber);
    phone_number(s);
    incomplete(s, Subtype::Sbp, RequestField::RecipientPhoneNumber);
}

fn phone_number(s: &mut RequestValidator<'_, '_>) {
    if let Some(text) = s.v.string(RequestField::RecipientPhoneNumber)
        && !text.with_decoded(is_phone)
    {
        s.v.report(Code::PhoneNumberSyntax, RequestField::RecipientPhoneNumber, Params::None);
    }
}

/// Reports a missing member that the payment method requires to identify the recipient.
fn incomplete(s: &mut RequestValidator<'_, '_>, subtype: Subtype, member: RequestField) {
    let relevant = s.variant == Some(PaymentType::PayOut) && s.subtype == Some(subtype);
    if relevant && !s.v.value(member).is_present() && !s.v.absence_reported(member) {
        s.v.report(Code::RecipientIncomplete, member, Params::None);
    }
}
