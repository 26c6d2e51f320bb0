//! The client of a request: the peer of the connection, or the address that a trusted proxy names.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};

use axum::http::{HeaderMap, HeaderName};
use ipnet::IpNet;

const X_FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// The client of a request, for limits, logs, and the audit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Client {
    pub(super) address: IpAddr,
}

/// Returns the address that limits count. A subscriber of IPv6 has a network of 64 bits, so all
/// addresses of such a network count as one.
pub(super) fn counted(address: IpAddr) -> IpAddr {
    const NETWORK: u128 = !0 << 64;
    match address.to_canonical() {
        IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() & NETWORK)),
        address => address,
    }
}

impl Client {
    /// Returns the address that limits count.
    pub(super) fn counted(self) -> IpAddr {
        counted(self.address)
    }

    /// Finds the client. Everybody can send the header `X-Forwarded-For`, so it counts only as far
    /// as trusted proxies have written it: the address is the last one that is not of a trusted
    /// proxy.
    pub(super) fn of(peer: SocketAddr, headers: &HeaderMap, trusted: &[IpNet]) -> Self {
        let is_trusted = |address: &IpAddr| trusted.iter().any(|network| network.contains(address));
        let mut address = peer.ip().to_canonical();
        let values = headers.get_all(X_FORWARDED_FOR).iter().rev();
        let mut forwarded = values.flat_map(|value| value.to_str().unwrap_or_default().rsplit(','));
        while is_trusted(&address) {
            match forwarded.next().map(|text| text.trim().parse::<IpAddr>()) {
                Some(Ok(named)) => address = named.to_canonical(),
                // A name that cannot be read counts as the proxy that has passed it on.
                Some(Err(_)) | None => break,
            }
        }
        Self { address }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_ipv6_count_by_their_network() {
        for (address, network) in [
            ("192.0.2.1", "192.0.2.1"),
            ("::ffff:192.0.2.1", "192.0.2.1"),
            ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
            ("2001:db8:1:2:ffff:ffff:ffff:ffff", "2001:db8:1:2::"),
            ("2001:db8:1:3::1", "2001:db8:1:3::"),
        ] {
            let [address, network] = [address, network].map(|text| text.parse::<IpAddr>().unwrap());
            assert_eq!(counted(address), network);
        }
    }

    #[test]
    fn only_trusted_proxies_name_clients() {
        let trusted = ["10.0.0.0/8".parse().unwrap(), "::1/128".parse().unwrap()];
        for (peer, values, client) in [
            ("1.2.3.4:5", &["9.9.9.9"] as &[_], "1.2.3.4"),
            ("10.0.0.1:5", &["9.9.9.9"], "9.9.9.9"),
            ("10.0.0.1:5", &["6.6.6.6, 9.9.9.9"], "9.9.9.9"),
            ("10.0.0.1:5", &["6.6.6.6, 9.9.9.9 , 10.0.0.2"], "9.9.9.9"),
            ("10.0.0.1:5", &["6.6.6.6", "9.9.9.9", "10.0.0.2"], "9.9.9.9"),
            ("10.0.0.1:5", &["6.6.6.6, x"], "10.0.0.1"),
            ("10.0.0.1:5", &["6.6.6.6, x, 10.0.0.2"], "10.0.0.2"),
            ("10.0.0.1:5", &[], "10.0.0.1"),
            ("[::ffff:10.0.0.1]:5", &["2001:db8::1"], "2001:db8::1"),
            ("[::1]:5", &["::ffff:9.9.9.9"], "9.9.9.9"),
        ] {
            let mut headers = HeaderMap::new();
            for value in values {
                headers.append(X_FORWARDED_FOR, value.parse().unwrap());
            }
            let found = Client::of(peer.parse().unwrap(), &headers, &trusted).address;
            assert_eq!(
                found,
                client.parse::<IpAddr>().unwrap(),
                "{peer} {values:?}"
            );
        }
        let mut headers = HeaderMap::new();
        headers.append(X_FORWARDED_FOR, "9.9.9.9".parse().unwrap());
        let found = Client::of("10.0.0.1:5".parse().unwrap(), &headers, &[]).address;
        assert_eq!(
            found,
            IpAddr::from([10, 0, 0, 1]),
            "no proxy is trusted by default"
        );
    }
}
