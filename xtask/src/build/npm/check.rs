//! Tests the npm package and programs that use it. The package is built first if it is older than
//! its sources.

use super::build::build;
use super::install;
use super::modules::COMPILED;
use super::paths::NpmPaths;
use super::toolchain::Toolchain;
use crate::support::checks::{Checks, Named};
use crate::support::files;
use crate::support::files::text;
use crate::support::output::follow;
use crate::support::process::{output, works};
use crate::support::style::{BOLD, FAINT};
use crate::support::test_counts::counted_in;
use anstream::println;
use anyhow::{Result, ensure};
use fs_err as fs;
use payspec_support::root;
use std::path::Path;
use std::process::Command;
use std::time::SystemTime;

/// Sources and build tools of the package, as patterns of git.
const SOURCES: &str = "Cargo.lock Cargo.toml LICENSE-* core/Cargo.toml core/src rust-toolchain.toml wasm :!wasm/tests \
                       xtask/src/build/npm";
/// The last file that build.mjs writes.
const BUILT: &str = "wasm/pkg/integrity.json";
/// Programs that use the package.
const PROGRAMS: [&str; 2] = ["examples/node", "examples/checkout"];
/// Prints `tests: N passed, M failed`.
const REPORTER: &str = "wasm/tests/support/reporter.mjs";

/// Tests that start other programs: resolution of types, publishing.
const PACKAGING: &str = "packaging.test.mjs";

/// Tests in bundlers, test runners, frameworks, and other runtimes.
const TOOLCHAINS: &str = "toolchains.test.mjs";

/// The vectors in a second browser.
const FIREFOX: &str = "firefox.test.mjs";

/// The comparison with the native library.
const NATIVE: &str = "native.test.mjs";

/// Tests that overflow the stack some thousand times. With a fifth of the default stack they take
/// 24 s instead of 104 s.
const DEEP: &str = "lifetime.test.mjs";
const SMALL_STACK: &[&str] = &["--stack-size=200"];

/// Runs the step `node`: all tests of the package except those of `bundlers` and `model`.
pub(crate) fn package() -> Result<Checks> {
    let mut checks = suite(
        |name| ![PACKAGING, TOOLCHAINS, FIREFOX, NATIVE, DEEP].contains(&name),
        &[],
    )?;
    checks.add("", suite(|name| name == DEEP, SMALL_STACK));
    Ok(checks)
}

/// Runs the step `bundlers`: the slow tests, the vectors in Firefox, and the programs that use the
/// package.
pub(crate) fn bundlers() -> Result<Checks> {
    let mut checks = Checks::default();
    let suites: [Named<Checks>; 5] = [
        ("the package", || suite(|name| name == PACKAGING, &[])),
        ("the package in its toolchains", || {
            install(&root().join("wasm/tests/toolchains"))?;
            suite(|name| name == TOOLCHAINS, &[])
        }),
        ("the vectors in Firefox", || {
            suite(|name| name == FIREFOX, &[])
        }),
        (PROGRAMS[0], || program(PROGRAMS[0])),
        (PROGRAMS[1], || program(PROGRAMS[1])),
    ];
    for (name, suite) in suites {
        println!("   {BOLD}{name}{BOLD:#}");
        checks.add(name, suite());
    }
    Ok(checks)
}

/// Compares the module of pages with the native module of the Python package.
pub(crate) fn native() -> Result<Checks> {
    ready()?;
    let folder = root().join("wasm");
    node_test(
        &folder,
        &folder.join("tests"),
        |name| name == NATIVE,
        &[],
        &[],
    )
}

fn suite(is_wanted: fn(&str) -> bool, flags: &[&str]) -> Result<Checks> {
    ready()?;
    let folder = root().join("wasm");
    node_test(&folder, &folder.join("tests"), is_wanted, flags, &[])
}

