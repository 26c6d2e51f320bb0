//! Runs the program `payspec-generate`, which depends on the library. `cargo xtask` does not, so
//! that its other commands work if the library does not compile.

use crate::support::process::{cargo, output, run_checked};
use anyhow::{Context, Result};
use serde::de::DeserializeOwned;
use std::ffi::OsStr;
use std::process::Command;

/// Without `--package`, so that it shares compiled crates with the tests.
const RUN: [&str; 6] = [
    "run",
    "--quiet",
    "--locked",
    "--bin",
    "payspec-generate",
    "--",
];

fn command(arguments: &[&str]) -> Command {
    let mut command = cargo();
    command.args(RUN).args(arguments);
    command
}

/// Runs the program, and prints its output.
pub(crate) fn run(arguments: &[&str]) -> Result<()> {
    run_checked(&mut command(arguments), "payspec-generate")
}

/// Returns the output of the program with these variables.
pub(crate) fn text(arguments: &[&str], variables: &[(&str, &OsStr)]) -> Result<Vec<u8>> {
    let mut command = command(arguments);
    output(command.envs(variables.iter().copied()), "payspec-generate")
}

/// Returns the JSON that the program prints.
pub(crate) fn parsed<T: DeserializeOwned>(
    arguments: &[&str],
    variables: &[(&str, &OsStr)],
) -> Result<T> {
    serde_json::from_slice(&text(arguments, variables)?).context("payspec-generate")
}

/// Fails if `cargo xtask bless` would write or reject an answer.
pub(crate) fn check_answers() -> Result<()> {
    run(&["bless", "--check"])
}
