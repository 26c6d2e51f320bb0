//! The rules of a URI, the same in requests and payments.

use super::validator::Validator;
use crate::report::code::Code;
use crate::report::{Allowed, Params, Pointer};
use crate::types::uri::inspect;

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
