//! Names into addresses, every one judged, for the connection that is made with that very answer.
//!
//! The HTTP client connects to what this resolver returns and never asks again, so a name that gives a public address to
//! a check and a private one to the connection (DNS rebinding) has nothing to get in between.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

use async_trait::async_trait;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};

use super::network::NetworkKind;
use super::target::Targets;

/// Asks for the addresses of a name.
#[async_trait]
pub(super) trait Lookup: Send + Sync + 'static {
    /// The addresses, with port 0.
    async fn lookup(&self, name: &str) -> io::Result<Vec<SocketAddr>>;
}

/// The operating system's resolver: hosts file, search domains, DNS.
pub(super) struct System;

#[async_trait]
impl Lookup for System {
    async fn lookup(&self, name: &str) -> io::Result<Vec<SocketAddr>> {
        Ok(tokio::net::lookup_host((name, 0)).await?.collect())
    }
}

/// What a name led to instead of a target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(super) enum ResolveError {
    #[error("the name has no address")]
    Unknown,
    #[error("the name leads to a network that is not allowed: {0}")]
    Refused(NetworkKind),
}

/// The resolver of a [`Sender`](super::Sender)'s client.
pub(super) struct Judging<L> {
    pub(super) targets: Arc<Targets>,
    pub(super) lookup: Arc<L>,
}

impl<L: Lookup> Resolve for Judging<L> {
    fn resolve(&self, name: Name) -> Resolving {
        let (targets, lookup) = (Arc::clone(&self.targets), Arc::clone(&self.lookup));
        Box::pin(async move {
            let found = lookup.lookup(name.as_str()).await.map_err(|_| ResolveError::Unknown)?;
            if found.is_empty() {
                return Err(ResolveError::Unknown.into());
            }
            // One that is refused refuses the name: a public address beside a private one is no accident to work round.
            for address in &found {
                targets.judge(address.ip()).map_err(ResolveError::Refused)?;
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
    impl Lookup for Fixed {
        async fn lookup(&self, _: &str) -> io::Result<Vec<SocketAddr>> {
            Ok(self.0.iter().map(|text| SocketAddr::new(text.parse().unwrap(), 0)).collect())
        }
    }

    async fn resolve(addresses: &'static [&'static str]) -> Result<Vec<String>, ResolveError> {
        let resolver = Judging { targets: Arc::new(Targets::default()), lookup: Arc::new(Fixed(addresses)) };
        match resolver.resolve("shop.example".parse().unwrap()).await {
            Ok(found) => Ok(found.map(|address| address.ip().to_string()).collect()),
            Err(error) => Err(*error.downcast::<ResolveError>().unwrap()),
        }
    }

    #[tokio::test]
    async fn every_address_is_judged() {
        assert_eq!(resolve(&["8.8.8.8", "2a00::1"]).await.unwrap(), ["8.8.8.8", "2a00::1"]);
        assert_eq!(resolve(&[]).await, Err(ResolveError::Unknown));
        assert_eq!(resolve(&["8.8.8.8", "10.0.0.1"]).await, Err(ResolveError::Refused(NetworkKind::Private)));
        assert_eq!(resolve(&["2a00::1", "::ffff:8.8.8.8"]).await, Err(ResolveError::Refused(NetworkKind::Embedded)));
    }

    #[tokio::test]
    async fn the_system_knows_its_own_name() {
        let found = System.lookup("localhost").await.unwrap();
        assert!(!found.is_empty() && found.iter().all(|address| address.ip().is_loopback()));
        assert!(System.lookup("no-such-name.invalid").await.is_err());
    }
}
