//! The steps `sandbox` and `sandbox-all`: tests `payspec sandbox` and `payspec conform` with
//! everything that uses them.

use super::serve;
use crate::build::npm;
use crate::support::process::{self, output, target};
use crate::support::style::BOLD;
use crate::support::test_counts::{TestCounts, counted_in};
use crate::test::executables::{self, Which};
use anstream::{print, println};
use payspec_support::markdown;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The folder of Debian's Java libraries, and what JUnit needs of it to compile and to run tests.
const JARS: &str = "/usr/share/java";
const JUNIT: &[&str] = &[
    "junit-jupiter-api",
    "junit-platform-commons",
    "apiguardian-api",
    "opentest4j",
];
const LAUNCHER: &[&str] = &[
    "junit-platform-console",
    "junit-platform-launcher",
    "junit-platform-engine",
    "junit-platform-reporting",
    "junit-jupiter-engine",
    "junit-jupiter-params",
    "opentest4j-reporting-events",
    "opentest4j-reporting-schema",
    "picocli",
    "univocity-parsers",
];
/// The test files of the page that need no gateway: the others look into its database, its log, or
/// its command line.
const PAGE_TESTS: &[&str] = &[
    "access.test.js",
    "errors.test.js",
    "payments.test.js",
    "status.test.js",
];

