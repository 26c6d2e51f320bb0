//! The allowed targets of deliveries: URLs, and the IP addresses of their names.
//!
//! A client chooses the callback URL. Without this check it could make the gateway call its own
//! network, for example the metadata service of a cloud.

use std::net::IpAddr;

use ipnet::IpNet;
use payspec::is_private_host;
use url::{Host, Url};

/// The allowed targets. The default is the public Internet only.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Targets {
    /// Private networks that are allowed: `127.0.0.0/8`, `10.20.0.0/16`, `fd00::/8`.
    ///
    /// An IPv6 network includes the IPv4 addresses embedded in it: `64:ff9b::/96` allows each
    /// address behind NAT64. Public ones are allowed without it.
    pub allowed: Vec<IpNet>,
    /// Whether `http` is allowed too.
    pub plain_http: bool,
}

/// The reason why a URL is rejected before anything is sent. It does not contain the URL, which may
/// contain a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TargetError {
    /// The text is not a URL with a host.
    #[error("not an absolute URL with a host")]
    Url,
    /// The scheme is neither https nor, if it is allowed, http.
    #[error("the scheme of the URL is not allowed")]
    Scheme,
    /// The URL has a user name or a password, which would be sent to the receiver.
    #[error("the URL contains credentials")]
    Credentials,
    /// The host is private and not allowed.
    #[error("the host of the URL is private")]
    PrivateHost,
}

impl Default for Targets {
    fn default() -> Self {
        Self {
            allowed: Vec::new(),
            plain_http: true,
        }
    }
}

impl Targets {
    /// Allows all networks, including this machine: for demonstrations and closed networks.
    pub fn anywhere() -> Self {
        let everything = [
            IpNet::V4(ipnet::Ipv4Net::default()),
            IpNet::V6(ipnet::Ipv6Net::default()),
        ];
        Self {
            allowed: everything.to_vec(),
            plain_http: true,
        }
    }

    /// Checks a URL without resolving its host. Parses IPv4 addresses in every notation (`127.1`,
    /// `0x7f000001`).
    ///
    /// # Errors
    /// Returns the first reason to reject the URL.
    pub fn check(&self, url: &str) -> Result<Url, TargetError> {
        let url = Url::parse(url).map_err(|_| TargetError::Url)?;
        match url.scheme() {
            "https" => {}
            "http" if self.plain_http => {}
            _ => return Err(TargetError::Scheme),
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(TargetError::Credentials);
        }
        let is_allowed = match url.host() {
            None => return Err(TargetError::Url),
            Some(Host::Ipv4(address)) => self.allows(address.into()),
            Some(Host::Ipv6(address)) => self.allows(address.into()),
            // Private names usually have addresses in the operator's networks. If some are allowed,
            // the resolved address decides, see `resolver`.
            Some(Host::Domain(name)) => !self.allowed.is_empty() || !is_private_host(name),
        };
        if is_allowed {
            Ok(url)
        } else {
            Err(TargetError::PrivateHost)
        }
    }

