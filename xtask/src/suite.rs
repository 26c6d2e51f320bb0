//! `cargo xtask test`: one list of steps. A new door adds its steps here.

use crate::look::{BAD, BOLD, FAINT, GOOD};
use crate::tally::{Runners, Tally};
use crate::{api, bench, bless, coverage, demo, deny, header, hosts, model, msrv, mutants, npm, serve, tools};
use anstream::println;
use std::io::{BufRead, BufReader, IsTerminal};
use std::process::{Command, Stdio};
use std::time::Instant;

/// One thing that must hold.
struct Step {
    name: &'static str,
    /// What the step needs beside cargo, and how one gets it.
    needs: Option<(&'static str, &'static str)>,
    run: Run,
}

enum Run {
    /// A cargo command that holds or not, with the variables set for it.
    Check(&'static str, &'static [(&'static str, &'static str)]),
    /// A cargo command that runs tests; they are counted, and every runner must have run some.
    Tests(&'static str),
    /// A function of this program, and the command that does the same by hand.
    Own(&'static str, fn() -> Result<(), String>),
    /// The same, where the function counts for itself.
    Counted(&'static str, fn() -> (Tally, Option<String>)),
}

const RUSTFMT: Option<(&str, &str)> = Some(("fmt", "rustup component add rustfmt"));
const CLIPPY: Option<(&str, &str)> = Some(("clippy", "rustup component add clippy"));
const WARNINGS_ARE_ERRORS: &[(&str, &str)] = &[("RUSTDOCFLAGS", "-D warnings")];

const STEPS: [Step; 20] = [
    Step { name: "format", needs: RUSTFMT, run: Run::Check("fmt --all --check", &[]) },
    Step {
        name: "lints",
        needs: CLIPPY,
        run: Run::Check("clippy --locked --workspace --all-targets -- -D warnings", &[]),
    },
    Step {
        name: "lints of the core alone",
        needs: CLIPPY,
        run: Run::Check("clippy --locked --package payspec --no-default-features -- -D warnings", &[]),
    },
    Step {
        name: "the core alone",
        needs: None,
        run: Run::Check("build --locked --package payspec --no-default-features", &[]),
    },
    Step {
        name: "documentation",
        needs: None,
        run: Run::Check("doc --locked --workspace --no-deps", WARNINGS_ARE_ERRORS),
    },
    Step { name: "tests and vectors", needs: None, run: Run::Tests("test --locked --workspace --no-fail-fast") },
    Step { name: "vectors as they should be written", needs: None, run: Run::Own("xtask bless --check", bless::check) },
    Step { name: "the C header as the sources say", needs: None, run: Run::Own("xtask header --check", header::check) },
    Step { name: "licences, bans and sources", needs: None, run: Run::Counted("xtask deny --offline", deny::check) },
    Step { name: "the public items of payspec", needs: None, run: Run::Counted("xtask api", api::check) },
    Step { name: "the oldest Rust", needs: None, run: Run::Counted("xtask msrv", msrv::check) },
    Step {
        name: "what vectors, corpus and unit tests reach",
        needs: None,
        run: Run::Counted("xtask coverage --short", coverage::check),
    },
    Step {
        name: "what the tests see of broken code",
        needs: None,
        run: Run::Counted("xtask mutants --short", mutants::check),
    },
    Step { name: "demo", needs: None, run: Run::Own("xtask demo", demo::check) },
    Step { name: "the second model", needs: None, run: Run::Counted("xtask model", model::check) },
    Step { name: "the npm package", needs: None, run: Run::Counted("xtask npm --check", npm::check) },
    Step { name: "benchmarks, short", needs: None, run: Run::Counted("xtask bench --short", bench::check) },
    Step { name: "the service and its page", needs: None, run: Run::Counted("xtask serve --check", serve::check) },
    Step {
        name: "no answer outside the gateway's document (schemathesis)",
        needs: None,
        run: Run::Tests("test --locked --workspace --test service -- --ignored schemathesis"),
    },
    Step { name: "hosts in other languages", needs: None, run: Run::Counted("xtask hosts", hosts::check) },
];

/// Runs all steps, whatever fails on the way.
pub(crate) fn test(_: &[String]) -> Result<(), String> {
    let mut sum = Tally::default();
    let mut failed = Vec::new();
    for step in &STEPS {
        println!("\n{BOLD}── {}{BOLD:#}  {FAINT}cargo {}{FAINT:#}", step.name, step.run.command());
        let start = Instant::now();
        let (tally, problem) = step.take();
        let (seconds, tenths) = (start.elapsed().as_secs(), start.elapsed().subsec_millis() / 100);
        match &problem {
            None => println!("{GOOD}   ok{GOOD:#}  {FAINT}{} in {seconds}.{tenths} s{FAINT:#}", step.run.says(tally)),
            Some(problem) => {
                println!("{BAD}   failed{BAD:#}  {problem}  {FAINT}{seconds}.{tenths} s{FAINT:#}");
                failed.push(step.name);
            }
        }
        sum.add(tally);
    }
    println!();
    if !failed.is_empty() {
        println!("{BAD}failed:{BAD:#} {}\n", failed.join(", "));
    }
    std::println!("{} passed, {} failed", sum.passed, sum.failed);
    if sum.failed == 0 { Ok(()) } else { Err(String::new()) }
}

impl Step {
    /// What it counts, and what is wrong where it does not hold; then at least one has failed.
    fn take(&self) -> (Tally, Option<String>) {
        if let Some((tool, install)) = self.needs
            && !is_there(tool)
        {
            return (Tally::of_check(false), Some(format!("cargo {tool} is missing: {install}")));
        }
        let (mut tally, problem) = match &self.run {
            Run::Check(command, variables) => whether(check(command, variables)),
            Run::Own(_, function) => whether(function()),
            Run::Counted(_, function) => function(),
            Run::Tests(command) => tests(command),
        };
        if problem.is_some() && tally.failed == 0 {
            tally.failed = 1;
        }
        (tally, problem)
    }
}

impl Run {
    fn command(&self) -> &'static str {
        match self {
            Run::Check(command, _) | Run::Tests(command) | Run::Own(command, _) | Run::Counted(command, _) => command,
        }
    }

    fn says(&self, tally: Tally) -> String {
        match self {
            Run::Tests(_) | Run::Counted(..) => format!("{} passed", tally.passed),
            Run::Check(..) | Run::Own(..) => "holds".to_owned(),
        }
    }
}

fn whether(result: Result<(), String>) -> (Tally, Option<String>) {
    (Tally::of_check(result.is_ok()), result.err())
}

fn cargo(command: &str) -> Command {
    let mut cargo = tools::cargo();
    cargo.args(command.split(' '));
    cargo
}

fn is_there(tool: &str) -> bool {
    cargo(tool).arg("--version").output().is_ok_and(|output| output.status.success())
}

fn check(command: &str, variables: &[(&str, &str)]) -> Result<(), String> {
    match cargo(command).envs(variables.iter().copied()).status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(status.to_string()),
        Err(error) => Err(error.to_string()),
    }
}

fn tests(command: &str) -> (Tally, Option<String>) {
    let mut runners = Runners::default();
    let status = follow(cargo(command), |line| {
        println!("{line}");
        runners.line(&anstream::adapter::strip_str(line).to_string());
    });
    let problem = match status {
        Err(error) => Some(error),
        Ok(()) if runners.is_empty() => Some("nothing ran at all".to_owned()),
        Ok(()) if runners.idle().is_empty() => None,
        Ok(()) => Some(format!("ran no test: {}", runners.idle().join(", "))),
    };
    (runners.total(), problem)
}

/// Both streams of a program in the order written, line by line.
fn follow(mut command: Command, mut line: impl FnMut(&str)) -> Result<(), String> {
    let text = |error: std::io::Error| error.to_string();
    if std::io::stdout().is_terminal() {
        command.env("CARGO_TERM_COLOR", "always");
    }
    let (reader, writer) = std::io::pipe().map_err(text)?;
    command.stdin(Stdio::null()).stdout(writer.try_clone().map_err(text)?).stderr(writer);
    let mut child = command.spawn().map_err(text)?;
    // It holds the pipe's other end: without this the reading below would never end.
    drop(command);
    for read in BufReader::new(reader).split(b'\n') {
        line(&String::from_utf8_lossy(&read.map_err(text)?));
    }
    let status = child.wait().map_err(text)?;
    if status.success() { Ok(()) } else { Err(status.to_string()) }
}
