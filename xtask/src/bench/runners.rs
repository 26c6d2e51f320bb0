//! Builds and runs the programs of tests/bench, one for each language.

use super::figures::{Run, number};
use super::targets::{C, CLI, LARGE, NODE, PYTHON, RUST, Size};
use crate::build::{install, npm};
use crate::support::process;
use crate::support::style::FAINT;
use anstream::println;
use payspec_support::json::Json;
use std::cell::OnceCell;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Names for `--only`, with their runs.
pub(crate) const SIDES: [(&str, &[&str]); 5] = [
    ("rust", &[RUST, LARGE]),
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
    pub(crate) fn run(&self, side: &'static str) -> Result<Run, String> {
        let mut command = match side {
            RUST => self.rust(&["rust"])?,
            LARGE => self.rust(&["growth"])?,
            C => self.rust(&["c", npm::text(self.library()?)?])?,
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
    pub(crate) fn sizes(&self) -> Result<Vec<Size>, String> {
        npm::ready()?;
        let printed = process::output(
            Command::new("node").arg(folder().join("node/sizes.mjs")),
            "node",
        )?;
        let json = Json::parse(&printed)?;
        let size = |json: &Json| {
            let bytes = |name| json.get(name).and_then(number);
            let text = |name| Some(json.get(name)?.as_str()?.to_owned());
            let (entry, encoding) = (text("entry")?, text("encoding")?);
            Some(Size {
                entry,
                encoding,
                shipped: bytes("shipped")?,
                glue: bytes("glue")?,
                module: bytes("module")?,
            })
        };
        let sizes = json.get("sizes").map_or(&[][..], Json::elements);
        sizes
            .iter()
            .map(size)
            .collect::<Option<_>>()
            .ok_or_else(|| "sizes.mjs printed unexpected JSON".to_owned())
    }

    fn rust(&self, arguments: &[&str]) -> Result<Command, String> {
        let mut command = Command::new(self.program()?);
        command.args(arguments);
        Ok(command)
    }

    fn node(&self) -> Result<Command, String> {
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
    fn cli(&self) -> Result<Command, String> {
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
        let mut command = self.rust(&[
            "cli",
            npm::text(&payspec)?,
            npm::text(&ajv)?,
            npm::text(&files)?,
        ])?;
        // ajv loads its plugins from here.
        command.current_dir(node);
        Ok(command)
    }

    fn python(&self) -> Result<Command, String> {
        let mut python = Command::new(environment()?);
        python.arg(folder().join("python/bench.py"));
        python
            .env("PAYSPEC_LIBRARY", self.library()?)
            .env("PYTHONDONTWRITEBYTECODE", "1");
        Ok(python)
    }

    fn program(&self) -> Result<&PathBuf, String> {
        kept(&self.program, || {
            built("payspec-bench", &["--profile", self.profile()], &[])
        })
    }

    fn profile(&self) -> &'static str {
        if self.short { "dev" } else { "release" }
    }

    /// Returns the installed library. It is always the release build, which is the one that
    /// programs load.
    fn library(&self) -> Result<&PathBuf, String> {
        kept(&self.library, || {
            let prefix = process::target().join("bench/prefix");
            install::into(&prefix)?;
            Ok(install::shared_library(&prefix))
        })
    }
}

/// Like `OnceCell::get_or_try_init`, which is not stable yet.
fn kept<T>(cell: &OnceCell<T>, make: impl FnOnce() -> Result<T, String>) -> Result<&T, String> {
    if cell.get().is_none() {
        let value = make()?;
        return Ok(cell.get_or_init(|| value));
    }
    cell.get().ok_or_else(String::new)
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
) -> Result<PathBuf, String> {
    let messages = process::build(
        &[&["--package", package, "--bin", package], arguments].concat(),
        variables,
    )?;
    process::executable(&messages, package)
}

/// Returns the native addon for Node.js.
fn addon(profile: &str) -> Result<PathBuf, String> {
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
fn environment() -> Result<PathBuf, String> {
    let (environment, requirements_file) = (
        process::target().join(ENVIRONMENT),
        folder().join("python/requirements.txt"),
    );
    let (python, mark) = (
        environment.join("bin/python"),
        environment.join("requirements.txt"),
    );
    let read = |path: &Path| std::fs::read(path).ok();
    if read(&mark).is_some() && read(&mark) == read(&requirements_file) && python.is_file() {
        return Ok(python);
    }
    let path = npm::text(&environment)?;
    run(
        "python3",
        &["-m", "venv", "--clear", path],
        "apt-get install python3-venv",
    )?;
    let requirements = npm::text(&requirements_file)?;
    let install = [
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        "--only-binary=:all:",
    ];
    let install = [&install[..], &["--require-hashes", "-r", requirements]].concat();
    run(
        npm::text(&python)?,
        &install,
        "the packages of tests/bench/python/requirements.txt come from PyPI",
    )?;
    std::fs::copy(&requirements_file, &mark)
        .map_err(|error| format!("{}: {error}", mark.display()))?;
    Ok(python)
}

fn run(program: &str, arguments: &[&str], hint: &str) -> Result<(), String> {
    match Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .status()
    {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!(
            "{program} {}: {status}; {hint}",
            arguments.join(" ")
        )),
        Err(error) => Err(format!("missing: {program} ({error}), {hint}")),
    }
}
