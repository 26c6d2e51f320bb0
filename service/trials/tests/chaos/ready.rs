//! Requests `/readyz` all the time, and compares each answer with what is expected at that moment.
//!
//! On a busy machine the disk may take seconds. 503 is right then, as long as no payment is stored
//! either.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use reqwest::Client;
use tokio::task::JoinSet;

use crate::load::Target;

const PERIOD: Duration = Duration::from_millis(50);
/// The gateway waits for its database for three seconds.
const TIMEOUT: Duration = Duration::from_secs(6);

/// The gateway gives the database three seconds, and an answer is half a second old at most.
const STILL: (Duration, Duration) = (Duration::from_secs(3), Duration::from_millis(600));

/// The expected answer of `/readyz`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Expected {
    /// 200.
    Ready,
    /// 503.
    NotReady,
    /// There is no gateway.
    Down,
    /// It changes now.
    Any,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Seen {
    Status(u16),
    Nothing,
}

impl Expected {
    fn allows(self, seen: Seen) -> bool {
        match self {
            Self::Ready => seen == Seen::Status(200),
            Self::NotReady => seen == Seen::Status(503),
            Self::Down => seen == Seen::Nothing,
            Self::Any => true,
        }
    }
}

#[derive(Debug)]
struct Shared {
    url: String,
    expected: Expected,
    /// Changes with the expectation.
    turn: u64,
    /// When the last request with an answer began, and the answer.
    last: Option<(Instant, Seen)>,
    asked: u64,
    violations: Vec<String>,
}

/// The probe, which ends when this is dropped.
pub(crate) struct Watch {
    shared: Arc<Mutex<Shared>>,
    _task: JoinSet<()>,
}

impl Watch {
    /// Starts with a gateway that is ready.
    pub(crate) fn start(url: String, target: Arc<Target>) -> Self {
        let expected = Expected::Ready;
        let shared = Shared {
            url,
            expected,
            turn: 0,
            last: None,
            asked: 0,
            violations: Vec::new(),
        };
        let shared = Arc::new(Mutex::new(shared));
        let mut task = JoinSet::new();
        task.spawn(ask(Arc::clone(&shared), target));
        Self {
            shared,
            _task: task,
        }
    }

    /// From now on. Answers to earlier questions are not judged.
    pub(crate) fn expect(&self, expected: Expected) {
        let mut shared = self.shared.lock().unwrap();
        shared.expected = expected;
        shared.turn += 1;
    }

    /// Waits until this is the answer, and expects it from then on. Returns how long it took.
    pub(crate) async fn becomes(&self, expected: Expected, within: Duration) -> Duration {
        self.expect(Expected::Any);
        let start = Instant::now();
        loop {
            let last = self.shared.lock().unwrap().last;
            if last.is_some_and(|(asked, seen)| asked >= start && expected.allows(seen)) {
                self.expect(expected);
                return start.elapsed();
            }
            assert!(
                start.elapsed() < within,
                "/readyz is {last:?} and not {expected:?} after {within:?}"
            );
            tokio::time::sleep(PERIOD / 2).await;
        }
    }

    /// Requests go to another gateway from now on.
    pub(crate) fn turn_to(&self, url: String) {
        self.shared.lock().unwrap().url = url;
    }

    /// Wrong answers, and how many there were in all.
    pub(crate) fn results(&self) -> (Vec<String>, u64) {
        let shared = self.shared.lock().unwrap();
        (shared.violations.clone(), shared.asked)
    }
}

async fn ask(shared: Arc<Mutex<Shared>>, target: Arc<Target>) {
    // As from a supervisor: each time over a connection of its own.
    let client = Client::builder()
        .timeout(TIMEOUT)
        .no_proxy()
        .pool_max_idle_per_host(0)
        .build()
        .unwrap();
    let start = Instant::now();
    loop {
        let (url, turn) = {
            let shared = shared.lock().unwrap();
            (shared.url.clone(), shared.turn)
        };
        let asked = Instant::now();
        let answer = client.get(url).send().await;
        let seen = answer.map_or(Seen::Nothing, |answer| {
            Seen::Status(answer.status().as_u16())
        });
        let stands_still = |now: Instant| !target.ledger.has_stored(now - STILL.0, now - STILL.1);
        {
            let mut shared = shared.lock().unwrap();
            shared.last = Some((asked, seen));
            shared.asked += 1;
            let is_right = shared.expected.allows(seen)
                || (shared.expected == Expected::Ready
                    && seen == Seen::Status(503)
                    && asked.duration_since(start) > STILL.0
                    && stands_still(Instant::now()));
            if shared.turn == turn && !is_right {
                let violation = format!(
                    "{seen:?} after {:?}, not {:?}",
                    asked.elapsed(),
                    shared.expected
                );
                shared.violations.push(violation);
            }
        }
        tokio::time::sleep(PERIOD).await;
    }
}
