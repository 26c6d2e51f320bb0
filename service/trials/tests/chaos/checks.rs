//! The checks after every fault.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use crate::checker::{self, Rows};
use crate::gateway::Gateway;
use crate::load::Target;
use crate::world::{MERCHANT, World};

/// How long it may take until all payments are completed and all events delivered.
const SETTLED: Duration = Duration::from_secs(60);
/// How long memory may take to go back.
const FREED: Duration = Duration::from_secs(15);

/// The effect of a fault on clients.
#[derive(Debug, Default, Clone)]
pub(crate) struct Outcome {
    pub(crate) answered: u64,
    pub(crate) errors: BTreeMap<String, u64>,
    /// From the end of the fault until a payment is answered.
    pub(crate) recovery: Duration,
}

/// The limits of the effect of a fault.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    /// MiB of memory that may be left of it.
    pub(crate) memory: u64,
    /// Clients must not notice it.
    pub(crate) no_errors: bool,
}

impl Limits {
    pub(crate) const NOTICED: Self = Self {
        memory: 24,
        no_errors: false,
    };
    pub(crate) const UNNOTICED: Self = Self {
        memory: 24,
        no_errors: true,
    };
}

/// KiB of memory of a process.
pub(crate) fn memory(pid: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = status
        .lines()
        .find(|line| line.starts_with("VmRSS:"))
        .unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

/// Waits until a process has no more memory than before, but for some MiB.
pub(crate) async fn memory_is_back(pid: u32, before: u64, limit: u64) {
    let start = Instant::now();
    while memory(pid) > before + limit * 1024 {
        let now = memory(pid);
        assert!(
            start.elapsed() < FREED,
            "{now} KiB of memory are left of {before} KiB before"
        );
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

/// No answered payment is lost, none is there twice, and the receiver has all events in order.
pub(crate) async fn all(world: &World) {
    let violations = world.target.ledger.violations();
    assert!(violations.is_empty(), "{violations:?}");
    settled(world).await;
    let rows = Rows::read(&world.database(), MERCHANT).await;
    let found = checker::findings(
        &world.target.ledger.entries(),
        &rows,
        &world.receiver.received(),
    );
    assert!(found.is_empty(), "{found:?}");
    stored(&rows, &world.gateway, &world.target).await;
}

/// Waits until the payments are completed and their events delivered.
async fn settled(world: &World) {
    let start = Instant::now();
    loop {
        let left = checker::unsettled(&world.database(), MERCHANT).await;
        if left == (0, 0) {
            return;
        }
        assert!(
            start.elapsed() < SETTLED,
            "{} payments and {} events do not come to their end",
            left.0,
            left.1
        );
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

/// Each request has one payment, and each payment that was answered can be read.
async fn stored(rows: &Rows, gateway: &Gateway, target: &Target) {
    let entries = target.ledger.entries();
    let keys: BTreeSet<&str> = rows.records.iter().map(|[key, ..]| key.as_str()).collect();
    assert_eq!(
        keys,
        entries.keys().map(String::as_str).collect(),
        "the keys"
    );
    assert_eq!(rows.payments.len(), entries.len(), "a payment for each key");
    for (key, entry) in &entries {
        assert!(entry.is_settled, "{key} is not answered");
        let Some(uid) = &entry.uid else { continue };
        let read = gateway.status(&target.token, uid).await;
        assert_eq!(
            (read.status, read.uid().as_str()),
            (200, uid.as_str()),
            "an answered payment is lost: {}",
            read.text
        );
        assert_eq!(read.json()["amount"], "990.50", "{}", read.text);
    }
}
