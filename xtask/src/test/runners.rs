//! Implements the steps that consist of more than one command.

use super::executables;
use super::step::{Run, Step, Tests};
use crate::build::header;
use crate::generate;
use crate::run::sandbox::SANDBOX;
use crate::support::checks::Checks;
use crate::support::output::follow;
use crate::support::process::{self, cargo, run_checked};
use crate::support::test_counts::{Runners, TestCounts};
use anstream::println;
use anyhow::{Result, ensure};

const CORE: &[Tests] = &[
    Tests::of("payspec", "payspec"),
    Tests::of("payspec-tests", "vectors"),
];
const C: &[Tests] = &[Tests::of("payspec-tests", "ffi_vectors")];

/// The executables of steps that do more than run them.
pub(super) const TESTS: [&[Tests]; 3] = [CORE, C, SANDBOX];

/// Returns the results of a step, if steps name these tests. One that fails without a count has one
/// failure.
pub(super) fn run(step: &Step, named: &[&Tests]) -> Checks {
    let mut checks = Checks::default();
    match &step.run {
        Run::Cargo(commands) => {
            for command in *commands {
                let mut cargo = cargo();
                let ran = run_checked(cargo.args(command.split_whitespace()), "cargo");
                checks.check(&format!("cargo {command}"), ran);
            }
        }
        Run::Checks(list) => {
            for (name, check) in *list {
                checks.check(name, check());
            }
        }
        Run::Tests(tests) => checks.add("", executables::run(tests, &[])),
        Run::OtherTests => checks.add("", executables::run_others(named)),
        Run::Counted(function) => checks.add("", function()),
    }
    if checks.counts == TestCounts::default() {
        checks.check("", Err(anyhow::anyhow!("ran no test")));
    }
    checks
}

/// Runs the step `core`.
pub(super) fn core() -> Result<Checks> {
    let mut checks = executables::run(CORE, &[])?;
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
    executables::run(C, &[("PAYSPEC_LIBRARY", &library)])
}

/// Runs the examples in the documentation. Only these members have some; cargo would build all
/// others, and start a runner for each.
pub(super) fn doctests() -> Result<Checks> {
    cargo_test(
        "test --locked --doc --package payspec --package payspec-support --package payspec-features",
        &["payspec", "payspec_support"],
    )
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
