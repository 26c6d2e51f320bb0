//! Attempts to act as an operator, counted by address and by token.

use std::collections::HashMap;
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use crate::rate_limit::RateLimit;

/// The number of wrong tokens after which an address is locked out.
const WRONG: u32 = 5;
/// The time for which an address is locked out. Its valid tokens are refused too, so that an answer
/// reveals nothing.
const LOCKED: Duration = Duration::from_secs(60);
/// The most addresses that are remembered. The one whose time ends first is forgotten for another.
const ADDRESSES: usize = 4096;
/// The number of actions of one token at once. After that there is one a second.
const BURST: NonZeroU32 = NonZeroU32::new(120).unwrap();

/// The failed attempts of each address.
pub struct Attempts {
    wrong: Mutex<HashMap<IpAddr, Wrong>>,
    by_token: RateLimit<String>,
}

struct Wrong {
    count: u32,
    until: Instant,
}

impl Default for Attempts {
    fn default() -> Self {
        Self {
            wrong: Mutex::default(),
            by_token: RateLimit::new(NonZeroU32::MIN, BURST),
        }
    }
}

impl Attempts {
    /// Returns the time for which an address is locked out.
    pub(super) fn locked(&self, address: IpAddr) -> Option<Duration> {
        let wrong = self.wrong.lock().unwrap_or_else(PoisonError::into_inner);
        let left = wrong
            .get(&address)
            .filter(|wrong| wrong.count >= WRONG)?
            .until
            .checked_duration_since(Instant::now());
        left.filter(|left| !left.is_zero())
    }

    /// Counts a wrong token of an address.
    pub(super) fn failed(&self, address: IpAddr) {
        let now = Instant::now();
        let mut wrong = self.wrong.lock().unwrap_or_else(PoisonError::into_inner);
        if wrong.len() >= ADDRESSES && !wrong.contains_key(&address) {
            wrong.retain(|_, wrong| wrong.until > now);
            let first = wrong
                .iter()
                .min_by_key(|(_, wrong)| wrong.until)
                .map(|(address, _)| *address);
            if let Some(first) = first.filter(|_| wrong.len() >= ADDRESSES) {
                wrong.remove(&first);
            }
        }
        let entry = wrong.entry(address).or_insert(Wrong {
            count: 0,
            until: now,
        });
        if entry.until <= now {
            entry.count = 0;
        }
        entry.count = entry.count.saturating_add(1);
        entry.until = now + LOCKED;
    }

    /// Counts an action with a valid token.
    ///
    /// # Errors
    /// Returns the time to wait if there are too many.
    pub(super) fn act(&self, token: &str) -> Result<(), Duration> {
        self.by_token.check(&token.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn wrong_tokens_lock_their_address_for_a_while() {
        let attempts = Attempts::default();
        let (one, other) = (IpAddr::from([127, 0, 0, 1]), IpAddr::from([127, 0, 0, 2]));
        for _ in 0..WRONG {
            assert_eq!(attempts.locked(one), None);
            attempts.failed(one);
        }
        assert_eq!(attempts.locked(one), Some(LOCKED));
        assert_eq!(attempts.locked(other), None);
        tokio::time::advance(LOCKED).await;
        assert_eq!(attempts.locked(one), None);
        attempts.failed(one);
        assert_eq!(attempts.locked(one), None, "it begins anew");
    }

    #[tokio::test(start_paused = true)]
    async fn few_addresses_are_remembered() {
        let attempts = Attempts::default();
        for number in 0..20_000_u32 {
            attempts.failed(IpAddr::from(number.to_be_bytes()));
        }
        assert_eq!(attempts.wrong.lock().unwrap().len(), ADDRESSES);
    }

    #[test]
    fn a_token_has_a_limit() {
        let attempts = Attempts::default();
        assert!((0..BURST.get()).all(|_| attempts.act("a").is_ok()));
        assert!(attempts.act("a").is_err() && attempts.act("b").is_ok());
    }
}
