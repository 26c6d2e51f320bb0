//! Resolves names and checks every address.
//!
//! The HTTP client connects to the addresses that this resolver returns and does not resolve the
//! name again. So a name cannot have a public address for the check and a private one for the
//! connection (DNS rebinding).

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

use async_trait::async_trait;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};

use super::target::Targets;

/// Looks up the addresses of a name.
#[async_trait]
pub(super) trait DnsLookup: Send + Sync + 'static {
    /// Returns the addresses, with port 0.
    async fn lookup(&self, name: &str) -> io::Result<Vec<SocketAddr>>;
}

/// The operating system's resolver: hosts file, search domains, DNS.
pub(super) struct System;

#[async_trait]
impl DnsLookup for System {
    async fn lookup(&self, name: &str) -> io::Result<Vec<SocketAddr>> {
        Ok(tokio::net::lookup_host((name, 0)).await?.collect())
    }
}

/// The reason why a name has no target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(super) enum ResolveError {
    #[error("the name has no address")]
    Unknown,
    #[error("the name has a private address")]
    Private,
}

/// The resolver of a [`Sender`](super::Sender)'s client.
pub(super) struct FilteringResolver<L> {
    pub(super) targets: Arc<Targets>,
    pub(super) lookup: Arc<L>,
}

impl<L: DnsLookup> Resolve for FilteringResolver<L> {
    fn resolve(&self, name: Name) -> Resolving {
        let (targets, lookup) = (Arc::clone(&self.targets), Arc::clone(&self.lookup));
        Box::pin(async move {
            let found = lookup
                .lookup(name.as_str())
                .await
                .map_err(|_| ResolveError::Unknown)?;
            if found.is_empty() {
                return Err(ResolveError::Unknown.into());
            }
            // A private address beside a public one is not an accident, so it rejects the whole
            // name.
            if !found.iter().all(|address| targets.allows(address.ip())) {
                return Err(ResolveError::Private.into());
            }
            Ok(Box::new(found.into_iter()) as Addrs)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Fixed(&'static [&'static str]);

    #[async_trait]
    impl DnsLookup for Fixed {
        async fn lookup(&self, _: &str) -> io::Result<Vec<SocketAddr>> {
            Ok(self
                .0
                .iter()
                .map(|text| SocketAddr::new(text.parse().unwrap(), 0))
                .collect())
        }
    }

    async fn resolve(addresses: &'static [&'static str]) -> Result<Vec<String>, ResolveError> {
        let resolver = FilteringResolver {
            targets: Arc::new(Targets::default()),
            lookup: Arc::new(Fixed(addresses)),
        };
        match resolver.resolve("shop.example".parse().unwrap()).await {
            Ok(found) => Ok(found.map(|address| address.ip().to_string()).collect()),
            Err(error) => Err(*error.downcast::<ResolveError>().unwrap()),
        }
    }

    #[tokio::test]
    async fn checks_every_address() {
        assert_eq!(
            resolve(&["8.8.8.8", "2a00::1"]).await.unwrap(),
            ["8.8.8.8", "2a00::1"]
        );
        assert_eq!(resolve(&[]).await, Err(ResolveError::Unknown));
        assert_eq!(
            resolve(&["::ffff:8.8.8.8", "64:ff9b::8.8.8.8"])
                .await
                .unwrap()
                .len(),
            2
        );
        assert_eq!(
            resolve(&["8.8.8.8", "10.0.0.1"]).await,
            Err(ResolveError::Private)
        );
        assert_eq!(
            resolve(&["2a00::1", "::ffff:10.0.0.1"]).await,
            Err(ResolveError::Private)
        );
        assert_eq!(resolve(&["2001:db8::1"]).await, Err(ResolveError::Private));
    }

    #[tokio::test]
    async fn looks_up_names_of_the_system() {
        let found = System.lookup("localhost").await.unwrap();
        assert!(!found.is_empty() && found.iter().all(|address| address.ip().is_loopback()));
        assert!(System.lookup("no-such-name.invalid").await.is_err());
    }
}
