//! The program behind `cargo xtask bench`: measures, and prints JSON for it.
//!
//! `payspec-bench rust [--short]`, `payspec-bench growth [--short]`, `payspec-bench c LIBRARY [--short]`; and
//! `payspec-bench verdict`, which the Node.js side runs beside itself.

use payspec_bench::harness::{self, Clock, Contender, LONG, SHORT};
use payspec_bench::{c, contenders, corpus, growth, worst};
use payspec_tests::allocations::Counting;
use std::io::{BufRead, Write};
use std::process::ExitCode;
use std::time::{Duration, Instant};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let clock = match words.last() {
        Some(&"--short") => {
            words.pop();
            SHORT
        }
        _ => LONG,
    };
    match words[..] {
        ["rust"] => print(clock, contenders::all(&payspec::Engine::default())),
        ["growth"] => {
            let (bodies, worst, engine) = (growth::bodies(), worst::bodies(), growth::engine());
            let mut contenders = growth::contenders(&bodies, &engine);
            contenders.extend(growth::worst_contenders(&worst, &engine));
            print(clock.with_fewer_rounds(), contenders);
        }
        ["c", library] => print(clock, c::contenders(&c::Library::open(library), &payspec::Engine::default())),
        ["verdict"] => verdict().expect("standard input and output are open"),
        _ => {
            eprintln!("payspec-bench rust|growth|c LIBRARY [--short], payspec-bench verdict");
            return ExitCode::from(2);
        }
    }
    ExitCode::SUCCESS
}

fn print(clock: Clock, contenders: Vec<Contender<'_>>) {
    let figures = serde_json::to_string(&harness::measure(clock, contenders)).expect("figures are JSON");
    println!("{{\"figures\":{figures}}}");
}

/// For each line that comes in, `ROUNDS MILLISECONDS`, so many rounds of the native verdict, in one line: picoseconds for a
/// body each. Before them it runs for that long without counting, for this process has slept, and a processor that wakes up
/// takes a tenth of a second and more until it is at its speed.
fn verdict() -> std::io::Result<()> {
    let engine = payspec::Engine::default();
    let mut contender = contenders::verdict("", corpus::bytes(corpus::VALID), &engine);
    assert_eq!(harness::verdicts(&mut contender).1, 0, "a wrong verdict");
    let mut round = harness::Round::new(LONG, contender);
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let (rounds, awake) = line.split_once(' ').expect("two numbers");
        let [rounds, awake] = [rounds, awake].map(|number| number.parse::<u64>().expect("a number"));
        let start = Instant::now();
        while start.elapsed() < Duration::from_millis(awake) {
            round.take();
        }
        let figures: Vec<String> = (0..rounds).map(|_| round.take().to_string()).collect();
        writeln!(out, "{}", figures.join(" "))?;
        out.flush()?;
    }
    Ok(())
}
