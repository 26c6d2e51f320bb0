//! The modules of the Python package for columns of Arrow, DuckDB, polars, and Spark: the steps
//! `bulk` and `spark`, which also run the programs in examples/python/bulk, and `cargo xtask bulk`,
//! which measures them.

use crate::build::install;
use crate::docs;
use crate::setup;
use crate::support::process::{self, development_library, output, run_checked};
use crate::support::record::{COLUMNS, Conditions};
use crate::support::style::FAINT;
use crate::support::test_counts::{self, TestCounts};
use anstream::println;
use clap::Args;
use payspec_support::root;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Options of `cargo xtask bulk`.
#[derive(Args, Debug)]
pub(crate) struct Options {
    /// Instead, read this number of generated bodies with DuckDB, from Parquet below the target
    /// folder
    #[arg(long, value_name = "N", conflicts_with_all = ["growth", "record"], value_parser = clap::value_parser!(u64).range(1..))]
    large: Option<u64>,
    /// Measure only the rate over threads, the number of bodies, and their size
    #[arg(long)]
    growth: bool,
    /// Write tests/bulk/RESULTS.md and its plots
    #[arg(long)]
    record: bool,
    #[command(flatten)]
    consent: setup::Consent,
}

/// The modules that a measurement imports.
const MODULES: [&str; 8] = [
    "python3-venv",
    "pyarrow",
    "numpy",
    "duckdb",
    "polars",
    "pandas",
    "pyspark",
    "jsonschema_rs",
];

/// Measures the verdict over columns beside the native one.
pub(crate) fn run(options: &Options) -> Result<(), String> {
    let missing = setup::ensure(&[&["java"][..], &MODULES].concat(), options.consent)?;
    if !missing.is_empty() {
        return Err(format!(
            "missing: {}; `cargo xtask bulk --yes` installs them",
            missing.join(", ")
        ));
    }
    match options.large {
        Some(bodies) => large(bodies),
        None => {
            let mut python = measurement(&["--release"], options.growth)?;
            if !options.record {
                return run_checked(&mut python, "measure.py");
            }
            let conditions = Conditions::read();
            conditions.record(
                COLUMNS,
                "Verdicts over columns",
                &output(&mut python, "measure.py")?,
            )?;
            docs::draw("bulk-growth")
        }
    }
}

/// Returns the measurement, or only that of growth, with programs that cargo builds with this
/// profile; for a short run, the one of development.
fn measurement(profile: &[&str], growth: bool) -> Result<Command, String> {
    let (native, payspec) = programs(profile)?;
    let mut python = python("tests/bulk/measure.py", &library()?);
    python.arg(native).arg(payspec);
    if growth {
        python.arg("--growth");
    }
    if profile.is_empty() {
        python.arg("--short");
    }
    Ok(python)
}

/// Reads many bodies with DuckDB.
fn large(bodies: u64) -> Result<(), String> {
    let (_, payspec) = programs(&["--release"])?;
    let folder = process::target().join("bulk/bodies");
    let mut python = python("tests/bulk/large.py", &library()?);
    run_checked(
        python.arg(payspec).arg(folder).arg(bodies.to_string()),
        "large.py",
    )
}

/// Returns the native measurement, and the command line, which generates bodies.
fn programs(profile: &[&str]) -> Result<(PathBuf, PathBuf), String> {
    let built = |package: &[&str], name: &str| {
        process::executable(&process::build(&[package, profile].concat(), &[])?, name)
    };
    // The development build of the default members shares crates with the tests.
    let payspec: &[&str] = if profile.is_empty() {
        &["--bin", "payspec"]
    } else {
        &["--package", "payspec-cli"]
    };
    Ok((
        built(&["--package", "payspec-bulk"], "payspec-bulk")?,
        built(payspec, "payspec")?,
    ))
}

/// Returns the installed library, which is always the release build.
fn library() -> Result<PathBuf, String> {
    let prefix = process::target().join("bulk/prefix");
    install::into(&prefix)?;
    Ok(install::shared_library(&prefix))
}

/// Runs the step `bulk`.
pub(crate) fn check() -> (TestCounts, Option<String>) {
    let tests: [(&str, &[&str]); 2] = [
        (TESTS, &["bulk"]),
        (PROGRAMS, &["report", "violations", "rejected"]),
    ];
    all(&tests, &[])
}

