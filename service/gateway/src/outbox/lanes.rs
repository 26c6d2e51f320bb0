//! The deliveries under way, in two lanes.
//!
//! Every delivery begins in the fast lane, unless its merchant is known to be slow. After
//! [`SLOW_AFTER`] it goes on in the slow lane, and its merchant is slow for a while. So receivers
//! that hang occupy the fast lane for a second and not until their attempts time out. If the slow
//! lane is full, its oldest delivery ends as if it had timed out.

use std::collections::HashMap;
use std::time::Duration;

use tokio::sync::oneshot;
use tokio::task::{Id, JoinError, JoinSet};
use tokio::time::Instant;

/// A receiver that takes longer is slow.
const SLOW_AFTER: Duration = Duration::from_secs(1);
/// The time for which a merchant stays slow, unless a receiver answers quickly before.
const SLOW_FOR: Duration = Duration::from_secs(600);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lane {
    Fast,
    Slow,
}

struct Running {
    merchant: String,
    since: Instant,
    lane: Lane,
    cancel: Option<oneshot::Sender<()>>,
}

/// The result of a delivery, for its lane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Finished {
    pub(super) timed_out: bool,
}

pub(super) struct Lanes {
    tasks: JoinSet<Finished>,
    running: HashMap<Id, Running>,
    slow_until: HashMap<String, Instant>,
    size: usize,
}

impl Lanes {
    /// Creates two lanes of `size` deliveries.
    pub(super) fn new(size: usize) -> Self {
        Self {
            tasks: JoinSet::new(),
            running: HashMap::new(),
            slow_until: HashMap::new(),
            size: size.max(1),
        }
    }

    /// Begins a delivery, which ends early when its receiver of a cancellation resolves.
    pub(super) fn begin<F>(
        &mut self,
        lane: Lane,
        merchant: String,
        work: impl FnOnce(oneshot::Receiver<()>) -> F,
    ) where
        F: Future<Output = Finished> + Send + 'static,
    {
        let (cancel, canceled) = oneshot::channel();
        let task = self.tasks.spawn(work(canceled));
        self.running.insert(
            task.id(),
            Running {
                merchant,
                since: Instant::now(),
                lane,
                cancel: Some(cancel),
            },
        );
    }

    /// Returns the number of deliveries that may still begin in a lane.
    pub(super) fn free(&self, lane: Lane) -> i64 {
        let used = self
            .running
            .values()
            .filter(|running| running.lane == lane)
            .count();
        i64::try_from(self.size.saturating_sub(used)).unwrap_or(i64::MAX)
    }

    /// Returns the merchants that get nothing in the fast lane: slow ones, and those that have
    /// their share of it.
    pub(super) fn excluded(&self) -> Vec<&str> {
        let full = self
            .counts(Lane::Fast)
            .into_iter()
            .filter(|(_, count)| *count >= self.share());
        let slow = self.slow_until.keys().map(String::as_str);
        full.map(|(merchant, _)| merchant)
            .filter(|merchant| !self.slow_until.contains_key(*merchant))
            .chain(slow)
            .collect()
    }

    /// Returns the slow merchants that have less than their share of the slow lane.
    pub(super) fn slow(&self) -> Vec<&str> {
        let counts = self.counts(Lane::Slow);
        let has_room =
            |merchant: &&str| counts.get(merchant).copied().unwrap_or_default() < self.share();
        self.slow_until
            .keys()
            .map(String::as_str)
            .filter(has_room)
            .collect()
    }

    /// Returns the largest share of a lane that a merchant gets.
    fn share(&self) -> usize {
        (self.size / 4).max(1)
    }

    fn counts(&self, lane: Lane) -> HashMap<&str, usize> {
        let mut counts = HashMap::new();
        for running in self.running.values().filter(|running| running.lane == lane) {
            *counts.entry(running.merchant.as_str()).or_default() += 1;
        }
        counts
    }

