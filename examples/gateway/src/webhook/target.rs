//! The target of a delivery: whether its address, and every IP address that it leads to, may be called.

use std::net::IpAddr;

use ipnet::IpNet;
use url::{Host, Url};

use super::network::{self, NetworkKind};

/// Where deliveries may go. The default is the public Internet and nothing else.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Targets {
    /// Networks that are allowed though they are not public: `127.0.0.0/8`, `10.20.0.0/16`, `fd00::/8`.
    ///
    /// An IPv4 address inside an IPv6 one (`64:ff9b::/96` where a provider has NAT64) needs both: the IPv6 network here,
    /// and an IPv4 address that is public or here too.
    pub allowed: Vec<IpNet>,
    /// Whether `http` will do.
    pub plain_http: bool,
}

/// Why an address is refused before anything is sent. The address itself is not repeated: tokens hide in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TargetError {
    /// No URL with a host.
    #[error("the address is no absolute URL with a host")]
    Url,
    /// Neither https nor, where it is allowed, http.
    #[error("the scheme of the address is not allowed")]
    Scheme,
    /// A user or a password in it: they would be sent to whoever answers there.
    #[error("the address holds credentials")]
    Credentials,
    /// An IP address, or the way through one, that is not public and not allowed.
    #[error("the address leads to a network that is not allowed: {0}")]
    Network(NetworkKind),
}

impl Default for Targets {
    fn default() -> Self {
        Self { allowed: Vec::new(), plain_http: true }
    }
}

impl Targets {
    /// Every address of every network, this machine's own too: for demonstrations and closed networks.
    pub fn anywhere() -> Self {
        let everything = [IpNet::V4(ipnet::Ipv4Net::default()), IpNet::V6(ipnet::Ipv6Net::default())];
        Self { allowed: everything.to_vec(), plain_http: true }
    }

    /// Judges what can be seen of an address without asking for its name.
    ///
    /// An IPv4 address in another notation (`127.1`, `0x7f000001`) is read as the address that it is.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn check(&self, address: &str) -> Result<Url, TargetError> {
        let url = Url::parse(address).map_err(|_| TargetError::Url)?;
        match url.scheme() {
            "https" => {}
            "http" if self.plain_http => {}
            _ => return Err(TargetError::Scheme),
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(TargetError::Credentials);
        }
        let judged = match url.host() {
            None => return Err(TargetError::Url),
            Some(Host::Ipv4(address)) => self.judge(address.into()),
            Some(Host::Ipv6(address)) => self.judge(address.into()),
            // Judged when it is resolved: see `resolver`.
            Some(Host::Domain(_)) => Ok(()),
        };
        judged.map_err(TargetError::Network)?;
        Ok(url)
    }

    /// Judges one IP address.
    ///
    /// # Errors
    /// What it is instead of public.
    pub(super) fn judge(&self, address: IpAddr) -> Result<(), NetworkKind> {
        let Some(kind) = network::kind(address) else { return Ok(()) };
        if !self.allowed.iter().any(|network| network.contains(&address)) {
            return Err(kind);
        }
        match network::embedded(address) {
            Some(inner) if kind == NetworkKind::Embedded => self.judge(inner.into()),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allowing(networks: &[&str]) -> Targets {
        Targets { allowed: networks.iter().map(|text| text.parse().unwrap()).collect(), ..Targets::default() }
    }

    #[test]
    fn schemes_hosts_and_credentials() {
        let targets = Targets::default();
        for (address, expected) in [
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
            ("https://:secret@shop.example/", Some(TargetError::Credentials)),
        ] {
            assert_eq!(targets.check(address).err(), expected, "{address}");
        }
        let strict = Targets { plain_http: false, ..Targets::default() };
        assert_eq!(strict.check("http://shop.example/").err(), Some(TargetError::Scheme));
        assert!(strict.check("https://shop.example/").is_ok());
    }

    #[test]
    fn addresses_in_every_notation() {
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
            "[::ffff:8.8.8.8]",
            "[64:ff9b::a00:1]",
            "[fd00::1]",
            "１２７.0.0.1",
            "127.0.0.1.",
            "%31%32%37.0.0.1",
        ] {
            let refused = Targets::default().check(&format!("http://{host}:8080/x"));
            assert!(matches!(refused, Err(TargetError::Network(_))), "{host}: {refused:?}");
            assert!(Targets::anywhere().check(&format!("http://{host}/")).is_ok(), "{host}");
        }
    }

    #[test]
    fn allowed_networks_and_no_others() {
        let targets = allowing(&["127.0.0.0/8", "10.20.0.0/16", "64:ff9b::/96", "::ffff:0:0/96"]);
        let judge = |text: &str| targets.judge(text.parse().unwrap());
        assert_eq!(judge("127.0.0.1"), Ok(()));
        assert_eq!(judge("10.20.255.1"), Ok(()));
        assert_eq!(judge("10.21.0.1"), Err(NetworkKind::Private));
        assert_eq!(judge("::1"), Err(NetworkKind::Loopback));
        assert_eq!(judge("64:ff9b::8.8.8.8"), Ok(()));
        assert_eq!(judge("64:ff9b::10.0.0.1"), Err(NetworkKind::Private), "the address within is judged too");
        assert_eq!(judge("::ffff:127.0.0.1"), Ok(()));
        assert_eq!(judge("2002:808:808::"), Err(NetworkKind::Embedded));
        // ::1 looks like an IPv4-compatible address, 0.0.0.1; it is this machine and nothing else.
        assert_eq!(allowing(&["::1/128"]).judge("::1".parse().unwrap()), Ok(()));
    }

    #[test]
    fn errors_do_not_repeat_the_address() {
        let error = Targets::default().check("http://10.0.0.1/?token=hush").unwrap_err();
        assert_eq!(error.to_string(), "the address leads to a network that is not allowed: private");
    }
}
