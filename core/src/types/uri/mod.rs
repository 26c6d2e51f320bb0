//! URIs of a body (§2.2 callback, redirect_url; §2.1 url, receipts) by RFC 3986, and private hosts.
//!
//! Nothing is repaired: no trimming, no percent-decoding, no IDNA.

mod host;
#[cfg(test)]
mod tests;

use core::net::Ipv6Addr;

pub use host::is_private_host;
use host::{is_private_name, is_private_v6};

/// The part of a URI that is missing or not valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum UriPart {
    /// The URI does not begin with a scheme, so it is not absolute.
    Scheme,
    /// A character outside RFC 3986, a `%` without two hexadecimal digits, or a misplaced delimiter.
    Character,
    /// The host of the authority.
    Host,
    /// The port of the authority.
    Port,
}

impl UriPart {
    /// Returns the name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            UriPart::Scheme => "scheme",
            UriPart::Character => "character",
            UriPart::Host => "host",
            UriPart::Port => "port",
        }
    }
}

/// The parts of a URI that the rules check, in the order of the rules. After an invalid part, the later ones are not
/// set.
#[derive(Clone, Copy, Debug)]
pub(crate) struct UriFacts<'a> {
    /// The text before the first `:`, if it is a scheme. Otherwise, the text is not an absolute URI (`uri_syntax`).
    pub(crate) scheme: Option<&'a str>,
    /// Set if every character is allowed by RFC 3986 and every `%` begins a triplet (otherwise `uri_syntax`).
    pub(crate) characters: bool,
    /// Set if the authority is well-formed with a port of at most 65535, and the rest has no misplaced character. A
    /// URI of http or https must also have a host without `%`.
    ///
    /// Otherwise the rule is `uri_syntax`, but after `uri_scheme`.
    pub(crate) authority: bool,
    /// The invalid part, if the scheme, a character or the authority is invalid. Otherwise it has no meaning.
    pub(crate) invalid: UriPart,
    /// Set if the host is not empty.
    host: bool,
    /// Set if the authority has userinfo, even if it is empty (`uri_credentials`).
    pub(crate) credentials: bool,
    /// Set if the host is private, see [`is_private_host`] (`uri_private_host`).
    pub(crate) private_host: bool,
}

/// The kinds of a byte, one bit each. The kinds of several bytes are the union of their bits.
const OTHER: u8 = 1;
const PERCENT: u8 = 1 << 1;
const BRACKET: u8 = 1 << 2;
const HASH: u8 = 1 << 3;
const AT: u8 = 1 << 4;
const COLON: u8 = 1 << 5;
const SCHEME: u8 = 1 << 6;

/// The characters of RFC 3986, section 2. Those of kind 0 and `SCHEME` are allowed anywhere after the scheme.
#[expect(clippy::indexing_slicing, reason = "a constant: an index out of bounds does not compile")]
static KINDS: [u8; 256] = {
    let mut kinds = [OTHER; 256];
    let allowed = b"-._~!$&'()*+,;=/?#[]@:%0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    let mut next = 0;
    while next < allowed.len() {
        let byte = allowed[next];
        #[expect(clippy::as_conversions, reason = "usize::from is not for constants yet")]
        let at = byte as usize;
        kinds[at] = match byte {
            b'%' => PERCENT,
            b'[' | b']' => BRACKET,
            b'#' => HASH,
            b'@' => AT,
            b':' => COLON,
            b'+' | b'-' | b'.' | b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' => SCHEME,
            _ => 0,
        };
        next += 1;
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
    let facts = inspect(text);
    facts.scheme.is_some_and(|scheme| !is_active_scheme(scheme)) && facts.characters && facts.authority
}

/// Splits a URI into the parts that the rules check.
pub(crate) fn inspect(text: &str) -> UriFacts<'_> {
    let mut facts = UriFacts {
        scheme: None,
        characters: false,
        authority: false,
        invalid: UriPart::Scheme,
        host: false,
        credentials: false,
        private_host: false,
    };
    let Some((scheme, rest)) = split_scheme(text) else { return facts };
    facts.scheme = Some(scheme);
    facts.invalid = UriPart::Character;
    let hierarchy = rest.strip_prefix(b"//");
    let (authority, path) = hierarchy.map_or((&[][..], rest), split_authority);
    let kinds = kinds_of(rest);
    facts.characters = characters(rest, kinds);
    if !facts.characters || kinds & (BRACKET | HASH) != 0 && !delimiters(path) {
        return facts;
    }
    let parts = match Authority::split(authority, kinds) {
        Ok(parts) => parts,
        Err(invalid) => return UriFacts { invalid, ..facts },
    };
    facts.credentials = parts.userinfo;
    facts.host = parts.address.is_some() || !parts.host.is_empty();
    facts.private_host = match parts.address {
        Some(address) => address.is_some_and(is_private_v6),
        None => is_private_name(parts.host),
    };
    // HTTP clients decode the host before they connect, so `%6cocalhost` would hide a private host.
    let is_encoded = kinds & PERCENT != 0 && parts.host.contains(&b'%');
    let is_host = !is_web(scheme) || facts.host && !is_encoded;
    facts.authority = is_host && parts.port;
    facts.invalid = if is_host { UriPart::Port } else { UriPart::Host };
    facts
}

