//! URIs of a body (§2.2 callback, redirect_url; §2.1 url, receipts) by RFC 3986, and private hosts.
//!
//! Nothing is repaired: no trimming, no percent-decoding, no IDNA.

use core::net::Ipv6Addr;

use wide::u8x16;

use crate::util::bytes::within;

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
const ENDS_AUTHORITY: u8 = 1 << 6;
const SCHEME: u8 = 1 << 7;

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
            b'#' => HASH | ENDS_AUTHORITY,
            b'/' | b'?' => ENDS_AUTHORITY,
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
    let bytes = text.as_bytes();
    // Nearly all URIs have one of these two schemes, and each takes one comparison.
    let (hierarchy, needs_host) = if let Some(hierarchy) = bytes.strip_prefix(b"https://") {
        facts.scheme = Some("https");
        (hierarchy, true)
    } else if let Some(hierarchy) = bytes.strip_prefix(b"http://") {
        facts.scheme = Some("http");
        (hierarchy, true)
    } else {
        let Some((scheme, rest)) = split_scheme(text) else { return facts };
        facts.scheme = Some(scheme);
        let needs_host = scheme.eq_ignore_ascii_case("https") || scheme.eq_ignore_ascii_case("http");
        let Some(hierarchy) = rest.strip_prefix(b"//") else {
            let kinds = kinds_of(rest);
            facts.characters = characters(rest, kinds);
            let is_valid = facts.characters && delimiters(rest, kinds);
            facts.authority = !needs_host && is_valid;
            facts.invalid = if is_valid { UriPart::Host } else { UriPart::Character };
            return facts;
        };
        (hierarchy, needs_host)
    };
    let (end, kinds) = authority_end(hierarchy);
    let (authority, path) = hierarchy.split_at_checked(end).unwrap_or_default();
    let path_kinds = path_kinds(bytes, path);
    facts.characters = characters(hierarchy, kinds | path_kinds);
    facts.invalid = UriPart::Character;
    if !facts.characters || !delimiters(path, path_kinds) {
        return facts;
    }

    // Most authorities are plain names, which are entirely the host.
    let (mut host, mut port) = (authority, true);
    if kinds & (AT | COLON | BRACKET) != 0 {
        let parts = match Authority::split(authority) {
            Ok(parts) => parts,
            Err(invalid) => return UriFacts { invalid, ..facts },
        };
        facts.credentials = parts.userinfo;
        port = parts.port;
        host = parts.host;
        if let Some(address) = parts.address {
            facts.authority = port;
            facts.invalid = UriPart::Port;
            facts.host = true;
            facts.private_host = address.is_some_and(is_private_v6);
            return facts;
        }
    }
    facts.host = !host.is_empty();
    // HTTP clients decode the host before they connect, so `%6cocalhost` would hide a private host.
    let encoded = kinds & PERCENT != 0 && host.contains(&b'%');
    let is_host = !needs_host || facts.host && !encoded;
    facts.authority = port && is_host;
    facts.invalid = if is_host { UriPart::Port } else { UriPart::Host };
    facts.private_host = is_private_name(host);
    facts
}

/// Returns the length of the authority and the kinds of its bytes.
fn authority_end(hierarchy: &[u8]) -> (usize, u8) {
    let mut end = 0_usize;
    let mut kinds = 0;
    // Most authorities are plain names before a path, so sixteen bytes are tested at once up to the first other one.
    while let Some(bytes) = hierarchy.get(end..).and_then(|rest| rest.first_chunk()) {
        let others = !is_of_name(u8x16::new(*bytes)).to_bitmask() & 0xFFFF;
        end = end.saturating_add(usize::try_from(others.trailing_zeros().min(16)).unwrap_or(0));
        // Nearly always a path follows. The kinds of a plain name have no effect.
        if hierarchy.get(end) == Some(&b'/') {
            return (end, 0);
        }
        if others != 0 {
            break;
        }
    }
    for byte in hierarchy.get(end..).unwrap_or_default() {
        let kind = kind(*byte);
        if kind & ENDS_AUTHORITY != 0 {
            break;
        }
        kinds |= kind;
        end = end.saturating_add(1);
    }
    (end, kinds)
}

