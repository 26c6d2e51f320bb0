//! The rules of a URI, the same in requests and payments.

use super::validator::Validator;
use crate::report::code::Code;
use crate::report::{Allowed, Params, Pointer};
use crate::types::uri::{ACTIVE_SCHEMES, Uri, UriPart, is_active_scheme};

/// The accepted schemes.
#[derive(Clone, Copy)]
enum Schemes {
    /// The schemes in the policy.
    Policy,
    /// All except active schemes, because bank applications have their own.
    Inactive,
}

/// Reports the violations of a URI in a request. Returns whether its host is private, or `None` if an error has ended its
/// rules or the host cannot be read.
pub(crate) fn validate_uri<'a>(v: &mut Validator<'a, '_>, path: Pointer<'a>, text: &str) -> Option<bool> {
    validate(v, path, text, Schemes::Policy)
}

/// Reports the violations of a URI that the service has added to a payment. Returns whether no error has ended its rules.
pub(crate) fn validate_payment_uri<'a>(v: &mut Validator<'a, '_>, path: Pointer<'a>, text: &str) -> bool {
    validate(v, path, text, Schemes::Inactive).is_some()
}

#[inline]
fn validate<'a>(v: &mut Validator<'a, '_>, path: Pointer<'a>, text: &str, accepted: Schemes) -> Option<bool> {
    let policy = v.ruleset.policy();
    let limit = policy.limits.uri_bytes;
    let fits = u64::try_from(text.len()).is_ok_and(|len| len <= limit);
    v.check_at(fits, Code::TextTooLong, path, Params::Limit(limit))?;
    let uri = Uri::split(text);
    let invalid = match &uri {
        None => Some(UriPart::Scheme),
        Some(uri) => (!uri.has_valid_characters()).then_some(UriPart::Character),
    };
    if let Some(part) = invalid {
        v.check_at(false, Code::UriSyntax, path, Params::Reason(part))?;
    }
    let uri = uri?;
    let scheme = uri.scheme;
    let schemes = &policy.urls.schemes;
    // Nearly every URI is https, and a comparison with a constant needs no call.
    let is_usual = scheme == "https" && schemes.iter().any(|allowed| allowed == "https");
    let (is_accepted, params) = match accepted {
        Schemes::Policy => (
            is_usual || schemes.iter().any(|allowed| allowed.eq_ignore_ascii_case(scheme)),
            Params::Allowed(Allowed::Texts(schemes)),
        ),
        Schemes::Inactive => (!is_active_scheme(scheme), Params::Refused(&ACTIVE_SCHEMES)),
    };
    v.check_at(is_accepted, Code::UriScheme, path, params)?;
    if invalid.is_some() {
        return None;
    }
    let authority = uri.authority();
    if let Some(part) = authority.invalid {
        v.check_at(false, Code::UriSyntax, path, Params::Reason(part))?;
    }
    v.check_at(!authority.has_credentials, Code::UriCredentials, path, Params::None)?;
    Some(authority.has_private_host())
}
