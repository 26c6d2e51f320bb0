//! Rules of free text: names, identifiers, descriptions.

use super::validator::RequestValidator;
use crate::card::finder::contains_pan;
use crate::json::bit;
use crate::report::Params;
use crate::report::code::Code;
use crate::schema::request::RequestField;
use crate::types::text::{has_control_character, longer_than};

/// Validates a text, if it is named in the body or required.
#[inline]
pub(super) fn validate(validator: &mut RequestValidator<'_, '_>, member: RequestField) {
    if validator.v.is_relevant(bit(member.slot())) {
        validate_relevant(validator, member);
    }
}

/// Validates a text. All texts share this function, so that it is inlined once.
#[inline(never)]
fn validate_relevant(validator: &mut RequestValidator<'_, '_>, member: RequestField) {
    let Some(text) = validator.v.string(member) else { return };
    // The only text at the top level that just one variant has.
    if member == RequestField::UserName && validator.stops_in_variant(member) {
        return;
    }
    text.with_decoded(|text| validate_text(validator, member, text));
}

/// Returns whether the member is a merchant that the credential may not act for.
fn is_not_allowed(validator: &RequestValidator<'_, '_>, member: RequestField, text: &str) -> bool {
    member == RequestField::MerchantId
        && validator.inputs.allowed_merchant_ids.is_some_and(|allowed| !allowed.iter().any(|id| id == text))
}

fn validate_text(validator: &mut RequestValidator<'_, '_>, member: RequestField, text: &str) -> Option<()> {
    if text.is_empty() {
        validator.v.report(Code::TextEmpty, member, Params::None);
        return None;
    }
    let limits = &validator.v.ruleset.policy().limits;
    let is_description = member == RequestField::Description;
    let limit = if is_description { limits.description_chars } else { limits.text_chars };
    let most = usize::try_from(limit).unwrap_or(usize::MAX);
    validator.v.check(!longer_than(text, most), Code::TextTooLong, member, Params::Limit(limit))?;
    let has_control = has_control_character(text, is_description);
    validator.v.check(!has_control, Code::TextControlCharacter, member, Params::None)?;
    validator.v.check(!is_not_allowed(validator, member, text), Code::MerchantNotAllowed, member, Params::None)?;
    validator.v.check(!contains_pan(text), Code::CardNumberInText, member, Params::None)
}
