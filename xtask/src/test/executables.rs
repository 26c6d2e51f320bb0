//! Builds the test executables with cargo, and runs them in groups without cargo.

use super::output::follow;
use crate::support::process::{cargo, output, run_checked};
use crate::support::test_counts::{Runners, TestCounts};
use anstream::println;
use cargo_metadata::Message;
use payspec_support::root;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Names the file in which a whole run stores the list of its executables for the later steps.
pub(super) const BUILT: &str = "PAYSPEC_XTASK_EXECUTABLES";

/// A group of executables.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Which {
    /// Unit tests of the core, and the vectors.
    Core,
    Integration,
    Gateway,
    Sandbox,
    Chaos,
    Failover,
    Schemathesis,
    CVectors,
    CLibrary,
    CMemory,
    Growth,
    Protocol,
}

/// An executable that cargo has built.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub(super) struct Executable {
    package: String,
    /// Name of the target: `vectors`, or the crate's name for its unit tests.
    name: String,
    path: PathBuf,
    /// The folder in which cargo would run it.
    folder: PathBuf,
}

impl Executable {
    /// Returns the group of the executable. New executables are integration tests, so they always
    /// run.
    fn group(&self) -> Which {
        match (self.package.as_str(), self.name.as_str()) {
            ("payspec", "payspec") | (_, "vectors") => Which::Core,
            ("payspec-trials", "chaos") => Which::Chaos,
            ("payspec-trials", "failover") => Which::Failover,
            ("payspec-gateway", _) => Which::Gateway,
            ("payspec-cli", "sandbox") => Which::Sandbox,
            (_, "ffi_vectors") => Which::CVectors,
            (_, "ffi") => Which::CLibrary,
            (_, "ffi_memory") => Which::CMemory,
            (_, "growth") => Which::Growth,
            ("payspec-protocol", _) => Which::Protocol,
            _ => Which::Integration,
        }
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.path);
        command
            .current_dir(&self.folder)
            .env("CARGO_MANIFEST_DIR", &self.folder);
        // Tests that install the library use this program instead of building it.
        command.envs(
            std::env::current_exe()
                .ok()
                .map(|program| ("PAYSPEC_XTASK", program)),
        );
        command
    }
}

impl Which {
    /// Returns the group of the executables, and the arguments of each selected executable.
    fn selection(self) -> (Which, &'static [(&'static str, &'static [&'static str])]) {
        match self {
            Which::Schemathesis => (
                Which::Gateway,
                &[("service", &["--ignored", "schemathesis"])],
            ),
            // The step runs one program with one compiler; the others are part of the memory tests.
            Which::CMemory => (
                Which::CMemory,
                &[("ffi_memory", &[]), ("ffi_vectors", &["--all"])],
            ),
            group => (group, &[]),
        }
    }

    /// Returns the arguments of cargo to build only this group.
    fn arguments(self) -> &'static [&'static str] {
        match self {
            // With these packages, features resolve as for all members (see tests/features).
            Which::Core => &[
                "--package=payspec",
                "--package=payspec-tests",
                "--package=payspec-features",
                "--lib",
                "--test=vectors",
            ],
            Which::Integration => &[],
            Which::Gateway => &["--package=payspec-gateway", "--package=payspec-features"],
            Which::Sandbox => &["--test=sandbox"],
            Which::Chaos => &[
                "--package=payspec-trials",
                "--package=payspec-features",
                "--test=chaos",
            ],
            Which::Failover => &[
                "--package=payspec-trials",
                "--package=payspec-features",
                "--test=failover",
            ],
            Which::Schemathesis => &[
                "--package=payspec-gateway",
                "--package=payspec-features",
                "--test=service",
            ],
            Which::CVectors => &["--test=ffi_vectors"],
            Which::CLibrary => &["--test=ffi"],
            Which::CMemory => &["--test=ffi_memory", "--test=ffi_vectors"],
            Which::Growth => &["--test=growth"],
            Which::Protocol => &["--test=protocol"],
        }
    }
}

