//! Implements the steps that consist of more than one command.

use super::executables;
use super::step::{STEPS, Tests, tests};
use crate::bench::instructions;
use crate::build::header;
use crate::generate;
use crate::support::checks::Checks;
use crate::support::output::follow;
use crate::support::process::{self, cargo};
use crate::support::test_counts::Runners;
use anstream::println;
use anyhow::{Result, ensure};

/// Runs the step `integration`: the tests that no other step names.
pub(super) fn others() -> Result<Checks> {
    let named: Vec<&Tests> = STEPS.iter().flat_map(|step| &step.tests).collect();
    executables::run_others(&named)
}

/// Runs the step `core`.
pub(super) fn core() -> Result<Checks> {
    let mut checks = executables::run(tests("core"), &[])?;
    checks.check(
        "the vectors are as written by `cargo xtask bless`",
        generate::check_answers(),
    );
    checks.check(
        "the C header is as written by `cargo xtask header`",
        header::check(),
    );
    Ok(checks)
}

/// Runs the step `c` with the development build of the library, which has all checks and builds in
/// seconds. The steps `c-library` and `c-memory` test the installed libraries.
pub(super) fn c() -> Result<Checks> {
    // The C program is linked with the library that the variable names.
    let library = process::development_library()?;
    executables::run(tests("c"), &[("PAYSPEC_LIBRARY", &library)])
}

/// Runs the examples in the documentation. Only these members have some; cargo would build all
/// others, and start a runner for each.
pub(super) fn doctests() -> Result<Checks> {
    cargo_test(
        "test --locked --doc --package payspec --package payspec-support --package payspec-features",
        &["payspec", "payspec_support"],
    )
}

/// Runs the step `growth`.
pub(super) fn growth() -> Result<Checks> {
    let mut checks = executables::run(tests("growth"), &[])?;
    checks.add("", instructions::check());
    Ok(checks)
}

/// Runs the step `bench`: the unit tests of the benchmarks (not default members) and all runners in
/// short form.
pub(super) fn bench() -> Result<Checks> {
    let mut checks = cargo_test(
        "test --locked --package payspec-bench --lib",
        &["unittests src/lib.rs"],
    )?;
    checks.add("", crate::bench::check());
    Ok(checks)
}

/// Runs tests with cargo. Fails if one of the expected runners runs no test.
fn cargo_test(arguments: &str, expected: &[&str]) -> Result<Checks> {
    let mut runners = Runners::default();
    let mut command = cargo();
    let ended = follow(command.args(arguments.split_whitespace()), |line| {
        println!("{line}");
        runners.line(&anstream::adapter::strip_str(line).to_string());
    });
    let problem = ended.err().map(|error| format!("{error:#}"));
    let checks = Checks::of(runners.total(), problem);
    let idle = expected.iter().find(|name| !runners.has_run(name));
    ensure!(
        idle.is_none() || !checks.problems.is_empty(),
        "ran no test: {idle:?}"
    );
    Ok(checks)
}