/// Returns the kinds of the bytes after an authority that have an effect there. `text` ends with these bytes.
fn path_kinds(text: &[u8], path: &[u8]) -> u8 {
    let (blocks, rest) = path.as_chunks();
    let is_plain = |block: &[u8; 16]| is_of_path(u8x16::new(*block)).all();
    // The last vector overlaps earlier bytes, which has no effect if all of them are plain.
    let last = match text.last_chunk() {
        _ if rest.is_empty() => 0,
        Some(last) if is_plain(last) => 0,
        _ => kinds_of(rest),
    };
    blocks.iter().fold(last, |kinds, block| kinds | if is_plain(block) { 0 } else { kinds_of(block) })
}

/// Returns all ones for each byte that is a letter, a digit, a dot or a hyphen.
fn is_of_name(bytes: u8x16) -> u8x16 {
    // The range from the hyphen to the nine contains one other character, the slash.
    letters(bytes) | within::<b'-', b'9'>(bytes) & !bytes.simd_eq(u8x16::splat(b'/'))
}

/// Returns all ones for each byte of a name, a slash, or a usual delimiter of queries.
fn is_of_path(bytes: u8x16) -> u8x16 {
    let is = |byte: u8| bytes.simd_eq(u8x16::splat(byte));
    letters(bytes) | within::<b'-', b'9'>(bytes) | is(b'=') | is(b'?') | is(b'&')
}

fn letters(bytes: u8x16) -> u8x16 {
    within::<b'a', b'z'>(bytes | u8x16::splat(0x20))
}

/// Splits at the first `:` (RFC 3986, section 3.1).
fn split_scheme(text: &str) -> Option<(&str, &[u8])> {
    let colon = text.bytes().position(|byte| kind(byte) & SCHEME == 0)?;
    let (scheme, rest) = text.split_at_checked(colon)?;
    let rest = rest.as_bytes().strip_prefix(b":")?;
    scheme.as_bytes().first()?.is_ascii_alphabetic().then_some((scheme, rest))
}

/// Checks if RFC 3986 allows bytes of these kinds, and every `%` begins a triplet.
#[inline]
fn characters(bytes: &[u8], kinds: u8) -> bool {
    kinds & OTHER == 0 && (kinds & PERCENT == 0 || triplets(bytes))
}

