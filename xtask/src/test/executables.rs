//! Builds the test executables with cargo, and runs them without cargo.

use super::step::Tests;
use crate::support::checks::Checks;
use crate::support::output::follow;
use crate::support::process::{cargo, messages, output, run_checked};
use crate::support::test_counts::Runners;
use anstream::println;
use anyhow::{Context, Result};
use cargo_metadata::Message;
use fs_err as fs;
use payspec_support::root;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// Names the file in which a whole run stores the list of its executables for the later steps.
pub(super) const BUILT: &str = "PAYSPEC_XTASK_EXECUTABLES";

/// With this package, features resolve as for all members (see tests/features).
const FEATURES: &str = "payspec-features";

/// An executable that cargo has built.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
struct Executable {
    package: String,
    /// The name of the target: `vectors`, or the crate's name for its unit tests.
    name: String,
    path: PathBuf,
    /// The folder in which cargo would run it.
    folder: PathBuf,
}

impl Executable {
    fn is_of(&self, tests: &Tests) -> bool {
        self.package == tests.package && (tests.target.is_empty() || self.name == tests.target)
    }
}

/// Runs the step `build`.
pub(crate) fn build() -> Result<()> {
    let executables = compile(&[])?;
    if let Some(file) = std::env::var_os(BUILT) {
        fs::write(file, serde_json::to_string(&executables)?)?;
    }
    Ok(())
}

fn compile(arguments: &[String]) -> Result<Vec<Executable>> {
    let mut build = cargo();
    build
        .args(["test", "--locked", "--no-run"])
        .arg("--message-format=json-render-diagnostics")
        .args(arguments);
    let printed = output(&mut build, "cargo test --no-run")?;
    let executables = messages(&printed)
        .into_iter()
        .filter_map(|message| match message {
            Message::CompilerArtifact(artifact) if artifact.profile.test => {
                let folder: PathBuf = artifact.manifest_path.parent()?.into();
                let package = fs::read_to_string(&artifact.manifest_path).ok()?;
                let name = package
                    .lines()
                    .find_map(|line| line.strip_prefix("name = \""))?;
                Some(Executable {
                    package: name.trim_end_matches('"').to_owned(),
                    name: artifact.target.name,
                    path: artifact.executable?.into(),
                    folder,
                })
            }
            _ => None,
        });
    Ok(executables.collect())
}

/// Returns the arguments of cargo to build only these executables.
fn arguments(tests: &[Tests]) -> Vec<String> {
    let mut arguments = vec![format!("--package={FEATURES}")];
    for tests in tests {
        arguments.push(format!("--package={}", tests.package));
        arguments.extend(match tests.target.as_str() {
            "" => None,
            "payspec" => Some("--lib".to_owned()),
            target => Some(format!("--test={target}")),
        });
    }
    arguments
}

/// Builds the program that the trials start.
pub(crate) fn gateway() -> Result<()> {
    let packages = [
        "--package=payspec-gateway",
        &format!("--package={FEATURES}"),
    ];
    let mut build = cargo();
    build
        .args(["build", "--locked", "--bin=gateway"])
        .args(packages);
    run_checked(&mut build, "cargo build")
}

/// Returns the executables that the step `build` of this run has listed, or builds these. The
/// trials are no default member, so that step does not build them.
fn ready(tests: &[Tests]) -> Result<Vec<Executable>> {
    if tests.iter().any(|tests| tests.package == "payspec-trials") {
        gateway()?;
        return compile(&arguments(tests));
    }
    match std::env::var_os(BUILT).and_then(|file| fs::read_to_string(file).ok()) {
        Some(text) => serde_json::from_str(&text).context("the list of test executables"),
        None if tests.is_empty() => compile(&[]),
        None => compile(&arguments(tests)),
    }
}

/// Runs executables one after the other, with environment variables.
pub(crate) fn run(tests: &[Tests], variables: &[(&str, &Path)]) -> Result<Checks> {
    let of = |executable: &Executable| tests.iter().find(|tests| executable.is_of(tests));
    let selected = ready(tests)?
        .into_iter()
        .filter_map(|executable| Some((&of(&executable)?.arguments[..], executable)))
        .map(|(arguments, executable)| (executable, arguments));
    run_all(selected, variables)
}

/// Runs the executables that no step names. New executables are among them, so they always run.
pub(super) fn run_others(named: &[&Tests]) -> Result<Checks> {
    let is_other = |executable: &Executable| !named.iter().any(|tests| executable.is_of(tests));
    let others = ready(&[])?.into_iter().filter(is_other);
    run_all(others.map(|executable| (executable, &[][..])), &[])
}

fn run_all<'t>(
    executables: impl Iterator<Item = (Executable, &'t [String])>,
    variables: &[(&str, &Path)],
) -> Result<Checks> {
    let mut runners = Runners::default();
    let mut checks = Checks::default();
    for (executable, arguments) in executables {
        let name = format!("{} {}", executable.package, executable.name);
        let path = executable
            .path
            .strip_prefix(root())
            .unwrap_or(&executable.path);
        println!("     Running {name} ({})", path.display());
        runners.start(&name);
        let mut command = std::process::Command::new(&executable.path);
        command
            .current_dir(&executable.folder)
            .env("CARGO_MANIFEST_DIR", &executable.folder)
            // Tests that install the library use this program instead of building it.
            .env("PAYSPEC_XTASK", std::env::current_exe()?)
            .args(arguments)
            .envs(variables.iter().copied());
        let ended = follow(&mut command, |line| {
            println!("{line}");
            runners.line(&anstream::adapter::strip_str(line).to_string());
        });
        let problem = ended.err().map(|problem| format!("{name}: {problem:#}"));
        checks.problems.extend(problem);
    }
    let idle = runners.idle();
    if runners.is_empty() || !idle.is_empty() {
        checks
            .problems
            .push(format!("ran no test: {}", idle.join(", ")));
    }
    checks.counts = runners.total();
    Ok(checks)
}
