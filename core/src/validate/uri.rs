//! The rules of a URI, the same in requests and payments.

use super::validator::Validator;
use crate::report::code::Code;
use crate::report::{Allowed, Params, Pointer};
use crate::types::uri::inspect;

/// Reports the violations of a URI. Returns whether its host is private, or `None` if an error has ended its rules or the
/// host cannot be read.
pub(crate) fn validate_uri<'a>(v: &mut Validator<'a, '_>, path: Pointer<'a>, text: &str) -> Option<bool> {
    let policy = v.ruleset.policy();
    let limit = policy.limits.uri_bytes;
    let too_long = u64::try_from(text.len()).is_ok_and(|len| len > limit);
    if too_long && v.report_at(Code::TextTooLong, path, Params::Limit(limit)).stops() {
        return None;
    }
    let facts = inspect(text);
    let is_readable = facts.scheme.is_some() && facts.characters;
    if !is_readable && v.report_at(Code::UriSyntax, path, Params::None).stops() {
        return None;
    }
    let scheme = facts.scheme?;
    let schemes = &policy.urls.schemes;
    // Nearly every address is https: comparing with a constant takes no call.
    let usual = scheme == "https" && schemes.iter().any(|allowed| allowed == "https");
    if !usual
        && !schemes.iter().any(|allowed| allowed.eq_ignore_ascii_case(scheme))
        && v.report_at(Code::UriScheme, path, Params::Allowed(Allowed::Texts(schemes))).stops()
    {
        return None;
    }
    if !facts.characters {
        return None;
    }
    if !facts.authority && v.report_at(Code::UriSyntax, path, Params::None).stops() {
        return None;
    }
    if facts.credentials && v.report_at(Code::UriCredentials, path, Params::None).stops() {
        return None;
    }
    Some(facts.private_host)
}
