//! A client that reads payments all the time: an answered payment is never absent, and its state
//! never goes backwards.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::Value;
use tokio::task::JoinSet;

use crate::load::Target;

const PERIOD: Duration = Duration::from_millis(20);
/// So many of the last payments are read.
const LATEST: usize = 50;

#[derive(Debug, Default)]
struct Seen {
    /// The last state of each payment, as a number that grows.
    states: HashMap<String, usize>,
    reads: u64,
    violations: Vec<String>,
}

/// Ends when it is dropped.
pub(crate) struct Reads {
    seen: Arc<Mutex<Seen>>,
    task: JoinSet<()>,
}

impl Reads {
    pub(crate) fn start(target: &Arc<Target>) -> Self {
        let seen = Arc::new(Mutex::new(Seen::default()));
        let mut task = JoinSet::new();
        task.spawn(read(Arc::clone(target), Arc::clone(&seen)));
        Self { seen, task }
    }

    /// What was wrong, and how many reads were answered.
    pub(crate) fn results(&mut self) -> (Vec<String>, u64) {
        // It ends by a panic only.
        assert!(
            self.task.try_join_next().is_none(),
            "the client that reads has ended"
        );
        let seen = self.seen.lock().unwrap();
        (seen.violations.clone(), seen.reads)
    }
}

async fn read(target: Arc<Target>, seen: Arc<Mutex<Seen>>) {
    loop {
        for uid in target.ledger.latest(LATEST) {
            tokio::time::sleep(PERIOD).await;
            let url = format!("{}/v1/payments/{uid}/status", target.base());
            let Ok(answer) = target
                .client
                .get(url)
                .bearer_auth(&target.token)
                .send()
                .await
            else {
                continue;
            };
            let status = answer.status().as_u16();
            let Ok(body) = answer.json::<Value>().await else {
                continue;
            };
            let mut seen = seen.lock().unwrap();
            let state = ["idle", "routed", "completed"]
                .iter()
                .position(|state| body["state"] == *state);
            match (status, state) {
                (200, Some(state)) => {
                    seen.reads += 1;
                    let before = seen.states.insert(uid.clone(), state).unwrap_or_default();
                    if state < before {
                        seen.violations
                            .push(format!("{uid} has gone back to {}", body["state"]));
                    }
                }
                (503, _) => {}
                _ => seen
                    .violations
                    .push(format!("{uid} is read as {status}: {body}")),
            }
        }
        tokio::time::sleep(PERIOD).await;
    }
}
