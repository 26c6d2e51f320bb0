//! Delivers events from the outbox: at least once, one after the other for each payment, and on
//! after a restart.

mod lanes;

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{oneshot, watch};

use lanes::{Finished, Lane, Lanes};

use crate::service::Service;
use crate::storage::{Claim, Event, StorageError, in_time};
use crate::webhook::{Backoff, Delivery, Failure, Secret, Sender};

/// The settings of the worker.
#[derive(Debug, Clone)]
pub struct OutboxConfig {
    /// The most deliveries at once, in each of two lanes.
    pub parallel: usize,
    /// The pause between two searches for events, which other gateways may have added.
    pub poll: Duration,
    /// The time for which a gateway holds an event, longer than an attempt may take.
    pub lease: Duration,
    /// The pauses after failed attempts.
    pub backoff: Backoff,
}

/// Delivers events until `stop` is set, and finishes the deliveries under way.
pub async fn run(
    service: Arc<Service>,
    sender: Sender,
    config: OutboxConfig,
    mut stop: watch::Receiver<bool>,
) {
    let mut lanes = Lanes::new(config.parallel);
    while !*stop.borrow() {
        lanes.settle();
        let mut idle = true;
        for lane in [Lane::Fast, Lane::Slow] {
            let claim = match lane {
                Lane::Fast => Claim {
                    limit: lanes.free(lane),
                    merchants: &lanes.excluded(),
                    only: false,
                },
                Lane::Slow => Claim {
                    limit: lanes.free(lane),
                    merchants: &lanes.slow(),
                    only: true,
                },
            };
            if claim.limit == 0 || (claim.only && claim.merchants.is_empty()) {
                continue;
            }
            let claimed = in_time(service.outbox.claim(claim, config.lease))
                .await
                .unwrap_or_else(|error| {
                    tracing::error!(%error, "the outbox cannot be read");
                    Vec::new()
                });
            idle &= claimed.is_empty();
            for event in claimed {
                let (service, sender, backoff) =
                    (Arc::clone(&service), sender.clone(), config.backoff.clone());
                lanes.begin(lane, event.merchant.clone(), |canceled| async move {
                    deliver(&service, &sender, &backoff, &event, canceled).await.unwrap_or_else(|error| {
                        // Its lease ends, and it is delivered again.
                        tracing::error!(%error, event = event.id, "the result of a delivery cannot be stored");
                        Finished { timed_out: false }
                    })
                });
            }
        }
        if idle {
            tokio::select! {
                () = tokio::time::sleep(config.poll) => {}
                () = service.events.notified() => {}
                // The next event of a payment waits for the one before.
                true = lanes.finish() => {}
                _ = stop.changed() => {}
            }
        }
    }
    while lanes.finish().await {}
}

async fn deliver(
    service: &Service,
    sender: &Sender,
    backoff: &Backoff,
    event: &Event,
    canceled: oneshot::Receiver<()>,
) -> Result<Finished, StorageError> {
    let secrets = in_time(service.outbox.secrets(&event.merchant)).await?;
    let secrets: Vec<Secret> = secrets
        .iter()
        .filter_map(|text| text.parse().ok())
        .collect();
    let delivery = Delivery {
        id: event.id.clone(),
        url: event.url.clone(),
        body: event.body.clone(),
        secrets,
    };
    let (id, attempt) = (event.id.as_str(), event.attempt);
    let delivered = tokio::select! {
        delivered = sender.deliver(&delivery) => delivered,
        Ok(()) = canceled => Err(Failure::Timeout),
    };
    match delivered {
        Ok(delivered) => {
            // The result is stored before any other step.
            in_time(service.outbox.delivered(id)).await?;
            metrics::counter!("gateway_deliveries_total", "result" => "delivered").increment(1);
            tracing::info!(
                event = id,
                merchant = event.merchant,
                attempt,
                status = delivered.status,
                "an event is delivered"
            );
            Ok(Finished { timed_out: false })
        }
        Err(failure) => {
            let pause = pause(backoff, event, &failure);
            in_time(service.outbox.failed(event, &failure.to_string(), pause)).await?;
            metrics::counter!("gateway_deliveries_total", "result" => failure.name()).increment(1);
            tracing::warn!(event = id, merchant = event.merchant, attempt, %failure, again_in = ?pause, "an event is not delivered");
            Ok(Finished {
                timed_out: failure == Failure::Timeout,
            })
        }
    }
}

/// Returns the pause before the next attempt, if there is one.
fn pause(backoff: &Backoff, event: &Event, failure: &Failure) -> Option<Duration> {
    if failure.is_final() {
        return None;
    }
    let attempts = u32::try_from(event.attempt).unwrap_or(u32::MAX);
    // Without randomness, deliveries that failed together are repeated together.
    let jitter = getrandom::u32().unwrap_or(u32::MAX / 2);
    backoff.next_attempt(attempts, failure.retry_after(), jitter)
}
