//! The Authorization header (§5): the Bearer scheme by the grammar of RFC 6750 §2.1.

use alloc::borrow::Cow;
use core::fmt;

/// The authorization of a request. Debug output never shows the header.
///
/// ```
/// use payspec::Authorization;
///
/// let authorization = Authorization::Header {
///     value: Some(b"Bearer mF_9.B5f-4.1JqM".into()),
///     accepted: true,
/// };
/// assert_eq!(format!("{authorization:?}"), r#"Header { value: Some("***"), accepted: true }"#);
/// ```
#[derive(Clone, PartialEq, Eq)]
pub enum Authorization<'a> {
    /// The caller has checked the credential.
    CheckedByCaller,
    /// The library checks the header's grammar, and the caller states if it accepts the token.
    Header {
        /// The bytes of the Authorization header, or `None` if the request has none.
        value: Option<Cow<'a, [u8]>>,
        /// Set if the caller accepts the token.
        accepted: bool,
    },
}

impl fmt::Debug for Authorization<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Authorization::CheckedByCaller => f.write_str("CheckedByCaller"),
            Authorization::Header { value, accepted } => {
                let value = value.as_ref().map(|_| "***");
                f.debug_struct("Header")
                    .field("value", &value)
                    .field("accepted", accepted)
                    .finish()
            }
        }
    }
}

/// The reason why a request is not authorized.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Unauthorized {
    /// The request has no Authorization header, or one of another scheme.
    #[error("no Bearer credential was sent")]
    Missing,
    /// The header violates the grammar of the Bearer scheme, or the caller does not accept its
    /// token.
    #[error("the Bearer credential is not acceptable")]
    Unacceptable,
}

impl Unauthorized {
    /// Returns the value of the WWW-Authenticate header (RFC 6750 §3). If the request carried no
    /// Bearer credentials, the challenge has no `error` (§3.1).
    pub fn challenge(self) -> &'static str {
        match self {
            Unauthorized::Missing => "Bearer",
            Unauthorized::Unacceptable => "Bearer error=\"invalid_token\"",
        }
    }
}

impl Authorization<'_> {
    /// Checks the header, and that the caller accepts its token.
    pub(crate) fn check(&self) -> Result<(), Unauthorized> {
        let Authorization::Header { value, accepted } = self else {
            return Ok(());
        };
        bearer_token(value.as_deref())?;
        if *accepted {
            Ok(())
        } else {
            Err(Unauthorized::Unacceptable)
        }
    }
}

/// Returns the token of an Authorization header: `Bearer` in any case, spaces, one b64token.
/// Nothing is trimmed.
///
/// The header is given as bytes, since a client can send others than ASCII.
///
/// # Errors
/// Returns [`Unauthorized`], which converts to the 401 outcome, if there is no such token.
///
/// # Examples
/// ```
/// use payspec::{Unauthorized, bearer_token};
///
/// assert_eq!(bearer_token(Some(b"bearer mF_9.B5f-4.1JqM")), Ok("mF_9.B5f-4.1JqM"));
/// assert_eq!(bearer_token(Some(b"Bearer two words")), Err(Unauthorized::Unacceptable));
/// assert_eq!(bearer_token(Some(b"Bearer \xFF")), Err(Unauthorized::Unacceptable));
/// assert_eq!(bearer_token(Some(b"Basic dTpw")), Err(Unauthorized::Missing));
/// assert_eq!(bearer_token(None).unwrap_err().challenge(), "Bearer");
/// ```
pub fn bearer_token(header: Option<&[u8]>) -> Result<&str, Unauthorized> {
    let header = header.ok_or(Unauthorized::Missing)?;
    let mut parts = header.splitn(2, |byte| *byte == b' ');
    let scheme = parts.next().unwrap_or_default();
    let rest = parts.next().unwrap_or_default();
    if !scheme.eq_ignore_ascii_case(b"Bearer") {
        return Err(Unauthorized::Missing);
    }
    let rest = core::str::from_utf8(rest).map_err(|_| Unauthorized::Unacceptable)?;
    let token = rest.trim_start_matches(' ');
    let characters = token.trim_end_matches('=');
    let grammar = !characters.is_empty()
        && characters
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"-._~+/".contains(&byte));
    if grammar {
        Ok(token)
    } else {
        Err(Unauthorized::Unacceptable)
    }
}