/// Runs the step `build`.
pub(crate) fn build() -> (TestCounts, Option<String>) {
    let built = compile(&[]).and_then(|executables| match std::env::var_os(BUILT) {
        Some(file) => {
            let text = serde_json::to_string(&executables).map_err(|error| error.to_string())?;
            std::fs::write(&file, text)
                .map_err(|error| format!("{}: {error}", PathBuf::from(file).display()))
        }
        None => Ok(()),
    });
    (TestCounts::of_check(built.is_ok()), built.err())
}

fn compile(arguments: &[&str]) -> Result<Vec<Executable>, String> {
    let mut build = cargo();
    build
        .args([
            "test",
            "--locked",
            "--no-run",
            "--message-format=json-render-diagnostics",
        ])
        .args(arguments);
    let printed = output(&mut build, "cargo test --no-run")?;
    let messages = Message::parse_stream(printed.as_slice()).filter_map(Result::ok);
    let executables = messages.filter_map(|message| match message {
        Message::CompilerArtifact(artifact) if artifact.profile.test => {
            let folder: PathBuf = artifact.manifest_path.parent()?.into();
            let package = std::fs::read_to_string(&artifact.manifest_path).ok()?;
            let package = package
                .lines()
                .find_map(|line| line.strip_prefix("name = \""))?
                .trim_end_matches('"')
                .to_owned();
            Some(Executable {
                package,
                name: artifact.target.name,
                path: artifact.executable?.into(),
                folder,
            })
        }
        _ => None,
    });
    Ok(executables.collect())
}

/// Builds the program that the trials start.
pub(crate) fn gateway() -> Result<(), String> {
    let arguments = [
        "build",
        "--locked",
        "--package=payspec-gateway",
        "--package=payspec-features",
        "--bin=gateway",
    ];
    run_checked(cargo().args(arguments), "cargo build")
}

/// Returns the executables that the step `build` of this run has listed, or builds those of one
/// group. The trials are no default member, so that step does not build them.
fn ready(which: Which) -> Result<Vec<Executable>, String> {
    if matches!(which, Which::Chaos | Which::Failover) {
        gateway()?;
        return compile(which.arguments());
    }
    let kept = std::env::var_os(BUILT).and_then(|file| std::fs::read_to_string(file).ok());
    match kept {
        Some(text) => serde_json::from_str(&text)
            .map_err(|error| format!("the list of test executables: {error}")),
        None => compile(which.arguments()),
    }
}

/// Runs the executables of a group one after the other. Returns the counts, and the problem if
/// there is one.
pub(crate) fn run(which: Which) -> (TestCounts, Option<String>) {
    run_with(which, &[])
}

/// Like `run`, with environment variables.
pub(super) fn run_with(which: Which, variables: &[(&str, &Path)]) -> (TestCounts, Option<String>) {
    let (group, selected) = which.selection();
    let executables = match ready(which) {
        Ok(executables) => executables,
        Err(error) => return (TestCounts::of_check(false), Some(error)),
    };
    let arguments = |executable: &Executable| match selected {
        [] => (executable.group() == group).then_some(&[][..]),
        _ => selected
            .iter()
            .find(|(name, _)| *name == executable.name)
            .map(|(_, arguments)| *arguments),
    };
    let mut runners = Runners::default();
    let mut problems = Vec::new();
    for (executable, arguments) in executables
        .iter()
        .filter_map(|executable| Some((executable, arguments(executable)?)))
    {
        let name = format!("{} {}", executable.package, executable.name);
        println!(
            "     Running {name} ({})",
            executable
                .path
                .strip_prefix(root())
                .unwrap_or(&executable.path)
                .display()
        );
        runners.start(&name);
        let mut command = executable.command();
        let status = follow(
            command.args(arguments).envs(variables.iter().copied()),
            |line| {
                println!("{line}");
                runners.line(&anstream::adapter::strip_str(line).to_string());
            },
        );
        problems.extend(status.err().map(|problem| format!("{name}: {problem}")));
    }
    if runners.is_empty() {
        problems.push("no executable was run".to_owned());
    }
    let idle = runners.idle();
    if !idle.is_empty() {
        problems.push(format!("ran no test: {}", idle.join(", ")));
    }
    (
        runners.total(),
        (!problems.is_empty()).then(|| problems.join("; ")),
    )
}
