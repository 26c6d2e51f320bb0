//! `cargo xtask mutants`: mutates the core with cargo-mutants, and checks that the tests detect
//! each mutant. `.cargo/mutants.toml` selects the mutants; a survivor must be explained in
//! tests/data/mutants.toml.

use crate::support::process::{cargo, target, works};
use crate::support::style::{BAD, BOLD, FAINT, GOOD};
use crate::support::test_counts::TestCounts;
use anstream::println;
use clap::Args;
use payspec_support::root;
use serde::Deserialize;
use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

/// The explanations of survivors.
const EXPLAINED: &str = "tests/data/mutants.toml";
/// Slower tests that run after the vectors of the configuration, each on the survivors of the
/// previous ones. The canaries are omitted: without optimization, freed memory still contains the
/// data that they look for.
const ROUNDS: [Round; 3] = [
    Round {
        tests: "the unit tests",
        cargo: &["--lib"],
        // Tests of every digit and every character in files that are not mutated; they are slow
        // without optimization.
        harness: &["--skip=pan::tests", "--skip=text::look"],
    },
    Round {
        tests: "the tests of the typed values",
        cargo: &[
            "--test=typed",
            "--test=money",
            "--test=iso4217",
            "--test=openapi",
        ],
        harness: &[],
    },
    Round {
        tests: "the properties and the corpora of the fuzz targets",
        cargo: &[
            "--package=payspec-fuzz",
            "--test=properties",
            "--test=replay",
        ],
        harness: &[],
    },
];

/// Tests that run together.
struct Round {
    tests: &'static str,
    cargo: &'static [&'static str],
    harness: &'static [&'static str],
}

/// The short run: an eighth of the mutants of two small files.
const SHORT: [&str; 2] = [
    r"--re=^core/src/types/(authorization|state)\.rs:",
    "--shard=0/8",
];

/// Selects a part of the mutants.
#[derive(Args, Debug)]
pub(crate) struct Options {
    /// Only a part of the mutants
    #[arg(long, value_name = "K/N")]
    shard: Option<String>,
    /// Only the mutants of one file
    #[arg(long, value_name = "PATH")]
    file: Option<String>,
    /// Only the sample of the tests
    #[arg(long, conflicts_with_all = ["shard", "file"])]
    short: bool,
}

impl Options {
    fn arguments(&self) -> Vec<String> {
        let mut arguments: Vec<String> = self
            .shard
            .iter()
            .map(|shard| format!("--shard={shard}"))
            .collect();
        // The option `--file` of cargo-mutants only adds to the configured files; `--re` selects
        // this one.
        arguments.extend(
            self.file
                .iter()
                .flat_map(|file| [format!("--file={file}"), format!("--re=^{file}:")]),
        );
        if self.short {
            arguments.extend(SHORT.map(str::to_owned));
        }
        arguments
    }
}

/// Mutates the core and runs the tests. Fails if a survivor is not explained.
pub(crate) fn run(options: &Options) -> Result<(), String> {
    evaluate(&Sample {
        arguments: options.arguments(),
    })
    .map(drop)
}

/// Runs the short form for the tests: each detected mutant counts as one.
pub(crate) fn check() -> (TestCounts, Option<String>) {
    match evaluate(&Sample {
        arguments: SHORT.map(str::to_owned).into(),
    }) {
        Ok(seen) => (
            TestCounts {
                passed: seen,
                failed: 0,
            },
            None,
        ),
        Err(problem) => (TestCounts::of_check(false), Some(problem)),
    }
}

