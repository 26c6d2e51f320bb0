//! URIs of a body (§2.2 callback, redirect_url; §2.1 url, receipts) by RFC 3986, and private hosts.
//!
//! Nothing is repaired: no trimming, no percent-decoding, no IDNA.

mod host;
mod kinds;
#[cfg(test)]
mod tests;

use core::net::Ipv6Addr;

pub use host::is_private_host;
use host::{is_private_name, is_private_v6};
use kinds::{AT, BRACKET, COLON, END, HASH, OTHER, PERCENT, SCHEME, kind, kinds_of};

use crate::util::string_enum::string_enum;

string_enum! {
    /// The part of a URI that is missing or not valid.
    #[non_exhaustive]
    UriPart {
        /// The URI does not begin with a scheme, so it is not absolute.
        Scheme = "scheme",
        /// A character outside RFC 3986, a `%` without two hexadecimal digits, or a misplaced
        /// delimiter.
        Character = "character",
        /// The host of the authority.
        Host = "host",
        /// The port of the authority.
        Port = "port",
    }
}

/// A URI that begins with a scheme. The rules check the scheme, the characters, and the authority,
/// in this order.
#[derive(Clone, Copy)]
pub(crate) struct Uri<'a> {
    pub(crate) scheme: &'a str,
    /// The text between `//` and the path. Without `//`, it is empty.
    authority: &'a str,
    /// The path, the query, and the fragment.
    path: &'a str,
    /// The kinds of the bytes of both.
    kinds: u8,
}

/// The authority of a URI (RFC 3986, section 3.2).
pub(crate) struct Authority<'a> {
    /// The invalid part of the authority, or [`UriPart::Character`] for a misplaced delimiter
    /// before or after it (`uri_syntax`, but after `uri_scheme`).
    pub(crate) invalid: Option<UriPart>,
    /// Set if it has userinfo, even if that is empty (`uri_credentials`).
    pub(crate) has_credentials: bool,
    host: Host<'a>,
}

enum Host<'a> {
    Name(&'a str),
    V6(Ipv6Addr),
    /// An address in brackets of a later version.
    Future,
}

/// Schemes of URIs that run code or read files, which are never the URI of a payment.
pub(crate) static ACTIVE_SCHEMES: [&str; 4] = ["javascript", "data", "vbscript", "file"];

/// Checks if the scheme is one of [`ACTIVE_SCHEMES`], in any case.
pub(crate) fn is_active_scheme(scheme: &str) -> bool {
    ACTIVE_SCHEMES
        .iter()
        .any(|active| active.eq_ignore_ascii_case(scheme))
}

/// Checks if the text is an absolute URI whose scheme is not an active one. A URI of http or https
/// must have a host.
pub(crate) fn is_absolute_uri(text: &str) -> bool {
    Uri::split(text).is_some_and(|uri| {
        !is_active_scheme(uri.scheme)
            && uri.has_valid_characters()
            && uri.authority().invalid.is_none()
    })
}

/// Checks if the text is a scheme (RFC 3986, section 3.1).
pub(crate) fn is_scheme(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic())
        && text.bytes().all(|byte| kind(byte) & SCHEME != 0)
}

impl<'a> Uri<'a> {
    /// Splits at the first `:`. Returns `None` if the text before it is not a scheme, so that the
    /// text is not an absolute URI (`uri_syntax`).
    // Inlined, since the caller would copy the returned value in wider pieces than it was written.
    // The processor waits 10 ns for such a copy. The same is true of `authority`.
    #[inline(always)]
    pub(crate) fn split(text: &'a str) -> Option<Self> {
        // Nearly all URIs are https. One comparison saves 200 instructions per body (3 % of a
        // verdict).
        let (scheme, rest) = match text.strip_prefix("https:") {
            Some(rest) => ("https", rest),
            None => text
                .split_once(':')
                .filter(|(scheme, _)| is_scheme(scheme))?,
        };
        let mut kinds = 0;
        let (authority, path) = match rest.strip_prefix("//") {
            Some(hierarchy) => {
                let end = hierarchy.bytes().position(|byte| {
                    kinds |= kind(byte);
                    kinds & END != 0
                });
                hierarchy.split_at_checked(end.unwrap_or(hierarchy.len()))?
            }
            None => ("", rest),
        };
        Some(Uri {
            scheme,
            authority,
            path,
            kinds: kinds | kinds_of(path),
        })
    }

    /// Checks if RFC 3986 allows every character, and two hexadecimal digits follow every `%`
    /// (otherwise `uri_syntax`).
    pub(crate) fn has_valid_characters(&self) -> bool {
        self.kinds & OTHER == 0
            && (self.kinds & PERCENT == 0
                || has_valid_triplets(self.authority) && has_valid_triplets(self.path))
    }

