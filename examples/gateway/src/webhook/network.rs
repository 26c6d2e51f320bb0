//! Which IP addresses belong to the public Internet: IANA's registries of special addresses as one table.
//!
//! All else is refused as a target: whoever may name a callback address could otherwise make this server call its own
//! network, the cloud's metadata service first of all.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use ipnet::{Ipv4Net, Ipv6Net};

/// Why an address is no public one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum NetworkKind {
    /// This machine.
    Loopback,
    /// `0.0.0.0`, `::` and their like, which lead to this machine as well.
    Unspecified,
    /// A private network, unique local and site-local addresses.
    Private,
    /// Of one link only; cloud metadata services live there.
    LinkLocal,
    /// Shared behind a carrier's address translation.
    CarrierGrade,
    /// A group of receivers, or everybody.
    Multicast,
    /// For documents and benchmarks.
    Documentation,
    /// An IPv4 address inside an IPv6 one: mapped, NAT64, 6to4, Teredo.
    Embedded,
    /// Kept for protocols or for the future.
    Reserved,
}

impl NetworkKind {
    /// As it stands in logs and metrics.
    pub fn name(self) -> &'static str {
        match self {
            Self::Loopback => "loopback",
            Self::Unspecified => "unspecified",
            Self::Private => "private",
            Self::LinkLocal => "link-local",
            Self::CarrierGrade => "carrier-grade NAT",
            Self::Multicast => "multicast",
            Self::Documentation => "documentation",
            Self::Embedded => "IPv4-in-IPv6",
            Self::Reserved => "reserved",
        }
    }
}

impl fmt::Display for NetworkKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

const fn v4(a: u8, b: u8, c: u8, d: u8, length: u8) -> Ipv4Net {
    Ipv4Net::new_assert(Ipv4Addr::new(a, b, c, d), length)
}

const fn v6(head: [u16; 6], length: u8) -> Ipv6Net {
    let [a, b, c, d, e, f] = head;
    Ipv6Net::new_assert(Ipv6Addr::new(a, b, c, d, e, f, 0, 0), length)
}

/// Everything of IPv4 that is not public.
static SPECIAL_V4: [(Ipv4Net, NetworkKind); 15] = [
    (v4(0, 0, 0, 0, 8), NetworkKind::Unspecified),
    (v4(10, 0, 0, 0, 8), NetworkKind::Private),
    (v4(100, 64, 0, 0, 10), NetworkKind::CarrierGrade),
    (v4(127, 0, 0, 0, 8), NetworkKind::Loopback),
    (v4(169, 254, 0, 0, 16), NetworkKind::LinkLocal),
    (v4(172, 16, 0, 0, 12), NetworkKind::Private),
    (v4(192, 0, 0, 0, 24), NetworkKind::Reserved),
    (v4(192, 0, 2, 0, 24), NetworkKind::Documentation),
    (v4(192, 88, 99, 0, 24), NetworkKind::Reserved), // the relays of 6to4
    (v4(192, 168, 0, 0, 16), NetworkKind::Private),
    (v4(198, 18, 0, 0, 15), NetworkKind::Documentation),
    (v4(198, 51, 100, 0, 24), NetworkKind::Documentation),
    (v4(203, 0, 113, 0, 24), NetworkKind::Documentation),
    (v4(224, 0, 0, 0, 4), NetworkKind::Multicast),
    (v4(240, 0, 0, 0, 4), NetworkKind::Reserved), // 255.255.255.255 too
];

/// What is handed out of IPv6: all else is special or not yet in use.
static PUBLIC_V6: Ipv6Net = v6([0x2000, 0, 0, 0, 0, 0], 3);

/// What is not public within the above, and names for what lies outside. The first that holds the address counts.
static SPECIAL_V6: [(Ipv6Net, NetworkKind); 14] = [
    (Ipv6Net::new_assert(Ipv6Addr::UNSPECIFIED, 128), NetworkKind::Unspecified),
    (Ipv6Net::new_assert(Ipv6Addr::LOCALHOST, 128), NetworkKind::Loopback),
    (COMPATIBLE, NetworkKind::Embedded),
    (MAPPED, NetworkKind::Embedded),
    (NAT64, NetworkKind::Embedded),
    (NAT64_LOCAL, NetworkKind::Embedded),
    (TEREDO, NetworkKind::Embedded),
    (SIX_TO_FOUR, NetworkKind::Embedded),
    (v6([0x2001, 0xDB8, 0, 0, 0, 0], 32), NetworkKind::Documentation),
    (v6([0x3FFF, 0, 0, 0, 0, 0], 20), NetworkKind::Documentation),
    (v6([0x2001, 0, 0, 0, 0, 0], 23), NetworkKind::Reserved), // protocols: benchmarks, ORCHID, AMT, …
    (v6([0xFC00, 0, 0, 0, 0, 0], 7), NetworkKind::Private),
    (v6([0xFE80, 0, 0, 0, 0, 0], 10), NetworkKind::LinkLocal),
    (v6([0xFF00, 0, 0, 0, 0, 0], 8), NetworkKind::Multicast),
];

