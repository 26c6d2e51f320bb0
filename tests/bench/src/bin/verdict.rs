//! The native verdict, for comparisons in other languages: for each line on standard input it runs once for the time of
//! a round, and answers with the picoseconds for a body.

use payspec::json::{self, Verdict};
use payspec_bench::corpus;
use std::hint::black_box;
use std::io::{BufRead, Write};
use std::time::{Duration, Instant};

const SLICE: Duration = Duration::from_millis(2);
/// Passes over the bodies between two looks at the clock.
const PASSES: usize = 64;

fn main() -> std::io::Result<()> {
    let engine = payspec::Engine::default();
    let operation = json::operation("validate_request").expect("an operation of the contract");
    let bodies = corpus::bytes(corpus::VALID);
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        line?;
        let (start, mut calls) = (Instant::now(), 0);
        while start.elapsed() < SLICE {
            for body in bodies.iter().cycle().take(bodies.len() * PASSES) {
                let verdict = operation.call(&engine, &[Some(black_box(body)), None], None);
                assert!(matches!(verdict, Ok(Verdict::Accepted)), "the bodies are valid");
            }
            calls += bodies.len() * PASSES;
        }
        writeln!(out, "{}", start.elapsed().as_nanos() as u64 * 1000 / calls as u64)?;
        out.flush()?;
    }
    Ok(())
}