type Part = (&'static str, fn(&Path) -> npm::CheckResult);

/// Runs the step `sandbox`.
pub(crate) fn check() -> (TestCounts, Option<String>) {
    let (mut counts, problem) = executables::run(Which::Sandbox);
    let parts: [Part; 4] = [
        ("the console", console),
        ("a shop in Node.js", node),
        ("a shop in Python", python),
        ("the tests of the tutorial", tutorial),
    ];
    let (others, others_problem) = all(&parts);
    counts.add(others);
    (counts, join([problem, others_problem]))
}

/// Runs the step `sandbox-all`.
pub(crate) fn check_all() -> (TestCounts, Option<String>) {
    let parts: [Part; 2] = [
        ("a shop in Java", java),
        ("the checkout page with the sandbox", page),
    ];
    all(&parts)
}

fn join(problems: impl IntoIterator<Item = Option<String>>) -> Option<String> {
    let problems: Vec<String> = problems.into_iter().flatten().collect();
    (!problems.is_empty()).then(|| problems.join("; "))
}

fn all(parts: &[Part]) -> (TestCounts, Option<String>) {
    let program = match program() {
        Ok(program) => program,
        Err(error) => return (TestCounts::of_check(false), Some(error)),
    };
    let (mut sum, mut problems) = (TestCounts::default(), Vec::new());
    for (name, run) in parts {
        println!("   {BOLD}{name}{BOLD:#}");
        let (counts, problem) = npm::counted(run(&program));
        sum.add(counts);
        problems.push(problem.map(|problem| format!("{name}: {problem}")));
    }
    (sum, join(problems))
}

/// Builds the program with the checkout page inside, and copies it: other steps build it without
/// the page.
fn program() -> Result<PathBuf, String> {
    let page = serve::page()?;
    let messages = process::build(
        &["--bin", "payspec"],
        &[("PAYSPEC_PAGE", npm::text(&page)?)],
    )?;
    let built = process::executable(&messages, "payspec")?;
    let folder = target().join("sandbox");
    std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let program = folder.join("payspec");
    // A running program cannot be overwritten.
    let _ = std::fs::remove_file(&program);
    std::fs::copy(&built, &program).map_err(|error| format!("{}: {error}", built.display()))?;
    Ok(program)
}

fn folder(path: &str) -> PathBuf {
    payspec_support::root().join(path)
}

fn console(program: &Path) -> npm::CheckResult {
    let folder = folder("cli/tests/console");
    npm::node_test(&folder, &folder, |_| true, &[], &[("PAYSPEC", program)])
}

fn node(program: &Path) -> npm::CheckResult {
    let folder = folder("examples/sandbox/node");
    npm::node_test(&folder, &folder, |_| true, &[], &[("PAYSPEC", program)])
}

fn page(program: &Path) -> npm::CheckResult {
    let folder = folder("examples/checkout");
    let is_wanted = |name: &str| PAGE_TESTS.contains(&name);
    npm::node_test(
        &folder,
        &folder.join("tests"),
        is_wanted,
        &["--test-concurrency=4"],
        &[("PAYSPEC_SANDBOX", program)],
    )
}

fn python(program: &Path) -> npm::CheckResult {
    pytest(program, &folder("examples/sandbox/python"))
}

/// Runs the tests that the tutorial shows, with the files that it names.
fn tutorial(program: &Path) -> npm::CheckResult {
    let page = read(&folder("docs/src/start/merchant.md"))?;
    let to = target().join("sandbox/tutorial");
    let failed = |error: std::io::Error| format!("{}: {error}", to.display());
    // Tests of a former page would run too.
    if to.exists() {
        std::fs::remove_dir_all(&to).map_err(failed)?;
    }
    std::fs::create_dir_all(&to).map_err(failed)?;
    for (name, block) in markdown::saved(&page) {
        std::fs::write(to.join(name), format!("{block}\n")).map_err(failed)?;
    }
    for name in [
        "payspec_sandbox.py",
        "conftest.py",
        "callback.py",
        "signature.py",
    ] {
        std::fs::write(
            to.join(name),
            read(&folder("examples/sandbox/python").join(name))?,
        )
        .map_err(failed)?;
    }
    pytest(program, &to)
}

fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

fn pytest(program: &Path, folder: &Path) -> npm::CheckResult {
    let mut pytest = Command::new("pytest");
    pytest
        .args(["-q", "-p", "no:cacheprovider"])
        .current_dir(folder);
    let text = printed(
        pytest
            .env("PAYSPEC", program)
            .env("PYTHONDONTWRITEBYTECODE", "1"),
        "pytest",
    )?;
    // `13 passed in 5.02s`
    let passed = text
        .lines()
        .rev()
        .find_map(|line| line.split_once(" passed"))
        .map(|(number, _)| number.trim());
    Ok((
        counted_in(&format!(
            "tests: {} passed, 0 failed",
            passed.unwrap_or_default()
        )),
        None,
    ))
}

fn java(program: &Path) -> npm::CheckResult {
    let (source, out) = (
        folder("examples/sandbox/java"),
        target().join("sandbox/java"),
    );
    let jars = |names: &[&str]| {
        names
            .iter()
            .map(|name| format!("{JARS}/{name}.jar"))
            .collect::<Vec<_>>()
            .join(":")
    };
    let (junit, out) = (jars(JUNIT), npm::text(&out)?.to_owned());
    let mut javac = Command::new("javac");
    javac.args([
        "-encoding",
        "UTF-8",
        "-Xlint:all",
        "-Xlint:-classfile",
        "-Werror",
        "--release",
        "17",
        "-cp",
        &junit,
    ]);
    let sources = [
        "Sandbox.java",
        "SandboxTest.java",
        "Callback.java",
        "ShopTest.java",
    ];
    printed(
        javac.args(["-d", &out]).args(sources).current_dir(&source),
        "javac",
    )?;
    let mut java = Command::new("java");
    java.args([
        "-cp",
        &format!("{}:{junit}:{out}", jars(LAUNCHER)),
        "org.junit.platform.console.ConsoleLauncher",
    ]);
    java.args([
        "-c",
        "SandboxTest",
        "-c",
        "ShopTest",
        "--disable-banner",
        "--disable-ansi-colors",
    ]);
    java.current_dir(source).env("PAYSPEC", program);
    let text = printed(&mut java, "java")?;
    // `[         6 tests successful      ]`
    let passed = text
        .lines()
        .find_map(|line| line.strip_prefix('[')?.split_once(" tests successful"));
    let passed = passed.map(|(number, _)| number.trim()).unwrap_or_default();
    Ok((
        counted_in(&format!("tests: {passed} passed, 0 failed")),
        None,
    ))
}

fn printed(command: &mut Command, name: &str) -> Result<String, String> {
    let text = String::from_utf8_lossy(&output(command, name)?).into_owned();
    print!("{text}");
    Ok(text)
}
