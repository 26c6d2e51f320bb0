//! `cargo xtask model`: compares the library with tests/model, a second implementation in Python,
//! on generated bodies, texts, and logs.

use crate::build::{install, npm};
use crate::support::style::FAINT;
use crate::support::test_counts::{self, TestCounts};
use anstream::println;
use clap::Args;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Bodies of a manual run.
const BODIES: u64 = 1_000_000;
/// The short runs of the step `model`: each takes seconds.
const SHORT: [(&str, u64); 3] = [("--bodies", 20_000), ("--texts", 20_000), ("--logs", 2_000)];
/// The long runs of the step `redaction`.
const LONG: [(&str, u64); 2] = [("--texts", 1_000_000), ("--logs", 100_000)];
const SEED: &str = "1";
/// The version of Python that the model requires.
const PYTHON: &str = "import sys; sys.exit(sys.version_info < (3, 9))";

/// What is compared, how much of it, and the seed.
#[derive(Args, Debug)]
pub(crate) struct Options {
    /// Number of generated bodies
    #[arg(long, value_name = "N", default_value_t = BODIES, value_parser = clap::value_parser!(u64).range(1..))]
    bodies: u64,
    /// Instead, compare `redact_text` and `redact` on this number of generated texts
    #[arg(long, value_name = "N", conflicts_with = "bodies", value_parser = clap::value_parser!(u64).range(1..))]
    texts: Option<u64>,
    /// Instead, measure `redact_text` on this number of generated records of each format of logs
    #[arg(long, value_name = "N", conflicts_with_all = ["bodies", "texts"], value_parser = clap::value_parser!(u64).range(1..))]
    logs: Option<u64>,
    /// With `--logs`, write tests/model/RESULTS.md, which the book includes
    #[arg(long, requires = "logs")]
    record: bool,
    /// Seed of the generator
    #[arg(long, value_name = "S", default_value = SEED)]
    seed: String,
}

/// Compares both implementations.
pub(crate) fn run(options: &Options) -> Result<(), String> {
    if !has_python() {
        return Err(MISSING.to_owned());
    }
    let library = library()?;
    let mut command = python(Some(&library));
    command
        .arg(format!("--bodies={}", options.bodies))
        .arg(format!("--seed={}", options.seed));
    command.args(options.texts.map(|texts| format!("--texts={texts}")));
    command.args(options.logs.map(|logs| format!("--logs={logs}")));
    command.args(options.record.then_some("--record"));
    let status = command.status();
    match status {
        Ok(status) if status.success() => Ok(()),
        // The model has printed the difference.
        Ok(_) => Err(String::new()),
        Err(error) => Err(format!("python3: {error}")),
    }
}

/// Runs the step `model`: the unit tests of the model, the short runs, each counted as one check,
/// and the comparison of the module for pages with the library.
pub(crate) fn check() -> (TestCounts, Option<String>) {
    if !has_python() {
        return (TestCounts::of_check(false), Some(MISSING.to_owned()));
    }
    let (mut sum, mut problem) = own_tests();
    let library = match library() {
        Ok(library) => library,
        Err(error) => {
            sum.add(TestCounts::of_check(false));
            return (sum, problem.or(Some(error)));
        }
    };
    let (runs, disagreement) = compare(&library, &SHORT);
    sum.add(runs);
    let (page, other) = npm::check::native(&library);
    sum.add(page);
    problem = problem.or(disagreement).or(other);
    (sum, problem)
}

/// Runs the step `redaction`: the long runs of `redact_text` and `redact`.
pub(crate) fn check_redaction() -> (TestCounts, Option<String>) {
    if !has_python() {
        return (TestCounts::of_check(false), Some(MISSING.to_owned()));
    }
    match library() {
        Ok(library) => compare(&library, &LONG),
        Err(error) => (TestCounts::of_check(false), Some(error)),
    }
}

/// Compares the library with the model. Each run is counted as one check.
fn compare(library: &Path, runs: &[(&str, u64)]) -> (TestCounts, Option<String>) {
    let mut sum = TestCounts::default();
    let mut problem = None;
    for (option, number) in runs {
        let ran = python(Some(library))
            .args([option, number.to_string().as_str(), "--seed", SEED])
            .status();
        let error = match ran {
            Ok(status) if status.success() => None,
            Ok(_) => Some("the library and the model disagree".to_owned()),
            Err(error) => Some(format!("python3: {error}")),
        };
        sum.add(TestCounts::of_check(error.is_none()));
        problem = problem.or(error);
    }
    (sum, problem)
}

const MISSING: &str = "missing: Python 3.9 or later, apt-get install python3";

fn own_tests() -> (TestCounts, Option<String>) {
    let output = match python(None).arg("--tests").stdin(Stdio::null()).output() {
        Ok(output) => output,
        Err(error) => {
            return (
                TestCounts::of_check(false),
                Some(format!("python3: {error}")),
            );
        }
    };
    let text = String::from_utf8_lossy(&output.stdout);
    let counted = test_counts::counted_in(&text);
    if output.status.success() && counted.passed > 0 {
        return (counted, None);
    }
    println!(
        "{FAINT}{text}{}{FAINT:#}",
        String::from_utf8_lossy(&output.stderr)
    );
    (counted, Some("the unit tests of the model fail".to_owned()))
}

fn has_python() -> bool {
    Command::new("python3")
        .args(["-c", PYTHON])
        .status()
        .is_ok_and(|status| status.success())
}

fn python(library: Option<&Path>) -> Command {
    let mut python = Command::new("python3");
    python
        .arg(payspec_support::root().join("tests/model"))
        .env("PYTHONDONTWRITEBYTECODE", "1");
    if let Some(library) = library {
        python.arg("--library").arg(library);
    }
    python
}

/// Builds the library and installs it for this command only.
fn library() -> Result<PathBuf, String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let target = program
        .ancestors()
        .nth(2)
        .map_or_else(|| PathBuf::from("target"), PathBuf::from);
    let prefix = target.join("model");
    install::into(&prefix)?;
    Ok(install::shared_library(&prefix))
}
