//! Private hosts.

use core::net::Ipv6Addr;

/// Checks if a host is private: not reachable from the public Internet, or reserved.
///
/// The host is a name, an IPv4 address, or an IPv6 address with or without brackets. IPv4 addresses
/// may have any notation that a WHATWG URL parser accepts (`127.1`, `0x7f000001`). A port, a zone,
/// or userinfo is not part of a host.
///
/// Names are not resolved and not decoded. Before you connect, check each resolved address too.
///
/// Private hosts are:
///
/// - names without a dot, such as `localhost` and the names of services in a cluster
/// - the names `*.localhost`, `*.localdomain`, `*.localdomain4`, `*.localdomain6`, `*.local`,
///   `*.internal`, `*.intranet`, `*.private`, `*.corp`, `*.home`, `*.home.arpa`, `*.lan`, and
///   `*.svc`, in any case; a trailing dot is ignored
/// - IPv4: 0.0.0.0/8, 10.0.0.0/8, 100.64.0.0/10, 127.0.0.0/8, 169.254.0.0/16, 172.16.0.0/12,
///   192.0.0.0/24, 192.0.2.0/24, 192.88.99.0/24, 192.168.0.0/16, 198.18.0.0/15, 198.51.100.0/24,
///   203.0.113.0/24, 224.0.0.0/4, 240.0.0.0/4
/// - IPv6: all addresses outside 2000::/3, and 2001::/23, 2001:db8::/32 and 3fff::/20
/// - IPv4-mapped (::ffff:0:0/96), NAT64 (64:ff9b::/96), and 6to4 (2002::/16) addresses, if the
///   embedded IPv4 address is private
///
/// The IANA special-purpose registries list these addresses as not globally reachable.
///
/// # Examples
/// ```
/// use core::net::IpAddr;
/// use payspec::is_private_host;
///
/// assert!(is_private_host("printer.local") && is_private_host("redis"));
/// assert!(is_private_host("0x7f.1") && is_private_host("[::ffff:10.0.0.1]"));
/// assert!(!is_private_host("shop.example") && !is_private_host("[2a00:1450::1]"));
///
/// let resolved = IpAddr::from([169, 254, 169, 254]);
/// assert!(is_private_host(&resolved.to_string()));
/// ```
pub fn is_private_host(host: &str) -> bool {
    let literal = host
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(']'));
    match literal.unwrap_or(host).parse() {
        Ok(address) => is_private_v6(address),
        Err(_) => literal.is_none() && is_private_name(host),
    }
}

/// The suffixes of private names, in lower case.
const PRIVATE_SUFFIXES: [&str; 13] = [
    ".localhost",
    ".localdomain",
    ".localdomain4",
    ".localdomain6",
    ".local",
    ".internal",
    ".intranet",
    ".private",
    ".corp",
    ".home",
    ".home.arpa",
    ".lan",
    ".svc",
];

/// Checks if a name, or an IPv4 address in any notation, is private.
pub(super) fn is_private_name(host: &str) -> bool {
    let name = host.strip_suffix('.').unwrap_or(host);
    let begins_with_digit = name.starts_with(|first: char| first.is_ascii_digit());
    if let Some(address) = begins_with_digit.then(|| parse_v4(name)).flatten() {
        return is_private_v4(address);
    }
    is_single_label(name)
        || PRIVATE_SUFFIXES
            .iter()
            .any(|suffix| ends_with_ignore_ascii_case(name, suffix))
}

/// Checks if a name has one label, which no public name has: it is a host of the local network, or
/// a service of a cluster.
fn is_single_label(name: &str) -> bool {
    !name.is_empty() && !name.contains(['.', '%', ':', '[', ']', '@'])
}

fn ends_with_ignore_ascii_case(name: &str, suffix: &str) -> bool {
    name.len()
        .checked_sub(suffix.len())
        .and_then(|start| name.as_bytes().get(start..))
        .is_some_and(|end| end.eq_ignore_ascii_case(suffix.as_bytes()))
}

/// Parses an IPv4 address like the WHATWG URL standard: one to four numbers, each decimal, octal
/// after `0`, or hexadecimal after `0x`. The last number fills the remaining bytes.
fn parse_v4(name: &str) -> Option<[u8; 4]> {
    let mut address = 0_u32;
    let mut parts = name.split('.');
    let mut last = parse_number(parts.next()?)?;
    let mut bits_left = 32_u32;
    for part in parts {
        bits_left = bits_left.checked_sub(8).filter(|bits| *bits > 0)?;
        address |= u32::from(u8::try_from(last).ok()?).checked_shl(bits_left)?;
        last = parse_number(part)?;
    }
    let fits = u64::from(last) >> bits_left == 0;
    fits.then(|| (address | last).to_be_bytes())
}