/// Builds the package if it is older than its sources, and installs the packages of its tests.
pub(crate) fn ready() -> Result<()> {
    let has_npm = works(Command::new("npm").arg("--version"));
    ensure!(has_npm, "missing: node and npm of Node.js 20 or later");
    Toolchain::find()?;
    if is_stale()? {
        build(&NpmPaths::here())?;
    } else {
        println!("   {FAINT}wasm/pkg is newer than its sources{FAINT:#}");
    }
    install(&root().join("wasm"))
}

/// Copies the package into the modules of a program, as `npm install` would.
pub(crate) fn copy_package(folder: &Path) -> Result<()> {
    // Users run `npm ci --ignore-scripts`, which must install the same package.
    let manifest = fs::read_to_string(folder.join("package.json"))?;
    let depth = folder.strip_prefix(root())?.components().count();
    let named = format!(r#""payspec": "file:{}wasm/pkg""#, "../".repeat(depth));
    ensure!(
        manifest.contains(&named),
        "{}: package.json does not name the package of wasm/pkg",
        folder.display()
    );
    let installed = folder.join("node_modules/payspec");
    files::empty(&installed)?;
    files::copy_folder(&NpmPaths::here().package(), &installed)
}

fn program(name: &str) -> Result<Checks> {
    let folder = root().join(name);
    copy_package(&folder)?;
    node_test(&folder, &folder, |_| true, &[], &[])
}

/// Runs the tests of a folder with Node.js.
pub(crate) fn node_test(
    folder: &Path,
    tests: &Path,
    is_wanted: fn(&str) -> bool,
    flags: &[&str],
    variables: &[(&str, &Path)],
) -> Result<Checks> {
    let mut files = Vec::new();
    for entry in fs::read_dir(tests)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let is_test = name.ends_with(".test.mjs") || name.ends_with(".test.js");
        if is_test && is_wanted(&name) {
            files.push(path);
        }
    }
    files.sort();
    let mut node = Command::new("node");
    node.args(["--test", "--test-concurrency=1"])
        .args(flags)
        .args(["--test-reporter", text(&root().join(REPORTER))?])
        .args(&files)
        .envs(variables.iter().copied())
        .current_dir(folder);
    let mut printed = String::new();
    let ended = follow(&mut node, |line| {
        println!("   {line}");
        printed += line;
        printed.push('\n');
    });
    let problem = ended.err().map(|error| format!("node: {error:#}"));
    Ok(Checks::of(counted_in(&printed), problem))
}

/// Returns true if the package is missing, is older than a source, or was made from other modules
/// than those below the target folder.
fn is_stale() -> Result<bool> {
    let here = NpmPaths::here();
    let Some(built) = changed(&here.root.join(BUILT)) else {
        return Ok(true);
    };
    let module = fs::read(here.modules().join("all/payspec.wasm")).ok();
    let is_from_here =
        module.is_some() && module == fs::read(here.package().join("payspec.wasm")).ok();
    if !is_from_here || !here.modules().join("all").join(COMPILED).is_file() {
        return Ok(true);
    }
    let mut git = Command::new("git");
    git.args([
        "ls-files",
        "--cached",
        "--others",
        "--exclude-standard",
        "--",
    ]);
    git.args(SOURCES.split_whitespace()).current_dir(&here.root);
    let files = String::from_utf8(output(&mut git, "git ls-files")?)?;
    let mut times = files.lines().map(|file| changed(&here.root.join(file)));
    Ok(times.any(|time| time.is_none_or(|time| time > built)))
}

/// Returns the time of the last change.
pub(crate) fn changed(path: &Path) -> Option<SystemTime> {
    path.metadata().and_then(|about| about.modified()).ok()
}

/// Returns the time of the last change in a folder and the folders below.
pub(crate) fn newest(path: &Path) -> Option<SystemTime> {
    let entries = path.read_dir().into_iter().flatten().flatten();
    let inside = entries.map(|entry| newest(&entry.path()));
    inside.chain([changed(path)]).max().flatten()
}
