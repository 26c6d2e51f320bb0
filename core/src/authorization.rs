//! The Authorization header (§5): the Bearer scheme by the grammar of RFC 6750 §2.1.

use alloc::borrow::Cow;
use core::fmt;

/// What the host says of a request's credential. Debug output never shows the header.
#[derive(Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Authorization<'a> {
    /// The value of the Authorization header, if there was one.
    pub header: Option<Cow<'a, str>>,
    /// Whether the host accepts the token.
    pub accepted: bool,
}

impl fmt::Debug for Authorization<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let header = self.header.as_ref().map(|_| "***");
        f.debug_struct("Authorization").field("header", &header).field("accepted", &self.accepted).finish()
    }
}

/// Why a request is not authorized.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unauthorized {
    /// There is no Authorization header, or one of another scheme: the client did not try this one.
    #[error("no Bearer credential was sent")]
    Missing,
    /// The header is not of the Bearer scheme's grammar, or the host does not accept its token.
    #[error("the Bearer credential is not acceptable")]
    Unacceptable,
}

impl Unauthorized {
    /// The value of the answer's WWW-Authenticate header (RFC 6750 §3): no error for who did not try, §3.1.
    pub fn challenge(self) -> &'static str {
        match self {
            Unauthorized::Missing => "Bearer",
            Unauthorized::Unacceptable => "Bearer error=\"invalid_token\"",
        }
    }
}

impl<'a> Authorization<'a> {
    /// The header's value, if there was one, and whether the host accepts its token.
    pub fn new(header: Option<&'a str>, accepted: bool) -> Self {
        Authorization { header: header.map(Cow::Borrowed), accepted }
    }

    pub(crate) fn check(&self) -> Result<(), Unauthorized> {
        bearer_token(self.header.as_deref())?;
        if self.accepted { Ok(()) } else { Err(Unauthorized::Unacceptable) }
    }
}

/// The token of an Authorization header: `Bearer`, in any case, blanks, one b64token. Nothing is trimmed.
///
/// # Errors
/// What to answer with 401.
///
/// # Examples
/// ```
/// use payspec::{Unauthorized, bearer_token};
///
/// assert_eq!(bearer_token(Some("bearer mF_9.B5f-4.1JqM")), Ok("mF_9.B5f-4.1JqM"));
/// assert_eq!(bearer_token(Some("Bearer two words")), Err(Unauthorized::Unacceptable));
/// assert_eq!(bearer_token(Some("Basic dTpw")), Err(Unauthorized::Missing));
/// assert_eq!(bearer_token(None).unwrap_err().challenge(), "Bearer");
/// ```
pub fn bearer_token(header: Option<&str>) -> Result<&str, Unauthorized> {
    let header = header.ok_or(Unauthorized::Missing)?;
    let (scheme, rest) = header.split_once(' ').unwrap_or((header, ""));
    if !scheme.eq_ignore_ascii_case("Bearer") {
        return Err(Unauthorized::Missing);
    }
    let token = rest.trim_start_matches(' ');
    let characters = token.trim_end_matches('=');
    let grammar = !characters.is_empty()
        && characters.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._~+/".contains(&byte));
    if grammar { Ok(token) } else { Err(Unauthorized::Unacceptable) }
}
