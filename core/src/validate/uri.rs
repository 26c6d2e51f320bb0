//! The rules of a URI, the same in requests and payments.

use crate::report::code::Code;
use crate::types::uri::{Uri, UriPart};
use crate::util::text::Text;

/// Reports the violations of a URI of at most `limit` bytes, whose scheme `accepts` must accept.
/// Returns whether its host is private, or `None` if an error has ended its rules or the host
/// cannot be read.
///
/// `report` takes a violation with the invalid part of the URI, if there is one.
#[inline(never)]
#[cfg_attr(optimize_attribute, optimize(speed))]
pub(crate) fn validate_uri<T: Text>(
    text: T,
    limit: usize,
    accepts: &dyn Fn(T) -> bool,
    report: &mut dyn FnMut(Code, Option<UriPart>) -> bool,
) -> Option<bool> {
    let mut check = |holds: bool, code, part| (holds || !report(code, part)).then_some(());
    check(text.len() <= limit, Code::TextTooLong, None)?;
    let uri = Uri::split(text);
    let invalid = match &uri {
        None => Some(UriPart::Scheme),
        Some(uri) => (!uri.has_valid_characters()).then_some(UriPart::Character),
    };
    check(invalid.is_none(), Code::UriSyntax, invalid)?;
    let uri = uri?;
    check(accepts(uri.scheme()), Code::UriScheme, None)?;
    if invalid.is_some() {
        return None;
    }
    let authority = uri.authority();
    check(
        authority.invalid.is_none(),
        Code::UriSyntax,
        authority.invalid,
    )?;
    check(!authority.has_credentials, Code::UriCredentials, None)?;
    Some(authority.has_private_host)
}
