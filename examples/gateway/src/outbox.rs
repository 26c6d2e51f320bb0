//! Delivers events from the outbox: at least once, one after the other for each payment, and on after a restart.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use tokio::task::JoinSet;

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
    /// How long an event belongs to whoever took it. Longer than an attempt may take.
    pub lease: Duration,
    /// When an attempt that failed is made again.
    pub backoff: Backoff,
}

/// Works until it is told to stop; then finishes what it has begun.
pub async fn run(service: Arc<Service>, sender: Sender, config: OutboxConfig, mut stop: watch::Receiver<bool>) {
    let mut at_work = JoinSet::new();
    while !*stop.borrow() {
        while at_work.try_join_next().is_some() {}
        let free = config.parallel.saturating_sub(at_work.len());
        let claimed = if free == 0 {
            Vec::new()
        } else {
            let limit = i64::try_from(free).unwrap_or(i64::MAX);
            service.storage.claim(limit, config.lease).await.unwrap_or_else(|error| {
                tracing::error!(%error, "the outbox cannot be read");
                Vec::new()
            })
        };
        let idle = claimed.is_empty();
        for event in claimed {
            let (service, sender, backoff) = (Arc::clone(&service), sender.clone(), config.backoff.clone());
            at_work.spawn(async move {
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
                Some(_) = at_work.join_next() => {}
                _ = stop.changed() => {}
            }
        }
    }
    while at_work.join_next().await.is_some() {}
}

async fn deliver(service: &Service, sender: &Sender, backoff: &Backoff, event: &Event) -> Result<(), StorageError> {
    let secret = service.storage.secret(&event.merchant).await?;
    let secrets: Vec<Secret> = secret.and_then(|text| text.parse().ok()).into_iter().collect();
    let delivery = Delivery { id: event.id.clone(), url: event.url.clone(), body: event.body.clone(), secrets };
    let (id, attempt) = (event.id.as_str(), event.attempt);
    match sender.deliver(&delivery).await {
        Ok(delivered) => {
            metrics::counter!("gateway_deliveries_total", "result" => "delivered").increment(1);
            tracing::info!(event = id, attempt, status = delivered.status, "an event is delivered");
            service.storage.delivered(id).await
        }
        Err(failure) => {
            metrics::counter!("gateway_deliveries_total", "result" => failure.name()).increment(1);
            let pause = pause(backoff, event, &failure);
            tracing::warn!(event = id, attempt, %failure, again_in = ?pause, "an event is not delivered");
            service.storage.failed(event, &failure.to_string(), pause).await
        }
    }
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
