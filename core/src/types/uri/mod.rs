//! URIs of a body (§2.2 callback, redirect_url; §2.1 url, receipts) by RFC 3986, and private hosts.
//!
//! Nothing is repaired: no trimming, no percent-decoding, no IDNA.

mod host;
#[cfg(test)]
mod tests;

use core::net::Ipv6Addr;

#[cfg(feature = "alloc")]
pub use host::is_private_host;
use host::{is_private_name, is_private_v6};

use crate::util::string_enum::string_enum;

string_enum! {
    /// The part of a URI that is missing or not valid.
    #[non_exhaustive]
    UriPart {
        /// The URI does not begin with a scheme, so it is not absolute.
        Scheme = "scheme",
        /// A character outside RFC 3986, a `%` without two hexadecimal digits, or a misplaced delimiter.
        Character = "character",
        /// The host of the authority.
        Host = "host",
        /// The port of the authority.
        Port = "port",
    }
}

impl UriPart {
    /// Returns the index in [`ALL`](Self::ALL), which is its number in violations.
    #[expect(clippy::as_conversions, reason = "the discriminants are the indexes")]
    pub(crate) fn index(self) -> usize {
        self as usize
    }
}

/// A URI that begins with a scheme. The rules check the scheme, the characters, and the authority, in this order.
#[derive(Clone, Copy)]
pub(crate) struct Uri<'a> {
    pub(crate) scheme: &'a str,
    /// The text between `//` and the path. Without `//`, it is empty.
    authority: &'a [u8],
    /// The path, the query, and the fragment.
    path: &'a [u8],
    /// The kinds of the bytes of both.
    kinds: u8,
}

/// The authority of a URI (RFC 3986, section 3.2).
pub(crate) struct Authority<'a> {
    /// The invalid part of the authority, or [`UriPart::Character`] for a misplaced delimiter before or after it
    /// (`uri_syntax`, but after `uri_scheme`).
    pub(crate) invalid: Option<UriPart>,
    /// Set if it has userinfo, even if that is empty (`uri_credentials`).
    pub(crate) has_credentials: bool,
    host: Host<'a>,
}

enum Host<'a> {
    Name(&'a [u8]),
    V6(Ipv6Addr),
    /// An address in brackets of a later version.
    Future,
}

/// The kinds of a byte, one bit each. The kinds of several bytes are the union of their bits.
const OTHER: u8 = 1;
const PERCENT: u8 = 1 << 1;
const BRACKET: u8 = 1 << 2;
const HASH: u8 = 1 << 3;
const AT: u8 = 1 << 4;
const COLON: u8 = 1 << 5;
const SCHEME: u8 = 1 << 6;
/// The characters that end an authority.
const END: u8 = 1 << 7;

/// The characters of RFC 3986, section 2. Characters without a kind, and `SCHEME`, are allowed anywhere after the scheme.
#[expect(clippy::as_conversions, clippy::indexing_slicing, reason = "evaluated by the compiler")]
static KINDS: [u8; 256] = {
    let mut kinds = [0; 256];
    let mut byte = 0;
    while byte < kinds.len() {
        kinds[byte] = match byte as u8 {
            b'%' => PERCENT,
            b'[' | b']' => BRACKET,
            b'#' => HASH | END,
            b'/' | b'?' => END,
            b'@' => AT,
            b':' => COLON,
            b'+' | b'-' | b'.' | b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' => SCHEME,
            b'_' | b'~' | b'!' | b'$' | b'&' | b'\'' | b'(' | b')' | b'*' | b',' | b';' | b'=' => 0,
            _ => OTHER,
        };
        byte += 1;
    }
    kinds
};

/// Schemes of URIs that run code or read files, which are never the URI of a payment.
pub(crate) static ACTIVE_SCHEMES: [&str; 4] = ["javascript", "data", "vbscript", "file"];

/// Checks if the scheme is one of [`ACTIVE_SCHEMES`], in any case.
pub(crate) fn is_active_scheme(scheme: &str) -> bool {
    ACTIVE_SCHEMES.iter().any(|active| active.eq_ignore_ascii_case(scheme))
}

/// Checks if the text is an absolute URI whose scheme is not an active one. A URI of http or https must have a host.
pub(crate) fn is_absolute_uri(text: &str) -> bool {
    Uri::split(text).is_some_and(|uri| {
        !is_active_scheme(uri.scheme) && uri.has_valid_characters() && uri.authority().invalid.is_none()
    })
}

impl<'a> Uri<'a> {
    /// Splits at the first `:`. Returns `None` if the text before it is not a scheme, so that the text is not an
    /// absolute URI (`uri_syntax`).
    pub(crate) fn split(text: &'a str) -> Option<Self> {
        // Nearly all URIs are https. One comparison saves 200 instructions per body (3 % of a verdict).
        let (scheme, rest) = match text.strip_prefix("https:") {
            Some(rest) => ("https", rest),
            None => text.split_once(':').filter(|(scheme, _)| is_scheme(scheme))?,
        };
        let Some(hierarchy) = rest.strip_prefix("//").map(str::as_bytes) else {
            return Some(Uri { scheme, authority: &[], path: rest.as_bytes(), kinds: kinds_of(rest.as_bytes()) });
        };
        let mut kinds = 0;
        let end = hierarchy.iter().position(|byte| {
            kinds |= kind(*byte);
            kinds & END != 0
        });
        let end = end.unwrap_or(hierarchy.len());
        let (authority, path) = hierarchy.split_at_checked(end)?;
        Some(Uri { scheme, authority, path, kinds: kinds | kinds_of(path) })
    }

