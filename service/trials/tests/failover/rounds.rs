//! Round after round: a fault, its end, and the cluster is complete again. At the end the checker
//! compares all logs.

use std::time::{Duration, Instant};

use crate::checker::{self, Rows};
use crate::cluster::Replication;
use crate::faults::Fault;
use crate::report::{Report, Round};
use crate::seed::Seed;
use crate::world::{self, MERCHANT, World};

/// How long the load runs before the first fault, and after each.
const PAUSE: Duration = Duration::from_secs(1);
/// How long it may take until a client has an answer, and until a further payment is completed or a
/// further event delivered.
const SETTLED: Duration = Duration::from_secs(120);

pub(crate) async fn run(replication: Replication, faults: &[&'static Fault], seed: u64) -> Report {
    let (mut seed, start) = (Seed::new(seed), Instant::now());
    let mut world = World::start(replication).await;
    println!("the cluster is complete after {:.1?}", start.elapsed());
    let mut rounds = Vec::new();
    for (number, fault) in faults.iter().enumerate() {
        tokio::time::sleep(PAUSE + seed.pause(PAUSE)).await;
        let begin = Instant::now();
        fault.inject(&mut world, &mut seed).await;
        world.cluster.wait_until_complete().await;
        answers_again(&world).await;
        let outage = longest_gap(&world.target.ledger.stored_since(begin), begin);
        println!(
            "{:>5} s  round {}: {}: {outage:.1?}",
            start.elapsed().as_secs(),
            number + 1,
            fault.name
        );
        rounds.push(Round {
            fault: fault.name,
            outage,
        });
    }
    world.load.end(SETTLED).await;
    settled(replication).await;
    let rows = Rows::read(&world::database(), MERCHANT).await;
    let ledger = &world.target.ledger;
    let entries = ledger.entries();
    let findings = checker::findings(&entries, &rows, &world.receiver.received());
    let (reads, read) = world.reads.results();
    let answered = entries.values().filter(|entry| entry.uid.is_some()).count();
    let violations = [ledger.violations(), reads].concat();
    let (recreated, errors, second_payments) = (
        world.cluster.recreated,
        ledger.errors(),
        ledger.second_payments(),
    );
    Report {
        replication,
        rounds,
        answered,
        read,
        recreated,
        errors,
        findings,
        second_payments,
        violations,
    }
}

/// Waits until a payment is answered.
async fn answers_again(world: &World) {
    let start = Instant::now();
    while world.target.ledger.stored_since(start).is_empty() {
        assert!(
            start.elapsed() < SETTLED,
            "no payment is answered: {:?}",
            world.target.ledger.errors()
        );
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// The longest time without an answered payment.
fn longest_gap(stored: &[Instant], begin: Instant) -> Duration {
    let before = std::iter::once(begin).chain(stored.iter().copied());
    before
        .zip(stored)
        .map(|(before, after)| after.duration_since(before))
        .max()
        .unwrap_or_default()
}

/// Waits until the payments are completed and their events delivered.
async fn settled(replication: Replication) {
    let (mut start, mut before) = (Instant::now(), (i64::MAX, i64::MAX));
    loop {
        let left = checker::unsettled(&world::database(), MERCHANT).await;
        if left == (0, 0) {
            return;
        }
        if left != before {
            (start, before) = (Instant::now(), left);
        }
        assert!(
            start.elapsed() < SETTLED,
            "{replication:?}: {} payments and {} events do not end",
            left.0,
            left.1
        );
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}
