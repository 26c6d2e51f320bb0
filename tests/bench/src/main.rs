//! The program behind `cargo xtask bench`: measures, and prints JSON for it.
//!
//! `payspec-bench rust [--short]`, `payspec-bench growth [--short]`, `payspec-bench c LIBRARY [--short]`.

use payspec_bench::harness::{self, Clock, Contender, LONG, SHORT};
use payspec_bench::{c, contenders, growth, worst};
use payspec_tests::allocations::Counting;
use std::process::ExitCode;

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
        _ => {
            eprintln!("payspec-bench rust|growth|c LIBRARY [--short]");
            return ExitCode::from(2);
        }
    }
    ExitCode::SUCCESS
}

fn print(clock: Clock, contenders: Vec<Contender<'_>>) {
    let figures = serde_json::to_string(&harness::measure(clock, contenders)).expect("figures are JSON");
    println!("{{\"figures\":{figures}}}");
}