const COMPATIBLE: Ipv6Net = v6([0; 6], 96);
const MAPPED: Ipv6Net = v6([0, 0, 0, 0, 0, 0xFFFF], 96);
const NAT64: Ipv6Net = v6([0x64, 0xFF9B, 0, 0, 0, 0], 96);
const NAT64_LOCAL: Ipv6Net = v6([0x64, 0xFF9B, 1, 0, 0, 0], 48);
const TEREDO: Ipv6Net = v6([0x2001, 0, 0, 0, 0, 0], 32);
const SIX_TO_FOUR: Ipv6Net = v6([0x2002, 0, 0, 0, 0, 0], 16);

/// What is special about an address; `None` for a public one.
pub(super) fn kind(address: IpAddr) -> Option<NetworkKind> {
    match address {
        IpAddr::V4(address) => SPECIAL_V4.iter().find(|(net, _)| net.contains(&address)).map(|(_, kind)| *kind),
        IpAddr::V6(address) => SPECIAL_V6
            .iter()
            .find(|(net, _)| net.contains(&address))
            .map(|(_, kind)| *kind)
            .or_else(|| (!PUBLIC_V6.contains(&address)).then_some(NetworkKind::Reserved)),
    }
}

/// The IPv4 address that a packet to this IPv6 address ends up at.
pub(super) fn embedded(address: IpAddr) -> Option<Ipv4Addr> {
    let IpAddr::V6(address) = address else { return None };
    let bytes = address.octets();
    let last = [bytes[12], bytes[13], bytes[14], bytes[15]];
    if SIX_TO_FOUR.contains(&address) {
        Some([bytes[2], bytes[3], bytes[4], bytes[5]].into())
    } else if TEREDO.contains(&address) {
        Some(last.map(|byte| !byte).into()) // Teredo hides it from address translators by flipping its bits
    } else if [COMPATIBLE, MAPPED, NAT64, NAT64_LOCAL].iter().any(|net| net.contains(&address)) {
        Some(last.into())
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn all(expected: Option<NetworkKind>, addresses: &[&str]) {
        for address in addresses {
            assert_eq!(kind(address.parse().unwrap()), expected, "{address}");
        }
    }

    #[test]
    fn public_addresses_up_to_the_edges_of_special_ones() {
        all(None, &["1.0.0.0", "8.8.8.8", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0"]);
        all(None, &["126.255.255.255", "128.0.0.0", "169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0"]);
        all(None, &["191.255.255.255", "192.0.1.0", "192.0.3.0", "192.167.255.255", "192.169.0.0", "198.17.255.255"]);
        all(None, &["198.20.0.0", "198.51.99.255", "203.0.114.0", "223.255.255.255"]);
        all(None, &["2000::", "2001:200::", "2001:4860:4860::8888", "2001:db7::1", "2003::", "2a00:1450::1"]);
        all(None, &["3ffe:ffff::", "3fff:1000::1", "2001:db9::"]);
    }

    #[test]
    fn special_addresses() {
        all(Some(NetworkKind::Loopback), &["127.0.0.1", "127.255.255.255", "::1"]);
        all(Some(NetworkKind::Unspecified), &["0.0.0.0", "0.1.2.3", "::"]);
        all(Some(NetworkKind::Private), &["10.0.0.1", "172.16.0.0", "172.31.255.255", "192.168.255.255"]);
        all(Some(NetworkKind::Private), &["fc00::1", "fdff:ffff::1"]);
        all(Some(NetworkKind::LinkLocal), &["169.254.169.254", "fe80::1", "febf::1"]);
        all(Some(NetworkKind::CarrierGrade), &["100.64.0.0", "100.127.255.255"]);
        all(Some(NetworkKind::Multicast), &["224.0.0.1", "239.255.255.255", "ff02::1"]);
        all(Some(NetworkKind::Documentation), &["192.0.2.1", "198.51.100.7", "203.0.113.255", "198.19.255.255"]);
        all(Some(NetworkKind::Documentation), &["2001:db8::1", "3fff:fff::1"]);
        all(Some(NetworkKind::Reserved), &["192.0.0.8", "192.88.99.1", "240.0.0.1", "255.255.255.255"]);
        all(
            Some(NetworkKind::Reserved),
            &["1::1", "100::1", "64:ff9b:2::1", "4000::", "5f00::1", "fec0::1", "fe00::1"],
        );
        all(Some(NetworkKind::Reserved), &["2001:2::1", "2001:10::1", "2001:1ff::1"]);
        all(Some(NetworkKind::Embedded), &["::8.8.8.8", "::ffff:8.8.8.8", "64:ff9b::8.8.8.8", "64:ff9b:1:2::a00:1"]);
        all(Some(NetworkKind::Embedded), &["2002:808:808::1", "2001:0:4136:e378:8000:63bf:3fff:fdd2"]);
    }

    #[test]
    fn the_address_within() {
        for (outer, inner) in [
            ("::ffff:10.1.2.3", Some("10.1.2.3")),
            ("::127.0.0.2", Some("127.0.0.2")),
            ("64:ff9b::169.254.169.254", Some("169.254.169.254")),
            ("64:ff9b:1:ffff::192.168.0.1", Some("192.168.0.1")),
            ("2002:7f00:1::5", Some("127.0.0.1")),
            ("2001:0:4136:e378:8000:63bf:3fff:fdd2", Some("192.0.2.45")),
            ("2a00::1", None),
            ("8.8.8.8", None),
        ] {
            assert_eq!(embedded(outer.parse().unwrap()), inner.map(|text| text.parse().unwrap()), "{outer}");
        }
    }
}
