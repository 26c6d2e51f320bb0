//! The pauses after failed deliveries: growing, spread by chance, and up to a number of attempts.

use std::time::Duration;

/// Pauses between attempts. Each is `factor` times the one before, until `longest`.
///
/// The default tries 15 times in about three days: after 5 s, 15 s, 45 s, 2 min, 7 min, 20 min, 1
/// h, 3 h, 9 h, and then every 12 h. It is about as long as a weekend without anybody at the
/// receiver's servers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Backoff {
    /// The pause after the first attempt.
    pub first: Duration,
    /// The factor between a pause and the one before.
    pub factor: u32,
    /// The longest pause, even if the receiver requests a longer one.
    pub longest: Duration,
    /// The number of attempts, after which there is no other.
    pub tries: u32,
}

impl Default for Backoff {
    fn default() -> Self {
        Self {
            first: Duration::from_secs(5),
            factor: 3,
            longest: Duration::from_secs(12 * 60 * 60),
            tries: 15,
        }
    }
}

impl Backoff {
    /// Returns the pause before the next attempt after `tries` failures; `None` after the last
    /// attempt.
    ///
    /// `retry_after` is the pause that the receiver requested: it is waited for, but no longer than
    /// the longest pause. `jitter` is any random number: the pause is spread by it over ±25 %, so
    /// that deliveries that failed together, when a receiver went down, do not come back together.
    pub fn next_attempt(
        &self,
        tries: u32,
        retry_after: Option<Duration>,
        jitter: u32,
    ) -> Option<Duration> {
        if tries >= self.tries {
            return None;
        }
        let pause = spread(self.pause(tries), jitter);
        Some(pause.max(retry_after.unwrap_or_default()).min(self.longest))
    }

    /// Returns the pause after this number of attempts, before it is spread.
    fn pause(&self, tries: u32) -> Duration {
        let grown = (1..tries).try_fold(self.first, |pause, _| {
            let next = pause.checked_mul(self.factor)?;
            (next < self.longest).then_some(next)
        });
        grown.unwrap_or(self.longest).min(self.longest)
    }
}

/// Returns three quarters to five quarters of a pause, in whole nanoseconds.
fn spread(pause: Duration, jitter: u32) -> Duration {
    let nanos = pause.as_nanos();
    // Both factors are below 2^96 and 2^32, so the product fits.
    let spread = nanos / 4 * 3 + ((nanos / 2 * u128::from(jitter)) >> 32);
    u64::try_from(spread).map_or(Duration::MAX, Duration::from_nanos)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// In the middle of the spread: the pause itself.
    const MIDDLE: u32 = 1 << 31;

    fn seconds(backoff: &Backoff, tries: u32) -> Option<u64> {
        backoff
            .next_attempt(tries, None, MIDDLE)
            .map(|pause| pause.as_secs())
    }

    #[test]
    fn pauses_grow_to_the_longest_and_end() {
        let backoff = Backoff::default();
        let pauses: Vec<_> = (1..20)
            .map_while(|tries| seconds(&backoff, tries))
            .collect();
        let day = 24 * 3600;
        assert_eq!(pauses[..5], [5, 15, 45, 135, 405]);
        assert_eq!(pauses[5..9], [1215, 3645, 10_935, 32_805]);
        assert_eq!(pauses[9..], [day / 2; 5]);
        assert!((2 * day..4 * day).contains(&pauses.iter().sum::<u64>()));
        assert_eq!(seconds(&backoff, 15), None);
        assert_eq!(seconds(&backoff, u32::MAX), None);
    }

    #[test]
    fn chance_moves_a_pause_by_a_quarter() {
        let backoff = Backoff {
            first: Duration::from_secs(100),
            factor: 2,
            longest: Duration::from_secs(200),
            tries: 9,
        };
        let pause = |tries, jitter| backoff.next_attempt(tries, None, jitter).unwrap();
        assert_eq!(pause(1, 0), Duration::from_secs(75));
        assert_eq!(pause(1, MIDDLE), Duration::from_secs(100));
        let most = pause(1, u32::MAX);
        assert!(most > Duration::from_millis(124_999) && most < Duration::from_secs(125));
        assert_eq!(pause(2, 0), Duration::from_secs(150));
        assert_eq!(
            pause(8, u32::MAX),
            Duration::from_secs(200),
            "the longest is the longest"
        );
    }

    #[test]
    fn the_receiver_may_ask_for_more_time_within_bounds() {
        let backoff = Backoff::default();
        let after = |seconds| backoff.next_attempt(2, Some(Duration::from_secs(seconds)), MIDDLE);
        assert_eq!(
            after(0),
            Some(Duration::from_secs(15)),
            "not sooner than the pause"
        );
        assert_eq!(after(3600), Some(Duration::from_secs(3600)));
        assert_eq!(after(u64::MAX), Some(backoff.longest));
        assert_eq!(
            backoff.next_attempt(15, Some(Duration::from_secs(1)), MIDDLE),
            None
        );
    }

    #[test]
    fn no_setting_overflows() {
        let backoff = Backoff {
            first: Duration::MAX,
            factor: u32::MAX,
            longest: Duration::MAX,
            tries: u32::MAX,
        };
        assert_eq!(
            backoff.next_attempt(1_000, None, u32::MAX),
            Some(Duration::MAX)
        );
        let none = Backoff {
            first: Duration::ZERO,
            factor: 0,
            ..Backoff::default()
        };
        assert_eq!(none.next_attempt(3, None, MIDDLE), Some(Duration::ZERO));
        assert_eq!(
            Backoff {
                tries: 0,
                ..Backoff::default()
            }
            .next_attempt(0, None, 0),
            None
        );
    }
}
