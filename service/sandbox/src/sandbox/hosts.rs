//! The hosts at which a sandbox is reached.
//!
//! A page of another site can lead its own name to this machine (DNS rebinding). Its requests then
//! have the same origin for the browser, but their host is not one of these.

use std::net::{IpAddr, SocketAddr};

use axum::http::header::HOST;
use axum::http::uri::Authority;
use axum::http::{HeaderMap, Uri};

/// The known hosts, besides the names and addresses of loopback.
#[derive(Clone, Debug)]
pub(crate) struct Hosts(Vec<String>);

impl Hosts {
    /// Returns the host of the public address, the address listened on, and those that the user
    /// lists.
    pub(crate) fn new(public: &str, address: SocketAddr, listed: &[String]) -> Self {
        let public: Option<Uri> = public.parse().ok();
        let public = public.and_then(|url| url.host().map(plain));
        let address = (!address.ip().is_unspecified()).then(|| address.ip().to_string());
        let listed = listed.iter().map(|host| plain(host));
        Self(listed.chain(public).chain(address).collect())
    }

    /// Returns whether all hosts that a request names are known, and whether it names one.
    pub(crate) fn know(&self, uri: &Uri, headers: &HeaderMap) -> bool {
        let named = headers
            .get_all(HOST)
            .iter()
            .map(|host| Authority::try_from(host.as_bytes()).ok());
        let named: Vec<_> = named
            .chain(uri.authority().map(|authority| Some(authority.clone())))
            .collect();
        let is_known = |authority: &Option<Authority>| {
            let host = authority.as_ref().map(|authority| plain(authority.host()));
            host.is_some_and(|host| is_loopback(&host) || self.0.contains(&host))
        };
        !named.is_empty() && named.iter().all(is_known)
    }
}

/// Returns a host in lower case, without the brackets of an address and the dot at the end of a name.
fn plain(host: &str) -> String {
    let host = host.trim_start_matches('[').trim_end_matches(']');
    host.trim_end_matches('.').to_ascii_lowercase()
}

fn is_loopback(host: &str) -> bool {
    match host.parse::<IpAddr>() {
        Ok(address) => address.to_canonical().is_loopback(),
        Err(_) => host == "localhost" || host.ends_with(".localhost"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_loopback_and_listed_hosts_are_known() {
        let listed = ["Sandbox".to_owned(), "2001:db8::1".to_owned()];
        let address = "192.0.2.7:8085".parse().unwrap();
        let hosts = Hosts::new("https://pay.example/x", address, &listed);
        let knows = |host: &str| {
            let headers = HeaderMap::from_iter([(HOST, host.parse().unwrap())]);
            hosts.know(&Uri::from_static("/"), &headers)
        };
        for known in [
            "localhost:8085",
            "LOCALHOST",
            "shop.localhost:1",
            "127.0.0.1:8085",
            "127.1.2.3",
            "[::1]:8085",
            "[::ffff:127.0.0.1]",
            "sandbox:8085",
            "sandbox.",
            "[2001:db8::1]:80",
            "pay.example",
            "192.0.2.7:8085",
        ] {
            assert!(knows(known), "{known}");
        }
        for unknown in [
            "evil.example:8085",
            "localhost.evil.example",
            "127.0.0.1.evil.example",
            "192.0.2.8",
            "10.0.0.1:8085",
            "x.sandbox",
            "",
            "a b",
        ] {
            assert!(!knows(unknown), "{unknown}");
        }
        assert!(!hosts.know(&Uri::from_static("/"), &HeaderMap::new()));
        let mut two = HeaderMap::from_iter([(HOST, "localhost".parse().unwrap())]);
        assert!(!hosts.know(&Uri::from_static("http://evil.example/"), &two));
        two.append(HOST, "evil.example".parse().unwrap());
        assert!(!hosts.know(&Uri::from_static("/"), &two));
        let all = Hosts::new("http://0.0.0.0:8085", "0.0.0.0:8085".parse().unwrap(), &[]);
        let headers = HeaderMap::from_iter([(HOST, "192.0.2.1".parse().unwrap())]);
        assert!(!all.know(&Uri::from_static("/"), &headers));
    }
}