/// Checks if a path, query and fragment contain no bracket, which only a host may contain, and at most one `#`.
#[inline]
fn delimiters(path: &[u8], kinds: u8) -> bool {
    kinds & BRACKET == 0 && (kinds & HASH == 0 || path.iter().filter(|byte| **byte == b'#').count() == 1)
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
    fn split(authority: &'a [u8]) -> Result<Self, UriPart> {
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

/// Checks if a host is private: not reachable from the public Internet, or reserved.
///
/// The host is a name, an IPv4 address, or an IPv6 address with or without brackets. IPv4 addresses may have any
/// notation that a WHATWG URL parser accepts (`127.1`, `0x7f000001`). A port, a zone or userinfo is not part of a
/// host.
///
/// Names are not resolved and not decoded. Before you connect, check each resolved address too.
///
/// Private hosts are:
///
/// - the names `localhost`, `*.localhost`, `*.local`, `*.internal` and `*.home.arpa`, in any case; a trailing dot is
///   ignored
/// - IPv4: 0.0.0.0/8, 10.0.0.0/8, 100.64.0.0/10, 127.0.0.0/8, 169.254.0.0/16, 172.16.0.0/12, 192.0.0.0/24,
///   192.0.2.0/24, 192.88.99.0/24, 192.168.0.0/16, 198.18.0.0/15, 198.51.100.0/24, 203.0.113.0/24, 224.0.0.0/4,
///   240.0.0.0/4
/// - IPv6: all addresses outside 2000::/3, and 2001::/23, 2001:db8::/32 and 3fff::/20
/// - IPv4-mapped (::ffff:0:0/96), NAT64 (64:ff9b::/96) and 6to4 (2002::/16) addresses, if the embedded IPv4 address is
///   private
///
/// The IANA special-purpose registries list these addresses as not globally reachable.
///
/// # Examples
/// ```
/// use core::net::IpAddr;
/// use payspec::is_private_host;
///
/// assert!(is_private_host("printer.local") && is_private_host("0x7f.1") && is_private_host("[::ffff:10.0.0.1]"));
/// assert!(!is_private_host("shop.example") && !is_private_host("[2a00:1450::1]"));
///
/// let resolved = IpAddr::from([169, 254, 169, 254]);
/// assert!(is_private_host(&resolved.to_string()));
/// ```
pub fn is_private_host(host: &str) -> bool {
    let literal = host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    match literal.unwrap_or(host).parse() {
        Ok(address) => is_private_v6(address),
        Err(_) => literal.is_none() && is_private_name(host.as_bytes()),
    }
}

/// Checks if a name, or an IPv4 address in any notation, is private.
fn is_private_name(host: &[u8]) -> bool {
    let name = host.strip_suffix(b".").unwrap_or(host);
    // The last letter excludes most names.
    let is_private = match name.last() {
        Some(b't' | b'T') => ends_with(name, b".localhost") || name.eq_ignore_ascii_case(b"localhost"),
        Some(b'l' | b'L') => ends_with(name, b".local") || ends_with(name, b".internal"),
        Some(b'a' | b'A') => ends_with(name, b".home.arpa"),
        _ => false,
    };
    let can_be_address = matches!(name.last(), Some(b'0'..=b'9' | b'a'..=b'f' | b'A'..=b'F' | b'x' | b'X'))
        && name.first().is_some_and(u8::is_ascii_digit);
    is_private || can_be_address && parse_v4(name).is_some_and(is_private_v4)
}

/// Parses an IPv4 address like the WHATWG URL standard: one to four numbers, each decimal, octal after `0`, or
/// hexadecimal after `0x`. The last number fills the remaining bytes.
fn parse_v4(name: &[u8]) -> Option<[u8; 4]> {
    let mut address = 0_u32;
    let mut parts = name.split(|byte| *byte == b'.');
    let mut last = number(parts.next()?)?;
    let mut bits_left = 32_u32;
    for part in parts {
        bits_left = bits_left.checked_sub(8).filter(|bits| *bits > 0)?;
        address |= u32::from(u8::try_from(last).ok()?).checked_shl(bits_left)?;
        last = number(part)?;
    }
    if u64::from(last) >> bits_left != 0 {
        return None;
    }
    Some((address | last).to_be_bytes())
}

/// Parses one number of an IPv4 address, with at most 32 bits.
fn number(part: &[u8]) -> Option<u32> {
    let (digits, radix) = match part {
        [] => return None,
        [b'0', b'x' | b'X', digits @ ..] => (digits, 16),
        [b'0', digits @ ..] => (digits, 8),
        digits => (digits, 10),
    };
    digits
        .iter()
        .try_fold(0_u32, |value, byte| value.checked_mul(radix)?.checked_add(char::from(*byte).to_digit(radix)?))
}

fn is_private_v4(address: [u8; 4]) -> bool {
    matches!(
        address,
        [0 | 10 | 127, ..] // this network, private use, loopback
            | [100, 64..=127, ..] // carrier-grade NAT
            | [169, 254, ..] // link-local, with the metadata services of clouds
            | [172, 16..=31, ..] | [192, 168, ..] // private use
            | [192, 0, 0 | 2, _] | [198, 51, 100, _] | [203, 0, 113, _] // protocols, documentation
            | [192, 88, 99, _] // 6to4 relays
            | [198, 18 | 19, ..] // benchmarks
            | [224..=255, ..] // multicast, reserved, broadcast
    )
}

fn is_private_v6(address: Ipv6Addr) -> bool {
    match address.segments() {
        // IPv4-mapped, NAT64, 6to4: packets reach the embedded address.
        [0, 0, 0, 0, 0, 0xFFFF, high, low] | [0x64, 0xFF9B, 0, 0, 0, 0, high, low] | [0x2002, high, low, ..] => {
            let ([a, b], [c, d]) = (high.to_be_bytes(), low.to_be_bytes());
            is_private_v4([a, b, c, d])
        }
        // Protocols (2001::/23, with Teredo) and documentation (2001:db8::/32, 3fff::/20).
        [0x2001, 0..=0x1FF | 0xDB8, ..] | [0x3FFF, 0..=0xFFF, ..] => true,
        // Only 2000::/3 is assigned to the public Internet.
        [first, ..] => first & 0xE000 != 0x2000,
    }
}

fn kind(byte: u8) -> u8 {
    KINDS.get(usize::from(byte)).copied().unwrap_or(OTHER)
}

fn kinds_of(bytes: &[u8]) -> u8 {
    bytes.iter().fold(0, |kinds, byte| kinds | kind(*byte))
}

/// Checks if two hexadecimal digits follow every `%`.
fn triplets(bytes: &[u8]) -> bool {
    bytes
        .split(|byte| *byte == b'%')
        .skip(1)
        .all(|after| matches!(after, [a, b, ..] if a.is_ascii_hexdigit() && b.is_ascii_hexdigit()))
}

/// Checks if a name ends with the suffix, in any ASCII case.
fn ends_with(name: &[u8], suffix: &[u8]) -> bool {
    name.len()
        .checked_sub(suffix.len())
        .and_then(|at| name.get(at..))
        .is_some_and(|end| end.eq_ignore_ascii_case(suffix))
}

fn split_once(bytes: &[u8], separator: u8) -> Option<(&[u8], &[u8])> {
    let at = bytes.iter().position(|byte| *byte == separator)?;
    Some((bytes.get(..at)?, bytes.get(at.checked_add(1)?..)?))
}

#[cfg(test)]
mod tests {
    use alloc::format;
    use alloc::string::ToString;
    use core::net::Ipv4Addr;

    use super::*;

    /// Returns the first rule that the text breaks if the policy allows every scheme except `javascript`.
    fn verdict(text: &str) -> &'static str {
        let facts = inspect(text);
        match facts {
            UriFacts { scheme: None, .. } | UriFacts { characters: false, .. } => "syntax",
            UriFacts { scheme: Some("javascript"), .. } => "scheme",
            UriFacts { authority: false, .. } => "authority",
            UriFacts { credentials: true, .. } => "credentials",
            UriFacts { private_host: true, .. } => "private",
            UriFacts { host: false, .. } => "without a host",
            _ => "valid",
        }
    }

    fn all(expected: &str, texts: &[&str]) {
        for text in texts {
            assert_eq!(verdict(text), expected, "{text}");
            let is_active = inspect(text).scheme.is_some_and(is_active_scheme);
            let is_absolute = !is_active && !matches!(expected, "syntax" | "authority");
            assert_eq!(is_absolute_uri(text), is_absolute, "{text}");
        }
    }

    #[test]
    fn compares_sixteen_bytes_like_one() {
        for byte in 0..=u8::MAX {
            let alone = |test: fn(u8x16) -> u8x16| test(u8x16::splat(byte)).all();
            assert_eq!(alone(is_of_name), byte.is_ascii_alphanumeric() || b"-.".contains(&byte), "{byte}");
            assert_eq!(alone(is_of_path), byte.is_ascii_alphanumeric() || b"-./=?&".contains(&byte), "{byte}");
        }
    }

    #[test]
    fn accepts_absolute_uris() {
        all(
            "valid",
            &[
                "https://shop.example/callback",
                "http://a",
                "HTTPS://SHOP.EXAMPLE:443/",
                "a+b-c.1://h",
                "https://h?",
                "https://h#",
                "https://h?q#f",
                "https://h/a;b=c/%7E/!$&'()*+,;=:@~_-.?a=b&c",
                "https://h/?a/b?c:@#d/e?f:@",
                "https://h:",
                "https://h:/",
                "https://h:0",
                "https://h:65535/p",
                "https://h:000000000000000000065535",
                "https://xn--e1afmkfd.xn--p1ai/",
                "myapp://%D0%BF%D1%80%D0%B8.example/",
                "myapp://ex%61mple.com/",
                "https://h/%6cocalhost?%41#%42",
                "https://a_b.example",
                "https://.",
                "https://..",
                "https://h./",
                "https://8.8.8.8/",
                "https://1.2.3.4.5/",
                "https://256.1.1.1/",
                "https://[2a00::1]/",
                "https://[2A00::1]:8443/x",
                "https://[2a00:2:3:4:5:6:7::]",
                "https://[2a00::4:5:6:7:8]",
                "https://[2a00:2:3:4:5:6:8.8.8.8]:",
                "https://[v1.a:b]",
                "https://[VfF.!$&'()*+,;=~:]:1/",
            ],
        );
    }

    #[test]
    fn rejects_other_characters_and_texts_without_scheme() {
        all(
            "syntax",
            &[
                "",
                ":",
                "://h",
                "https",
                "shop.example/callback",
                "//shop.example/callback",
                "/callback",
                "1http://h",
                "+http://h",
                "ht_tp://h",
                "ht%74p://h",
                " https://h",
                "https://h ",
                "https://h/a b",
                "https://h/\t",
                "https://h/\n",
                "https://h/\0",
                "https://h/\u{7F}",
                "https://h/\"",
                "https://h/<",
                "https://h/>",
                "https://h/\\",
                "https:\\\\h",
                "https://h/^",
                "https://h/`",
                "https://h/{x}",
                "https://h/|",
                "https://пример.рф/",
                "https://h/путь",
                "hттps://h/",
                "https://h/%",
                "https://h/%2",
                "https://h/%2g",
                "https://h/%%20",
                "https://h/%2%30",
                "https://%zz/",
                "https://h/?%",
                "javascript:alert(\"1\")",
            ],
        );
    }

    #[test]
    fn names_the_part_that_is_not_valid() {
        for (reason, texts) in [
            ("scheme", &["", "h/p", "//h/", "1https://h/", " https://h/", "é:", ":"][..]),
            (
                "character",
                &[
                    "https://h/ ",
                    "https://h é/",
                    "https://h/%2",
                    "mailto:a b",
                    "https://h/[",
                    "https://h#a#b",
                    "myapp:a[b]",
                    "https:h[",
                    "https://u[@h",
                    "https://[::1]@h",
                    "https:// :x",
                ],
            ),
            (
                "host",
                &[
                    "https:",
                    "https:h",
                    "https://",
                    "https:///p",
                    "https://:80",
                    "https://u@",
                    "https://%41/",
                    "https://%41:65536/",
                    "https://:65536",
                    "https://a@b@c",
                    "https://[::1",
                    "https://[x]",
                    "https://[::1]x",
                    "https://h[/",
                    "https://a@b@c:x",
                ],
            ),
            (
                "port",
                &[
                    "https://h:65536",
                    "https://h:x/",
                    "https://[::1]:x",
                    "https://[::1]:65536",
                    "myapp://h:x",
                    "x://:65536",
                ],
            ),
        ] {
            for text in texts {
                let facts = inspect(text);
                assert!(facts.scheme.is_none() || !facts.characters || !facts.authority, "{text}");
                assert_eq!(facts.invalid.name(), reason, "{text}");
            }
        }
    }

    #[test]
    fn requires_no_host_of_other_schemes() {
        all(
            "without a host",
            &[
                "myapp:",
                "myapp:done",
                "myapp:/done",
                "myapp://",
                "myapp:///done",
                "myapp://:80",
                "myapp:?a#b",
                "mailto:someone@example.com",
                "bank100000000111://",
                "bank100000000111:%41",
            ],
        );
        all(
            "authority",
            &["myapp:a[b]", "myapp:#a#b", "myapp://:65536", "myapp://h:x", "myapp://h/[", "myapp://a@b@c"],
        );
        all("credentials", &["myapp://%41@h"]);
        assert_eq!(["myapp://@", "myapp://a@:1"].map(verdict), ["credentials"; 2]);
    }

    #[test]
    fn rejects_percent_encoded_hosts_of_http_and_https() {
        for scheme in ["http", "https", "HTTPS", "hTTp"] {
            for host in
                ["%6cocalhost", "127%2e0.0.1", "%31%32%37.1", "ex%61mple.com", "h%00", "u@%6cocalhost", "%41:80"]
            {
                all("authority", &[&format!("{scheme}://{host}/"), &format!("{scheme}://{host}")]);
            }
            all("credentials", &[&format!("{scheme}://%41@h/")]);
        }
        all("valid", &["myapp://%6cocalhost/", "myapp://127%2e0.0.1/"]);
    }

    #[test]
    fn rejects_the_scheme_before_the_host() {
        all("scheme", &["javascript:alert(1)", "javascript://", "javascript:", "javascript:a[1]", "javascript:#a#"]);
    }

    #[test]
    fn rejects_an_invalid_authority() {
        all(
            "authority",
            &[
                "https:",
                "https:/",
                "https://",
                "https:h",
                "https:/h",
                "https:///path",
                "https://?q",
                "https://#f",
                "https://:80",
                "https://user@",
                "https://user@:80/",
                "https://@",
                "https://a@b@c",
                "https://a:b:c",
                "https://h:65536",
                "https://h:99999999999999999999999",
                "https://h:8x",
                "https://h:-1",
                "https://h:80:80",
                "https://h:%38",
                "https://h#a#b",
                "https://h/[",
                "https://h/?a[]=1",
                "https://h/#]",
                "https://h[",
                "https://[",
                "https://]",
                "https://[]",
                "https://[::1",
                "https://::1]",
                "https://::1/",
                "https://[::1]x",
                "https://[::1]:x",
                "https://[::1]:65536",
                "https://[::1]]",
                "https://[[::1]]",
                "https://a[::1]",
                "https://[@::1]",
                "https://[::1]@h",
                "https://u[@h",
                "https://[::1%25eth0]/",
                "https://[fe80::1%25en0]/",
                "https://[1:2:3:4:5:6:7]",
                "https://[1:2:3:4:5:6:7:8:9]",
                "https://[1::2::3]",
                "https://[1:2:3:4::5:6:7:8]",
                "https://[12345::]",
                "https://[g::]",
                "https://[::1.2.3]",
                "https://[::1.2.3.04]",
                "https://[::256.1.1.1]",
                "https://[1.2.3.4]",
                "https://[v.x]",
                "https://[v1]",
                "https://[v1.]",
                "https://[vg.x]",
                "https://[v1.x%41]",
                "https://[v1.x@y]",
                "https://[v1.x[y]",
            ],
        );
    }

    #[test]
    fn finds_credentials() {
        all(
            "credentials",
            &[
                "https://user@h",
                "https://user:password@h/",
                "https://@h",
                "https://:@h:1",
                "https://a:b:c@h",
                "https://%41!$&'()*+,;=@h",
                "https://user@localhost/",
                "https://user@[::1]/",
                "https://shop.example@evil.example/",
            ],
        );
        all("valid", &["https://h/@", "https://h/a@b", "https://h?a@b", "https://h#a@b"]);
    }

    /// The first and the last address of each private range of IPv4, and its public neighbors.
    const V4_RANGES: [(&str, &str, &str, &str); 15] = [
        ("", "0.0.0.0", "0.255.255.255", "1.0.0.0"),
        ("9.255.255.255", "10.0.0.0", "10.255.255.255", "11.0.0.0"),
        ("100.63.255.255", "100.64.0.0", "100.127.255.255", "100.128.0.0"),
        ("126.255.255.255", "127.0.0.0", "127.255.255.255", "128.0.0.0"),
        ("169.253.255.255", "169.254.0.0", "169.254.255.255", "169.255.0.0"),
        ("172.15.255.255", "172.16.0.0", "172.31.255.255", "172.32.0.0"),
        ("191.255.255.255", "192.0.0.0", "192.0.0.255", "192.0.1.0"),
        ("192.0.1.255", "192.0.2.0", "192.0.2.255", "192.0.3.0"),
        ("192.88.98.255", "192.88.99.0", "192.88.99.255", "192.88.100.0"),
        ("192.167.255.255", "192.168.0.0", "192.168.255.255", "192.169.0.0"),
        ("198.17.255.255", "198.18.0.0", "198.19.255.255", "198.20.0.0"),
        ("198.51.99.255", "198.51.100.0", "198.51.100.255", "198.51.101.0"),
        ("203.0.112.255", "203.0.113.0", "203.0.113.255", "203.0.114.0"),
        ("223.255.255.255", "224.0.0.0", "239.255.255.255", ""),
        ("", "240.0.0.0", "255.255.255.255", ""),
    ];

    /// The same addresses for IPv6.
    const V6_RANGES: [(&str, &str, &str, &str); 5] = [
        ("", "::", "1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "2000::"),
        ("2000:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "2001::", "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff", "2001:200::"),
        (
            "2001:db7:ffff:ffff:ffff:ffff:ffff:ffff",
            "2001:db8::",
            "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff",
            "2001:db9::",
        ),
        ("3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "3fff::", "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff", "3fff:1000::"),
        ("3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "4000::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", ""),
    ];

    /// Checks the function on the host, and on the host in URIs with any scheme and port.
    #[track_caller]
    fn check_host(host: &str, is_private: bool) {
        assert_eq!(is_private_host(host), is_private, "{host}");
        let host = if host.contains(':') && !host.starts_with('[') { format!("[{host}]") } else { host.into() };
        assert_eq!(is_private_host(&host), is_private, "{host}");
        for text in [format!("https://{host}"), format!("http://{host}:8080/a?b#c"), format!("x://{host}:?")] {
            assert_eq!(verdict(&text), if is_private { "private" } else { "valid" }, "{text}");
        }
    }

    #[test]
    fn finds_both_ends_of_every_private_range() {
        let in_v4 = V4_RANGES
            .map(|(before, first, last, after)| [(before, false), (first, true), (last, true), (after, false)]);
        for (text, is_private) in in_v4.into_iter().flatten().filter(|(text, _)| !text.is_empty()) {
            check_host(text, is_private);
            check_host(&format!("{text}."), is_private);
            let address: Ipv4Addr = text.parse().unwrap();
            let number = u32::from(address);
            check_host(&format!("{number}"), is_private);
            check_host(&format!("0x{number:x}"), is_private);
            check_host(&format!("0{number:o}"), is_private);
            check_host(&format!("::ffff:{text}"), is_private);
            check_host(&format!("64:ff9b::{text}"), is_private);
            let [high, low] = [number >> 16, number & 0xFFFF];
            check_host(&format!("::ffff:{high:x}:{low:x}"), is_private);
            check_host(&format!("2002:{high:x}:{low:x}::1"), is_private);
            check_host(&format!("2002:{high:x}:{low:x}:ffff:ffff:ffff:ffff:ffff"), is_private);
            check_host(&address.to_ipv6_mapped().to_string(), is_private);
        }
        let in_v6 = V6_RANGES
            .map(|(before, first, last, after)| [(before, false), (first, true), (last, true), (after, false)]);
        for (text, is_private) in in_v6.into_iter().flatten().filter(|(text, _)| !text.is_empty()) {
            check_host(text, is_private);
            let address: Ipv6Addr = text.parse().unwrap();
            check_host(&address.to_string(), is_private);
        }
    }

    #[test]
    fn classifies_embedded_addresses_only_in_their_networks() {
        for (text, is_private) in [
            ("::fffe:ffff:ffff", true),
            ("::ffff:8.8.8.8", false),
            ("::1:0:808:808", true),
            ("64:ff9a:ffff:ffff:ffff:ffff:808:808", true),
            ("64:ff9b::8.8.8.8", false),
            ("64:ff9b::1:808:808", true),
            ("64:ff9b:1::8.8.8.8", true),
            ("::8.8.8.8", true),
            ("::ffff:0:8.8.8.8", true),
            ("2001:ffff:ffff:ffff:ffff:ffff:ffff:ffff", false),
            ("2002:808:808::7f00:1", false),
            ("2002:7f00:1::808:808", true),
            ("2003::", false),
            ("2001:4860::127.0.0.1", false),
            ("2001:0:4136:e378:8000:63bf:3fff:fdd2", true),
        ] {
            check_host(text, is_private);
        }
    }

    #[test]
    fn finds_private_names() {
        for name in [
            "localhost",
            "LOCALHOST",
            "localhost.",
            "a.localhost",
            "a.b.LocalHost.",
            "printer.local",
            "printer.LOCAL.",
            "a.internal",
            "metadata.google.internal.",
            "nas.home.arpa",
            "a.b.Home.ARPA.",
            ".local",
            ".internal",
            ".localhost",
            ".home.arpa",
        ] {
            check_host(name, true);
        }
        for name in [
            "localhost.example",
            "mylocalhost",
            "localhosts",
            "local",
            "internal",
            "home.arpa",
            "mylocal",
            "myinternal",
            "myhome.arpa",
            "a.home.arpas",
            "1.0.0.127.in-addr.arpa",
            "a.locals",
            "localhost..",
            "a.local.example",
            "internal.example",
            "local.",
            "example.cat",
            "example.il",
            "abc",
            "e",
            "face",
            "a.de",
            "x",
            "0x.example",
            "beef.cafe",
            "127.0.0.1.example",
            "1.example",
            "intranet",
        ] {
            check_host(name, false);
        }
    }

    #[test]
    fn reads_ipv4_like_a_url_parser() {
        for host in [
            "127.1",
            "127.0.1",
            "127.0.0x1",
            "127.65535",
            "0x7f000001",
            "0X7F000001",
            "2130706433",
            "017700000001",
            "0",
            "0x",
            "0x.0x.0x.0x",
            "00",
            "0177.0.0.1",
            "0x7f.1",
            "127.0.0.01",
            "0x7f.0x0.0x0.0x1",
            "127.1.",
            "127.0.0.",
            "2130706433.",
            "127.16777215",
            "10.1",
            "10.0xA",
            "192.168.257",
            "0000000000000177.0.0.1",
            "00000000000000000000000000017700000001",
            "0xA000001",
            "0xa9fea9fe",
            "3232235521",
            "0xc0.0xa8.1",
        ] {
            check_host(host, true);
        }
        // No URL parser accepts these.
        for host in [
            "127.0.0.256",
            "127.256.1",
            "127.0.65536",
            "127.16777216",
            "4294967296",
            "0x100000000",
            "127.0.0.1.1",
            "127..1",
            "0x7g",
            "08",
            "127.0.0.09",
            "0177.0.0.08",
            "127.0.0.1..",
            ".127.1",
            "127.0.0.0x100",
            "1e3",
            "0xa.a",
        ] {
            check_host(host, false);
        }
        for host in ["1.0.0.0", "8.8", "134744072", "0x08080808", "010.8.8.8"] {
            check_host(host, false);
        }
    }

    #[test]
    fn decodes_nothing_and_takes_hosts_only() {
        check_host("[v6.fe80::1]", false);
        for host in ["%6cocalhost", "127%2e0.0.1", "%31%32%37.1", "printer%2Elocal", "loc%00alhost"] {
            assert!(!is_private_host(host), "{host}");
        }
        for text in
            ["", ".", "[]", "[", "]", "[::1", "::1]", "[127.0.0.1]", "[localhost]", "localhost:80", "127.0.0.1:80"]
        {
            assert!(!is_private_host(text), "{text}");
        }
        for text in ["[::1]:80", "fe80::1%eth0", "u@localhost", "ⓛocalhost", "１２７.0.0.1", " localhost", "localhost "]
        {
            assert!(!is_private_host(text), "{text}");
        }
    }

    #[test]
    fn finds_the_end_of_an_authority_of_any_length() {
        for length in 0..=40 {
            let host = "h".repeat(length);
            let after = [
                "",
                "/",
                "?",
                "#",
                ":1/",
                "/a-path-of-more-than-sixteen-bytes",
                "?a-query-of-so-many",
                ":1#fragment-of-them",
            ];
            let expected = if length == 0 { "authority" } else { "valid" };
            for text in after.map(|after| format!("https://{host}{after}")) {
                all(expected, &[&text]);
            }
            all("authority", &[&format!("https://{host}:x/a-path-of-more-than-sixteen-bytes")]);
            all("credentials", &[&format!("https://{host}@h/a-path-of-more-than-sixteen-bytes")]);
        }
    }

    #[test]
    fn accepts_the_characters_of_rfc_3986_only() {
        let allowed = "-._~!$&'()*+,;=/?#[]@:0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
        for byte in 0..=0x7F_u8 {
            let c = char::from(byte);
            for (before, after) in
                [("https://h/", ""), ("https://h", ".example/"), ("https://h?", "x"), ("https://h#", "")]
            {
                let facts = format!("{before}{c}{after}");
                assert_eq!(inspect(&facts).characters, allowed.contains(c), "{facts}");
            }
        }
        for c in "\u{80}\u{A0}é€ｅ\u{1F600}。．".chars() {
            assert!(!inspect(&format!("https://h/{c}")).characters);
            assert!(!inspect(&format!("https://h{c}/")).characters);
        }
    }
}
