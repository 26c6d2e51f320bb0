//! Rules of free text: names, identifiers, descriptions.

use super::validator::RequestValidator;
use crate::card::finder::contains_pan;
use crate::json::bit;
use crate::report::Params;
use crate::report::code::Code;
use crate::schema::request::RequestField;
use crate::types::text::{has_control_character, longer_than};

#[inline]
pub(super) fn free(s: &mut RequestValidator<'_, '_>, member: RequestField) {
    if_relevant(s, member, s.v.ruleset.policy().limits.text_chars, false);
}

#[inline]
pub(super) fn description(s: &mut RequestValidator<'_, '_>) {
    if_relevant(s, RequestField::Description, s.v.ruleset.policy().limits.description_chars, true);
}

#[inline]
fn if_relevant(s: &mut RequestValidator<'_, '_>, member: RequestField, limit: u64, line_breaks: bool) {
    if s.v.is_relevant(bit(member.slot())) {
        check(s, member, limit, line_breaks);
    }
}

/// Validates a text. All texts share this function, so that it is inlined once.
#[inline(never)]
fn check(s: &mut RequestValidator<'_, '_>, member: RequestField, limit: u64, line_breaks: bool) {
    let Some(text) = s.v.string(member) else { return };
    // The only text at the top level that just one variant has.
    if member == RequestField::UserName && s.stops_in_variant(member) {
        return;
    }
    text.with_decoded(|text| validate_text(s, member, text, limit, line_breaks));
}

/// Returns whether the member is a merchant that the credential may not act for.
fn is_not_allowed(s: &RequestValidator<'_, '_>, member: RequestField, text: &str) -> bool {
    member == RequestField::MerchantId
        && s.inputs.allowed_merchant_ids.is_some_and(|allowed| !allowed.iter().any(|id| id == text))
}

fn validate_text(
    s: &mut RequestValidator<'_, '_>,
    member: RequestField,
    text: &str,
    limit: u64,
    allow_line_breaks: bool,
) {
    if text.is_empty() {
        s.v.report(Code::TextEmpty, member, Params::None);
        return;
    }
    let most = usize::try_from(limit).unwrap_or(usize::MAX);
    if longer_than(text, most) && s.v.report(Code::TextTooLong, member, Params::Limit(limit)).stops() {
        return;
    }
    if has_control_character(text, allow_line_breaks)
        && s.v.report(Code::TextControlCharacter, member, Params::None).stops()
    {
        return;
    }
    if is_not_allowed(s, member, text) && s.v.report(Code::MerchantNotAllowed, member, Params::None).stops() {
        return;
    }
    if contains_pan(text) {
        s.v.report(Code::CardNumberInText, member, Params::None);
    }
}
