//! The modules of the Python package for columns of Arrow, DuckDB, polars, and Spark: the steps
//! `bulk` and `spark`, which also run the programs in examples/python/bulk, and `cargo xtask bulk`,
//! which measures them.

use crate::setup;
use crate::support::checks::Checks;
use crate::support::process::{
    self, development_module, output, python_module, run_checked, text_of,
};
use crate::support::record::Conditions;
use crate::support::test_counts::counted_in;
use anyhow::Result;
use clap::Args;
use payspec_support::root;
use std::path::PathBuf;
use std::process::Command;

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
const MODULES: &str = "java python3-venv pyarrow numpy duckdb polars pandas pyspark jsonschema_rs";

/// Measures the verdict over columns beside the native one.
pub(crate) fn run(options: &Options) -> Result<()> {
    setup::require(MODULES, options.consent)?;
    match options.large {
        Some(bodies) => large(bodies),
        None => {
            let mut python = measurement(&["--release"], options.growth)?;
            if !options.record {
                return run_checked(&mut python, "measure.py");
            }
            let conditions = Conditions::read();
            let printed = output(&mut python, "measure.py")?;
            conditions.record("tests/bulk/RESULTS.md", "Verdicts over columns", &printed)
        }
    }
}

/// Returns the measurement, or only that of growth, with programs that cargo builds with this
/// profile; for a short run, the one of development. The native module is the release build.
fn measurement(profile: &[&str], growth: bool) -> Result<Command> {
    let (native, payspec) = programs(profile)?;
    python_module(&["--release"])?;
    let mut python = python("tests/bulk/measure.py");
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
fn large(bodies: u64) -> Result<()> {
    let (_, payspec) = programs(&["--release"])?;
    let folder = process::target().join("bulk/bodies");
    python_module(&["--release"])?;
    let mut python = python("tests/bulk/large.py");
    run_checked(
        python.arg(payspec).arg(folder).arg(bodies.to_string()),
        "large.py",
    )
}

/// Returns the native measurement, and the command line, which generates bodies.
fn programs(profile: &[&str]) -> Result<(PathBuf, PathBuf)> {
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

/// Runs the step `bulk`.
pub(crate) fn check() -> Result<Checks> {
    all(&[(TESTS, "bulk"), (PROGRAMS, "report violations rejected")])
}

/// Runs the step `spark`.
pub(crate) fn spark() -> Result<Checks> {
    let mut checks = all(&[(TESTS, "spark"), (PROGRAMS, "migrated")])?;
    let package = root().join("bindings/python");
    let python = setup::python();
    let mut mypy = Command::new("mypy");
    mypy.arg("--python-executable").arg(&python);
    checks.check("mypy", run_checked(mypy.current_dir(&package), "mypy"));
    let mut pyright = Command::new("pyright");
    pyright.arg("--pythonpath").arg(&python).arg("payspec");
    checks.check(
        "pyright",
        run_checked(pyright.current_dir(&package), "pyright"),
    );
    let measured =
        measurement(&[], false).and_then(|mut python| run_checked(&mut python, "measure.py"));
    checks.check("a short measurement", measured);
    Ok(checks)
}

/// The programs with tests. Their arguments select some.
const TESTS: &str = "bindings/python/tests";
const PROGRAMS: &str = "examples/python/bulk/test_programs.py";

/// Runs tests with the development build of the native module.
fn all(tests: &[(&str, &str)]) -> Result<Checks> {
    development_module()?;
    let mut checks = Checks::default();
    for (program, arguments) in tests {
        let mut python = python(program);
        let printed = text_of(python.args(arguments.split_whitespace()));
        let counted = printed.map(|printed| Checks::of(counted_in(&printed), None));
        checks.add(program, counted);
    }
    Ok(checks)
}

fn python(program: &str) -> Command {
    let mut python = Command::new(setup::python());
    python
        .arg(root().join(program))
        .env("PYTHONPATH", root().join("bindings/python"))
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env("PYSPARK_PYTHON", setup::python());
    python
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_package_requires_the_tested_versions() {
        let text = std::fs::read_to_string(root().join("bindings/python/pyproject.toml")).unwrap();
        let project: toml::Table = toml::from_str(&text).unwrap();
        let extras = project["project"]["optional-dependencies"]
            .as_table()
            .unwrap();
        // The program has the version of the package.
        let of_columns = extras.iter().filter(|(name, _)| *name != "cli");
        let requirements: Vec<_> = of_columns
            .flat_map(|(_, extra)| extra.as_array().unwrap())
            .collect();
        assert_eq!((extras.len(), requirements.len()), (5, 7));
        for requirement in requirements {
            let (name, minimum) = requirement.as_str().unwrap().split_once(">=").unwrap();
            let name = name.trim_end_matches("[sql]");
            let tested = setup::tool(name).pip.as_deref();
            assert_eq!(tested, Some(format!("{name}=={minimum}").as_str()));
        }
    }
}
