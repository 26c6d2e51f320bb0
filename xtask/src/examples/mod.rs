//! `cargo xtask examples`: the programs in examples/, in six languages. Each is built against an installed library, runs its
//! own tests, and must answer the same requests as the core, byte for byte.

mod cases;
mod languages;
mod program;

use crate::build::install;
use crate::setup::is_ci;
use crate::support::process;
use crate::support::style::{BAD, BOLD, FAINT, GOOD, WARN};
use crate::support::test_counts;
use crate::support::test_counts::TestCounts;

use anstream::println;
use cases::Case;
use languages::{HOSTS, Host};
use program::{Library, Shell};
use std::path::PathBuf;

/// Runs the programs with these names, or all. Those whose language is missing are skipped.
pub(crate) fn run(names: &[String]) -> Result<(), String> {
    if let Some(name) = names.iter().find(|name| HOSTS.iter().all(|host| host.name != **name)) {
        let known: Vec<&str> = HOSTS.iter().map(|host| host.name).collect();
        return Err(format!("unknown example {name}: expected one of {}", known.join(", ")));
    }
    let (_, problem) = all(&installed()?, |host| names.is_empty() || names.iter().any(|name| name == host.name));
    problem.map_or(Ok(()), Err)
}

/// The step `examples`.
pub(crate) fn check() -> (TestCounts, Option<String>) {
    match installed() {
        Ok(shell) => all(&shell, |_| true),
        Err(error) => (TestCounts::of_check(false), Some(error)),
    }
}

/// The step `python`: one language, with the library as the tests are compiled.
pub(crate) fn python() -> (TestCounts, Option<String>) {
    match process::development_library() {
        Ok(library) => all(&Shell::new(Library::Development(library), folder()), |host| host.name == "python"),
        Err(error) => (TestCounts::of_check(false), Some(error)),
    }
}

/// Runs the selected programs: what passed and failed over all of them, and what is wrong.
fn all(shell: &Shell, is_selected: impl Fn(&Host) -> bool) -> (TestCounts, Option<String>) {
    let (mut sum, mut failed, mut skipped) = (TestCounts::default(), Vec::new(), Vec::new());
    let cases = cases::all();
    for host in HOSTS.iter().filter(|host| is_selected(host)) {
        let missing = host.missing(shell);
        if !missing.is_empty() {
            let missing = format!("missing: {}", missing.join(" "));
            // With CI=true all tools are installed: a missing one would be a test that never runs.
            if is_ci() {
                println!("   {BOLD}{:<9}{BOLD:#} {BAD}{missing}{BAD:#}", host.name);
                sum.add(TestCounts::of_check(false));
                failed.push(host.name);
            } else {
                println!("   {BOLD}{:<9}{BOLD:#} {WARN}SKIPPED{WARN:#}, {missing}", host.name);
                skipped.push(host.name);
            }
            continue;
        }
        let result = try_host(host, shell, &cases);
        let Counts { answers, tests, problems } = &result;
        let color = if problems.is_empty() { GOOD } else { BAD };
        println!(
            "   {BOLD}{:<9}{BOLD:#} {color}{} answers{} passed, {} failed{color:#}",
            host.name,
            answers.passed,
            if host.tests.is_empty() { String::new() } else { format!(", {} tests and vectors", tests.passed) },
            answers.failed + tests.failed
        );
        problems.iter().for_each(|problem| println!("{problem}"));
        sum.add(*answers);
        sum.add(*tests);
        if !problems.is_empty() {
            failed.push(host.name);
            // A program that could not be built has counted nothing.
            if answers.failed + tests.failed == 0 {
                sum.add(TestCounts::of_check(false));
            }
        }
    }
    if !skipped.is_empty() {
        println!("   {WARN}{} skipped, not passed: {}{WARN:#}", skipped.len(), skipped.join(", "));
    }
    (sum, (!failed.is_empty()).then(|| failed.join(", ")))
}

/// Installs the library where only these programs find it.
fn installed() -> Result<Shell, String> {
    let prefix = folder().join("prefix");
    install::into(&prefix)?;
    Ok(Shell::new(Library::Installed(prefix), folder()))
}

fn folder() -> PathBuf {
    process::target().join("examples")
}

#[derive(Default)]
struct Counts {
    answers: TestCounts,
    tests: TestCounts,
    problems: Vec<String>,
}

fn try_host(host: &Host, shell: &Shell, cases: &[Case]) -> Counts {
    let mut counts = Counts::default();
    let place = shell.place(host);
    for command in host.build {
        if let Err(error) = place.run(command) {
            counts.problems.push(format!("{}\n{FAINT}{error}{FAINT:#}", command.join(" ")));
            return counts;
        }
    }
    for case in cases {
        let problems = case.problems(|request| place.program(host.program, request));
        counts.answers.add(TestCounts::of_check(problems.is_empty()));
        counts.problems.extend(problems.into_iter().map(|problem| format!("     {}: {problem}", case.name)));
    }
    for command in host.tests {
        match place.run(command) {
            Ok(output) => counts.tests.add(test_counts::counted_in(&output)),
            Err(output) => {
                counts.tests.add(test_counts::counted_in(&output));
                counts.problems.push(format!("{}\n{FAINT}{output}{FAINT:#}", command.join(" ")));
            }
        }
    }
    if !host.tests.is_empty() && counts.tests == TestCounts::default() {
        counts.problems.push("     its own tests ran nothing".to_owned());
    }
    counts
}