/// Runs the step `spark`, with a short measurement.
pub(crate) fn spark() -> (TestCounts, Option<String>) {
    let checks: [fn() -> Result<(), String>; 3] = [mypy, pyright, || {
        run_checked(&mut measurement(&[], false)?, "measure.py")
    }];
    all(&[(TESTS, &["spark"]), (PROGRAMS, &["migrated"])], &checks)
}

const TESTS: &str = "bindings/python/tests";
const PROGRAMS: &str = "examples/python/bulk/test_programs.py";

/// Runs tests in Python, each with its arguments, and other checks.
fn all(
    tests: &[(&str, &[&str])],
    checks: &[fn() -> Result<(), String>],
) -> (TestCounts, Option<String>) {
    let library = match development_library() {
        Ok(library) => library,
        Err(error) => return (TestCounts::of_check(false), Some(error)),
    };
    let (mut counts, mut problems) = (TestCounts::default(), Vec::new());
    for (program, arguments) in tests {
        let (counted, problem) = run_tests(&mut python(program, &library), program, arguments);
        counts.add(counted);
        problems.extend(problem);
    }
    for check in checks {
        let result = check();
        counts.add(TestCounts::of_check(result.is_ok()));
        problems.extend(result.err());
    }
    (counts, (!problems.is_empty()).then(|| problems.join("; ")))
}

/// Returns the command of a program with the package and the library.
fn python(program: &str, library: &Path) -> Command {
    let mut python = Command::new(setup::python());
    python
        .arg(root().join(program))
        .env("PYTHONPATH", package())
        .env("PYTHONDONTWRITEBYTECODE", "1");
    python
        .env("PAYSPEC_LIBRARY", library)
        .env("PYSPARK_PYTHON", setup::python());
    python
}

/// Runs one program with tests, which prints how many passed and failed.
fn run_tests(
    python: &mut Command,
    program: &str,
    arguments: &[&str],
) -> (TestCounts, Option<String>) {
    python.args(arguments).stdin(Stdio::null());
    let name = format!("{program} {}", arguments.join(" "));
    let output = match python.output() {
        Ok(output) => output,
        Err(error) => {
            return (
                TestCounts::of_check(false),
                Some(format!("{name}: {error}")),
            );
        }
    };
    let text = [output.stdout, output.stderr]
        .map(|text| String::from_utf8_lossy(&text).into_owned())
        .concat();
    let counts = test_counts::counted_in(&text);
    if output.status.success() && counts.passed > 0 {
        return (counts, None);
    }
    println!("{FAINT}{text}{FAINT:#}");
    let failed = TestCounts {
        failed: counts.failed.max(1),
        ..counts
    };
    (failed, Some(format!("{name} failed")))
}

/// Checks the types of the package and of its tests.
fn mypy() -> Result<(), String> {
    run_checked(
        Command::new("mypy")
            .arg("--python-executable")
            .arg(setup::python())
            .current_dir(package()),
        "mypy",
    )
}

/// Checks the types of the package.
fn pyright() -> Result<(), String> {
    let mut pyright = Command::new("pyright");
    run_checked(
        pyright
            .arg("--pythonpath")
            .arg(setup::python())
            .arg("payspec")
            .current_dir(package()),
        "pyright",
    )
}

/// Returns the folder of the Python package.
fn package() -> PathBuf {
    root().join("bindings/python")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::setup::Install;

    #[test]
    fn the_package_requires_the_tested_versions() {
        let text = std::fs::read_to_string(package().join("pyproject.toml")).unwrap();
        let project: toml::Table = toml::from_str(&text).unwrap();
        let extras = project["project"]["optional-dependencies"]
            .as_table()
            .unwrap();
        let requirements: Vec<_> = extras
            .values()
            .flat_map(|extra| extra.as_array().unwrap())
            .collect();
        assert_eq!((extras.len(), requirements.len()), (4, 7));
        for requirement in requirements {
            let (name, minimum) = requirement.as_str().unwrap().split_once(">=").unwrap();
            let name = name.trim_end_matches("[sql]");
            let is_tested = |install: &Install| matches!(install, Install::Pip(pin) if *pin == format!("{name}=={minimum}"));
            assert!(
                setup::tool(name).install.iter().any(is_tested),
                "{name} {minimum}: the table of tools has another version"
            );
        }
    }
}
