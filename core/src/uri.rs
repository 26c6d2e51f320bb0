//! What is asked of an address in a body (§2.2 callback, redirect_url; §2.1 url, receipts): an absolute URI of RFC 3986
//! with a host, and what kind of host that is. Nothing is repaired on the way: no trimming, no decoding, no IDNA.

use core::net::Ipv6Addr;

use wide::u8x16;

use crate::text::within;

/// What the rules of addresses ask about, in the order in which they ask. What comes behind a fact that failed is not
/// looked at and says nothing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct UriFacts<'a> {
    /// What stands before the first `:`, if that is a scheme. Without one it is no absolute URI (`uri_syntax`).
    pub(crate) scheme: Option<&'a str>,
    /// Every character is one of RFC 3986, and every `%` begins a triplet (`uri_syntax` otherwise).
    pub(crate) characters: bool,
    /// There is an authority with a host, its parts are well formed, the port is at most 65535, and every character behind
    /// stands where it may (`uri_syntax` otherwise, but only after the scheme was found good).
    pub(crate) authority: bool,
    /// The authority has userinfo, be it empty (`uri_credentials`).
    pub(crate) credentials: bool,
    /// The host is one that only this machine or its network reaches (`uri_private_host`).
    pub(crate) private_host: bool,
}

/// What a byte can be, one bit each: `kinds` of many are these bits together.
const OTHER: u8 = 1;
const PERCENT: u8 = 1 << 1;
const BRACKET: u8 = 1 << 2;
const HASH: u8 = 1 << 3;
const AT: u8 = 1 << 4;
const COLON: u8 = 1 << 5;
const ENDS_AUTHORITY: u8 = 1 << 6;
const SCHEME: u8 = 1 << 7;

/// RFC 3986, section 2: the characters, and what is special about some. Unreserved ones and sub-delims may stand anywhere
/// behind the scheme.
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

/// Whether the text is an absolute URI with a host, of whatever scheme.
pub(crate) fn is_absolute_uri(text: &str) -> bool {
    let facts = inspect(text);
    facts.scheme.is_some() && facts.characters && facts.authority
}

/// Reads the text and tells what it found.
pub(crate) fn inspect(text: &str) -> UriFacts<'_> {
    let mut facts =
        UriFacts { scheme: None, characters: false, authority: false, credentials: false, private_host: false };
    let bytes = text.as_bytes();
    // The two schemes of nearly all addresses, in one look each.
    let hierarchy = if let Some(hierarchy) = bytes.strip_prefix(b"https://") {
        facts.scheme = Some("https");
        hierarchy
    } else if let Some(hierarchy) = bytes.strip_prefix(b"http://") {
        facts.scheme = Some("http");
        hierarchy
    } else {
        let Some((scheme, rest)) = split_scheme(text) else { return facts };
        facts.scheme = Some(scheme);
        let Some(hierarchy) = rest.strip_prefix(b"//") else {
            facts.characters = characters(rest, kinds_of(rest));
            return facts;
        };
        hierarchy
    };
    let (end, kinds) = authority_end(hierarchy);
    let (authority, behind) = hierarchy.split_at_checked(end).unwrap_or_default();
    let kinds_behind = kinds_behind(bytes, behind);
    facts.characters = characters(hierarchy, kinds | kinds_behind);
    // Brackets belong to a host, and the fragment has no second `#`.
    let placed = kinds_behind & BRACKET == 0
        && (kinds_behind & HASH == 0 || behind.iter().filter(|byte| **byte == b'#').count() == 1);
    if !facts.characters || !placed {
        return facts;
    }

    // An authority that is a plain name, as most are, is its own host.
    let (mut host, mut port) = (authority, true);
    if kinds & (AT | COLON | BRACKET) != 0 {
        let Some(parts) = Authority::split(authority) else { return facts };
        facts.credentials = parts.userinfo;
        port = parts.port;
        host = parts.host;
        if let Some(address) = parts.address {
            facts.authority = port;
            facts.private_host = address.is_some_and(private_v6);
            return facts;
        }
    }
    facts.authority = !host.is_empty() && port;
    facts.private_host = private_name(host);
    facts
}

