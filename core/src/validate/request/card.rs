//! Rules of `pay_in_details` and its card.

use super::text;
use super::validator::RequestValidator;
use crate::card::scheme::{Scheme, is_number, luhn};
use crate::json::{Value, integer_value};
use crate::report::Params;
use crate::report::code::Code;
use crate::schema::request::{PAYER, RequestField};
use crate::types::payment_type::{PaymentType, Subtype};
use crate::types::timestamp::month_end_everywhere;
use crate::util::bytes::all_digits;

pub(super) fn details(validator: &mut RequestValidator<'_, '_>) {
    // Without host-to-host mode, these members are usually absent.
    if !validator.v.is_relevant(PAYER) && !validator.host2host {
        return;
    }
    validator.details(RequestField::PayInDetails);
    card(validator);
    text::validate(validator, RequestField::CardHolder);
    number(validator, RequestField::CardNumber);
    expiry_year(validator);
    expiry_month(validator);
    security_code(validator);
    text::validate(validator, RequestField::PayerBankName);
}

fn card(validator: &mut RequestValidator<'_, '_>) {
    let needs_number = validator.host2host
        && validator.variant == Some(PaymentType::PayIn)
        && validator.subtype == Some(Subtype::BankCard);
    let is_missing = match validator.v.field(RequestField::Card) {
        Some(Value::Object(_)) => {
            if validator.variant.is_some() && !validator.host2host {
                validator.v.report(Code::CardWithoutHostToHost, RequestField::Card, Params::None);
            }
            !validator.v.value(RequestField::CardNumber).is_present()
        }
        Some(other) => return validator.v.wrong_type(RequestField::Card, other),
        None => {
            !validator.v.value(RequestField::Card).is_present() && !validator.v.absence_reported(RequestField::Card)
        }
    };
    if needs_number && is_missing {
        validator.v.report(Code::HostToHostWithoutCard, RequestField::Card, Params::None);
    }
}

/// Validates the card number of the payer or the recipient.
pub(super) fn number(validator: &mut RequestValidator<'_, '_>, member: RequestField) {
    if let Some(text) = validator.v.string(member) {
        text.with_decoded(|text| validate_number(validator, member, text));
    }
}

fn validate_number(validator: &mut RequestValidator<'_, '_>, member: RequestField, text: &str) {
    if !is_number(text.as_bytes()) {
        validator.v.report(Code::CardNumberSyntax, member, Params::None);
        return;
    }
    if !luhn(text.as_bytes()) {
        validator.v.report(Code::CardNumberChecksum, member, Params::None);
    }
}

/// Returns the year that `digits` denote, and whether it has two digits (D23).
fn year(digits: &str) -> Option<(i32, bool)> {
    match i32::try_from(integer_value(digits)?).ok()? {
        year @ 0..=99 => Some((year.saturating_add(2000), true)),
        year @ 2000..=2099 => Some((year, false)),
        _ => None,
    }
}

fn month(value: Value<'_>) -> Option<u32> {
    value.as_u64().and_then(|month| u32::try_from(month).ok()).filter(|month| (1..=12).contains(month))
}

fn expiry_year(validator: &mut RequestValidator<'_, '_>) {
    let Some(digits) = validator.v.integer(RequestField::ExpiryYear) else { return };
    let Some((year, two_digits)) = year(digits) else {
        validator.v.report(Code::ExpiryYearRange, RequestField::ExpiryYear, Params::Range { min: 2000, max: 2099 });
        return;
    };
    let expired = validator.inputs.now.is_some_and(|now| {
        let end =
            month(validator.v.value(RequestField::ExpiryMonth)).and_then(|month| month_end_everywhere(year, month));
        end.is_some_and(|end| now >= end)
    });
    if expired && validator.v.report(Code::CardExpired, RequestField::ExpiryYear, Params::None).stops() {
        return;
    }
    if two_digits {
        validator.v.report(Code::ExpiryYearTwoDigits, RequestField::ExpiryYear, Params::None);
    }
}

fn expiry_month(validator: &mut RequestValidator<'_, '_>) {
    if validator.v.integer(RequestField::ExpiryMonth).is_some()
        && month(validator.v.value(RequestField::ExpiryMonth)).is_none()
    {
        validator.v.report(Code::ExpiryMonthRange, RequestField::ExpiryMonth, Params::Range { min: 1, max: 12 });
    }
}

fn security_code(validator: &mut RequestValidator<'_, '_>) {
    let Some(text) = validator.v.string(RequestField::SecurityCode) else { return };
    let number = validator.v.value(RequestField::CardNumber);
    let scheme = number.parsed(|number| Scheme::of(number.as_bytes()).filter(|_| is_number(number.as_bytes())));
    let length = scheme.map(|scheme| u64::from(scheme.security_code().length));
    let (min, max) = (length.unwrap_or(3), length.unwrap_or(4));
    let fits = |text: &str| {
        u64::try_from(text.len()).is_ok_and(|length| (min..=max).contains(&length)) && all_digits(text.as_bytes())
    };
    if !text.with_decoded(fits) {
        validator.v.report(Code::SecurityCodeSyntax, RequestField::SecurityCode, Params::Range { min, max });
    }
}