    /// Checks if RFC 3986 allows every character, and two hexadecimal digits follow every `%` (otherwise `uri_syntax`).
    pub(crate) fn has_valid_characters(&self) -> bool {
        let is_triplet =
            |after: &[u8]| after.first_chunk::<2>().is_some_and(|two| two.iter().all(u8::is_ascii_hexdigit));
        let are_triplets = |part: &[u8]| part.split(|byte| *byte == b'%').skip(1).all(is_triplet);
        self.kinds & OTHER == 0
            && (self.kinds & PERCENT == 0 || are_triplets(self.authority) && are_triplets(self.path))
    }

    /// Returns the authority of a URI with valid characters. A URI of http or https must have a host without `%`.
    pub(crate) fn authority(&self) -> Authority<'a> {
        if self.kinds & (BRACKET | HASH) != 0 && !delimiters(self.path) {
            return Authority::invalid(UriPart::Character);
        }
        let mut authority = Authority::parse(self.authority, self.kinds).unwrap_or_else(Authority::invalid);
        // HTTP clients decode the host before they connect, so `%6cocalhost` would hide a private host.
        if matches!(authority.host, Host::Name(name) if name.is_empty() || self.kinds & PERCENT != 0 && name.contains(&b'%'))
            && (self.scheme.eq_ignore_ascii_case("https") || self.scheme.eq_ignore_ascii_case("http"))
        {
            authority.invalid = Some(UriPart::Host);
        }
        authority
    }
}

/// Checks if the text is a scheme (RFC 3986, section 3.1).
pub(crate) fn is_scheme(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic()) && text.bytes().all(|byte| kind(byte) & SCHEME != 0)
}

/// Checks if a path, query, and fragment contain no bracket, which only a host may contain, and at most one `#`.
fn delimiters(path: &[u8]) -> bool {
    kinds_of(path) & BRACKET == 0 && path.iter().filter(|byte| **byte == b'#').count() <= 1
}

impl<'a> Authority<'a> {
    /// Parses an authority. `kinds` contains the kinds of its bytes.
    fn parse(authority: &'a [u8], kinds: u8) -> Result<Self, UriPart> {
        // Most URIs have no such character, and their authority is the host.
        if kinds & (AT | COLON | BRACKET) == 0 {
            return Ok(Authority { invalid: None, has_credentials: false, host: Host::Name(authority) });
        }
        let (has_credentials, location) = match split_once(authority, b'@') {
            Some((userinfo, location)) if kinds_of(userinfo) & BRACKET == 0 => (true, location),
            Some(_) => return Err(UriPart::Character),
            None => (false, authority),
        };
        let (host, port) = match location.strip_prefix(b"[") {
            Some(literal) => {
                let (literal, after) = split_once(literal, b']').ok_or(UriPart::Host)?;
                let host = ip_literal(literal).ok_or(UriPart::Host)?;
                let port = after.strip_prefix(b":").or(after.is_empty().then_some(after)).ok_or(UriPart::Host)?;
                (host, port)
            }
            None => {
                let (name, port) = split_once(location, b':').unwrap_or((location, &[]));
                // A second `@` then counts as part of the host, and a second `:` as part of the port.
                if kinds_of(name) & (AT | BRACKET) != 0 {
                    return Err(UriPart::Host);
                }
                (Host::Name(name), port)
            }
        };
        let fits = port_fits(port).ok_or(UriPart::Port)?;
        Ok(Authority { invalid: (!fits).then_some(UriPart::Port), has_credentials, host })
    }

    /// Returns an authority that is not split, because this part of it is invalid.
    fn invalid(part: UriPart) -> Self {
        Authority { invalid: Some(part), has_credentials: false, host: Host::Future }
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

/// Parses the address in the brackets of a host: an IPv6 address without a zone, because RFC 3986 does not allow zones,
/// or an address of a later version, which is `v`, the version, a dot, and the address.
fn ip_literal(literal: &[u8]) -> Option<Host<'_>> {
    if let [b'v' | b'V', future @ ..] = literal {
        let (version, address) = split_once(future, b'.')?;
        let is_valid = !version.is_empty()
            && version.iter().all(u8::is_ascii_hexdigit)
            && !address.is_empty()
            && kinds_of(address) & (PERCENT | BRACKET | AT) == 0;
        return is_valid.then_some(Host::Future);
    }
    core::str::from_utf8(literal).ok()?.parse().ok().map(Host::V6)
}

/// Checks if the port is at most 65535, with any number of leading zeros. Returns `None` if it contains other
/// characters than digits.
fn port_fits(port: &[u8]) -> Option<bool> {
    if !port.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let number = port
        .iter()
        .try_fold(0_u16, |value, byte| value.checked_mul(10)?.checked_add(u16::from(byte.wrapping_sub(b'0'))));
    Some(number.is_some())
}

fn kind(byte: u8) -> u8 {
    KINDS.get(usize::from(byte)).copied().unwrap_or(OTHER)
}

fn kinds_of(bytes: &[u8]) -> u8 {
    let any = |bytes: &[u8]| bytes.iter().fold(0, |kinds, byte| kinds | kind(*byte));
    // The compiler unrolls the loop over a word.
    let (words, rest) = bytes.as_chunks::<8>();
    words.iter().fold(any(rest), |kinds, word| kinds | any(word))
}

fn split_once(bytes: &[u8], separator: u8) -> Option<(&[u8], &[u8])> {
    let at = bytes.iter().position(|byte| *byte == separator)?;
    Some((bytes.get(..at)?, bytes.get(at.checked_add(1)?..)?))
}