/// Parses one number of an IPv4 address, with at most 32 bits. `0x` alone is zero.
fn parse_number(part: &str) -> Option<u32> {
    let (digits, radix) = match part.as_bytes() {
        [] => return None,
        [b'0', b'x' | b'X', digits @ ..] => (digits, 16),
        [b'0', digits @ ..] => (digits, 8),
        digits => (digits, 10),
    };
    digits.iter().try_fold(0_u32, |value, byte| {
        value
            .checked_mul(radix)?
            .checked_add(char::from(*byte).to_digit(radix)?)
    })
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

pub(super) fn is_private_v6(address: Ipv6Addr) -> bool {
    match address.segments() {
        // IPv4-mapped, NAT64, 6to4: packets reach the embedded address.
        [0, 0, 0, 0, 0, 0xFFFF, high, low]
        | [0x64, 0xFF9B, 0, 0, 0, 0, high, low]
        | [0x2002, high, low, ..] => {
            let ([a, b], [c, d]) = (high.to_be_bytes(), low.to_be_bytes());
            is_private_v4([a, b, c, d])
        }
        // Protocols (2001::/23, with Teredo) and documentation (2001:db8::/32, 3fff::/20).
        [0x2001, 0..=0x1FF | 0xDB8, ..] | [0x3FFF, 0..=0xFFF, ..] => true,
        // Only 2000::/3 is assigned to the public Internet.
        [first, ..] => first & 0xE000 != 0x2000,
    }
}

#[cfg(test)]
mod tests {
    use alloc::format;
    use alloc::string::ToString;
    use core::net::Ipv4Addr;

    use super::super::tests::verdict;
    use super::*;

    /// The first and the last address of each private range of IPv4, and its public neighbors.
    const V4_RANGES: [(&str, &str, &str, &str); 15] = [
        ("", "0.0.0.0", "0.255.255.255", "1.0.0.0"),
        ("9.255.255.255", "10.0.0.0", "10.255.255.255", "11.0.0.0"),
        (
            "100.63.255.255",
            "100.64.0.0",
            "100.127.255.255",
            "100.128.0.0",
        ),
        (
            "126.255.255.255",
            "127.0.0.0",
            "127.255.255.255",
            "128.0.0.0",
        ),
        (
            "169.253.255.255",
            "169.254.0.0",
            "169.254.255.255",
            "169.255.0.0",
        ),
        (
            "172.15.255.255",
            "172.16.0.0",
            "172.31.255.255",
            "172.32.0.0",
        ),
        ("191.255.255.255", "192.0.0.0", "192.0.0.255", "192.0.1.0"),
        ("192.0.1.255", "192.0.2.0", "192.0.2.255", "192.0.3.0"),
        (
            "192.88.98.255",
            "192.88.99.0",
            "192.88.99.255",
            "192.88.100.0",
        ),
        (
            "192.167.255.255",
            "192.168.0.0",
            "192.168.255.255",
            "192.169.0.0",
        ),
        (
            "198.17.255.255",
            "198.18.0.0",
            "198.19.255.255",
            "198.20.0.0",
        ),
        (
            "198.51.99.255",
            "198.51.100.0",
            "198.51.100.255",
            "198.51.101.0",
        ),
        (
            "203.0.112.255",
            "203.0.113.0",
            "203.0.113.255",
            "203.0.114.0",
        ),
        ("223.255.255.255", "224.0.0.0", "239.255.255.255", ""),
        ("", "240.0.0.0", "255.255.255.255", ""),
    ];

    /// The same addresses for IPv6.
    const V6_RANGES: [(&str, &str, &str, &str); 5] = [
        (
            "",
            "::",
            "1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
            "2000::",
        ),
        (
            "2000:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
            "2001::",
            "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff",
            "2001:200::",
        ),
        (
            "2001:db7:ffff:ffff:ffff:ffff:ffff:ffff",
            "2001:db8::",
            "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff",
            "2001:db9::",
        ),
        (
            "3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
            "3fff::",
            "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff",
            "3fff:1000::",
        ),
        (
            "3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
            "4000::",
            "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
            "",
        ),
    ];

    /// Checks the function on the host, and on the host in URIs with any scheme and port.
    #[track_caller]
    fn check_host(host: &str, is_private: bool) {
        assert_eq!(is_private_host(host), is_private, "{host}");
        let host = if host.contains(':') && !host.starts_with('[') {
            format!("[{host}]")
        } else {
            host.into()
        };
        assert_eq!(is_private_host(&host), is_private, "{host}");
        for text in [
            format!("https://{host}"),
            format!("http://{host}:8080/a?b#c"),
            format!("x://{host}:?"),
        ] {
            assert_eq!(
                verdict(&text),
                if is_private { "private" } else { "valid" },
                "{text}"
            );
        }
    }

    #[test]
    fn finds_both_ends_of_every_private_range() {
        let in_v4 = V4_RANGES.map(|(before, first, last, after)| {
            [(before, false), (first, true), (last, true), (after, false)]
        });
        for (text, is_private) in in_v4
            .into_iter()
            .flatten()
            .filter(|(text, _)| !text.is_empty())
        {
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
            check_host(
                &format!("2002:{high:x}:{low:x}:ffff:ffff:ffff:ffff:ffff"),
                is_private,
            );
            check_host(&address.to_ipv6_mapped().to_string(), is_private);
        }
        let in_v6 = V6_RANGES.map(|(before, first, last, after)| {
            [(before, false), (first, true), (last, true), (after, false)]
        });
        for (text, is_private) in in_v6
            .into_iter()
            .flatten()
            .filter(|(text, _)| !text.is_empty())
        {
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
            "localhost.localdomain",
            "localhost.localdomain4",
            "localhost6.LOCALDOMAIN6.",
            "nas.lan",
            "router.home",
            "sso.corp",
            "wiki.intranet.",
            "db.private",
            "kubernetes.default.svc",
            "kubernetes.default.svc.cluster.local",
            // One label.
            "mylocalhost",
            "local",
            "local.",
            "intranet",
            "redis",
            "Redis.",
            "x",
            "face",
            "a-b_c",
        ] {
            check_host(name, true);
        }
        for name in [
            "localhost.example",
            "home.arpa",
            "myhome.arpa",
            "a.home.arpas",
            "1.0.0.127.in-addr.arpa",
            "a.locals",
            "localhost..",
            "a.local.example",
            "internal.example",
            "example.cat",
            "example.il",
            "a.de",
            "0x.example",
            "beef.cafe",
            "127.0.0.1.example",
            "1.example",
            "shop.mylan",
            "shop.acorp",
            "lan.example",
            "svc.example.com",
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
        // No URL parser accepts these. Without a dot, they are names of one label.
        for host in ["4294967296", "0x100000000", "0x7g", "08", "1e3"] {
            check_host(host, true);
        }
        for host in [
            "127.0.0.256",
            "127.256.1",
            "127.0.65536",
            "127.16777216",
            "127.0.0.1.1",
            "127..1",
            "127.0.0.09",
            "0177.0.0.08",
            "127.0.0.1..",
            ".127.1",
            "127.0.0.0x100",
            "0xa.a",
        ] {
            check_host(host, false);
        }
        for host in ["1.0.0.0", "8.8", "134744072", "0x08080808", "010.8.8.8"] {
            check_host(host, false);
        }
    }

    #[test]
    fn rejects_encoded_hosts_and_other_text() {
        check_host("[v6.fe80::1]", false);
        for host in [
            "%6cocalhost",
            "127%2e0.0.1",
            "%31%32%37.1",
            "printer%2Elocal",
            "loc%00alhost",
        ] {
            assert!(!is_private_host(host), "{host}");
        }
        for text in [
            "",
            ".",
            "[]",
            "[",
            "]",
            "[::1",
            "::1]",
            "[127.0.0.1]",
            "[localhost]",
            "localhost:80",
            "127.0.0.1:80",
        ] {
            assert!(!is_private_host(text), "{text}");
        }
        for text in ["[::1]:80", "fe80::1%eth0", "u@localhost", "１２７.0.0.1"] {
            assert!(!is_private_host(text), "{text}");
        }
        for text in ["ⓛocalhost", " localhost", "localhost "] {
            assert!(is_private_host(text), "one label: {text}");
        }
    }
}
