//! Rates that are kept for a while and fetched by one request at a time. If they cannot be fetched, the
//! old ones are returned.

use std::sync::{PoisonError, RwLock, RwLockReadGuard};
use std::time::Duration;

use async_trait::async_trait;
use payspec::{Currency, Quote, Timestamp};
use tokio::sync::Mutex;
use tokio::time::Instant;

use super::RateError;
use super::document::Document;

/// Fetches the current rates.
#[async_trait]
pub(super) trait Fetch: Send + Sync {
    async fn fetch(&self) -> Result<Document, RateError>;
}

/// The rates from [`Fetch`], and the time of the next call.
pub(super) struct Cache<F> {
    fetch: F,
    /// The time for which rates are returned before they are fetched again.
    max_age: Duration,
    /// The pause after a failure of the source. No request waits for it meanwhile.
    pause: Duration,
    kept: RwLock<Kept>,
    /// Held while rates are fetched.
    turn: Mutex<()>,
}

#[derive(Default)]
struct Kept {
    rates: Option<(Document, Timestamp)>,
    failure: Option<RateError>,
    due: Option<Instant>,
}

impl<F: Fetch> Cache<F> {
    pub(super) fn new(fetch: F, max_age: Duration, pause: Duration) -> Self {
        Self {
            fetch,
            max_age,
            pause,
            kept: RwLock::default(),
            turn: Mutex::new(()),
        }
    }

    pub(super) async fn quote(
        &self,
        currency: Currency,
        now: Timestamp,
    ) -> Result<Option<Quote>, RateError> {
        if self.is_due() {
            // With old rates, a request does not wait for another's fetch: the library decides if
            // they are too old.
            let turn = if self.kept().rates.is_some() {
                self.turn.try_lock().ok()
            } else {
                Some(self.turn.lock().await)
            };
            // Another may have fetched while this one waited.
            if turn.is_some() && self.is_due() {
                self.refresh(now).await;
            }
        }
        let kept = self.kept();
        match (&kept.rates, &kept.failure) {
            (Some((document, read)), _) => Ok(document.quote(currency, *read)),
            (None, Some(failure)) => Err(failure.clone()),
            (None, None) => Ok(None),
        }
    }

    async fn refresh(&self, now: Timestamp) {
        let fetched = self.fetch.fetch().await;
        let pause = if fetched.is_ok() {
            self.max_age
        } else {
            self.pause
        };
        let mut kept = self.kept.write().unwrap_or_else(PoisonError::into_inner);
        kept.due = Instant::now().checked_add(pause);
        match fetched {
            Ok(document) => {
                if kept.failure.take().is_some() {
                    tracing::info!("rates are there again");
                }
                // As of the request, which was before the rates were read: never newer than they
                // are.
                kept.rates = Some((document, now));
            }
            Err(failure) => {
                let stale = kept.rates.is_some();
                tracing::warn!(error = %failure, stale, "no new rates; old ones are used while the policy allows");
                kept.failure = Some(failure);
            }
        }
    }

    fn is_due(&self) -> bool {
        self.kept().due.is_none_or(|due| Instant::now() >= due)
    }

    fn kept(&self) -> RwLockReadGuard<'_, Kept> {
        // Nothing panics while it writes; and a poisoned value would be whole all the same.
        self.kept.read().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    /// Counts, takes a second for each answer, and fails on demand.
    #[derive(Default)]
    struct Counting {
        fetched: AtomicU32,
        failing: std::sync::atomic::AtomicBool,
    }

