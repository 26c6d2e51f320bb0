//! `cargo xtask model`: compares the library with `tests/model`, a second implementation in Python,
//! on generated bodies, texts, and logs.

use crate::build::{install, npm};
use crate::setup::{self, Consent};
use crate::support::checks::Checks;
use crate::support::process::{development_module, run_checked, target, text_of};
use crate::support::test_counts::counted_in;
use anyhow::Result;
use clap::Args;
use payspec_support::root;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Bodies of a run.
const BODIES: u64 = 1_000_000;
/// The short runs of the step `model`: each takes seconds.
const SHORT: [(&str, u64); 3] = [("--bodies", 20_000), ("--texts", 20_000), ("--logs", 2_000)];
/// The long runs of the step `redaction`.
const LONG: [(&str, u64); 2] = [("--texts", 1_000_000), ("--logs", 100_000)];
const SEED: &str = "1";

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

/// Compares both implementations. The model prints the first difference.
pub(crate) fn run(options: &Options) -> Result<()> {
    setup::require("python3", Consent::default())?;
    let run = match options {
        Options { logs: Some(n), .. } => ("--logs", *n),
        Options { texts: Some(n), .. } => ("--texts", *n),
        Options { bodies, .. } => ("--bodies", *bodies),
    };
    let record: &[&str] = if options.record { &["--record"] } else { &[] };
    compare(&library()?, run, &options.seed, record)
}

/// Runs the step `model`: the model's own tests, the short runs, and the module of pages.
pub(crate) fn check() -> Result<Checks> {
    let mut checks = Checks::default();
    let own = text_of(python().arg("--tests"));
    checks.add(
        "",
        own.map(|printed| Checks::of(counted_in(&printed), None)),
    );
    let library = library()?;
    check_runs(&mut checks, &library, &SHORT);
    development_module()?;
    checks.add("", npm::check::native());
    Ok(checks)
}

/// Runs the step `redaction`: the long runs of `redact_text` and `redact`.
pub(crate) fn check_redaction() -> Result<Checks> {
    let mut checks = Checks::default();
    check_runs(&mut checks, &library()?, &LONG);
    Ok(checks)
}

fn check_runs(checks: &mut Checks, library: &Path, runs: &[(&str, u64)]) {
    for run in runs {
        let (option, number) = run;
        let compared = compare(library, *run, SEED, &[]);
        let name = format!("the library and the model agree ({option} {number})");
        checks.check(&name, compared);
    }
}

fn compare(
    library: &Path,
    (option, number): (&str, u64),
    seed: &str,
    further: &[&str],
) -> Result<()> {
    let mut python = python();
    python.arg("--library").arg(library);
    python.args([option, &number.to_string(), "--seed", seed]);
    run_checked(python.args(further), "the model")
}

fn python() -> Command {
    let mut python = Command::new("python3");
    python
        .arg(root().join("tests/model"))
        .env("PYTHONDONTWRITEBYTECODE", "1");
    python
}

/// Builds and installs the C library with all optimizations, as programs use it.
fn library() -> Result<PathBuf> {
    let prefix = target().join("model");
    install::into(&prefix)?;
    Ok(install::shared_library(&prefix))
}
