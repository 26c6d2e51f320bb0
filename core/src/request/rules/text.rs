//! Free text: names, ids, descriptions.

use crate::pan;
use crate::read::{Text, bit};
use crate::report::Params;
use crate::request::check::Subject;
use crate::request::members::Member;
use crate::rules::Code;
use crate::text::{self, Doubts, Source};

#[inline]
pub(super) fn free(s: &mut Subject<'_, '_>, member: Member) {
    if s.concerns(bit(member.slot())) {
        given(s, member);
    }
}

#[inline(never)]
fn given(s: &mut Subject<'_, '_>, member: Member) {
    if let Some(text) = s.enter_text(member) {
        let limit = s.engine.policy().limits.text_chars;
        check(s, member, text, limit, false);
    }
}

pub(super) fn user_name(s: &mut Subject<'_, '_>) {
    let Some(text) = s.enter_text(Member::UserName) else { return };
    if s.fits_variant(Member::UserName) {
        let limit = s.engine.policy().limits.text_chars;
        check(s, Member::UserName, text, limit, false);
    }
}

pub(super) fn description(s: &mut Subject<'_, '_>) {
    if let Some(text) = s.enter_text(Member::Description) {
        let limit = s.engine.policy().limits.description_chars;
        check(s, Member::Description, text, limit, true);
    }
}

// Inlined, each of the three callers holds a copy of the glance: worth it where code is cheap, not in WASM, where bytes count.
#[cfg_attr(target_family = "wasm", inline(never))]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn check(s: &mut Subject<'_, '_>, member: Member, text: Text<'_>, limit: u64, line_breaks: bool) {
    let most = usize::try_from(limit).unwrap_or(usize::MAX);
    let glanced = text.plain().map(|text| text::glance(text, most));
    if glanced.is_none_or(Doubts::any) {
        text.with(|text| judge(s, member, text, glanced, limit, line_breaks));
    }
}

#[inline(never)]
fn judge(s: &mut Subject<'_, '_>, member: Member, text: &str, glanced: Option<Doubts>, limit: u64, line_breaks: bool) {
    if text.is_empty() {
        s.tell(Code::TextEmpty, member, Params::None);
        return;
    }
    let most = usize::try_from(limit).unwrap_or(usize::MAX);
    if text::longer_than(text, most) && s.tell(Code::TextTooLong, member, Params::Limit(limit)) {
        return;
    }
    let (source, doubts) = match glanced {
        Some(doubts) => (Source::Written, doubts),
        // Now that its escapes are read.
        None => (Source::Decoded, text::glance(text, most)),
    };
    let look = doubts.control.then(|| text::look(text, source, line_breaks));
    if look.is_some_and(|look| look.control) && s.tell(Code::TextControlCharacter, member, Params::None) {
        return;
    }
    // Most texts have fewer digits than a card number, and are done with at that.
    if doubts.number && look.is_none_or(|look| look.digits >= pan::SHORTEST) && pan::holds(text) {
        s.tell(Code::CardNumberInText, member, Params::None);
    }
}
