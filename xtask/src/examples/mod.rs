//! `cargo xtask examples`: the programs in `examples/` in six languages, and the packages in
//! `bindings/` that they use. Each is built with an installed library, and runs its tests.

mod languages;
mod program;

use crate::build::install;
use crate::setup::is_ci;
use crate::support::process;
use crate::support::style::{BAD, BOLD, FAINT, GOOD, WARN};
use crate::support::test_counts;
use crate::support::test_counts::TestCounts;

use anstream::println;
use languages::{EXAMPLES, Example};
pub(crate) use program::jna;
use program::{Library, Shell};
use std::path::PathBuf;

/// Runs the examples with these names, or all of them. Examples in a missing language are skipped.
pub(crate) fn run(names: &[String]) -> Result<(), String> {
    if let Some(name) = names
        .iter()
        .find(|name| EXAMPLES.iter().all(|example| example.name != **name))
    {
        let known: Vec<&str> = EXAMPLES.iter().map(|example| example.name).collect();
        return Err(format!(
            "unknown example {name}: expected one of {}",
            known.join(", ")
        ));
    }
    let (_, problem) = all(&installed()?, |example| {
        names.is_empty() || names.iter().any(|name| name == example.name)
    });
    problem.map_or(Ok(()), Err)
}

/// Runs the step `examples`.
pub(crate) fn check() -> (TestCounts, Option<String>) {
    match installed() {
        Ok(shell) => all(&shell, |_| true),
        Err(error) => (TestCounts::of_check(false), Some(error)),
    }
}

/// Runs the step `python`: one language, with the development build of the library.
pub(crate) fn python() -> (TestCounts, Option<String>) {
    match process::development_library() {
        Ok(library) => all(
            &Shell::new(Library::Development(library), folder()),
            |example| example.name == "python",
        ),
        Err(error) => (TestCounts::of_check(false), Some(error)),
    }
}

/// Runs the selected examples. Returns the sum of their counts, and the problem if there is one.
fn all(shell: &Shell, is_selected: impl Fn(&Example) -> bool) -> (TestCounts, Option<String>) {
    let (mut sum, mut failed, mut skipped) = (TestCounts::default(), Vec::new(), Vec::new());
    for example in EXAMPLES.iter().filter(|example| is_selected(example)) {
        let missing = shell.missing(example);
        if !missing.is_empty() {
            let missing = format!("missing: {}", missing.join(" "));
            // With CI=true all tools are installed, so a missing one would hide tests.
            if is_ci() {
                println!("   {BOLD}{:<9}{BOLD:#} {BAD}{missing}{BAD:#}", example.name);
                sum.add(TestCounts::of_check(false));
                failed.push(example.name);
            } else {
                println!(
                    "   {BOLD}{:<9}{BOLD:#} {WARN}SKIPPED{WARN:#}, {missing}",
                    example.name
                );
                skipped.push(example.name);
            }
            continue;
        }
        let result = try_example(example, shell);
        let Counts { tests, problems } = &result;
        let color = if problems.is_empty() { GOOD } else { BAD };
        println!(
            "   {BOLD}{:<9}{BOLD:#} {color}{} tests and vectors passed, {} failed{color:#}",
            example.name, tests.passed, tests.failed
        );
        problems.iter().for_each(|problem| println!("{problem}"));
        sum.add(*tests);
        if !problems.is_empty() {
            failed.push(example.name);
            // An example that does not build has no counts.
            if tests.failed == 0 {
                sum.add(TestCounts::of_check(false));
            }
        }
    }
    if !skipped.is_empty() {
        println!(
            "   {WARN}{} skipped, not passed: {}{WARN:#}",
            skipped.len(),
            skipped.join(", ")
        );
    }
    (sum, (!failed.is_empty()).then(|| failed.join(", ")))
}

/// Installs the library into a prefix that only the examples use.
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
    tests: TestCounts,
    problems: Vec<String>,
}

fn try_example(example: &Example, shell: &Shell) -> Counts {
    let mut counts = Counts::default();
    let workspace = shell.workspace(example);
    for command in example.build {
        if let Err(error) = workspace.run(command) {
            counts
                .problems
                .push(format!("{}\n{FAINT}{error}{FAINT:#}", command.join(" ")));
            return counts;
        }
    }
    if let Some(readme) = &example.readme {
        let result = workspace.readme(readme);
        counts.tests.add(TestCounts::of_check(result.is_ok()));
        counts.problems.extend(
            result
                .err()
                .map(|problem| format!("     the program in its readme: {problem}")),
        );
    }
    for command in example.tests {
        match workspace.run(command) {
            Ok(output) => counts.tests.add(test_counts::counted_in(&output)),
            Err(output) => {
                counts.tests.add(test_counts::counted_in(&output));
                counts
                    .problems
                    .push(format!("{}\n{FAINT}{output}{FAINT:#}", command.join(" ")));
            }
        }
    }
    if counts.tests == TestCounts::default() {
        counts
            .problems
            .push("     none of its tests was run".to_owned());
    }
    counts
}
