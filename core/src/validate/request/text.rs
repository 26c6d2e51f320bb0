//! Rules of free text: names, identifiers, descriptions.

use super::validator::RequestValidator;
use crate::card::finder;
use crate::json::bit;
use crate::report::Params;
use crate::report::code::Code;
use crate::schema::request::RequestField;
use crate::util::bytes;
use crate::util::bytes::{Doubts, Source};

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

/// Validates a text. All texts share this function, so that the prefilter, which settles nearly every text, is inlined
/// once.
#[inline(never)]
fn check(s: &mut RequestValidator<'_, '_>, member: RequestField, limit: u64, line_breaks: bool) {
    let Some(text) = s.v.string(member) else { return };
    // The only text at the top level that just one variant has.
    if member == RequestField::UserName && s.stops_in_variant(member) {
        return;
    }
    let most = usize::try_from(limit).unwrap_or(usize::MAX);
    let glanced = text.plain().map(|text| bytes::glance(text, most));
    // A list of merchants is rare; without it, this is one comparison.
    let has_list = member == RequestField::MerchantId && s.inputs.allowed_merchant_ids.is_some();
    if has_list || glanced.is_none_or(Doubts::any) {
        text.with_decoded(|text| validate_text(s, member, text, glanced, limit, line_breaks));
    }
}

/// Returns whether the member is a merchant that the credential may not act for.
fn is_not_allowed(s: &RequestValidator<'_, '_>, member: RequestField, text: &str) -> bool {
    member == RequestField::MerchantId
        && s.inputs.allowed_merchant_ids.is_some_and(|allowed| !allowed.iter().any(|id| id == text))
}

#[inline(never)]
fn validate_text(
    s: &mut RequestValidator<'_, '_>,
    member: RequestField,
    text: &str,
    glanced: Option<Doubts>,
    limit: u64,
    line_breaks: bool,
) {
    if text.is_empty() {
        s.v.report(Code::TextEmpty, member, Params::None);
        return;
    }
    let most = usize::try_from(limit).unwrap_or(usize::MAX);
    if bytes::longer_than(text, most) && s.v.report(Code::TextTooLong, member, Params::Limit(limit)).stops() {
        return;
    }
    let (source, doubts) = match glanced {
        Some(doubts) => (Source::Written, doubts),
        // The prefilter could not run before the escapes were decoded.
        None => (Source::Decoded, bytes::glance(text, most)),
    };
    let look = doubts.control.then(|| bytes::look(text, source, line_breaks));
    if look.is_some_and(|look| look.control) && s.v.report(Code::TextControlCharacter, member, Params::None).stops() {
        return;
    }
    if is_not_allowed(s, member, text) && s.v.report(Code::MerchantNotAllowed, member, Params::None).stops() {
        return;
    }
    // Most texts have fewer digits than a card number and are not searched.
    if doubts.number && look.is_none_or(|look| look.digits >= finder::MIN_TEXT_PAN_DIGITS) && finder::contains_pan(text)
    {
        s.v.report(Code::CardNumberInText, member, Params::None);
    }
}