/// Where the authority ends, and the kinds of its bytes.
fn authority_end(hierarchy: &[u8]) -> (usize, u8) {
    let mut end = 0_usize;
    let mut kinds = 0;
    // Most authorities are plain names with a path behind them: sixteen bytes at once up to the first other one.
    while let Some(bytes) = hierarchy.get(end..).and_then(|rest| rest.first_chunk()) {
        let others = !is_of_name(u8x16::new(*bytes)).to_bitmask() & 0xFFFF;
        end = end.saturating_add(usize::try_from(others.trailing_zeros().min(16)).unwrap_or(0));
        // A path begins, as nearly always. Before it stands a plain name, of which nobody asks for the kinds.
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

/// The kinds of the bytes behind an authority, as far as they matter there. `text` ends with them.
fn kinds_behind(text: &[u8], behind: &[u8]) -> u8 {
    let (blocks, rest) = behind.as_chunks();
    let is_plain = |block: &[u8; 16]| is_of_path(u8x16::new(*block)).all();
    // The last bytes are read together with those before them, which changes nothing where all of them are plain.
    let last = match text.last_chunk() {
        _ if rest.is_empty() => 0,
        Some(last) if is_plain(last) => 0,
        _ => kinds_of(rest),
    };
    blocks.iter().fold(last, |kinds, block| kinds | if is_plain(block) { 0 } else { kinds_of(block) })
}

/// All ones where a byte is a letter, a digit, a dot or a hyphen.
fn is_of_name(bytes: u8x16) -> u8x16 {
    // From the hyphen to the nine there is one other character: the slash.
    letters(bytes) | within::<b'-', b'9'>(bytes) & !bytes.simd_eq(u8x16::splat(b'/'))
}

/// The same for these and a slash, and for what queries are mostly made of.
fn is_of_path(bytes: u8x16) -> u8x16 {
    let is = |byte: u8| bytes.simd_eq(u8x16::splat(byte));
    letters(bytes) | within::<b'-', b'9'>(bytes) | is(b'=') | is(b'?') | is(b'&')
}

fn letters(bytes: u8x16) -> u8x16 {
    within::<b'a', b'z'>(bytes | u8x16::splat(0x20))
}

/// RFC 3986, section 3.1: what is before the first `:`, and what is behind.
fn split_scheme(text: &str) -> Option<(&str, &[u8])> {
    let colon = text.bytes().position(|byte| kind(byte) & SCHEME == 0)?;
    let (scheme, rest) = text.split_at_checked(colon)?;
    let rest = rest.as_bytes().strip_prefix(b":")?;
    scheme.as_bytes().first()?.is_ascii_alphabetic().then_some((scheme, rest))
}

/// Whether bytes of these kinds are all of RFC 3986, and every `%` begins a triplet.
#[inline]
fn characters(bytes: &[u8], kinds: u8) -> bool {
    kinds & OTHER == 0 && (kinds & PERCENT == 0 || triplets(bytes))
}

/// RFC 3986, section 3.2: the parts of an authority.
struct Authority<'a> {
    userinfo: bool,
    /// Whether there is no port, or one that there can be.
    port: bool,
    /// The name; empty for an address in brackets.
    host: &'a [u8],
    /// What is in brackets: an IPv6 address, or one of a version that nobody knows yet.
    address: Option<Option<Ipv6Addr>>,
}

impl<'a> Authority<'a> {
    fn split(authority: &'a [u8]) -> Option<Self> {
        let (userinfo, place) = match split_once(authority, b'@') {
            Some((userinfo, place)) if kinds_of(userinfo) & BRACKET == 0 => (true, place),
            Some(_) => return None,
            None => (false, authority),
        };
        if let Some(literal) = place.strip_prefix(b"[") {
            let (literal, port) = split_once(literal, b']')?;
            let address = ip_literal(literal)?;
            let port = match port {
                [] => true,
                [b':', port @ ..] => port_fits(port)?,
                _ => return None,
            };
            return Some(Self { userinfo, port, host: &[], address: Some(address) });
        }
        let (host, port) = split_once(place, b':').unwrap_or((place, &[]));
        // A second `@` or `:` ends up in the host or the port.
        let sound = kinds_of(host) & (AT | BRACKET) == 0;
        let port = port_fits(port)?;
        sound.then_some(Self { userinfo, port, host, address: None })
    }
}

/// What is in the brackets of a host, if that may be there: an IPv6 address (with its last four bytes as IPv4, maybe, but
/// without a zone, which RFC 3986 does not know), or `v`, a version, a dot and what that version says.
fn ip_literal(literal: &[u8]) -> Option<Option<Ipv6Addr>> {
    if let [b'v' | b'V', future @ ..] = literal {
        let (version, address) = split_once(future, b'.')?;
        let sound = !version.is_empty()
            && version.iter().all(u8::is_ascii_hexdigit)
            && !address.is_empty()
            && kinds_of(address) & (PERCENT | BRACKET | AT) == 0;
        return sound.then_some(None);
    }
    core::str::from_utf8(literal).ok()?.parse().ok().map(Some)
}

/// Whether the port is at most 65535; zeros before do not matter. `None` where it is no digits.
fn port_fits(port: &[u8]) -> Option<bool> {
    if !port.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let number = port
        .iter()
        .try_fold(0_u16, |value, byte| value.checked_mul(10)?.checked_add(u16::from(byte.wrapping_sub(b'0'))));
    Some(number.is_some())
}

/// Whether a host's name, or an IPv4 address in any notation that browsers read, is of this machine or its network. One dot
/// at the end belongs to neither.
fn private_name(host: &[u8]) -> bool {
    let name = host.strip_suffix(b".").unwrap_or(host);
    // Most names are told apart by their last letter.
    match name.last() {
        Some(b't' | b'T') => ends_with(name, b".localhost") || name.eq_ignore_ascii_case(b"localhost"),
        Some(b'l' | b'L') => ends_with(name, b".local") || ends_with(name, b".internal"),
        Some(b'0'..=b'9' | b'a'..=b'f' | b'A'..=b'F' | b'x' | b'X') if name.first().is_some_and(u8::is_ascii_digit) => {
            ipv4(name).is_some_and(private_v4)
        }
        _ => false,
    }
}

/// An IPv4 address as the URL standard of the WHATWG reads it: one to four numbers, each decimal, octal after `0` or
/// hexadecimal after `0x`, the last one filling all bytes that are left.
fn ipv4(name: &[u8]) -> Option<[u8; 4]> {
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

/// One of its numbers. More than 32 bits are no address in any place.
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

/// Addresses of this machine (127/8; 0/8, where 0.0.0.0 leads too), of private networks (10/8, 172.16/12, 192.168/16, and
/// 100.64/10, shared behind carriers) and of the link (169.254/16).
fn private_v4(address: [u8; 4]) -> bool {
    matches!(address, [0 | 10 | 127, ..] | [100, 64..=127, ..] | [169, 254, ..] | [172, 16..=31, ..] | [192, 168, ..])
}

/// The same of IPv6 (::, ::1, fc00::/7, fe80::/10), and IPv4 addresses inside: mapped, compatible, or behind NAT64.
fn private_v6(address: Ipv6Addr) -> bool {
    match address.segments() {
        [0xFC00..=0xFDFF, ..] | [0xFE80..=0xFEBF, ..] => true,
        [0, 0, 0, 0, 0, 0 | 0xFFFF, high, low] | [0x64, 0xFF9B, 0, 0, 0, 0, high, low] => {
            let ([a, b], [c, d]) = (high.to_be_bytes(), low.to_be_bytes());
            private_v4([a, b, c, d])
        }
        _ => false,
    }
}

fn kind(byte: u8) -> u8 {
    KINDS.get(usize::from(byte)).copied().unwrap_or(OTHER)
}

fn kinds_of(bytes: &[u8]) -> u8 {
    bytes.iter().fold(0, |kinds, byte| kinds | kind(*byte))
}

/// Whether two hexadecimal digits follow every `%`.
fn triplets(bytes: &[u8]) -> bool {
    bytes
        .split(|byte| *byte == b'%')
        .skip(1)
        .all(|behind| matches!(behind, [a, b, ..] if a.is_ascii_hexdigit() && b.is_ascii_hexdigit()))
}

/// In ASCII, upper and lower case being the same.
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

    use super::*;

    /// The rules as they ask, with every scheme but `javascript` allowed.
    fn verdict(text: &str) -> &'static str {
        let facts = inspect(text);
        match facts {
            UriFacts { scheme: None, .. } | UriFacts { characters: false, .. } => "syntax",
            UriFacts { scheme: Some("javascript"), .. } => "scheme",
            UriFacts { authority: false, .. } => "authority",
            UriFacts { credentials: true, .. } => "credentials",
            UriFacts { private_host: true, .. } => "private",
            _ => "fine",
        }
    }

    fn all(expected: &str, texts: &[&str]) {
        for text in texts {
            assert_eq!(verdict(text), expected, "{text}");
            assert_eq!(is_absolute_uri(text), !matches!(expected, "syntax" | "authority" | "scheme"), "{text}");
        }
    }

    #[test]
    fn sixteen_bytes_at_once_are_those_that_a_table_would_name() {
        for byte in 0..=u8::MAX {
            let alone = |test: fn(u8x16) -> u8x16| test(u8x16::splat(byte)).all();
            assert_eq!(alone(is_of_name), byte.is_ascii_alphanumeric() || b"-.".contains(&byte), "{byte}");
            assert_eq!(alone(is_of_path), byte.is_ascii_alphanumeric() || b"-./=?&".contains(&byte), "{byte}");
        }
    }

    #[test]
    fn fine() {
        all(
            "fine",
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
                "https://%D0%BF%D1%80%D0%B8.example/",
                "https://ex%61mple.com/",
                "https://a_b.example",
                "https://.",
                "https://..",
                "https://h./",
                "https://8.8.8.8/",
                "https://1.2.3.4.5/",
                "https://256.1.1.1/",
                "https://[2001:db8::1]/",
                "https://[2001:DB8::1]:8443/x",
                "https://[1:2:3:4:5:6:7::]",
                "https://[::2:3:4:5:6:7:8]",
                "https://[1:2:3:4:5:6:8.8.8.8]:",
                "https://[v1.a:b]",
                "https://[VfF.!$&'()*+,;=~:]:1/",
            ],
        );
    }

    #[test]
    fn no_scheme_or_other_characters() {
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
    fn another_scheme_comes_before_the_host() {
        all("scheme", &["javascript:alert(1)", "javascript://", "javascript:", "javascript:a[1]", "javascript:#a#"]);
    }

    #[test]
    fn no_host_or_a_broken_authority() {
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
                "mailto:someone@example.com",
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
    fn credentials() {
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
        all("fine", &["https://h/@", "https://h/a@b", "https://h?a@b", "https://h#a@b"]);
    }

    #[test]
    fn private_hosts() {
        let names = [
            "localhost",
            "LOCALHOST",
            "localhost.",
            "a.localhost",
            "a.b.LocalHost.",
            "printer.local",
            "printer.LOCAL.",
            "a.internal",
            "metadata.google.internal.",
            ".local",
            ".internal",
            ".localhost",
        ];
        let v4 = [
            "127.0.0.1",
            "127.255.255.255",
            "127.0.0.1.",
            "0.0.0.0",
            "0.1.2.3",
            "10.0.0.0",
            "10.255.255.255",
            "172.16.0.0",
            "172.31.255.255",
            "192.168.0.0",
            "192.168.255.255",
            "169.254.0.0",
            "169.254.169.254",
            "100.64.0.0",
            "100.127.255.255",
        ];
        let other_notations = [
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
            "2130706433.",
            "127.16777215",
            "10.1",
            "192.168.257",
            "0000000000000177.0.0.1",
            "00000000000000000000000000017700000001",
            "0xA000001",
            "0xa9fea9fe",
            "3232235521",
            "0xc0.0xa8.1",
        ];
        let v6 = [
            "[::]",
            "[::1]",
            "[0:0:0:0:0:0:0:1]",
            "[fc00::]",
            "[fdff:ffff::1]",
            "[fe80::1]",
            "[febf::1]",
            "[::ffff:127.0.0.1]",
            "[::FFFF:10.0.0.1]",
            "[::ffff:a9fe:a9fe]",
            "[::ffff:192.168.1.1]",
            "[::127.0.0.1]",
            "[::10.0.0.1]",
            "[64:ff9b::10.0.0.1]",
            "[64:ff9b::7f00:1]",
            "[0:0:0:0:0:ffff:172.16.0.1]",
        ];
        for host in names.iter().chain(&v4).chain(&other_notations).chain(&v6) {
            for text in [format!("https://{host}"), format!("http://{host}:8080/a?b#c"), format!("x://{host}:?")] {
                assert_eq!(verdict(&text), "private", "{text}");
            }
        }
    }

    #[test]
    fn public_hosts() {
        let names = [
            "localhost.example",
            "mylocalhost",
            "localhosts",
            "local",
            "internal",
            "mylocal",
            "myinternal",
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
        ];
        let v4 = [
            "1.0.0.0",
            "9.255.255.255",
            "11.0.0.0",
            "126.255.255.255",
            "128.0.0.0",
            "172.15.255.255",
            "172.32.0.0",
            "192.167.255.255",
            "192.169.0.0",
            "169.253.255.255",
            "169.255.0.0",
            "100.63.255.255",
            "100.128.0.0",
            "8.8",
            "134744072",
            "0x08080808",
            "010.8.8.8",
        ];
        // A browser refuses these, so they lead nowhere.
        let no_addresses = [
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
            "127.0.0.",
            "127.0.0.0x100",
            "1e3",
        ];
        let v6 = [
            "[fbff::1]",
            "[fe00::1]",
            "[fe7f::1]",
            "[fec0::1]",
            "[::ffff:8.8.8.8]",
            "[::8.8.8.8]",
            "[64:ff9b::8.8.8.8]",
            "[64:ff9b:0:1::10.0.0.1]",
            "[::1:0:0:1]",
            "[2001:db8::127.0.0.1]",
            "[v6.fe80::1]",
            "[::fffe:10.0.0.1]",
        ];
        // Nothing is decoded.
        let encoded = ["%6cocalhost", "127%2e0.0.1", "%31%32%37.1", "printer%2Elocal", "%D1%80%D1%84", "loc%00alhost"];
        for host in names.iter().chain(&v4).chain(&no_addresses).chain(&v6).chain(&encoded) {
            // "127.0.0." has three numbers and is an address: 127.0.0 is 127.0.0.0.
            let expected = if *host == "127.0.0." { "private" } else { "fine" };
            assert_eq!(verdict(&format!("https://{host}/")), expected, "{host}");
        }
    }

    #[test]
    fn an_authority_of_any_length_ends_where_it_should() {
        for length in 0..=40 {
            let host = "h".repeat(length);
            let behind = [
                "",
                "/",
                "?",
                "#",
                ":1/",
                "/a-path-of-more-than-sixteen-bytes",
                "?a-query-of-so-many",
                ":1#fragment-of-them",
            ];
            let expected = if length == 0 { "authority" } else { "fine" };
            for text in behind.map(|behind| format!("https://{host}{behind}")) {
                all(expected, &[&text]);
            }
            all("authority", &[&format!("https://{host}:x/a-path-of-more-than-sixteen-bytes")]);
            all("credentials", &[&format!("https://{host}@h/a-path-of-more-than-sixteen-bytes")]);
        }
    }

    #[test]
    fn every_byte_everywhere() {
        let allowed = "-._~!$&'()*+,;=/?#[]@:0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
        for byte in 0..=0x7F_u8 {
            let c = char::from(byte);
            for (before, behind) in
                [("https://h/", ""), ("https://h", ".example/"), ("https://h?", "x"), ("https://h#", "")]
            {
                let facts = format!("{before}{c}{behind}");
                assert_eq!(inspect(&facts).characters, allowed.contains(c), "{facts}");
            }
        }
        for c in "\u{80}\u{A0}é€ｅ\u{1F600}。．".chars() {
            assert!(!inspect(&format!("https://h/{c}")).characters);
            assert!(!inspect(&format!("https://h{c}/")).characters);
        }
    }
}
