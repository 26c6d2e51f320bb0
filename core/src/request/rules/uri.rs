//! callback and redirect_url; a payment's addresses follow the same rules.

use crate::judge::{Judge, Place};
use crate::read::Text;
use crate::report::{Allowed, Params, Pointer};
use crate::request::check::Subject;
use crate::request::members::Member;
use crate::rules::Code;
use crate::uri::inspect;

pub(super) fn callback(s: &mut Subject<'_, '_>) {
    if let Some(text) = s.enter_text(Member::Callback)
        && judge(s, Pointer::field(Member::Callback.field()), text)
        && inspect(&text.decode()).private_host
    {
        // The payer's browser may well stand in a private network; the server that calls back must not be led there.
        s.tell(Code::UriPrivateHost, Member::Callback, Params::None);
    }
}

pub(super) fn redirect_url(s: &mut Subject<'_, '_>) {
    if let Some(text) = s.enter_text(Member::RedirectUrl) {
        judge(s, Pointer::field(Member::RedirectUrl.field()), text);
    }
}

/// Whether nothing is wrong with an address; tells what is.
pub(crate) fn judge<'a>(j: &mut Judge<'a, '_>, path: Pointer<'a>, text: Text<'_>) -> bool {
    let text = text.decode();
    let policy = j.engine.policy();
    let limit = policy.limits.uri_bytes;
    let too_long = u64::try_from(text.len()).is_ok_and(|len| len > limit);
    if too_long && j.tell_at(Code::TextTooLong, path, Params::Limit(limit)) {
        return false;
    }
    let facts = inspect(&text);
    let Some(scheme) = facts.scheme.filter(|_| facts.characters) else {
        return !j.tell_at(Code::UriSyntax, path, Params::None);
    };
    let schemes = &policy.urls.schemes;
    if !schemes.iter().any(|allowed| allowed.eq_ignore_ascii_case(scheme))
        && j.tell_at(Code::UriScheme, path, Params::Allowed(Allowed::Texts(schemes)))
    {
        return false;
    }
    if !facts.authority && j.tell_at(Code::UriSyntax, path, Params::None) {
        return false;
    }
    !(facts.credentials && j.tell_at(Code::UriCredentials, path, Params::None))
}
