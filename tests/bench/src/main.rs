//! Measures the candidates and prints JSON for `cargo xtask bench`.
//!
//! `payspec-bench rust [--short]`, `payspec-bench growth [--short]`, `payspec-bench worst-inputs
//! [--short]`, `payspec-bench c LIBRARY [--short]`, `payspec-bench cli PROGRAM AJV FOLDER [--short]`.

use payspec_bench::harness::{self, Candidate, Clock, LONG, SHORT};
use payspec_bench::{c, candidates, cli, growth, worst_case, worst_inputs};
use payspec_tests::allocations::Counting;
use std::path::Path;
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
        ["rust"] => print(clock, candidates::all(&payspec::Engine::default())),
        ["growth"] => {
            let (bodies, worst, engine) =
                (growth::bodies(), worst_case::bodies(), growth::engine());
            let mut candidates = growth::candidates(&bodies, &engine);
            candidates.extend(growth::worst_candidates(&worst, &engine));
            print(clock.with_at_most(61), candidates);
        }
        ["worst-inputs"] => {
            let engine = growth::engine();
            show(&worst_inputs::measure(clock.with_at_most(15), &engine));
        }
        ["cli", program, ajv, folder] => {
            let folder = Path::new(folder);
            std::fs::create_dir_all(folder).expect("the folder");
            show(&cli::measure(&cli::Options {
                program,
                ajv,
                folder,
                short: clock.is_short(),
            }));
        }
        ["c", library] => print(
            clock,
            c::candidates(&c::Library::open(library), &payspec::Engine::default()),
        ),
        _ => {
            eprintln!(
                "payspec-bench rust|growth|worst-inputs|c LIBRARY|cli PROGRAM AJV FOLDER [--short]"
            );
            return ExitCode::from(2);
        }
    }
    ExitCode::SUCCESS
}

fn print(clock: Clock, candidates: Vec<Candidate<'_>>) {
    show(&harness::measure(clock, candidates));
}

fn show(figures: &impl serde::Serialize) {
    let figures = serde_json::to_string(figures).expect("figures are JSON");
    println!("{{\"figures\":{figures}}}");
}
