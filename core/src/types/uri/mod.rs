//! URIs of a body (§2.2 callback, redirect_url; §2.1 url, receipts) by RFC 3986, and private hosts.
//!
//! Nothing is repaired: no trimming, no percent-decoding, no IDNA.

mod host;
mod kinds;
#[cfg(test)]
mod tests;

pub use host::is_private_host;
use host::{is_private_literal, is_private_name};
use kinds::{AT, BRACKET, COLON, END, HASH, OTHER, PERCENT, SCHEME, has, kind, kinds_of};

use crate::util::string_enum::string_enum;
use crate::util::text::Text;

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

impl UriPart {
    /// Returns the index in [`ALL`](Self::ALL), which is its number in violations.
    #[expect(clippy::as_conversions, reason = "the discriminants are the indexes")]
    pub(crate) fn index(self) -> usize {
        self as usize
    }
}

/// A URI that begins with a scheme. The rules check the scheme, the characters, and the authority,
/// in this order.
#[derive(Clone, Copy)]
pub(crate) struct Uri<T> {
    text: T,
    /// The position of the `:` after the scheme.
    colon: usize,
    /// The start and the end of the text between `//` and the path. Without `//`, it is empty.
    authority: (usize, usize),
    /// The kinds of the bytes from there on.
    kinds: u8,
}

/// The authority of a URI (RFC 3986, section 3.2). Without `//`, it is empty.
#[derive(Default)]
pub(crate) struct Authority {
    /// The invalid part of the authority, or [`UriPart::Character`] for a misplaced delimiter
    /// before or after it (`uri_syntax`, but after `uri_scheme`).
    pub(crate) invalid: Option<UriPart>,
    /// Set if it has userinfo, even if that is empty (`uri_credentials`).
    pub(crate) has_credentials: bool,
    /// Set if the host is private, see [`is_private_host`] (`uri_private_host`).
    pub(crate) has_private_host: bool,
}

/// Schemes of URIs that run code or read files, which are never the URI of a payment.
pub(crate) static ACTIVE_SCHEMES: [&str; 4] = ["javascript", "data", "vbscript", "file"];

/// Checks if the scheme is one of [`ACTIVE_SCHEMES`], in any case.
pub(crate) fn is_active_scheme<T: Text>(scheme: T) -> bool {
    ACTIVE_SCHEMES
        .iter()
        .any(|active| scheme.is_ignoring_case(active.as_bytes()))
}

/// Checks if the text is an absolute URI whose scheme is not an active one. A URI of http or https
/// must have a host.
pub(crate) fn is_absolute_uri(text: &str) -> bool {
    Uri::split(text.as_bytes()).is_some_and(|uri| {
        !is_active_scheme(uri.scheme())
            && uri.has_valid_characters()
            && uri.authority().invalid.is_none()
    })
}

impl<T: Text> Uri<T> {
    /// Splits at the first `:`. Returns `None` if the text before it is not a scheme, so that the
    /// text is not an absolute URI (`uri_syntax`).
    #[inline(always)]
    pub(crate) fn split(text: T) -> Option<Self> {
        // Nearly all URIs are https. One comparison saves 200 instructions per body (3 % of a
        // verdict).
        let is_https = T::IS_SLICE && text.starts_with(b"https:");
        let (start, text_end) = (text.start(), text.end());
        let colon = if is_https {
            start.wrapping_add(5)
        } else {
            text.find(start, text_end, b':')
        };
        let is_absolute = is_https || colon < text_end && is_scheme(text.part(start, colon));
        if !is_absolute {
            return None;
        }
        let (mut at, mut kinds) = (colon.wrapping_add(1), 0);
        let mut end = at;
        if text.part(at, text_end).starts_with(b"//") {
            at = at.wrapping_add(2);
            end = text.skip(at, text_end, |byte| {
                kinds |= kind(byte);
                kinds & END == 0
            });
        }
        Some(Uri {
            text,
            colon,
            authority: (at, end),
            kinds: kinds | kinds_of(text, end, text_end),
        })
    }

    pub(crate) fn scheme(self) -> T {
        self.text.part(self.text.start(), self.colon)
    }

