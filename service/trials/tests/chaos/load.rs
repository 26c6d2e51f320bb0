//! Clients that create payments, each with a key that is repeated until it is answered.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, RwLock};
use std::time::Duration;

use reqwest::Client;
use tokio::task::JoinSet;

use crate::gateway::{self, Answer};
use crate::ledger::Ledger;

const CLIENTS: usize = 4;
/// Between two attempts with a key.
const PAUSE: Duration = Duration::from_millis(200);
/// Every so many payments, a client repeats its request although it was answered.
const REPEATED: usize = 8;

/// The client and the addresses of the gateways; restarts change the addresses.
#[derive(Debug)]
pub(crate) struct Target {
    pub(crate) bases: RwLock<Vec<String>>,
    turn: AtomicUsize,
    pub(crate) token: String,
    pub(crate) body: String,
    pub(crate) client: Client,
    timeouts: &'static [Duration],
    /// Between two payments of a client, so that the simulated acquirer and the receiver keep up.
    pace: Duration,
    pub(crate) ledger: Ledger,
    is_over: AtomicBool,
}

impl Target {
    pub(crate) fn new(
        bases: Vec<String>,
        token: String,
        callback: &str,
        timeouts: &'static [Duration],
        pace: Duration,
    ) -> Self {
        let body = gateway::BODY.replace('}', &format!(r#","callback":"{callback}"}}"#));
        // It installs the cryptography of all clients.
        drop(gateway::client());
        let client = Client::builder()
            .timeout(timeouts[0])
            .no_proxy()
            .build()
            .unwrap();
        let (turn, ledger, is_over) = (
            AtomicUsize::new(0),
            Ledger::default(),
            AtomicBool::new(false),
        );
        Self {
            bases: RwLock::new(bases),
            turn,
            token,
            body,
            client,
            timeouts,
            pace,
            ledger,
            is_over,
        }
    }

    /// The gateways take turns, so that a key is repeated at another one.
    pub(crate) fn base(&self) -> String {
        let bases = self.bases.read().unwrap();
        bases[self.turn.fetch_add(1, Ordering::Relaxed) % bases.len()].clone()
    }

    /// Sends a request once, and notes what comes of it. The timeouts take turns too.
    pub(crate) async fn attempt(&self, key: &str) -> bool {
        let url = format!("{}/v1/payments/new", self.base());
        let request = self
            .client
            .post(url)
            .bearer_auth(&self.token)
            .header("content-type", "application/json");
        let timeout = self.timeouts[self.turn.load(Ordering::Relaxed) % self.timeouts.len()];
        let request = request
            .header("idempotency-key", key)
            .body(self.body.clone())
            .timeout(timeout);
        let outcome = match request.send().await {
            Ok(response) => Answer::read(response).await,
            Err(error) => Err(error),
        };
        self.ledger.note(key, outcome)
    }

    async fn pay(&self, key: &str) {
        while !self.attempt(key).await {
            tokio::time::sleep(PAUSE).await;
        }
    }
}

/// Clients at work.
pub(crate) struct Load {
    clients: JoinSet<()>,
    target: Arc<Target>,
}

impl Load {
    pub(crate) fn start(target: &Arc<Target>) -> Self {
        let mut clients = JoinSet::new();
        for client in 0..CLIENTS {
            let target = Arc::clone(target);
            clients.spawn(async move {
                for number in 0.. {
                    let key = format!("order-{client}-{number}");
                    target.pay(&key).await;
                    if number % REPEATED == 0 {
                        target.attempt(&key).await;
                    }
                    if target.is_over.load(Ordering::SeqCst) {
                        return;
                    }
                    tokio::time::sleep(target.pace).await;
                }
            });
        }
        Self {
            clients,
            target: Arc::clone(target),
        }
    }

    /// Waits until each client has its last answer.
    pub(crate) async fn end(&mut self, within: Duration) {
        self.target.is_over.store(true, Ordering::SeqCst);
        let all = async {
            while let Some(ended) = self.clients.join_next().await {
                ended.unwrap();
            }
        };
        assert!(
            tokio::time::timeout(within, all).await.is_ok(),
            "clients get no answer"
        );
    }
}
