//! `cargo xtask model`: generated bodies before the library and before tests/model, a second `validate_request` in Python.

use crate::install;
use crate::look::{BOLD, FAINT, WARN};
use crate::tally::{self, Tally};
use anstream::println;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A run by hand.
const BODIES: &str = "1000000";
/// One among the other tests, of seconds.
const SHORT: &str = "20000";
const SEED: &str = "1";
/// The version that the model is written for.
const PYTHON: &str = "import sys; sys.exit(sys.version_info < (3, 9))";

/// The verb.
pub(crate) fn run(arguments: &[String]) -> Result<(), String> {
    let wanted = Run::of(arguments)?;
    if !has_python() {
        return Err(MISSING.to_owned());
    }
    let library = library()?;
    let status = python(Some(&library))
        .arg(format!("--bodies={}", wanted.bodies))
        .arg(format!("--seed={}", wanted.seed))
        .status();
    match status {
        Ok(status) if status.success() => Ok(()),
        // The program has said what is wrong.
        Ok(_) => Err(String::new()),
        Err(error) => Err(format!("python3: {error}")),
    }
}

/// The step of `cargo xtask test`: the model's own tests, and a short run, which counts as one.
pub(crate) fn check() -> (Tally, Option<String>) {
    if !has_python() {
        // CI installs it by name: there, a missing one would be a test that nobody runs.
        if std::env::var("CI").is_ok_and(|ci| ci == "true") {
            return (Tally::of_check(false), Some(MISSING.to_owned()));
        }
        println!("   {BOLD}model{BOLD:#} {WARN}SKIPPED{WARN:#}, {MISSING}");
        return (Tally::default(), None);
    }
    let (mut sum, mut problem) = own_tests();
    let short = library().and_then(|library| {
        let ran = python(Some(&library)).args(["--bodies", SHORT, "--seed", SEED]).status();
        let ran = ran.map_err(|error| format!("python3: {error}"))?;
        if ran.success() { Ok(()) } else { Err("the library and the model disagree".to_owned()) }
    });
    sum.add(Tally::of_check(short.is_ok()));
    problem = problem.or(short.err());
    (sum, problem)
}

const MISSING: &str = "missing: Python 3.9 or later, apt-get install python3";

fn own_tests() -> (Tally, Option<String>) {
    let output = match python(None).arg("--tests").stdin(Stdio::null()).output() {
        Ok(output) => output,
        Err(error) => return (Tally::of_check(false), Some(format!("python3: {error}"))),
    };
    let text = String::from_utf8_lossy(&output.stdout);
    let counted = tally::counted_in(&text);
    if output.status.success() && counted.passed > 0 {
        return (counted, None);
    }
    println!("{FAINT}{text}{}{FAINT:#}", String::from_utf8_lossy(&output.stderr));
    (counted, Some("the model's own tests fail".to_owned()))
}

/// How many bodies, from which seed.
struct Run {
    bodies: String,
    seed: String,
}

impl Run {
    fn of(arguments: &[String]) -> Result<Run, String> {
        let mut run = Run { bodies: BODIES.to_owned(), seed: SEED.to_owned() };
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            let (name, value) = match argument.split_once('=') {
                Some((name, value)) => (name, Some(value.to_owned())),
                None => (argument.as_str(), rest.next().cloned()),
            };
            let place = match name {
                "--bodies" => &mut run.bodies,
                "--seed" => &mut run.seed,
                _ => return Err(format!("model takes --bodies and --seed, not {name}")),
            };
            *place = value.ok_or_else(|| format!("{name} wants a value"))?;
        }
        if run.bodies.parse::<u64>().is_ok_and(|bodies| bodies > 0) {
            Ok(run)
        } else {
            Err("--bodies wants a number above zero".to_owned())
        }
    }
}

fn has_python() -> bool {
    Command::new("python3").args(["-c", PYTHON]).status().is_ok_and(|status| status.success())
}

fn python(library: Option<&Path>) -> Command {
    let mut python = Command::new("python3");
    python.arg(payspec_tests::root().join("tests/model")).env("PYTHONDONTWRITEBYTECODE", "1");
    if let Some(library) = library {
        python.arg("--library").arg(library);
    }
    python
}

/// Builds the library and lays it down where only this command finds it.
fn library() -> Result<PathBuf, String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let target = program.ancestors().nth(2).map_or_else(|| PathBuf::from("target"), PathBuf::from);
    let prefix = target.join("model");
    install::run(&["--prefix".to_owned(), prefix.display().to_string()])?;
    Ok(prefix.join("lib").join(if cfg!(target_os = "macos") { "libpayspec.dylib" } else { "libpayspec.so" }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(arguments: &[&str]) -> Result<(String, String), String> {
        let arguments: Vec<String> = arguments.iter().map(|argument| (*argument).to_owned()).collect();
        Run::of(&arguments).map(|run| (run.bodies, run.seed))
    }

    #[test]
    fn arguments_are_read() {
        assert_eq!(of(&[]).unwrap(), (BODIES.to_owned(), SEED.to_owned()));
        assert_eq!(of(&["--seed=x", "--bodies", "5"]).unwrap(), ("5".to_owned(), "x".to_owned()));
        for wrong in [&["--bodies"][..], &["--bodies", "0"], &["--bodies=many"], &["--quick", "1"]] {
            assert!(of(wrong).is_err(), "{wrong:?}");
        }
    }
}