/// Checks if the scheme is http or https, in any case.
fn is_web(scheme: &str) -> bool {
    scheme.eq_ignore_ascii_case("https") || scheme.eq_ignore_ascii_case("http")
}

/// Splits at the first `:` after a scheme.
fn split_scheme(text: &str) -> Option<(&str, &[u8])> {
    // Nearly all URIs are https. One comparison saves 200 instructions per body (3 % of a verdict).
    if let Some(rest) = text.strip_prefix("https:") {
        return Some(("https", rest.as_bytes()));
    }
    let colon = text.bytes().position(|byte| kind(byte) & SCHEME == 0)?;
    let (scheme, rest) = text.split_at_checked(colon)?;
    let rest = rest.as_bytes().strip_prefix(b":")?;
    is_scheme(scheme).then_some((scheme, rest))
}

/// Checks if the text is a scheme (RFC 3986, section 3.1).
pub(crate) fn is_scheme(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic()) && text.bytes().all(|byte| kind(byte) & SCHEME != 0)
}

/// Splits the text after `//` at the end of the authority.
fn split_authority(hierarchy: &[u8]) -> (&[u8], &[u8]) {
    let end = hierarchy.iter().position(|byte| matches!(byte, b'/' | b'?' | b'#')).unwrap_or(hierarchy.len());
    hierarchy.split_at_checked(end).unwrap_or_default()
}

/// Checks if RFC 3986 allows bytes of these kinds, and every `%` begins a triplet.
fn characters(bytes: &[u8], kinds: u8) -> bool {
    kinds & OTHER == 0 && (kinds & PERCENT == 0 || triplets(bytes))
}

/// Checks if a path, query and fragment contain no bracket, which only a host may contain, and at most one `#`.
fn delimiters(path: &[u8]) -> bool {
    kinds_of(path) & BRACKET == 0 && path.iter().filter(|byte| **byte == b'#').count() <= 1
}

/// The parts of an authority (RFC 3986, section 3.2).
struct Authority<'a> {
    userinfo: bool,
    /// Set if the port is absent, empty, or at most 65535.
    port: bool,
    /// The name, or empty for an address in brackets.
    host: &'a [u8],
    /// The address in brackets: an IPv6 address, or `Some(None)` for one of a later version.
    address: Option<Option<Ipv6Addr>>,
}

impl<'a> Authority<'a> {
    /// Splits an authority. `kinds` contains the kinds of its bytes.
    fn split(authority: &'a [u8], kinds: u8) -> Result<Self, UriPart> {
        // Most URIs have no such character, and their authority is the host.
        if kinds & (AT | COLON | BRACKET) == 0 {
            return Ok(Self { userinfo: false, port: true, host: authority, address: None });
        }
        let (userinfo, location) = match split_once(authority, b'@') {
            Some((userinfo, location)) if kinds_of(userinfo) & BRACKET == 0 => (true, location),
            Some(_) => return Err(UriPart::Character),
            None => (false, authority),
        };
        if let Some(literal) = location.strip_prefix(b"[") {
            let (literal, port) = split_once(literal, b']').ok_or(UriPart::Host)?;
            let address = ip_literal(literal).ok_or(UriPart::Host)?;
            let port = match port {
                [] => true,
                [b':', port @ ..] => port_fits(port).ok_or(UriPart::Port)?,
                _ => return Err(UriPart::Host),
            };
            return Ok(Self { userinfo, port, host: &[], address: Some(address) });
        }
        let (host, port) = split_once(location, b':').unwrap_or((location, &[]));
        // A second `@` then counts as part of the host, and a second `:` as part of the port.
        if kinds_of(host) & (AT | BRACKET) != 0 {
            return Err(UriPart::Host);
        }
        let port = port_fits(port).ok_or(UriPart::Port)?;
        Ok(Self { userinfo, port, host, address: None })
    }
}

/// Parses the address in the brackets of a host.
///
/// Accepts an IPv6 address without a zone, because RFC 3986 does not allow zones. Returns `Some(None)` for an address
/// of a later version: `v`, the version, a dot and the address.
fn ip_literal(literal: &[u8]) -> Option<Option<Ipv6Addr>> {
    if let [b'v' | b'V', future @ ..] = literal {
        let (version, address) = split_once(future, b'.')?;
        let is_valid = !version.is_empty()
            && version.iter().all(u8::is_ascii_hexdigit)
            && !address.is_empty()
            && kinds_of(address) & (PERCENT | BRACKET | AT) == 0;
        return is_valid.then_some(None);
    }
    core::str::from_utf8(literal).ok()?.parse().ok().map(Some)
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

/// Checks if two hexadecimal digits follow every `%`.
fn triplets(bytes: &[u8]) -> bool {
    bytes
        .split(|byte| *byte == b'%')
        .skip(1)
        .all(|after| matches!(after, [a, b, ..] if a.is_ascii_hexdigit() && b.is_ascii_hexdigit()))
}

fn split_once(bytes: &[u8], separator: u8) -> Option<(&[u8], &[u8])> {
    let at = bytes.iter().position(|byte| *byte == separator)?;
    Some((bytes.get(..at)?, bytes.get(at.checked_add(1)?..)?))
}
