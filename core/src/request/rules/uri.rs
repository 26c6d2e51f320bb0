//! callback and redirect_url.

use crate::report::{Allowed, Params};
use crate::request::check::Subject;
use crate::request::members::Member;
use crate::rules::Code;
use crate::uri::inspect;

pub(super) fn callback(s: &mut Subject<'_, '_>) {
    judge(s, Member::Callback);
}

pub(super) fn redirect_url(s: &mut Subject<'_, '_>) {
    judge(s, Member::RedirectUrl);
}

fn judge(s: &mut Subject<'_, '_>, member: Member) {
    let Some(text) = s.enter_text(member) else { return };
    let text = text.decode();
    let limit = s.engine.policy().limits.uri_bytes;
    let too_long = u64::try_from(text.len()).is_ok_and(|len| len > limit);
    if too_long && s.tell(Code::TextTooLong, member, Params::Limit(limit)) {
        return;
    }
    let facts = inspect(&text);
    let scheme = facts.scheme.filter(|_| facts.characters);
    let syntax = |s: &mut Subject<'_, '_>| s.tell(Code::UriSyntax, member, Params::None);
    let Some(scheme) = scheme else {
        syntax(s);
        return;
    };
    let schemes = &s.engine.policy().urls.schemes;
    if !schemes.iter().any(|allowed| allowed.eq_ignore_ascii_case(scheme))
        && s.tell(Code::UriScheme, member, Params::Allowed(Allowed::Texts(schemes)))
    {
        return;
    }
    if !facts.authority && syntax(s) {
        return;
    }
    if facts.credentials && s.tell(Code::UriCredentials, member, Params::None) {
        return;
    }
    // The payer's browser may well stand in a private network; the server that calls back must not be led there.
    if member == Member::Callback && facts.private_host {
        s.tell(Code::UriPrivateHost, member, Params::None);
    }
}