    /// Returns whether the address is public or in an allowed network.
    pub(super) fn allows(&self, address: IpAddr) -> bool {
        !is_private_host(&address.to_string())
            || self
                .allowed
                .iter()
                .any(|network| network.contains(&address))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allowing(networks: &[&str]) -> Targets {
        Targets {
            allowed: networks.iter().map(|text| text.parse().unwrap()).collect(),
            ..Targets::default()
        }
    }

    #[test]
    fn checks_schemes_hosts_and_credentials() {
        let targets = Targets::default();
        for (url, expected) in [
            ("https://shop.example/callback?a=b", None),
            ("http://shop.example:8080/", None),
            ("https://8.8.8.8/", None),
            ("https://[2a00::1]:444/x", None),
            ("", Some(TargetError::Url)),
            ("/callback", Some(TargetError::Url)),
            ("https://", Some(TargetError::Url)),
            ("ftp://shop.example/", Some(TargetError::Scheme)),
            ("file:///etc/passwd", Some(TargetError::Scheme)),
            ("javascript:alert(1)", Some(TargetError::Scheme)),
            ("https://user@shop.example/", Some(TargetError::Credentials)),
            (
                "https://:secret@shop.example/",
                Some(TargetError::Credentials),
            ),
        ] {
            assert_eq!(targets.check(url).err(), expected, "{url}");
        }
        let strict = Targets {
            plain_http: false,
            ..Targets::default()
        };
        assert_eq!(
            strict.check("http://shop.example/").err(),
            Some(TargetError::Scheme)
        );
        assert!(strict.check("https://shop.example/").is_ok());
    }

    #[test]
    fn rejects_private_hosts_in_every_notation() {
        for host in [
            "127.0.0.1",
            "127.1",
            "2130706433",
            "0x7f.1",
            "017700000001",
            "0",
            "10.0.0.1",
            "169.254.169.254",
            "[::1]",
            "[::ffff:127.0.0.1]",
            "[64:ff9b::a00:1]",
            "[fd00::1]",
            "１２７.0.0.1",
            "127.0.0.1.",
            "%31%32%37.0.0.1",
            "localhost",
            "%6cocalhost",
            "printer.LOCAL.",
            "metadata.google.internal",
            "nas.home.arpa",
            "0x7f000001",
            "0177.0.0.1",
            "0x7f.0.0.0x1",
            "[::]",
            "[::127.0.0.1]",
            "[::ffff:7f00:1]",
            "[2002:7f00:1::]",
            "[fe80::1]",
            "[ff02::1]",
            "100.100.100.200",
            "①②⑦.⓪.⓪.①",
            "LOCALHOST.",
            "a.localhost",
            "ip6-localhost",
        ] {
            let result = Targets::default().check(&format!("http://{host}:8080/x"));
            assert_eq!(result, Err(TargetError::PrivateHost), "{host}");
            assert!(
                Targets::anywhere()
                    .check(&format!("http://{host}/"))
                    .is_ok(),
                "{host}"
            );
        }
    }

    #[test]
    fn knows_both_ends_of_every_private_network() {
        for (networks, neighbors) in [
            ("0.0.0.0/8", "1.0.0.0"),
            ("10.0.0.0/8", "9.255.255.255 11.0.0.0"),
            ("100.64.0.0/10", "100.63.255.255 100.128.0.0"),
            ("127.0.0.0/8", "126.255.255.255 128.0.0.0"),
            ("169.254.0.0/16", "169.253.255.255 169.255.0.0"),
            ("172.16.0.0/12", "172.15.255.255 172.32.0.0"),
            ("192.0.0.0/24", "191.255.255.255 192.0.1.0"),
            ("192.0.2.0/24", "192.0.1.255 192.0.3.0"),
            ("192.88.99.0/24", "192.88.98.255 192.88.100.0"),
            ("192.168.0.0/16", "192.167.255.255 192.169.0.0"),
            ("198.18.0.0/15", "198.17.255.255 198.20.0.0"),
            ("198.51.100.0/24", "198.51.99.255 198.51.101.0"),
            ("203.0.113.0/24", "203.0.112.255 203.0.114.0"),
            ("224.0.0.0/4 240.0.0.0/4", "223.255.255.255"),
            (
                "::/3 4000::/2 8000::/1",
                "2000:: 3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
            ),
            (
                "2001::/23",
                "2000:ffff:ffff:ffff:ffff:ffff:ffff:ffff 2001:200::",
            ),
            (
                "2001:db8::/32",
                "2001:db7:ffff:ffff:ffff:ffff:ffff:ffff 2001:db9::",
            ),
            (
                "3fff::/20",
                "3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff 3fff:1000::",
            ),
            (
                "::ffff:10.0.0.0/104",
                "::ffff:9.255.255.255 ::ffff:11.0.0.0",
            ),
            (
                "64:ff9b::10.0.0.0/104",
                "64:ff9b::9.255.255.255 64:ff9b::11.0.0.0",
            ),
            (
                "2002:a00::/24",
                "2002:9ff:ffff:ffff:ffff:ffff:ffff:ffff 2002:b00::",
            ),
        ] {
            for network in networks
                .split(' ')
                .map(|text| text.parse::<IpNet>().unwrap())
            {
                for address in [network.network(), network.broadcast()] {
                    assert!(!Targets::default().allows(address), "{address}");
                    assert!(
                        Targets {
                            allowed: vec![network],
                            ..Targets::default()
                        }
                        .allows(address),
                        "{address}"
                    );
                }
            }
            for address in neighbors.split(' ') {
                assert!(
                    Targets::default().allows(address.parse().unwrap()),
                    "{address}"
                );
            }
        }
    }

    #[test]
    fn allows_the_networks_of_the_operator_only() {
        let targets = allowing(&[
            "127.0.0.0/8",
            "10.20.0.0/16",
            "64:ff9b::10.20.0.0/112",
            "::1/128",
        ]);
        for (address, is_allowed) in [
            ("127.0.0.1", true),
            ("10.20.255.1", true),
            ("10.21.0.1", false),
            ("::1", true),
            ("::2", false),
            ("64:ff9b::8.8.8.8", true),
            ("64:ff9b::10.20.0.1", true),
            ("64:ff9b::10.21.0.1", false),
            ("::ffff:127.0.0.1", false),
            ("2002:808:808::", true),
            ("2002:7f00:1::", false),
        ] {
            assert_eq!(
                targets.allows(address.parse().unwrap()),
                is_allowed,
                "{address}"
            );
        }
    }

    #[test]
    fn leaves_private_names_to_the_resolver_if_a_network_is_allowed() {
        let url = "http://api.internal/";
        assert!(allowing(&["10.20.0.0/16"]).check(url).is_ok());
        assert_eq!(Targets::default().check(url), Err(TargetError::PrivateHost));
    }

    #[test]
    fn returns_errors_without_the_url() {
        let error = Targets::default()
            .check("http://10.0.0.1/?token=hush")
            .unwrap_err();
        assert_eq!(error.to_string(), "the host of the URL is private");
    }
}
