//! pay_out_details: to whom a pay-out goes.

use super::{card, text};
use crate::kinds::{PaymentType, Subtype};
use crate::phone::is_phone;
use crate::read::Value;
use crate::report::Params;
use crate::request::check::Subject;
use crate::request::members::{Member, RECIPIENT};
use crate::rules::Code;

pub(super) fn details(s: &mut Subject<'_, '_>) {
    // A pay-in has nothing of all this.
    if !s.concerns(RECIPIENT) && s.variant != Some(PaymentType::PayOut) {
        return;
    }
    match s.enter(Member::PayOutDetails) {
        Some(Value::Object(_)) => {
            s.fits_variant(Member::PayOutDetails);
        }
        Some(other) => s.wrong_type(Member::PayOutDetails, other),
        None => {}
    }
    text::free(s, Member::RecipientBankName);
    text::free(s, Member::RecipientFullName);
    card::number(s, Member::RecipientCardNumber);
    incomplete(s, Subtype::BankCard, Member::RecipientCardNumber);
    phone_number(s);
    incomplete(s, Subtype::Sbp, Member::RecipientPhoneNumber);
}

fn phone_number(s: &mut Subject<'_, '_>) {
    if let Some(text) = s.enter_text(Member::RecipientPhoneNumber)
        && !text.with_decoded(is_phone)
    {
        s.tell(Code::PhoneNumberSyntax, Member::RecipientPhoneNumber, Params::None);
    }
}

/// The member by which the method finds its recipient.
fn incomplete(s: &mut Subject<'_, '_>, subtype: Subtype, member: Member) {
    let concerned = s.variant == Some(PaymentType::PayOut) && s.subtype == Some(subtype);
    if concerned && !s.value(member).is_present() && !s.is_required(member) && !s.is_told_twice(member) {
        s.tell(Code::RecipientIncomplete, member, Params::None);
    }
}
