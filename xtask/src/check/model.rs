//! `cargo xtask model`: compares the library with tests/model, a second `validate_request` in
//! Python, on generated bodies.

use crate::build::{install, npm};
use crate::support::style::FAINT;
use crate::support::test_counts::{self, TestCounts};
use anstream::println;
use clap::Args;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Bodies of a manual run.
const BODIES: u64 = 1_000_000;
/// Bodies of the short run in the tests, which takes seconds.
const SHORT: u64 = 20_000;
const SEED: &str = "1";
/// The version of Python that the model requires.
const PYTHON: &str = "import sys; sys.exit(sys.version_info < (3, 9))";

/// Number of bodies, and the seed.
#[derive(Args, Debug)]
pub(crate) struct Options {
    /// Number of generated bodies
    #[arg(long, value_name = "N", default_value_t = BODIES, value_parser = clap::value_parser!(u64).range(1..))]
    bodies: u64,
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
    let status = python(Some(&library))
        .arg(format!("--bodies={}", options.bodies))
        .arg(format!("--seed={}", options.seed))
        .status();
    match status {
        Ok(status) if status.success() => Ok(()),
        // The model has printed the difference.
        Ok(_) => Err(String::new()),
        Err(error) => Err(format!("python3: {error}")),
    }
}

/// Runs the step of `cargo xtask test`: the unit tests of the model, a short run, counted as one
/// check, and the comparison of the module for pages with the library.
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
    let short = short(&library);
    sum.add(TestCounts::of_check(short.is_ok()));
    let (page, other) = npm::check::native(&library);
    sum.add(page);
    problem = problem.or(short.err()).or(other);
    (sum, problem)
}

fn short(library: &Path) -> Result<(), String> {
    let ran = python(Some(library))
        .args(["--bodies", &SHORT.to_string(), "--seed", SEED])
        .status();
    let ran = ran.map_err(|error| format!("python3: {error}"))?;
    if ran.success() {
        Ok(())
    } else {
        Err("the library and the model disagree".to_owned())
    }
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