    /// Checks if RFC 3986 allows every character, and two hexadecimal digits follow every `%`
    /// (otherwise `uri_syntax`).
    pub(crate) fn has_valid_characters(self) -> bool {
        let (text, end) = (self.text, self.text.end());
        let is_hex = |at: usize| at < end && text.byte(at).is_ascii_hexdigit();
        let is_triplet = |at: usize| is_hex(at.wrapping_add(1)) && is_hex(at.wrapping_add(2));
        let has_triplets = || (self.colon..end).all(|at| text.byte(at) != b'%' || is_triplet(at));
        self.kinds & OTHER == 0 && (self.kinds & PERCENT == 0 || has_triplets())
    }

    /// Returns the authority of a URI with valid characters. A URI of http or https must have a
    /// host without `%`.
    #[inline(always)]
    pub(crate) fn authority(self) -> Authority {
        let mut authority = Authority::default();
        authority.invalid = self.parse(&mut authority);
        authority
    }

    /// Parses the authority at a place, and returns the part that is not valid.
    #[inline(always)]
    fn parse(self, authority: &mut Authority) -> Option<UriPart> {
        let Uri {
            text,
            kinds,
            authority: (mut at, end),
            ..
        } = self;
        // Only a host contains brackets, and only one `#` begins a fragment.
        if kinds & (BRACKET | HASH) != 0 {
            let hash = text.find(end, text.end(), b'#');
            if has(text, end, text.end(), BRACKET)
                || text.find(hash.wrapping_add(1), text.end(), b'#') < text.end()
            {
                return Some(UriPart::Character);
            }
        }
        let mut host_end = end;
        // Most URIs have no such character, and their authority is the host.
        let (mut is_literal, mut port) = (false, 0_u32);
        let mut has_credentials = false;
        if kinds & (AT | COLON | BRACKET) != 0 {
            let userinfo = text.find(at, end, b'@');
            has_credentials = userinfo < end;
            if has_credentials {
                if has(text, at, userinfo, BRACKET) {
                    return Some(UriPart::Character);
                }
                at = userinfo.wrapping_add(1);
            }
            is_literal = at < end && text.byte(at) == b'[';
            let mut colon = text.find(at, end, if is_literal { b']' } else { b':' });
            host_end = colon;
            if is_literal {
                at = at.wrapping_add(1);
                colon = colon.wrapping_add(1);
                if colon > end || colon < end && text.byte(colon) != b':' {
                    return Some(UriPart::Host);
                }
            } else if has(text, at, host_end, AT | BRACKET) {
                // A second `@` counts as part of the host, and a second `:` as part of the port.
                return Some(UriPart::Host);
            }
            // Any number of leading zeros is allowed.
            for at in colon.wrapping_add(1)..end {
                let digit = text.byte(at);
                if !digit.is_ascii_digit() {
                    port = u32::MAX;
                    break;
                }
                port = port
                    .wrapping_mul(10)
                    .wrapping_add((digit & 0x0F).into())
                    .min(0x10000);
            }
        }
        let host = text.part(at, host_end);
        let private = if is_literal {
            is_private_literal(host)
        } else {
            Some(is_private_name(host))
        };
        let Some(private) = private else {
            return Some(UriPart::Host);
        };
        if port == u32::MAX {
            return Some(UriPart::Port);
        }
        (authority.has_credentials, authority.has_private_host) = (has_credentials, private);
        // HTTP clients decode the host before they connect, so `%6cocalhost` would hide a private
        // host.
        let has_scheme = |scheme: &[u8]| self.scheme().is_ignoring_case(scheme);
        let is_web = || has_scheme(b"https") || has_scheme(b"http");
        if !is_literal
            && (host.is_empty() || kinds & PERCENT != 0 && has(text, at, host_end, PERCENT))
            && is_web()
        {
            return Some(UriPart::Host);
        }
        (port > 0xFFFF).then_some(UriPart::Port)
    }
}

/// Checks if the text is a scheme (RFC 3986, section 3.1).
pub(crate) fn is_scheme<T: Text>(text: T) -> bool {
    !text.is_empty()
        && text.byte(text.start()).is_ascii_alphabetic()
        && text.skip(text.start(), text.end(), |byte| kind(byte) & SCHEME != 0) == text.end()
}
