//! The time for a byte of the worst known inputs (P18): every operation, with every filling of
//! 64 KiB at every location.

use crate::harness::{self, Candidate, Clock, Expected, Work};
use payspec::Engine;
use payspec::operations::{Verdict, operation};
use payspec_tests::worst_case::{Call, calls};
use serde::Serialize;
use std::collections::BTreeMap;
use std::hint::black_box;

/// The size of a filling in bytes.
const SIZE: usize = 65_536;

/// The operations with a column of their own in the table. They read texts of unlimited length.
const COLUMNS: [&str; 6] = [
    "validate_request",
    "create_payment",
    "check_payment",
    "fingerprint_request",
    "redact",
    "redact_text",
];
const OTHERS: &str = "others";

/// The measurements of the worst location of a filling.
#[derive(Serialize)]
pub struct Figure {
    /// The operation and the filling: `redact: digits`.
    pub name: String,
    /// Picoseconds for a call, one entry for each round.
    pub rounds: Vec<u64>,
    /// Bytes of 1000 calls.
    pub bytes: u64,
}

/// Measures all calls, and returns the worst location for each operation and filling.
pub fn measure(clock: Clock, engine: &Engine) -> Vec<Figure> {
    let calls = calls(SIZE);
    let candidates = calls.iter().map(|call| candidate(call, engine)).collect();
    let mut worst = BTreeMap::new();
    for (call, figure) in calls.iter().zip(harness::measure(clock, candidates)) {
        let bytes: usize = call.inputs.iter().flatten().map(Vec::len).sum();
        let figure = Figure {
            name: figure.name,
            rounds: figure.rounds,
            bytes: bytes as u64 * 1000,
        };
        let name = figure.name.clone();
        let known = worst.entry(name).or_insert_with(|| Figure {
            name: figure.name.clone(),
            rounds: Vec::new(),
            bytes: 1,
        });
        if known.per_byte() < figure.per_byte() {
            *known = figure;
        }
    }
    worst.into_values().collect()
}

impl Figure {
    /// Returns the median time for a byte, in millionths of a picosecond.
    fn per_byte(&self) -> u128 {
        let mut rounds = self.rounds.clone();
        rounds.sort_unstable();
        let median = rounds.get(rounds.len() / 2).copied().unwrap_or(0);
        u128::from(median) * 1_000_000_000 / u128::from(self.bytes)
    }
}

fn candidate<'a>(call: &'a Call, engine: &'a Engine) -> Candidate<'a> {
    let column = COLUMNS.iter().find(|name| **name == call.operation);
    let column = column.copied().unwrap_or(OTHERS);
    let mut work = work(call, engine);
    let accepts = work(b"");
    Candidate {
        name: format!("{column}: {}", call.kind),
        bodies: vec![b""],
        expected: Expected::All { accepts },
        work,
    }
}

/// Returns the call. It has inputs of its own instead of a body.
fn work<'a>(call: &'a Call, engine: &'a Engine) -> Work<'a> {
    let operation = operation(call.operation).expect("an operation");
    let inputs: Vec<Option<&[u8]>> = call.inputs.iter().map(Option::as_deref).collect();
    let mut out = Vec::with_capacity(4 * SIZE);
    Box::new(move |_| {
        let verdict = operation.call(engine, black_box(&inputs), Some(&mut out));
        black_box(&out);
        matches!(verdict, Ok(Verdict::Accepted))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figure(rounds: &[u64], bytes: u64) -> Figure {
        Figure {
            name: String::new(),
            rounds: rounds.to_vec(),
            bytes,
        }
    }

    #[test]
    fn compares_medians_for_a_byte() {
        let (short, long) = (figure(&[9, 90, 9], 1000), figure(&[17, 17, 17], 2000));
        assert!(short.per_byte() > long.per_byte());
    }

    #[test]
    fn has_every_column() {
        let calls = calls(SIZE);
        for column in COLUMNS {
            assert!(
                calls.iter().any(|call| call.operation == column),
                "{column}"
            );
        }
    }
}
