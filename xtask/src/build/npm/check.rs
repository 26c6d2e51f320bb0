//! Tests the npm package and programs that use it. The package is built first if it is older than
//! its sources.

use super::build::build;
use super::commands::install;
use super::modules::COMPILED;
use super::paths::{NpmPaths, text};
use super::result::{CheckResult, counted};
use super::toolchain::Toolchain;
use super::{files, reproducible};
use crate::support::style::{BOLD, FAINT};
use crate::support::test_counts::{TestCounts, counted_in};
use anstream::println;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::SystemTime;

/// Sources and build tools of the package, as paths from the root.
const SOURCES: [&str; 17] = [
    "Cargo.lock",
    "Cargo.toml",
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "core/Cargo.toml",
    "core/src",
    "rust-toolchain.toml",
    "wasm/Cargo.toml",
    "wasm/README.md",
    "wasm/build.mjs",
    "wasm/js",
    "wasm/package-lock.json",
    "wasm/package.json",
    "wasm/page",
    "wasm/src",
    "wasm/types",
    "xtask/src/build/npm",
];
/// The last file that build.mjs writes.
const BUILT: &str = "wasm/pkg/integrity.json";
/// Programs that use the package.
const PROGRAMS: [&str; 2] = ["examples/node", "examples/checkout"];
/// Prints `tests: N passed, M failed`.
const REPORTER: &str = "wasm/tests/support/reporter.mjs";

/// Tests that start other programs: bundlers, resolution of types, publishing.
const SLOW: &str = "packaging.test.mjs";

/// The vectors in a second browser.
const FIREFOX: &str = "firefox.test.mjs";

/// The comparison with the native library.
const NATIVE: &str = "native.test.mjs";

/// Tests that overflow the stack some thousand times. With a fifth of the default stack they take
/// 24 s instead of 104 s.
const DEEP: &str = "lifetime.test.mjs";
const SMALL_STACK: &[&str] = &["--stack-size=200"];

/// Runs the step `node`: all tests of the package except those of `bundlers` and `model`.
pub(crate) fn package() -> (TestCounts, Option<String>) {
    let (mut counts, problem) = counted(suite(
        |name| ![SLOW, FIREFOX, NATIVE, DEEP].contains(&name),
        &[],
    ));
    let (more, other) = counted(suite(|name| name == DEEP, SMALL_STACK));
    counts.add(more);
    (counts, problem.or(other))
}

/// Runs the step `bundlers`: the slow tests, the vectors in Firefox, a second build, and the
/// programs that use the package.
pub(crate) fn bundlers() -> (TestCounts, Option<String>) {
    let (mut sum, mut failed) = (TestCounts::default(), Vec::new());
    for (name, suite) in [
        (
            "the package in bundlers",
            (|| suite(|name| name == SLOW, &[])) as fn() -> CheckResult,
        ),
        ("the vectors in Firefox", || {
            suite(|name| name == FIREFOX, &[])
        }),
        ("the second build", reproducible::packaging),
        (PROGRAMS[0], || program(PROGRAMS[0])),
        (PROGRAMS[1], || program(PROGRAMS[1])),
    ] {
        println!("   {BOLD}{name}{BOLD:#}");
        let (counts, problem) = counted(suite());
        sum.add(counts);
        failed.extend(problem.map(|problem| format!("{name}: {problem}")));
    }
    (sum, (!failed.is_empty()).then(|| failed.join(", ")))
}

/// Compares the module for pages with the native library, on mutated bodies.
pub(crate) fn native(library: &Path) -> (TestCounts, Option<String>) {
    let folder = payspec_support::root().join("wasm");
    counted(ready().and_then(|()| {
        node_test(
            &folder,
            &folder.join("tests"),
            |name| name == NATIVE,
            &[],
            &[("PAYSPEC_LIBRARY", library)],
        )
    }))
}

fn missing() -> Option<String> {
    let node = Command::new("npm")
        .arg("--version")
        .stdout(Stdio::null())
        .status();
    if !node.is_ok_and(|status| status.success()) {
        return Some("missing: node and npm of Node.js 20 or later".to_owned());
    }
    Toolchain::find().err()
}

/// Runs the selected test files of the package.
fn suite(is_wanted: fn(&str) -> bool, flags: &[&str]) -> CheckResult {
    ready()?;
    let folder = payspec_support::root().join("wasm");
    node_test(&folder, &folder.join("tests"), is_wanted, flags, &[])
}

/// Builds the package if it is older than its sources, and installs its test tools.
pub(crate) fn ready() -> Result<(), String> {
    if let Some(missing) = missing() {
        return Err(missing);
    }
    if is_stale() {
        build(&NpmPaths::here())?;
    } else {
        println!("   {FAINT}wasm/pkg is newer than its sources{FAINT:#}");
    }
    install(&payspec_support::root().join("wasm"))
}