    /// Removes deliveries that have ended, and moves those that take long.
    pub(super) fn settle(&mut self) {
        while let Some(finished) = self.tasks.try_join_next_with_id() {
            self.forget(finished);
        }
        let now = Instant::now();
        self.slow_until.retain(|_, until| *until > now);
        for running in self.running.values_mut() {
            if running.lane == Lane::Fast && now - running.since > SLOW_AFTER {
                running.lane = Lane::Slow;
                self.slow_until
                    .insert(running.merchant.clone(), now + SLOW_FOR);
            }
        }
        let slow = self
            .running
            .values_mut()
            .filter(|running| running.lane == Lane::Slow && running.cancel.is_some());
        let mut slow: Vec<_> = slow.collect();
        if slow.len() > self.size {
            slow.sort_by_key(|running| running.since);
            let excess = slow.len() - self.size;
            for running in slow.into_iter().take(excess) {
                // The delivery may have ended this moment.
                let _ = running.cancel.take().map(|cancel| cancel.send(()));
            }
        }
    }

    /// Waits for the end of one delivery. Returns false if none is under way.
    pub(super) async fn finish(&mut self) -> bool {
        let Some(finished) = self.tasks.join_next_with_id().await else {
            return false;
        };
        self.forget(finished);
        true
    }

    fn forget(&mut self, finished: Result<(Id, Finished), JoinError>) {
        let (id, finished) = match finished {
            Ok((id, finished)) => (id, Some(finished)),
            Err(panicked) => (panicked.id(), None),
        };
        let Some(running) = self.running.remove(&id) else {
            return;
        };
        let now = Instant::now();
        if finished.is_some_and(|finished| finished.timed_out) || now - running.since > SLOW_AFTER {
            self.slow_until.insert(running.merchant, now + SLOW_FOR);
        } else {
            self.slow_until.remove(&running.merchant);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn hang(canceled: oneshot::Receiver<()>) -> Finished {
        let _ = canceled.await;
        Finished { timed_out: true }
    }

    async fn quick(_: oneshot::Receiver<()>) -> Finished {
        Finished { timed_out: false }
    }

    #[tokio::test(start_paused = true)]
    async fn receivers_that_hang_leave_the_fast_lane_after_a_second() {
        let mut lanes = Lanes::new(4);
        for number in 0..4 {
            lanes.begin(Lane::Fast, format!("hangs-{number}"), hang);
        }
        assert_eq!((lanes.free(Lane::Fast), lanes.free(Lane::Slow)), (0, 4));
        tokio::time::advance(SLOW_AFTER + Duration::from_millis(1)).await;
        lanes.settle();
        assert_eq!(
            (
                lanes.free(Lane::Fast),
                lanes.free(Lane::Slow),
                lanes.excluded().len()
            ),
            (4, 0, 4)
        );
        assert!(lanes.slow().is_empty(), "each has its share");
        // The next ones push the oldest out.
        lanes.begin(Lane::Fast, "hangs-4".to_owned(), hang);
        tokio::time::advance(SLOW_AFTER + Duration::from_millis(1)).await;
        lanes.settle();
        assert!(lanes.finish().await);
        lanes.settle();
        assert_eq!((lanes.free(Lane::Fast), lanes.free(Lane::Slow)), (4, 0));
        assert_eq!(lanes.slow().len(), 1);
    }

    #[tokio::test(start_paused = true)]
    async fn a_quick_answer_ends_the_slow_lane() {
        let mut lanes = Lanes::new(4);
        lanes.begin(Lane::Fast, "shop".to_owned(), hang);
        assert_eq!(lanes.excluded(), ["shop"], "it has its share");
        tokio::time::advance(SLOW_AFTER * 2).await;
        lanes.settle();
        lanes.begin(Lane::Slow, "shop".to_owned(), quick);
        assert!(lanes.finish().await);
        assert!(lanes.excluded().is_empty() && lanes.slow().is_empty());
    }
}