    #[async_trait]
    impl Fetch for Arc<Counting> {
        async fn fetch(&self) -> Result<Document, RateError> {
            let number = self.fetched.fetch_add(1, Ordering::SeqCst) + 1;
            tokio::time::sleep(Duration::from_secs(1)).await;
            if self.failing.load(Ordering::SeqCst) {
                return Err(RateError::Status(503));
            }
            Document::parse(format!(r#"{{"per_usdt":{{"RUB":"{number}"}}}}"#).as_bytes())
        }
    }

    const MAX_AGE: Duration = Duration::from_secs(10);
    const PAUSE: Duration = Duration::from_secs(3);

    fn cache() -> (Arc<Counting>, Arc<Cache<Arc<Counting>>>) {
        let source = Arc::new(Counting::default());
        (
            Arc::clone(&source),
            Arc::new(Cache::new(source, MAX_AGE, PAUSE)),
        )
    }

    fn at(second: u32) -> Timestamp {
        format!("2026-11-20T10:00:{second:02}Z").parse().unwrap()
    }

    /// Returns the rate, and the second of its `as_of`.
    async fn ask(
        cache: &Cache<Arc<Counting>>,
        second: u32,
    ) -> Result<(String, Timestamp), RateError> {
        let quote = cache
            .quote("RUB".parse().unwrap(), at(second))
            .await?
            .unwrap();
        Ok((quote.rate().to_string(), quote.as_of().unwrap()))
    }

    #[tokio::test(start_paused = true)]
    async fn kept_for_its_time_and_then_fetched() {
        let (source, cache) = cache();
        assert_eq!(ask(&cache, 0).await, Ok(("1".into(), at(0))));
        tokio::time::advance(MAX_AGE - Duration::from_millis(1)).await;
        assert_eq!(ask(&cache, 9).await, Ok(("1".into(), at(0))));
        assert_eq!(source.fetched.load(Ordering::SeqCst), 1);
        tokio::time::advance(Duration::from_millis(1)).await;
        assert_eq!(ask(&cache, 10).await, Ok(("2".into(), at(10))));
    }

    #[tokio::test(start_paused = true)]
    async fn old_rates_keep_their_time_while_the_source_fails() {
        let (source, cache) = cache();
        ask(&cache, 0).await.unwrap();
        source.failing.store(true, Ordering::SeqCst);
        tokio::time::advance(MAX_AGE).await;
        for _ in 0..5 {
            assert_eq!(ask(&cache, 20).await, Ok(("1".into(), at(0))));
        }
        assert_eq!(
            source.fetched.load(Ordering::SeqCst),
            2,
            "left alone after a failure"
        );
        source.failing.store(false, Ordering::SeqCst);
        tokio::time::advance(PAUSE).await;
        assert_eq!(ask(&cache, 30).await, Ok(("3".into(), at(30))));
    }

    #[tokio::test(start_paused = true)]
    async fn without_any_rates_the_failure_is_told() {
        let (source, cache) = cache();
        source.failing.store(true, Ordering::SeqCst);
        assert_eq!(ask(&cache, 0).await, Err(RateError::Status(503)));
        assert_eq!(ask(&cache, 0).await, Err(RateError::Status(503)));
        assert_eq!(source.fetched.load(Ordering::SeqCst), 1);
    }

    #[tokio::test(start_paused = true)]
    async fn many_requests_fetch_once() {
        let (source, cache) = cache();
        let many: Vec<_> = (0..50)
            .map(|_| {
                let cache = Arc::clone(&cache);
                tokio::spawn(async move { ask(&cache, 0).await })
            })
            .collect();
        for one in many {
            assert_eq!(one.await.unwrap(), Ok(("1".into(), at(0))));
        }
        assert_eq!(source.fetched.load(Ordering::SeqCst), 1);
    }

    #[tokio::test(start_paused = true)]
    async fn nobody_waits_who_has_old_rates() {
        let (source, cache) = cache();
        ask(&cache, 0).await.unwrap();
        tokio::time::advance(MAX_AGE).await;
        let fetching = {
            let cache = Arc::clone(&cache);
            tokio::spawn(async move { ask(&cache, 10).await })
        };
        tokio::task::yield_now().await;
        assert_eq!(
            source.fetched.load(Ordering::SeqCst),
            2,
            "the other one is at it"
        );
        let asked = Instant::now();
        assert_eq!(ask(&cache, 10).await, Ok(("1".into(), at(0))));
        assert_eq!(asked.elapsed(), Duration::ZERO);
        assert_eq!(fetching.await.unwrap(), Ok(("2".into(), at(10))));
    }

    #[tokio::test(start_paused = true)]
    async fn a_request_that_is_given_up_leaves_the_turn_to_the_next() {
        let (_, cache) = cache();
        let given_up = tokio::time::timeout(Duration::from_millis(500), ask(&cache, 0)).await;
        assert!(given_up.is_err());
        assert_eq!(ask(&cache, 1).await, Ok(("2".into(), at(1))));
    }
}
