//! Limits the actions of a client: a number at once, and then a steady rate.

use std::hash::Hash;
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use governor::clock::Clock;
use governor::state::keyed::DashMapStateStore;
use governor::{Quota, RateLimiter};
use tokio::time::Instant;

/// The number of checks after which keys that are back at their full allowance are forgotten.
const CHECKS: u32 = 4096;

/// The clock of the runtime, which tests can stop.
#[derive(Clone, Default)]
struct RuntimeClock;

impl Clock for RuntimeClock {
    type Instant = std::time::Instant;

    fn now(&self) -> Self::Instant {
        Instant::now().into_std()
    }
}

/// A limit for each key. It is counted in this process.
pub struct RateLimit<K: Hash + Eq + Clone> {
    limiter: RateLimiter<K, DashMapStateStore<K>, RuntimeClock>,
    checks: AtomicU32,
}

impl<K: Hash + Eq + Clone> RateLimit<K> {
    /// Creates a limit of `burst` actions at once, and of `per_second` after that.
    pub fn new(per_second: NonZeroU32, burst: NonZeroU32) -> Self {
        let quota = Quota::per_second(per_second).allow_burst(burst);
        Self {
            limiter: RateLimiter::dashmap_with_clock(quota, RuntimeClock),
            checks: AtomicU32::new(0),
        }
    }

    /// Counts an action.
    ///
    /// # Errors
    /// Returns the time to wait if the key is at its limit.
    pub fn check(&self, key: &K) -> Result<(), Duration> {
        if self.checks.fetch_add(1, Ordering::Relaxed) % CHECKS == CHECKS - 1 {
            self.limiter.retain_recent();
        }
        self.limiter
            .check_key(key)
            .map_err(|until| until.wait_time_from(RuntimeClock.now()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(number: u32) -> NonZeroU32 {
        NonZeroU32::new(number).unwrap()
    }

    #[tokio::test(start_paused = true)]
    async fn each_key_has_its_own() {
        let limit = RateLimit::new(number(1), number(3));
        for _ in 0..3 {
            limit.check(&"a").unwrap();
        }
        assert_eq!(limit.check(&"a"), Err(Duration::from_secs(1)));
        limit.check(&"b").unwrap();
        tokio::time::advance(Duration::from_millis(999)).await;
        assert_eq!(limit.check(&"a"), Err(Duration::from_millis(1)));
        tokio::time::advance(Duration::from_millis(1)).await;
        limit.check(&"a").unwrap();
    }

    #[test]
    fn keys_are_forgotten() {
        let limit = RateLimit::new(number(1_000_000), number(1_000_000));
        for key in 0..20_000 {
            limit.check(&key).unwrap();
        }
        assert!(limit.limiter.len() < 10_000, "{} keys", limit.limiter.len());
    }
}