/// Returns the number of detected mutants if all survivors are explained.
fn evaluate(sample: &Sample) -> Result<u64, String> {
    if !works(cargo().args(["mutants", "--version"])) {
        return Err(
            "cargo-mutants is missing: cargo install --locked cargo-mutants@27.1.0".to_owned(),
        );
    }
    let explained = explained()?;
    println!("{BOLD}the vectors{BOLD:#}");
    finish(&mut sample.command())?;
    let caught = lines("caught.txt").len() + lines("timeout.txt").len();
    let mut missed = lines("missed.txt");
    let sum = caught + missed.len();
    for Round {
        tests,
        cargo,
        harness,
    } in ROUNDS.iter().filter(|_| sum > 0)
    {
        if missed.is_empty() {
            break;
        }
        println!("\n{BOLD}{} survivors: {tests}{BOLD:#}", missed.len());
        let mut next = sample.command();
        // Skips the mutants that were detected before.
        next.arg("--iterate").args(
            cargo
                .iter()
                .map(|argument| format!("--cargo-arg={argument}")),
        );
        if !harness.is_empty() {
            next.args(["--", "--"]).args(*harness);
        }
        finish(&mut next)?;
        missed = lines("missed.txt");
    }
    let (known, unknown): (Vec<_>, Vec<_>) = missed
        .iter()
        .partition(|line| explained.contains(without_location(line).as_str()));
    let (seen, known, unknown_count) = (sum - missed.len(), known.len(), unknown.len());
    println!(
        "\n{sum} mutants: {seen} detected, {known} explained in {EXPLAINED}, {unknown_count} others"
    );
    for line in &unknown {
        println!("   {BAD}survives{BAD:#}  {line}");
    }
    if unknown.is_empty() && sum > 0 {
        println!("   {GOOD}all survivors are explained{GOOD:#}");
        return Ok(u64::try_from(seen).unwrap_or(u64::MAX));
    }
    Err(format!(
        "add a test that detects the survivors, or explain them in {EXPLAINED}"
    ))
}

/// A selection of mutants: arguments of cargo-mutants.
struct Sample {
    arguments: Vec<String>,
}

impl Sample {
    fn command(&self) -> Command {
        let mut command = cargo();
        command
            .args([
                "mutants",
                "--package",
                "payspec",
                "--no-shuffle",
                "--colors=never",
                "--output",
            ])
            .arg(folder());
        // A mutant may cause an endless loop in constant evaluation. The limit is a hundred times
        // the usual build time.
        command.arg("--build-timeout=300");
        // Dependencies are compiled once, and not for each copy of the sources.
        command
            .args(&self.arguments)
            .env("CARGO_TARGET_DIR", folder().join("build"));
        command
    }
}

/// Runs the command. Surviving mutants (2) and timeouts (3) are not failures of the run.
fn finish(command: &mut Command) -> Result<(), String> {
    fs::create_dir_all(folder()).map_err(|error| format!("{}: {error}", folder().display()))?;
    let status = command
        .status()
        .map_err(|error| format!("cargo mutants: {error}"))?;
    match status.code() {
        Some(0 | 2 | 3) => Ok(()),
        _ => Err(format!("cargo mutants: {status}")),
    }
}

fn folder() -> PathBuf {
    target().join("mutants")
}

/// Returns the lines of an output file of cargo-mutants.
fn lines(list: &str) -> Vec<String> {
    let text = fs::read_to_string(folder().join("mutants.out").join(list)).unwrap_or_default();
    println!("   {FAINT}{list}: {}{FAINT:#}", text.lines().count());
    text.lines().map(str::to_owned).collect()
}

/// Removes line and column, which change: `core/src/a.rs:3:9: replace a with b`.
fn without_location(line: &str) -> String {
    let mut parts = line.splitn(4, ':');
    match (parts.next(), parts.next(), parts.next(), parts.next()) {
        (Some(file), Some(_), Some(_), Some(what)) => format!("{file}:{what}"),
        _ => line.to_owned(),
    }
}

fn explained() -> Result<BTreeSet<String>, String> {
    #[derive(Deserialize)]
    struct List {
        #[serde(default)]
        survivor: Vec<Survivor>,
    }
    #[derive(Deserialize)]
    struct Survivor {
        name: String,
        reason: String,
    }
    let text = fs::read_to_string(root().join(EXPLAINED))
        .map_err(|error| format!("{EXPLAINED}: {error}"))?;
    let list: List = toml::from_str(&text).map_err(|error| format!("{EXPLAINED}: {error}"))?;
    match list
        .survivor
        .iter()
        .find(|survivor| survivor.reason.trim().is_empty())
    {
        Some(survivor) => Err(format!("{EXPLAINED}: {} has no reason", survivor.name)),
        None => Ok(list
            .survivor
            .into_iter()
            .map(|survivor| survivor.name)
            .collect()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recognizes_a_mutant_that_has_moved() {
        let line = "core/src/money/a.rs:13:9: replace Amount::a -> Option<b::C> with None";
        assert_eq!(
            without_location(line),
            "core/src/money/a.rs: replace Amount::a -> Option<b::C> with None"
        );
    }

    #[test]
    fn keeps_the_entries_of_other_files() {
        let options = Options {
            shard: None,
            file: Some("core/src/a.rs".to_owned()),
            short: false,
        };
        assert_eq!(
            options.arguments(),
            ["--file=core/src/a.rs", "--re=^core/src/a.rs:"]
        );
    }
}
