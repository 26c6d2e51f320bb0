//! All faults in random order until the time is over, and the table of what came of them.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use crate::checks::Outcome;
use crate::faults::{FAULTS, Fault, Scale};
use crate::seed::Seed;
use crate::world::Kind;

/// The results of a fault under one database.
#[derive(Default)]
struct Row {
    times: u32,
    outcome: Outcome,
    failures: Vec<String>,
}

type Rows = BTreeMap<(usize, String), Row>;

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|text| {
        text.parse()
            .unwrap_or_else(|_| panic!("{name} is a number"))
    })
}

/// Injects all faults at least once.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "cargo xtask chaos runs it"]
async fn long() {
    let time = Duration::from_secs(60 * number("CHAOS_MINUTES").unwrap_or(1));
    let start_seed = number("CHAOS_SEED").unwrap_or_else(|| getrandom::u64().unwrap());
    println!("seed {start_seed}");
    let (start, mut seed, mut rows) = (Instant::now(), Seed::new(start_seed), Rows::new());
    let mut turns: Vec<(usize, &'static Fault, Kind)> = Vec::new();
    for (index, fault) in FAULTS.iter().enumerate() {
        turns.extend(fault.kinds.iter().map(|kind| (index, fault, *kind)));
    }
    while rows.is_empty() || start.elapsed() < time {
        seed.shuffle(&mut turns);
        for (index, fault, kind) in &turns {
            // The first time all come.
            if start.elapsed() > time && rows.len() == turns.len() {
                break;
            }
            let row = rows
                .entry((*index, format!("{} on {kind:?}", fault.name)))
                .or_default();
            turn(fault, *kind, Seed::new(seed.next()), row).await;
            println!(
                "{:>5} s  {} on {kind:?}: {}",
                start.elapsed().as_secs(),
                fault.name,
                result(row)
            );
        }
    }
    print(&rows);
    let failures: Vec<_> = rows.values().flat_map(|row| &row.failures).collect();
    assert!(failures.is_empty(), "seed {start_seed}: {failures:#?}");
}

async fn turn(fault: &'static Fault, kind: Kind, mut seed: Seed, row: &mut Row) {
    let run = tokio::spawn(async move { (fault.run)(kind, Scale::LONG, &mut seed).await });
    row.times += 1;
    match run.await {
        Ok(outcome) => {
            row.outcome.answered += outcome.answered;
            row.outcome.recovery = row.outcome.recovery.max(outcome.recovery);
            for (error, count) in outcome.errors {
                *row.outcome.errors.entry(error).or_default() += count;
            }
        }
        Err(error) => {
            let panic = error.into_panic();
            let text = panic.downcast_ref::<String>().cloned();
            let text = text.or_else(|| panic.downcast_ref::<&str>().map(ToString::to_string));
            row.failures.push(format!(
                "{} on {kind:?}: {}",
                fault.name,
                text.unwrap_or_default()
            ));
        }
    }
}

fn result(row: &Row) -> String {
    match (row.failures.len(), row.outcome.answered) {
        (0, 0) => "skipped".to_owned(),
        (0, _) => "passed".to_owned(),
        (failed, _) => format!("failed {failed} times"),
    }
}

fn print(rows: &Rows) {
    println!(
        "\n| fault | times | requests answered | errors seen by clients | slowest recovery | result |"
    );
    println!("|---|---:|---:|---|---:|---|");
    for ((_, name), row) in rows {
        let errors: Vec<_> = row
            .outcome
            .errors
            .iter()
            .map(|(error, count)| format!("{count} × {error}"))
            .collect();
        let errors = if errors.is_empty() {
            "none".to_owned()
        } else {
            errors.join(", ")
        };
        let (times, answered, recovery) = (
            row.times,
            row.outcome.answered,
            row.outcome.recovery.as_millis(),
        );
        println!(
            "| {name} | {times} | {answered} | {errors} | {recovery} ms | {} |",
            result(row)
        );
    }
}
