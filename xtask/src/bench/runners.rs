//! Builds and runs the programs of tests/bench, one for each language.

use super::figures::Run;
use super::targets::{C, CLI, LARGE, NODE, PYTHON, RUST, Size, WORST_INPUTS};
use crate::build::{install, npm};
use crate::support::files::text;
use crate::support::process;
use crate::support::process::run_in;
use crate::support::style::FAINT;
use anstream::println;
use anyhow::{Context, Result};
use serde::Deserialize;
use std::cell::OnceCell;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Names for `--only`, with their runs.
pub(crate) const SIDES: [(&str, &[&str]); 5] = [
    ("rust", &[RUST, LARGE, WORST_INPUTS]),
    ("node", &[NODE]),
    ("python", &[PYTHON]),
    ("c", &[C]),
    ("cli", &[CLI]),
];
/// A name for `--only` that selects the sizes.
pub(crate) const SIZES: &str = "sizes";

/// The Python environment of the other libraries, below the target folder.
const ENVIRONMENT: &str = "bench/python";

/// Builds each program and library when it is first needed.
pub(crate) struct Sides {
    short: bool,
    program: OnceCell<PathBuf>,
    library: OnceCell<PathBuf>,
}

impl Sides {
    /// In a short run, times are meaningless, so programs are built without optimization.
    pub(crate) fn new(short: bool) -> Sides {
        Sides {
            short,
            program: OnceCell::new(),
            library: OnceCell::new(),
        }
    }

    /// Runs one side.
    pub(crate) fn run(&self, side: &'static str) -> Result<Run> {
        let mut command = match side {
            RUST => self.rust(&["rust"])?,
            LARGE => self.rust(&["growth"])?,
            WORST_INPUTS => self.rust(&["worst-inputs"])?,
            C => self.rust(&["c", text(self.library()?)?])?,
            NODE => self.node()?,
            CLI => self.cli()?,
            _ => self.python()?,
        };
        if self.short {
            command.arg("--short");
        }
        println!("{FAINT}measuring: {side}{FAINT:#}");
        let name = command.get_program().to_string_lossy().into_owned();
        Run::read(side, &process::output(&mut command, &name)?)
    }

    /// Returns the sizes of the npm package.
    pub(crate) fn sizes(&self) -> Result<Vec<Size>> {
        npm::ready()?;
        let printed = process::output(
            Command::new("node").arg(folder().join("node/sizes.mjs")),
            "node",
        )?;
        #[derive(Deserialize)]
        struct Printed {
            sizes: Vec<Size>,
        }
        let printed: Printed = serde_json::from_slice(&printed).context("sizes.mjs")?;
        Ok(printed.sizes)
    }

    fn rust(&self, arguments: &[&str]) -> Result<Command> {
        let mut command = Command::new(self.program()?);
        command.args(arguments);
        Ok(command)
    }

    fn node(&self) -> Result<Command> {
        npm::ready()?;
        let folder = folder().join("node");
        npm::install(&folder)?;
        let mut node = Command::new("node");
        node.arg(folder.join("bench.mjs"))
            .arg(addon(self.profile())?);
        Ok(node)
    }

    /// Returns the benchmark of the program `payspec`, which writes large files below the target
    /// folder.
    fn cli(&self) -> Result<Command> {
        let node = folder().join("node");
        npm::install(&node)?;
        let ajv = node.join("node_modules/.bin/ajv");
        // The development build of the default members shares crates with the tests.
        let arguments: &[&str] = match self.short {
            true => &["--bin", "payspec"],
            false => &["--release", "--package", "payspec-cli"],
        };
        let payspec = process::executable(&process::build(arguments, &[])?, "payspec")?;
        let files = process::target().join("bench/cli");
        let mut command = self.rust(&["cli", text(&payspec)?, text(&ajv)?, text(&files)?])?;
        // ajv loads its plugins from here.
        command.current_dir(node);
        Ok(command)
    }

    fn python(&self) -> Result<Command> {
        let mut python = Command::new(environment()?);
        python.arg(folder().join("python/bench.py"));
        process::python_module(&["--release"])?;
        python.env("PYTHONDONTWRITEBYTECODE", "1");
        Ok(python)
    }

    fn program(&self) -> Result<&PathBuf> {
        kept(&self.program, || {
            built("payspec-bench", &["--profile", self.profile()], &[])
        })
    }

    fn profile(&self) -> &'static str {
        if self.short { "dev" } else { "release" }
    }

    /// Returns the installed library. It is always the release build, which is the one that
    /// programs load.
    fn library(&self) -> Result<&PathBuf> {
        kept(&self.library, || {
            let prefix = process::target().join("bench/prefix");
            install::into(&prefix)?;
            Ok(install::shared_library(&prefix))
        })
    }
}

/// Like `OnceCell::get_or_try_init`, which is not stable yet.
fn kept<T>(cell: &OnceCell<T>, make: impl FnOnce() -> Result<T>) -> Result<&T> {
    match cell.get() {
        Some(value) => Ok(value),
        None => make().map(|value| cell.get_or_init(|| value)),
    }
}

/// Returns the folder `tests/bench`.
pub(crate) fn folder() -> PathBuf {
    payspec_support::root().join("tests/bench")
}

/// Builds a package and returns the path of its program.
pub(crate) fn built(
    package: &str,
    arguments: &[&str],
    variables: &[(&str, &str)],
) -> Result<PathBuf> {
    let messages = process::build(
        &[&["--package", package, "--bin", package], arguments].concat(),
        variables,
    )?;
    process::executable(&messages, package)
}

/// Returns the native addon for Node.js.
fn addon(profile: &str) -> Result<PathBuf> {
    process::library(
        &process::build(
            &["--package", "payspec-bench-node", "--profile", profile],
            &[],
        )?,
        process::SHARED,
    )
}

/// Returns the interpreter of an environment with the libraries in requirements.txt. Creates it if
/// it is missing or if the file has changed.
fn environment() -> Result<PathBuf> {
    let (environment, requirements_file) = (
        process::target().join(ENVIRONMENT),
        folder().join("python/requirements.txt"),
    );
    let (python, mark) = (
        environment.join("bin/python"),
        environment.join("requirements.txt"),
    );
    let read = |path: &Path| fs_err::read(path).ok();
    if read(&mark).is_some() && read(&mark) == read(&requirements_file) && python.is_file() {
        return Ok(python);
    }
    let path = text(&environment)?;
    run_in(&folder(), "python3", &["-m", "venv", "--clear", path])?;
    let requirements = text(&requirements_file)?;
    let install = [
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        "--only-binary=:all:",
    ];
    let install = [&install[..], &["--require-hashes", "-r", requirements]].concat();
    run_in(&folder(), text(&python)?, &install)?;
    fs_err::copy(&requirements_file, &mark)?;
    Ok(python)
}