    /// Returns the authority of a URI with valid characters. A URI of http or https must have a
    /// host without `%`.
    #[inline(always)]
    pub(crate) fn authority(&self) -> Authority<'a> {
        if self.kinds & (BRACKET | HASH) != 0 && !has_valid_delimiters(self.path) {
            return Authority::invalid(UriPart::Character);
        }
        // Most URIs have no such character, and their authority is the host.
        let mut authority = if self.kinds & (AT | COLON | BRACKET) == 0 {
            Authority::from_host(Host::Name(self.authority))
        } else {
            Authority::parse(self.authority).unwrap_or_else(Authority::invalid)
        };
        // HTTP clients decode the host before they connect, so `%6cocalhost` would hide a private
        // host.
        if let Host::Name(name) = authority.host
            && (name.is_empty() || self.kinds & PERCENT != 0 && name.contains('%'))
            && self.is_web()
        {
            authority.invalid = Some(UriPart::Host);
        }
        authority
    }

    fn is_web(&self) -> bool {
        ["https", "http"]
            .iter()
            .any(|web| self.scheme.eq_ignore_ascii_case(web))
    }
}

/// Checks if two hexadecimal digits follow every `%`.
fn has_valid_triplets(part: &str) -> bool {
    let is_triplet = |after: &str| {
        let digits = after.as_bytes().first_chunk::<2>();
        digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
    };
    part.split('%').skip(1).all(is_triplet)
}

/// Checks if a path, query, and fragment contain no bracket, which only a host may contain, and at
/// most one `#`.
fn has_valid_delimiters(path: &str) -> bool {
    kinds_of(path) & BRACKET == 0 && path.matches('#').count() <= 1
}

impl<'a> Authority<'a> {
    /// Returns an authority that consists of a host.
    fn from_host(host: Host<'a>) -> Self {
        Authority {
            invalid: None,
            has_credentials: false,
            host,
        }
    }

    /// Parses an authority: userinfo, host, and port.
    fn parse(authority: &'a str) -> Result<Self, UriPart> {
        let (has_credentials, location) = match authority.split_once('@') {
            Some((userinfo, location)) if kinds_of(userinfo) & BRACKET == 0 => (true, location),
            Some(_) => return Err(UriPart::Character),
            None => (false, authority),
        };
        let (host, port) = match location.strip_prefix('[') {
            Some(literal) => split_literal(literal).ok_or(UriPart::Host)?,
            None => {
                let (name, port) = location.split_once(':').unwrap_or((location, ""));
                // A second `@` then counts as part of the host, and a second `:` as part of the
                // port.
                if kinds_of(name) & (AT | BRACKET) != 0 {
                    return Err(UriPart::Host);
                }
                (Host::Name(name), port)
            }
        };
        if !port.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(UriPart::Port);
        }
        // Any number of leading zeros is allowed.
        let fits = port.is_empty() || port.parse::<u16>().is_ok();
        Ok(Authority {
            invalid: (!fits).then_some(UriPart::Port),
            has_credentials,
            host,
        })
    }

    /// Returns an authority that is not split, because this part of it is invalid.
    fn invalid(part: UriPart) -> Self {
        Authority {
            invalid: Some(part),
            has_credentials: false,
            host: Host::Future,
        }
    }

    /// Checks if the host is private, see [`is_private_host`] (`uri_private_host`).
    pub(crate) fn has_private_host(&self) -> bool {
        match self.host {
            Host::Name(name) => is_private_name(name),
            Host::V6(address) => is_private_v6(address),
            Host::Future => false,
        }
    }
}

/// Splits the text after `[` into the address and the port.
fn split_literal(text: &str) -> Option<(Host<'_>, &str)> {
    let (literal, after) = text.split_once(']')?;
    let host = parse_literal(literal)?;
    if after.is_empty() {
        Some((host, ""))
    } else {
        Some((host, after.strip_prefix(':')?))
    }
}

/// Parses the address in the brackets of a host: an IPv6 address without a zone, because RFC 3986
/// does not allow zones, or an address of a later version, which is `v`, the version, a dot, and
/// the address.
fn parse_literal(literal: &str) -> Option<Host<'_>> {
    if let Some(future) = literal.strip_prefix(['v', 'V']) {
        let (version, address) = future.split_once('.')?;
        let is_valid = !version.is_empty()
            && version.bytes().all(|byte| byte.is_ascii_hexdigit())
            && !address.is_empty()
            && kinds_of(address) & (PERCENT | BRACKET | AT) == 0;
        return is_valid.then_some(Host::Future);
    }
    literal.parse().ok().map(Host::V6)
}
