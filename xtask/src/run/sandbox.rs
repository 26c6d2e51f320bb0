//! The sandbox: its Rust tests, shops in other languages, the checkout page, and the tasks of
//! `tests/tasks`.

use super::serve;
use crate::build::npm;
use crate::support::checks::Checks;
use crate::support::files::{copy, empty, text, write};
use crate::support::process::{self, output, target};
use crate::support::style::BOLD;
use crate::support::test_counts::TestCounts;
use crate::test::{executables, tests};
use anstream::{print, println};
use anyhow::{Context, Result};
use fs_err as fs;
use payspec_support::{markdown, root};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The folder of Debian's package junit5, with everything that its launcher needs.
const JARS: &str = "/usr/share/java";
const JUNIT: &str = "junit-jupiter-api junit-platform-commons apiguardian-api opentest4j";
const LAUNCHER: &str = "junit-platform-console junit-platform-launcher junit-platform-engine \
                        junit-platform-reporting junit-jupiter-engine junit-jupiter-params \
                        opentest4j-reporting-events opentest4j-reporting-schema picocli univocity-parsers";
/// The tests of the checkout page that the sandbox can serve.
const PAGE_TESTS: &[&str] = &[
    "access.test.js",
    "errors.test.js",
    "payments.test.js",
    "status.test.js",
];

