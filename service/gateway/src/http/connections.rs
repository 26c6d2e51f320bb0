//! The limits of connections, in all and from one address.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};

use super::client::counted;
use crate::system;

/// Descriptors for the database, deliveries, rates, files, and the log.
const RESERVED: u64 = 256;
/// The upper limit. A connection without a request takes about 20 KiB.
const MOST: usize = 16_384;

/// The bounds of connections.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ConnectionLimits {
    /// The most connections in all.
    pub total: usize,
    /// The most connections from one address, so that one client leaves some for others.
    pub per_address: usize,
}

impl ConnectionLimits {
    /// The limits of the second listener, which must accept operators even if the public one
    /// is full.
    pub const ADMIN: Self = Self {
        total: 32,
        per_address: 16,
    };

    /// Raises the limit of descriptors as far as the system allows, and returns limits below it.
    ///
    /// `total` and `per_address` are the settings. If omitted, an address has half of the
    /// connections.
    pub fn new(total: Option<usize>, per_address: Option<usize>) -> Self {
        let descriptors = system::raise_descriptors();
        let free = descriptors - RESERVED.min(descriptors / 2);
        let most = usize::try_from(free).unwrap_or(MOST);
        let total = total.unwrap_or(MOST).min(most).max(1);
        Self {
            total,
            per_address: per_address.unwrap_or(total / 2).clamp(1, total),
        }
    }
}

/// Counts connections.
#[derive(Clone)]
pub(super) struct Connections {
    limits: ConnectionLimits,
    counts: Arc<Mutex<Counts>>,
}

#[derive(Default)]
struct Counts {
    total: usize,
    by_address: HashMap<IpAddr, usize>,
}

/// A connection that is counted until this is dropped.
pub(super) struct Counted {
    counts: Arc<Mutex<Counts>>,
    address: IpAddr,
}

impl Connections {
    pub(super) fn new(limits: ConnectionLimits) -> Self {
        Self {
            limits,
            counts: Arc::default(),
        }
    }

    /// Counts a connection; `None` if there are too many.
    pub(super) fn count(&self, address: IpAddr) -> Option<Counted> {
        let address = counted(address);
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        let of_address = counts.by_address.get(&address).copied().unwrap_or_default();
        if counts.total >= self.limits.total || of_address >= self.limits.per_address {
            return None;
        }
        counts.total += 1;
        counts.by_address.insert(address, of_address + 1);
        metrics::gauge!("gateway_connections").increment(1);
        Some(Counted {
            counts: Arc::clone(&self.counts),
            address,
        })
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        counts.total -= 1;
        let of_address = counts
            .by_address
            .get(&self.address)
            .copied()
            .unwrap_or_default();
        if of_address > 1 {
            counts.by_address.insert(self.address, of_address - 1);
        } else {
            counts.by_address.remove(&self.address);
        }
        metrics::gauge!("gateway_connections").decrement(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_in_all_and_by_address() {
        let connections = Connections::new(ConnectionLimits {
            total: 3,
            per_address: 2,
        });
        let address = |last| IpAddr::from([127, 0, 0, last]);
        let one = connections.count(address(1)).unwrap();
        let _two = connections.count(address(1)).unwrap();
        assert!(
            connections.count(address(1)).is_none(),
            "an address has its share"
        );
        let _three = connections.count(address(2)).unwrap();
        assert!(connections.count(address(3)).is_none(), "there are three");
        drop(one);
        drop(connections.count(address(1)).unwrap());
        assert_eq!(connections.counts.lock().unwrap().by_address.len(), 2);
    }

    #[test]
    fn a_network_of_ipv6_counts_as_one_address() {
        let connections = Connections::new(ConnectionLimits {
            total: 9,
            per_address: 2,
        });
        let count = |text: &str| connections.count(text.parse().unwrap());
        let held = ["2001:db8::1", "2001:db8::2"].map(|address| count(address).unwrap());
        assert!(count("2001:db8::3").is_none(), "the network has its share");
        assert!(count("2001:db8:0:1::3").is_some(), "another network");
        drop(held);
        assert!(count("2001:db8::3").is_some());
    }

    #[test]
    fn limits_are_below_the_descriptors() {
        let limits = ConnectionLimits::new(None, None);
        assert!(limits.total <= MOST && limits.per_address == limits.total / 2);
        assert_eq!(
            ConnectionLimits::new(Some(0), Some(9)),
            ConnectionLimits {
                total: 1,
                per_address: 1
            }
        );
        assert!(ConnectionLimits::new(Some(usize::MAX), None).total < usize::MAX);
    }
}
