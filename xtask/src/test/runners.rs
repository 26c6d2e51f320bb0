//! Implements the steps that consist of more than one command.

use super::executables::{self, Which};
use super::output::follow;
use super::step::{Check, Run, Step};
use crate::build::header;
use crate::generate;
use crate::support::process;
use crate::support::test_counts::{Runners, TestCounts};
use anstream::println;

/// Counts, and the problem if there is one. A step that fails without a count has one failure.
pub(super) fn run(step: &Step) -> (TestCounts, Option<String>) {
    let (mut counts, problem) = match &step.run {
        Run::Cargo(arguments, variables) => {
            let mut command = process::cargo();
            of_check(process::run_checked(
                command.args(*arguments).envs(variables.iter().copied()),
                "cargo",
            ))
        }
        Run::Checks(checks) => run_checks(checks),
        Run::Executables(which) => executables::run(*which),
        Run::Doctests => doctests(),
        Run::Counted(function) => function(),
    };
    let problem =
        problem.or_else(|| (counts == TestCounts::default()).then(|| "ran no test".to_owned()));
    if problem.is_some() && counts.failed == 0 {
        counts.failed = 1;
    }
    (counts, problem)
}

/// Runs cargo, and prints its output.
pub(super) fn cargo(arguments: &[&str]) -> Result<(), String> {
    process::run_checked(process::cargo().args(arguments), "cargo")
}

fn of_check(result: Result<(), String>) -> (TestCounts, Option<String>) {
    (TestCounts::of_check(result.is_ok()), result.err())
}

fn run_checks(checks: &[Check]) -> (TestCounts, Option<String>) {
    let mut counts = TestCounts::default();
    let mut problems = Vec::new();
    for (name, check) in checks {
        let result = check();
        counts.add(TestCounts::of_check(result.is_ok()));
        match result {
            Ok(()) => println!("   ok  {name}"),
            Err(problem) => problems.push(format!("{name}: {problem}")),
        }
    }
    (counts, (!problems.is_empty()).then(|| problems.join("\n")))
}

/// Runs the step `core`.
pub(super) fn core() -> (TestCounts, Option<String>) {
    let (mut counts, problem) = executables::run(Which::Core);
    let (more, other) = run_checks(&[
        (
            "the vectors are as written by `cargo xtask bless`",
            generate::check_answers,
        ),
        (
            "the C header is as written by `cargo xtask header`",
            header::check,
        ),
    ]);
    counts.add(more);
    (counts, join(problem, other))
}

/// Runs the step `c` with the development build of the library, which has all checks and builds in
/// seconds. The steps `c-library` and `c-memory` test the installed libraries.
pub(super) fn c() -> (TestCounts, Option<String>) {
    match process::development_library() {
        // The C program is linked with the library that the variable names.
        Ok(library) => executables::run_with(Which::CVectors, &[("PAYSPEC_LIBRARY", &library)]),
        Err(error) => (TestCounts::of_check(false), Some(error)),
    }
}

fn join(one: Option<String>, other: Option<String>) -> Option<String> {
    let problems: Vec<String> = one.into_iter().chain(other).collect();
    (!problems.is_empty()).then(|| problems.join("\n"))
}

/// Runs the examples in the documentation. Only the core has them; cargo starts a runner for each
/// member.
fn doctests() -> (TestCounts, Option<String>) {
    cargo_test(&["test", "--locked", "--doc"], &["payspec"])
}

/// Runs the step `bench`: the unit tests of the benchmarks (not default members) and all runners in
/// short form.
pub(super) fn bench() -> (TestCounts, Option<String>) {
    let (mut counts, problem) = cargo_test(
        &["test", "--locked", "--package", "payspec-bench", "--lib"],
        &["unittests src/lib.rs"],
    );
    let (more, other) = crate::bench::check();
    counts.add(more);
    (counts, join(problem, other))
}

/// Runs tests with cargo. Fails if one of the expected runners runs no test.
fn cargo_test(arguments: &[&str], expected: &[&str]) -> (TestCounts, Option<String>) {
    let mut runners = Runners::default();
    let mut command = process::cargo();
    let status = follow(command.args(arguments), |line| {
        println!("{line}");
        runners.line(&anstream::adapter::strip_str(line).to_string());
    });
    let idle: Vec<&str> = expected
        .iter()
        .copied()
        .filter(|name| !runners.has_run(name))
        .collect();
    let idle = (!idle.is_empty()).then(|| format!("ran no test: {}", idle.join(", ")));
    (runners.total(), status.err().or(idle))
}