/// Copies the package into the `node_modules` of a program. The tools are those of `wasm`, so
/// nothing is downloaded: npm would query the registry even for tools that are omitted.
pub(crate) fn copy_package(folder: &Path) -> Result<(), String> {
    // Users run `npm ci --ignore-scripts`, which must install the same package.
    let manifest =
        std::fs::read_to_string(folder.join("package.json")).map_err(|error| error.to_string())?;
    if !manifest.contains(r#""payspec": "file:../../wasm/pkg""#) {
        return Err(format!(
            "{}: package.json does not name the package of wasm/pkg",
            folder.display()
        ));
    }
    files::copy_folder(
        &NpmPaths::here().package(),
        &folder.join("node_modules/payspec"),
    )
}

fn program(name: &str) -> CheckResult {
    let folder = payspec_support::root().join(name);
    copy_package(&folder)?;
    node_test(&folder, &folder, |_| true, &[], &[])
}

/// Runs the selected files `*.test.mjs` and `*.test.js` in `tests` with flags of Node.js and
/// environment variables, one after the other unless a flag permits more at once.
pub(crate) fn node_test(
    folder: &Path,
    tests: &Path,
    is_wanted: fn(&str) -> bool,
    flags: &[&str],
    variables: &[(&str, &Path)],
) -> CheckResult {
    let mut files = Vec::new();
    for entry in
        std::fs::read_dir(tests).map_err(|error| format!("{}: {error}", tests.display()))?
    {
        let path = entry.map_err(|error| error.to_string())?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if [".test.mjs", ".test.js"]
            .iter()
            .any(|ending| name.ends_with(ending))
            && is_wanted(&name)
        {
            files.push(path);
        }
    }
    files.sort();
    let reporter = payspec_support::root().join(REPORTER);
    let mut node = Command::new("node");
    node.args(["--test", "--test-concurrency=1"])
        .args(flags)
        .args(["--test-reporter", text(&reporter)?])
        .args(&files)
        .envs(variables.iter().copied());
    let output = follow(node.current_dir(folder))?;
    Ok((counted_in(&output.text), output.problem))
}

struct Output {
    text: String,
    problem: Option<String>,
}

/// Runs a program, and prints and returns its lines.
fn follow(command: &mut Command) -> Result<Output, String> {
    let error = |error: std::io::Error| format!("node: {error}");
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(error)?;
    let mut text = String::new();
    for line in child
        .stdout
        .take()
        .into_iter()
        .flat_map(|out| BufReader::new(out).split(b'\n'))
    {
        let line = line.map_err(error)?;
        let line = String::from_utf8_lossy(&line);
        println!("   {line}");
        text.push_str(&line);
        text.push('\n');
    }
    let status = child.wait().map_err(error)?;
    Ok(Output {
        text,
        problem: (!status.success()).then(|| status.to_string()),
    })
}

/// Returns true if a source has changed since the last build, or if that build was for another
/// target folder.
fn is_stale() -> bool {
    let here = NpmPaths::here();
    let root = &here.root;
    let Some(built) = changed(&root.join(BUILT)) else {
        return true;
    };
    let module = std::fs::read(here.modules().join("all/payspec.wasm")).ok();
    if module.is_none() || module != std::fs::read(here.package().join("payspec.wasm")).ok() {
        return true;
    }
    if !here.modules().join("all").join(COMPILED).is_file() {
        return true;
    }
    SOURCES
        .iter()
        .any(|source| newest(&root.join(source)).is_none_or(|time| time > built))
}

/// Returns the time of the last change of a file.
pub(crate) fn changed(path: &Path) -> Option<SystemTime> {
    path.metadata().and_then(|about| about.modified()).ok()
}

/// Returns the time of the last change of a file or of anything in a folder; `None` if it does not
/// exist.
pub(crate) fn newest(path: &Path) -> Option<SystemTime> {
    let inside = path
        .read_dir()
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry: std::fs::DirEntry| entry.path());
    inside
        .map(|path: PathBuf| newest(&path))
        .chain([changed(path)])
        .max()
        .flatten()
}

#[cfg(test)]
mod tests {
    use super::SOURCES;
    use std::path::Path;

    /// Otherwise a change of such a file would not build the package again.
    #[test]
    fn files_of_the_build_are_sources() {
        let text = std::fs::read_to_string(payspec_support::root().join("wasm/build.mjs")).unwrap();
        let statements = text.lines().filter(|line| line.starts_with("import "));
        let imports: Vec<_> = statements
            .filter_map(|line| line.split("from \"./").nth(1)?.split('"').next())
            .collect();
        for import in imports {
            let file = Path::new("wasm").join(import);
            assert!(
                SOURCES.iter().any(|source| file.starts_with(source)),
                "{} is a source",
                file.display()
            );
        }
    }
}
