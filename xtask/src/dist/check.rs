//! The step `dist`: builds the packages, installs them into empty folders, and runs the programs of their readmes and all
//! vectors with them, on this processor and on aarch64 under emulation.

mod emulated;
mod native;
mod wheel;

use super::archive;
use super::platform::PLATFORMS;
use crate::support::process::target;
use crate::support::style::BAD;
use crate::support::test_counts::{TestCounts, counted_in};
use anstream::println;
use payspec_tests::root;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The packages, and a folder for installations.
pub(super) struct Packages {
    dist: PathBuf,
    folder: PathBuf,
}

/// A check, and its name.
type Check = (&'static str, fn(&Packages) -> Result<TestCounts, String>);

const CHECKS: &[Check] = &[
    ("checksums", checksums),
    ("symbols of the C library", symbols),
    ("wheels", wheel::tags),
    ("Python", wheel::native),
    ("Python, a library that does not fit", wheel::replaced),
    ("Python from the sources", wheel::from_sources),
    ("C and C++", native::c),
    ("Go", native::go),
    ("PHP", native::php),
    ("Java", native::java),
    ("Debian", native::deb),
    ("C on every platform", emulated::c),
    ("Go on every platform", emulated::go),
    ("Python on aarch64", emulated::python),
];

/// Runs the step.
pub(crate) fn check() -> (TestCounts, Option<String>) {
    let dist = super::folder();
    if let Err(problem) = super::all(&root(), &dist, |_| true) {
        return (TestCounts::of_check(false), Some(problem));
    }
    installed(&Packages::of(dist), &[])
}

/// Runs the checks with one of these words in their names, or all of them.
pub(super) fn installed(packages: &Packages, words: &[String]) -> (TestCounts, Option<String>) {
    let (mut sum, mut problems) = (TestCounts::default(), Vec::new());
    let has_word = |name: &str| words.iter().any(|word| name.to_lowercase().contains(&word.to_lowercase()));
    for (name, check) in CHECKS.iter().filter(|(name, _)| words.is_empty() || has_word(name)) {
        let started = std::time::Instant::now();
        let result = archive::empty(&packages.folder).and_then(|()| check(packages));
        let seconds = started.elapsed().as_secs();
        match result {
            Ok(counts) if counts.failed == 0 && counts.passed > 0 => {
                println!("   {name}: {} passed, {seconds} s", counts.passed);
                sum.add(counts);
            }
            other => {
                let problem = other.map_or_else(|problem| problem, |counts| format!("{counts:?}"));
                println!("   {BAD}{name}{BAD:#}: {problem}");
                sum.add(TestCounts::of_check(false));
                problems.push(*name);
            }
        }
    }
    (sum, (!problems.is_empty()).then(|| problems.join(", ")))
}

impl Packages {
    /// Checks the packages of `cargo xtask dist`.
    pub(super) fn of(dist: PathBuf) -> Packages {
        Packages { dist, folder: target().join("dist-check") }
    }

    /// Returns the file whose name starts and ends so.
    fn file(&self, start: &str, end: &str) -> Result<PathBuf, String> {
        let is_named = |path: &PathBuf| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            name.starts_with(start) && name.ends_with(end)
        };
        archive::files(&self.dist)?.into_iter().find(is_named).ok_or_else(|| format!("there is no {start}…{end}"))
    }

    /// Returns a new folder.
    fn empty(&self, name: &str) -> Result<PathBuf, String> {
        let folder = self.folder.join(name);
        archive::empty(&folder)?;
        Ok(folder)
    }
}

/// Returns a command in a folder, with only these variables: nothing of the repository or of a developer.
fn isolated(program: impl AsRef<std::ffi::OsStr>, folder: &Path) -> Command {
    let mut command = Command::new(program);
    command.env_clear().current_dir(folder).stdin(Stdio::null());
    command.env("PATH", "/usr/bin:/bin").env("HOME", folder).env("LC_ALL", "C.UTF-8");
    // Go ignores a module in the folder of temporary files.
    let temporary = target().join("dist-tmp");
    let _ = fs::create_dir_all(&temporary);
    command.env("TMPDIR", temporary);
    command.env("PAYSPEC_VECTORS", root().join("tests/vectors"));
    command
}

