//! `cargo xtask examples`: the programs in `examples/` in six languages, and the packages in
//! `bindings/` that they use. Each is built with an installed library, and runs its tests.

mod languages;
mod program;

use crate::build::install;
use crate::setup::is_ci;
use crate::support::checks::Checks;
use crate::support::process::{self, text_of};
use crate::support::style::{BAD, BOLD, GOOD, WARN};
use crate::support::test_counts::{TestCounts, counted_in};
use anyhow::{Result, anyhow, bail, ensure};

use anstream::println;
use languages::{EXAMPLES, Example};
use payspec_support::root;
pub(crate) use program::jna;
use program::{Library, Shell, Workspace};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Builds and tests the examples of these names, or all.
pub(crate) fn run(names: &[String]) -> Result<()> {
    let is_known = |name: &&String| {
        EXAMPLES
            .example
            .iter()
            .any(|example| example.name == **name)
    };
    if let Some(name) = names.iter().find(|name| !is_known(name)) {
        let known = EXAMPLES.example.iter().map(|example| example.name.as_str());
        let known: Vec<&str> = known.collect();
        bail!(
            "unknown example {name}: expected one of {}",
            known.join(", ")
        );
    }
    let is_named = |example: &Example| names.contains(&example.name);
    all(&installed()?, |example| {
        names.is_empty() || is_named(example)
    })?
    .result()
}

/// Runs the step `examples`.
pub(crate) fn check() -> Result<Checks> {
    all(&installed()?, |_| true)
}

/// Runs the step `python`, with the development build of the native module.
pub(crate) fn python() -> Result<Checks> {
    process::development_module()?;
    let library = process::development_library()?;
    let mut checks = vectors_of_ctypes(&library);
    let shell = Shell::new(Library::Development(library), folder());
    checks.add("", all(&shell, |example| example.name == "python"));
    Ok(checks)
}

/// Runs all vectors in Python with the C library, whose interface must work without a compiler.
fn vectors_of_ctypes(library: &Path) -> Checks {
    let mut python = Command::new("python3");
    python
        .arg(root().join("tests/c/vectors.py"))
        .arg(library)
        .env("PYTHONDONTWRITEBYTECODE", "1");
    let mut checks = Checks::default();
    let printed = text_of(&mut python);
    let counted = printed.map(|printed| Checks::of(counted_in(&printed), None));
    checks.add("the C library through ctypes", counted);
    checks
}

fn all(shell: &Shell, is_selected: impl Fn(&Example) -> bool) -> Result<Checks> {
    let mut checks = Checks::default();
    for example in EXAMPLES
        .example
        .iter()
        .filter(|example| is_selected(example))
    {
        let name = &example.name;
        let missing = shell.missing(example);
        if !missing.is_empty() {
            // With CI=true all tools are installed, so a missing one would hide tests.
            let missing = missing.join(" ");
            println!("   {BOLD}{name:<9}{BOLD:#} {WARN}SKIPPED{WARN:#}, missing: {missing}");
            if is_ci() {
                checks.check(name, Err(anyhow!("missing: {missing}")));
            }
            continue;
        }
        let tried = try_example(example, &shell.workspace(example));
        if let Ok(Checks { counts, problems }) = &tried {
            let color = if problems.is_empty() { GOOD } else { BAD };
            println!(
                "   {BOLD}{name:<9}{BOLD:#} {color}{} tests and vectors passed, {} failed{color:#}",
                counts.passed, counts.failed
            );
        }
        checks.add(name, tried);
    }
    Ok(checks)
}

/// Installs the library as a user would, and returns a shell that finds it. The Python package has
/// the development build of its native module.
fn installed() -> Result<Shell> {
    let prefix = folder().join("prefix");
    install::into(&prefix)?;
    process::development_module()?;
    Ok(Shell::new(Library::Installed(prefix), folder()))
}

fn folder() -> PathBuf {
    process::target().join("examples")
}

/// Builds an example, and runs its tests and the program in its readme.
fn try_example(example: &Example, workspace: &Workspace<'_>) -> Result<Checks> {
    let mut checks = Checks::default();
    for command in &example.build {
        workspace.run(command)?;
    }
    for command in &example.tests {
        let (output, problem) = match workspace.run(command) {
            Ok(output) => (output, None),
            Err(error) => (error.to_string(), Some(error.to_string())),
        };
        let counts = counted_in(&output);
        checks.add("", Ok(Checks::of(counts, problem)));
    }
    ensure!(
        checks.counts != TestCounts::default(),
        "none of its tests was run"
    );
    Ok(checks)
}
