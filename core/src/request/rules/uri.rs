//! callback and redirect_url; a payment's addresses follow the same rules.

use crate::report::{Allowed, Params, Pointer};
use crate::request::check::RequestValidator;
use crate::request::members::RequestField;
use crate::rules::Code;
use crate::uri::inspect;
use crate::validator::{FieldId, Validator};

pub(super) fn callback(s: &mut RequestValidator<'_, '_>) {
    let Some(text) = s.v.string(RequestField::Callback) else { return };
    if text.with_decoded(|text| validate_uri(&mut s.v, Pointer::field(RequestField::Callback.entry()), text))
        == Some(true)
    {
        // The payer's browser may well stand in a private network; the server that calls back must not be led there.
        s.v.report(Code::UriPrivateHost, RequestField::Callback, Params::None);
    }
}

pub(super) fn redirect_url(s: &mut RequestValidator<'_, '_>) {
    if let Some(text) = s.v.string(RequestField::RedirectUrl) {
        text.with_decoded(|text| validate_uri(&mut s.v, Pointer::field(RequestField::RedirectUrl.entry()), text));
    }
}

/// Tells what is wrong with an address. Where nothing is: whether its host is private.
pub(crate) fn validate_uri<'a>(j: &mut Validator<'a, '_>, path: Pointer<'a>, text: &str) -> Option<bool> {
    let policy = j.ruleset.policy();
    let limit = policy.limits.uri_bytes;
    let too_long = u64::try_from(text.len()).is_ok_and(|len| len > limit);
    if too_long && j.report_at(Code::TextTooLong, path, Params::Limit(limit)) {
        return None;
    }
    let facts = inspect(text);
    let sound = facts.scheme.is_some() && facts.characters;
    if !sound && j.report_at(Code::UriSyntax, path, Params::None) {
        return None;
    }
    let scheme = facts.scheme?;
    let schemes = &policy.urls.schemes;
    // Nearly every address is https: comparing with a constant takes no call.
    let usual = scheme == "https" && schemes.iter().any(|allowed| allowed == "https");
    if !usual
        && !schemes.iter().any(|allowed| allowed.eq_ignore_ascii_case(scheme))
        && j.report_at(Code::UriScheme, path, Params::Allowed(Allowed::Texts(schemes)))
    {
        return None;
    }
    if !facts.characters {
        return None;
    }
    if !facts.authority && j.report_at(Code::UriSyntax, path, Params::None) {
        return None;
    }
    if facts.credentials && j.report_at(Code::UriCredentials, path, Params::None) {
        return None;
    }
    Some(facts.private_host)
}