/// Runs a command that must succeed, and returns both of its outputs.
pub(super) fn text_of(command: &mut Command) -> Result<String, String> {
    let output = command.output().map_err(|error| format!("{:?}: {error}", command.get_program()))?;
    let text = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned()).concat();
    if output.status.success() { Ok(text) } else { Err(format!("{command:?}\n{text}")) }
}

/// Runs tests, and returns their counts. None is an error.
fn counts_of(command: &mut Command) -> Result<TestCounts, String> {
    let text = text_of(command)?;
    let counts = counted_in(&text);
    if counts.passed == 0 || counts.failed > 0 { Err(format!("{counts:?}\n{text}")) } else { Ok(counts) }
}

/// Runs a command that must print this.
fn prints(command: &mut Command, expected: &str) -> Result<TestCounts, String> {
    let printed = text_of(command)?;
    if printed == expected {
        Ok(TestCounts::of_check(true))
    } else {
        Err(format!("printed {printed:?}, not {expected:?}"))
    }
}

/// Writes the first program of a language in a readme to a file.
fn program_of(readme: &Path, language: &str, file: &Path) -> Result<(), String> {
    let text = fs::read_to_string(readme).map_err(|error| format!("{}: {error}", readme.display()))?;
    let program = text.split_once(&format!("```{language}\n")).and_then(|(_, rest)| rest.split_once("```\n"));
    archive::write(file, program.ok_or("the readme contains no program")?.0)
}

fn checksums(packages: &Packages) -> Result<TestCounts, String> {
    let mut command = Command::new("sha256sum");
    text_of(command.args(["--check", "--strict", "SHA256SUMS"]).current_dir(&packages.dist))?;
    let count = archive::files(&packages.dist)?.len() as u64;
    Ok(TestCounts { passed: count, failed: 0 })
}

/// The libraries need no symbol of a later glibc, and no library but those of the C library.
fn symbols(packages: &Packages) -> Result<TestCounts, String> {
    let mut counts = TestCounts::default();
    for platform in &PLATFORMS {
        let folder = packages.empty(platform.name)?;
        let archive = packages.file("payspec-", &format!("{}.tar.gz", platform.name))?;
        text_of(Command::new("tar").arg("xzf").arg(archive).args(["--strip-components=1", "-C"]).arg(&folder))?;
        let text =
            text_of(Command::new("readelf").args(["-dW", "--dyn-syms", "lib/libpayspec.so"]).current_dir(&folder))?;
        for version in text.split("GLIBC_").skip(1).map(|rest| rest.split([' ', '\n', '(']).next().unwrap_or_default())
        {
            let number = |text: &str| text.split('.').map(|part| part.parse().unwrap_or(0)).collect::<Vec<u32>>();
            if platform.glibc.is_empty() || number(version) > number(platform.glibc) {
                return Err(format!("{} needs glibc {version}", platform.name));
            }
        }
        let needed =
            text.lines().filter(|line| line.contains("(NEEDED)")).filter_map(|line| line.split(['[', ']']).nth(1));
        for library in needed {
            let known = ["libc.so", "libm.so.6", "libc.so.6", "libdl.so.2", "libpthread.so.0", "ld-linux-aarch64.so.1"];
            if !known.contains(&library) && library != "ld-linux-x86-64.so.2" {
                return Err(format!("{} needs {library}", platform.name));
            }
        }
        let exported = text.lines().filter(|line| line.contains(" GLOBAL ") && !line.contains(" UND "));
        let other: Vec<&str> = exported.filter(|line| !line.contains(" payspec_")).collect();
        if !other.is_empty() {
            return Err(format!("{} exports {other:?}", platform.name));
        }
        counts.add(TestCounts::of_check(true));
    }
    Ok(counts)
}