/// A part with its name; it gets the program `payspec`.
type Part = (&'static str, fn(&Path) -> Result<Checks>);

/// Runs the step `sandbox`.
pub(crate) fn check() -> Result<Checks> {
    let mut checks = Checks::default();
    checks.add("", executables::run(tests("sandbox"), &[]));
    let parts: [Part; 7] = [
        ("the console", |program| {
            node_test("cli/tests/console", program)
        }),
        ("payspec/sandbox for Node.js", |program| {
            node_test("wasm/tests/sandbox", program)
        }),
        ("a shop in Node.js", |program| {
            npm::copy_package(&root().join("examples/sandbox/node"))?;
            node_test("examples/sandbox/node", program)
        }),
        ("payspec.sandbox for Python", |program| {
            pytest(program, &root().join("bindings/python/tests/sandbox"))
        }),
        ("a shop in Python", |program| {
            pytest(program, &root().join("examples/sandbox/python"))
        }),
        ("the tests of the tutorial", tutorial),
        ("the client of the Model Context Protocol", |program| {
            pytest(program, &root().join("cli/tests/mcp"))
        }),
    ];
    checks.add("", all(&parts));
    Ok(checks)
}

/// Runs the step `sandbox-all`.
pub(crate) fn check_all() -> Result<Checks> {
    let parts: [Part; 2] = [
        ("a shop in Java", java),
        ("the checkout page with the sandbox", page),
    ];
    all(&parts)
}

/// Runs the step `tasks`, which needs no checkout page.
pub(crate) fn check_tasks() -> Result<Checks> {
    let built = process::executable(&process::build(&["--bin", "payspec"], &[])?, "payspec")?;
    let program = target().join("tasks/payspec");
    copy(&built, &program)?;
    pytest(&program, &root().join("tests/tasks"))
}

fn all(parts: &[Part]) -> Result<Checks> {
    let program = program()?;
    let mut checks = Checks::default();
    for (name, run) in parts {
        println!("   {BOLD}{name}{BOLD:#}");
        checks.add(name, run(&program));
    }
    Ok(checks)
}

/// Builds `payspec` with the checkout page, and returns a copy that no other build replaces.
fn program() -> Result<PathBuf> {
    let page = serve::page()?;
    let variables = [("PAYSPEC_PAGE", text(&page)?)];
    let built = process::executable(
        &process::build(&["--bin", "payspec"], &variables)?,
        "payspec",
    )?;
    let program = target().join("sandbox/payspec");
    copy(&built, &program)?;
    Ok(program)
}

fn node_test(folder: &str, program: &Path) -> Result<Checks> {
    let folder = root().join(folder);
    npm::node_test(&folder, &folder, |_| true, &[], &[("PAYSPEC_CLI", program)])
}

/// Runs the tests of the page that need only a sandbox.
fn page(program: &Path) -> Result<Checks> {
    let folder = root().join("examples/checkout");
    npm::node_test(
        &folder,
        &folder.join("tests"),
        |name| PAGE_TESTS.contains(&name),
        &["--test-concurrency=4"],
        &[("PAYSPEC_SANDBOX", program)],
    )
}

/// Runs the tests in the tutorial.
fn tutorial(program: &Path) -> Result<Checks> {
    let page = fs::read_to_string(root().join("docs/src/start/merchant.md"))?;
    let to = target().join("sandbox/tutorial");
    // Tests of a former page would run too.
    empty(&to)?;
    for (name, block) in markdown::saved(&page) {
        write(&to.join(name), &format!("{block}\n"))?;
    }
    for name in ["callback.py", "signature.py"] {
        copy(
            &root().join("examples/sandbox/python").join(name),
            &to.join(name),
        )?;
    }
    pytest(program, &to)
}

fn pytest(program: &Path, folder: &Path) -> Result<Checks> {
    let mut pytest = Command::new("pytest");
    pytest
        .args(["-q", "-p", "no:cacheprovider"])
        .current_dir(folder);
    pytest
        .env("PAYSPEC_CLI", program)
        .env("PYTHONPATH", root().join("bindings/python"))
        .env("PYTHONDONTWRITEBYTECODE", "1");
    // `13 passed in 5.02s`
    counted(&mut pytest, |line| {
        line.split_once(" passed").map(|(number, _)| number)
    })
}

fn java(program: &Path) -> Result<Checks> {
    let (source, out) = (
        root().join("examples/sandbox/java"),
        target().join("sandbox/java"),
    );
    let jars = |names: &str| {
        let names = names.split_whitespace();
        names
            .map(|name| format!("{JARS}/{name}.jar"))
            .collect::<Vec<_>>()
            .join(":")
    };
    let (junit, out) = (jars(JUNIT), text(&out)?.to_owned());
    let mut javac = Command::new("javac");
    javac.args([
        "-encoding",
        "UTF-8",
        "-Xlint:all",
        "-Xlint:-classfile",
        "-Werror",
    ]);
    javac.args(["--release", "17", "-cp", &junit, "-d", &out]);
    javac.args([
        "Sandbox.java",
        "SandboxTest.java",
        "Callback.java",
        "ShopTest.java",
    ]);
    process::run_checked(javac.current_dir(&source), "javac")?;
    let mut java = Command::new("java");
    java.args(["-cp", &format!("{}:{junit}:{out}", jars(LAUNCHER))]);
    java.arg("org.junit.platform.console.ConsoleLauncher");
    java.args([
        "-c",
        "SandboxTest",
        "-c",
        "ShopTest",
        "--disable-banner",
        "--disable-ansi-colors",
    ]);
    // `[         6 tests successful      ]`
    let java = java.current_dir(source).env("PAYSPEC_CLI", program);
    counted(java, |line| {
        Some(line.strip_prefix('[')?.split_once(" tests successful")?.0)
    })
}

/// Prints the output of a test runner that succeeds, and reads the number of tests in it.
fn counted(command: &mut Command, number: fn(&str) -> Option<&str>) -> Result<Checks> {
    let name = command.get_program().display().to_string();
    let printed = output(command, &name)?;
    let printed = String::from_utf8_lossy(&printed);
    print!("{printed}");
    let passed = printed.lines().rev().find_map(number);
    let passed = passed.and_then(|number| number.trim().parse().ok());
    let passed = passed.with_context(|| format!("{name} printed no number of tests"))?;
    Ok(Checks::of(TestCounts { passed, failed: 0 }, None))
}
