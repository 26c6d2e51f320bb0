//! The time for a byte of the worst known inputs (P18): every operation, with every filling of
//! 64 KiB at every location.

use crate::harness::{self, Candidate, Clock, Expected, Figure, Work};
use payspec::Engine;
use payspec::operations::{Verdict, operation};
use payspec_tests::worst_case::{Call, calls};
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

/// Measures all calls, and returns the worst location for each operation and filling.
pub fn measure(clock: Clock, engine: &Engine) -> Vec<Figure> {
    let calls = calls(SIZE);
    let candidates = calls.iter().map(|call| candidate(call, engine)).collect();
    let mut worst: BTreeMap<String, Figure> = BTreeMap::new();
    for (call, mut figure) in calls.iter().zip(harness::measure(clock, candidates)) {
        let bytes: usize = call.inputs.iter().flatten().map(Vec::len).sum();
        figure.bytes = bytes as u64 * 1000;
        let known = worst.get(&figure.name);
        if known.is_none_or(|known| per_byte(known) < per_byte(&figure)) {
            worst.insert(figure.name.clone(), figure);
        }
    }
    worst.into_values().collect()
}

/// Returns the median time for a byte, in millionths of a picosecond.
fn per_byte(figure: &Figure) -> u128 {
    let mut rounds = figure.rounds.clone();
    rounds.sort_unstable();
    let median = rounds.get(rounds.len() / 2).copied().unwrap_or(0);
    u128::from(median) * 1_000_000_000 / u128::from(figure.bytes)
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
            allocations: (0, 1),
            verdicts: (1, 0),
            bytes,
        }
    }

    #[test]
    fn compares_medians_for_a_byte() {
        let (short, long) = (figure(&[9, 90, 9], 1000), figure(&[17, 17, 17], 2000));
        assert!(per_byte(&short) > per_byte(&long));
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
