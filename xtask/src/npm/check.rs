//! The step of `cargo xtask test`: the package is built where it is older than its sources, then its tests run, and those
//! of the hosts that use it.

use super::{COMPILED, Place, build, files, install, text, toolchain::Toolchain, twice};
use crate::look::{BOLD, FAINT, WARN};
use crate::tally::{Tally, counted_in};
use anstream::println;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::SystemTime;

/// What the package is made of and with, below the root.
const SOURCES: [&str; 15] = [
    "Cargo.lock",
    "Cargo.toml",
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "core/Cargo.toml",
    "core/src",
    "wasm/Cargo.toml",
    "wasm/README.md",
    "wasm/build.mjs",
    "wasm/js",
    "wasm/package-lock.json",
    "wasm/package.json",
    "wasm/src",
    "wasm/types",
    "xtask/src/npm",
];
/// Written last by build.mjs.
const BUILT: &str = "wasm/pkg/package.json";
/// Programs that use the package.
const HOSTS: [&str; 2] = ["examples/node", "examples/checkout"];
/// Prints `tests: N passed, M failed`.
const REPORTER: &str = "wasm/tests/support/reporter.mjs";

/// Builds, installs and runs: what passed and failed, and what is wrong.
pub(crate) fn check() -> (Tally, Option<String>) {
    if let Some(missing) = missing() {
        // CI installs all of it: there, what is missing would be a test that nobody runs.
        if std::env::var("CI").is_ok_and(|ci| ci == "true") {
            return (Tally::of_check(false), Some(missing));
        }
        println!("   {WARN}SKIPPED{WARN:#}, {missing}");
        return (Tally::default(), None);
    }
    let (mut sum, mut failed) = (Tally::default(), Vec::new());
    for (name, suite) in [
        ("the package", package as fn() -> Ran),
        ("the package once more", twice::packaging),
        (HOSTS[0], || host(HOSTS[0])),
        (HOSTS[1], || host(HOSTS[1])),
    ] {
        println!("   {BOLD}{name}{BOLD:#}");
        let (tally, problem) = counted(suite());
        sum.add(tally);
        failed.extend(problem.map(|problem| format!("{name}: {problem}")));
    }
    (sum, (!failed.is_empty()).then(|| failed.join(", ")))
}

/// What a suite counted, and what is wrong with it; or why it could not even start.
pub(crate) type Ran = Result<(Tally, Option<String>), String>;

/// The tally of a suite. One that could not start, or ran no test, has failed once.
pub(crate) fn counted(ran: Ran) -> (Tally, Option<String>) {
    match ran {
        Ok((Tally { passed: 0, failed: 0 }, _)) => (Tally::of_check(false), Some("ran no test".to_owned())),
        Ok(ran) => ran,
        Err(problem) => (Tally::of_check(false), Some(problem)),
    }
}

fn missing() -> Option<String> {
    let node = Command::new("npm").arg("--version").stdout(Stdio::null()).status();
    if !node.is_ok_and(|status| status.success()) {
        return Some("missing: node and npm, of Node.js 20 or later".to_owned());
    }
    Toolchain::find().err()
}

fn package() -> Ran {
    ready()?;
    let folder = payspec_tests::root().join("wasm");
    node_test(&folder, &folder.join("tests"), &[])
}

/// Builds the package where it is older than its sources; then it and the tools are there.
pub(crate) fn ready() -> Result<(), String> {
    if let Some(missing) = missing() {
        return Err(missing);
    }
    if is_stale() {
        build(&Place::here())?;
    } else {
        println!("   {FAINT}wasm/pkg is newer than its sources{FAINT:#}");
    }
    install(&payspec_tests::root().join("wasm"))
}

/// Puts the package where a program that uses it looks for it. The tools are those of wasm: nothing is fetched. By copying,
/// since `npm install` asks the registry even about the tools that it is told to leave out.
pub(crate) fn supply(folder: &Path) -> Result<(), String> {
    // What people type is `npm install`: it must lead to the same package.
    let manifest = std::fs::read_to_string(folder.join("package.json")).map_err(|error| error.to_string())?;
    if !manifest.contains(r#""payspec": "file:../../wasm/pkg""#) {
        return Err(format!("{}: package.json does not name the package of wasm/pkg", folder.display()));
    }
    files::copy_folder(&Place::here().package(), &folder.join("node_modules/payspec"))
}

fn host(name: &str) -> Ran {
    let folder = payspec_tests::root().join(name);
    supply(&folder)?;
    node_test(&folder, &folder, &[])
}

/// Runs the files `*.test.mjs` and `*.test.js` of `tests`, one after the other, with these variables.
pub(crate) fn node_test(folder: &Path, tests: &Path, variables: &[(&str, &Path)]) -> Ran {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(tests).map_err(|error| format!("{}: {error}", tests.display()))? {
        let path = entry.map_err(|error| error.to_string())?.path();
        if [".test.mjs", ".test.js"].iter().any(|ending| path.to_string_lossy().ends_with(ending)) {
            files.push(path);
        }
    }
    files.sort();
    let reporter = payspec_tests::root().join(REPORTER);
    let mut node = Command::new("node");
    node.args(["--test", "--test-concurrency=1", "--test-reporter", text(&reporter)?])
        .args(&files)
        .envs(variables.iter().copied());
    let output = follow(node.current_dir(folder))?;
    Ok((counted_in(&output.text), output.problem))
}

struct Output {
    text: String,
    problem: Option<String>,
}

/// Runs a program: its lines are printed as they come, and kept.
fn follow(command: &mut Command) -> Result<Output, String> {
    let error = |error: std::io::Error| format!("node: {error}");
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().map_err(error)?;
    let mut text = String::new();
    for line in child.stdout.take().into_iter().flat_map(|out| BufReader::new(out).split(b'\n')) {
        let line = line.map_err(error)?;
        let line = String::from_utf8_lossy(&line);
        println!("   {line}");
        text.push_str(&line);
        text.push('\n');
    }
    let status = child.wait().map_err(error)?;
    Ok(Output { text, problem: (!status.success()).then(|| status.to_string()) })
}

/// Whether something that the package is made of has changed since it was built, or was built for another target folder.
fn is_stale() -> bool {
    let here = Place::here();
    let root = &here.root;
    let Some(built) = changed(&root.join(BUILT)) else { return true };
    let module = std::fs::read(here.modules().join("all/payspec.wasm")).ok();
    if module.is_none() || module != std::fs::read(here.package().join("payspec.wasm")).ok() {
        return true;
    }
    if !here.modules().join("all").join(COMPILED).is_file() {
        return true;
    }
    SOURCES.iter().any(|source| newest(&root.join(source)).is_none_or(|time| time > built))
}

fn changed(path: &Path) -> Option<SystemTime> {
    path.metadata().and_then(|about| about.modified()).ok()
}

/// The time of the last change of a file, or of anything in a folder; none where there is no such thing.
fn newest(path: &Path) -> Option<SystemTime> {
    let inside = path.read_dir().into_iter().flatten().flatten().map(|entry: std::fs::DirEntry| entry.path());
    inside.map(|path: PathBuf| newest(&path)).chain([changed(path)]).max().flatten()
}
