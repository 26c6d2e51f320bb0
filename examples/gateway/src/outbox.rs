//! Delivers events from the outbox: at least once, one after the other for each payment, and on after a restart.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use tokio::task::{Id, JoinSet};

use crate::service::Service;
use crate::storage::{Event, StorageError};
use crate::webhook::{Backoff, Delivery, Failure, Secret, Sender};

/// How the worker works.
#[derive(Debug, Clone)]
pub struct OutboxConfig {
    /// Deliveries at once.
    pub parallel: usize,
    /// How often the outbox is looked at: other gateways fill it too.
    pub poll: Duration,
    /// How long a gateway holds an event. Longer than an attempt may take.
    pub lease: Duration,
    /// When an attempt that failed is made again.
    pub backoff: Backoff,
}

/// Delivers events until `stop` is set, and finishes the deliveries under way.
pub async fn run(service: Arc<Service>, sender: Sender, config: OutboxConfig, mut stop: watch::Receiver<bool>) {
    let mut in_flight = InFlight::new(config.parallel);
    while !*stop.borrow() {
        while in_flight.try_finish() {}
        let limit = in_flight.limit();
        let claimed = if limit == 0 {
            Vec::new()
        } else {
            service.storage.claim(limit, config.lease, &in_flight.busy()).await.unwrap_or_else(|error| {
                tracing::error!(%error, "the outbox cannot be read");
                Vec::new()
            })
        };
        let idle = claimed.is_empty();
        for event in claimed {
            let (service, sender, backoff) = (Arc::clone(&service), sender.clone(), config.backoff.clone());
            in_flight.begin(event.merchant.clone(), async move {
                if let Err(error) = deliver(&service, &sender, &backoff, &event).await {
                    // Its lease ends, and it is delivered again.
                    tracing::error!(%error, event = event.id, "what came of a delivery cannot be stored");
                }
            });
        }
        if idle {
            tokio::select! {
                () = tokio::time::sleep(config.poll) => {}
                () = service.events.notified() => {}
                // The next event of a payment waits for the one before.
                true = in_flight.finish() => {}
                _ = stop.changed() => {}
            }
        }
    }
    while in_flight.finish().await {}
}

/// The deliveries under way.
///
/// A receiver that takes its time may hold some of them, never all: a merchant with `share` deliveries gets no more, and
/// no claim is of more than `share`, so one merchant has less than twice that.
struct InFlight {
    tasks: JoinSet<()>,
    merchants: HashMap<Id, String>,
    parallel: usize,
    share: usize,
}

impl InFlight {
    fn new(parallel: usize) -> Self {
        Self { tasks: JoinSet::new(), merchants: HashMap::new(), parallel, share: (parallel / 4).max(1) }
    }

    fn begin(&mut self, merchant: String, work: impl Future<Output = ()> + Send + 'static) {
        let task = self.tasks.spawn(work);
        self.merchants.insert(task.id(), merchant);
    }

    /// How many more may begin at once.
    fn limit(&self) -> i64 {
        let free = self.parallel.saturating_sub(self.tasks.len());
        i64::try_from(free.min(self.share)).unwrap_or(i64::MAX)
    }

    /// Merchants that have their share.
    fn busy(&self) -> Vec<&str> {
        let mut counts: HashMap<&str, usize> = HashMap::new();
        for merchant in self.merchants.values() {
            *counts.entry(merchant).or_default() += 1;
        }
        counts.into_iter().filter(|(_, count)| *count >= self.share).map(|(merchant, _)| merchant).collect()
    }

    /// Waits for the end of one delivery; returns false if none is under way.
    async fn finish(&mut self) -> bool {
        let finished = self.tasks.join_next_with_id().await;
        self.forget(finished)
    }

    /// The same without waiting.
    fn try_finish(&mut self) -> bool {
        let finished = self.tasks.try_join_next_with_id();
        self.forget(finished)
    }

    fn forget(&mut self, finished: Option<Result<(Id, ()), tokio::task::JoinError>>) -> bool {
        let Some(finished) = finished else { return false };
        let id = finished.map_or_else(|panicked| panicked.id(), |(id, ())| id);
        self.merchants.remove(&id);
        true
    }
}

async fn deliver(service: &Service, sender: &Sender, backoff: &Backoff, event: &Event) -> Result<(), StorageError> {
    let secrets = service.storage.secrets(&event.merchant).await?;
    let secrets: Vec<Secret> = secrets.iter().filter_map(|text| text.parse().ok()).collect();
    let delivery = Delivery { id: event.id.clone(), url: event.url.clone(), body: event.body.clone(), secrets };
    let (id, attempt) = (event.id.as_str(), event.attempt);
    match sender.deliver(&delivery).await {
        Ok(delivered) => {
            // What came of it is stored before anything else is done with it.
            service.storage.delivered(id).await?;
            metrics::counter!("gateway_deliveries_total", "result" => "delivered").increment(1);
            tracing::info!(event = id, attempt, status = delivered.status, "an event is delivered");
        }
        Err(failure) => {
            let pause = pause(backoff, event, &failure);
            service.storage.failed(event, &failure.to_string(), pause).await?;
            metrics::counter!("gateway_deliveries_total", "result" => failure.name()).increment(1);
            tracing::warn!(event = id, attempt, %failure, again_in = ?pause, "an event is not delivered");
        }
    }
    Ok(())
}

/// When to try again, if ever.
fn pause(backoff: &Backoff, event: &Event, failure: &Failure) -> Option<Duration> {
    if failure.is_final() {
        return None;
    }
    let attempts = u32::try_from(event.attempt).unwrap_or(u32::MAX);
    // Without randomness all come back at once, which is a pity and no fault.
    let jitter = getrandom::u32().unwrap_or(u32::MAX / 2);
    backoff.next_attempt(attempts, failure.retry_after(), jitter)
}
