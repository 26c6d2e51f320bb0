//! `cargo xtask mutants`: mutates the core with cargo-mutants, and checks that the tests detect
//! each mutant. `.cargo/mutants.toml` selects the mutants, and explains those that no test can
//! detect.

use crate::support::checks::Checks;
use crate::support::process::{cargo, target};
use crate::support::style::BOLD;
use crate::support::test_counts::TestCounts;
use anstream::println;
use anyhow::{Result, bail, ensure};
use clap::Args;
use fs_err as fs;
use std::path::PathBuf;

/// The tests, and the arguments of cargo-mutants. Each round runs for the survivors of those before
/// it: the vectors take half a second, the others longer.
const ROUNDS: [(&str, &[&str]); 4] = [
    ("the vectors", &[]),
    (
        "the unit tests",
        &[
            "--cargo-arg=--lib",
            "--",
            "--",
            // Tests of every digit and every character in files that are not mutated; they are slow
            // without optimization.
            "--skip=pan::tests",
            "--skip=text::look",
        ],
    ),
    ("the integration tests", &["--cargo-arg=--test=integration"]),
    (
        "the corpora of the fuzz targets",
        &[
            "--cargo-arg=--package=payspec-fuzz",
            "--cargo-arg=--test=replay",
        ],
    ),
];

/// The sample of the step: every eighth mutant of two files.
const SHORT: [&str; 2] = [
    r"--re=^core/src/types/(authorization|state)\.rs:",
    "--shard=0/8",
];

/// Selects the mutants.
#[derive(Args, Debug)]
pub(crate) struct Options {
    /// Every Nth mutant, beginning with the Kth
    #[arg(long, value_name = "K/N")]
    shard: Option<String>,
    /// Only the mutants of one file
    #[arg(long, value_name = "PATH")]
    file: Option<String>,
    /// Only the sample of `cargo xtask test mutants`
    #[arg(long, conflicts_with_all = ["shard", "file"])]
    short: bool,
}

impl Options {
    fn arguments(&self) -> Vec<String> {
        let shard = self.shard.iter().map(|shard| format!("--shard={shard}"));
        // The option `--file` of cargo-mutants only adds to the configured files; `--re` selects
        // this one.
        let file = self
            .file
            .iter()
            .flat_map(|file| [format!("--file={file}"), format!("--re=^{file}:")]);
        let short = SHORT.iter().filter(|_| self.short).map(ToString::to_string);
        shard.chain(file).chain(short).collect()
    }
}

/// Mutates the core. Fails if a mutant survives.
pub(crate) fn run(options: &Options) -> Result<()> {
    evaluate(&options.arguments()).map(drop)
}

/// Runs the step of `cargo xtask test`: a sample.
pub(crate) fn check() -> Result<Checks> {
    let passed = evaluate(&SHORT.map(str::to_owned))?;
    Ok(Checks::of(TestCounts { passed, failed: 0 }, None))
}

/// Returns the number of mutants, all of which have been detected.
fn evaluate(selection: &[String]) -> Result<u64> {
    fs::create_dir_all(folder())?;
    let mut mutants = 0;
    for (index, (tests, arguments)) in ROUNDS.iter().enumerate() {
        println!("\n{BOLD}{tests}{BOLD:#}");
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
            .arg(folder())
            // A mutant may cause an endless loop in constant evaluation. The limit is a hundred
            // times the usual build time.
            .arg("--build-timeout=300")
            // The tests pass without a mutant: other steps run them.
            .args(["--baseline=skip", "--timeout=60"])
            // Skips the mutants that were detected before.
            .args((index > 0).then_some("--iterate"))
            .args(selection)
            .args(*arguments)
            // Dependencies are compiled once, and not for each copy of the sources.
            .env("CARGO_TARGET_DIR", folder().join("build"));
        let status = command.status()?;
        if index == 0 {
            mutants = ["caught.txt", "timeout.txt", "missed.txt"]
                .map(lines)
                .iter()
                .sum();
        }
        match status.code() {
            // Survivors, or mutants that run forever, which is a detection.
            Some(2 | 3) if lines("missed.txt") > 0 => {}
            Some(0 | 2 | 3) => {
                ensure!(mutants > 0, "no mutant was selected");
                return Ok(mutants);
            }
            _ => bail!("cargo mutants: {status}"),
        }
    }
    bail!(
        "add a test that detects the survivors in {}, or explain them in .cargo/mutants.toml",
        folder().join("mutants.out/missed.txt").display()
    )
}

fn folder() -> PathBuf {
    target().join("mutants")
}

/// Counts the lines of one of the lists of cargo-mutants.
fn lines(list: &str) -> u64 {
    let text = fs::read_to_string(folder().join("mutants.out").join(list)).unwrap_or_default();
    text.lines().count() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_the_entries_of_other_files() {
        let options = Options {
            shard: None,
            file: Some("core/src/a.rs".to_owned()),
            short: false,
        };
        let arguments = ["--file=core/src/a.rs", "--re=^core/src/a.rs:"];
        assert_eq!(options.arguments(), arguments);
    }
}
