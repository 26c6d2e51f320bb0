//! `cargo xtask coverage`: measures how much of the core and of the C API the tests reach, with
//! cargo-llvm-cov.

use crate::support::process::{cargo, llvm_programs, output, run_checked, target};
use crate::support::style::{BAD, BOLD, FAINT};
use anstream::println;
use anyhow::{Context, Result, ensure};
use payspec_support::root;
use serde::Deserialize;
use std::path::PathBuf;
use std::process::Command;

/// The folders that are measured.
const FOLDERS: [&str; 2] = ["core/src", "ffi/src"];
/// The required part of lines and branches, in thousandths.
const LINES: u64 = 990;
const BRANCHES: u64 = 950;
/// The required part of lines of the core in a short run.
const SHORT_LINES: u64 = 900;
const PACKAGES: [&str; 3] = ["payspec", "payspec-tests", "payspec-fuzz"];
/// The tests of a whole run, and of a short one.
const TESTS: [&str; 5] = [
    "vectors",
    "replay",
    "invalid_arguments",
    "canaries",
    "integration",
];
const SHORT_TESTS: [&str; 2] = ["vectors", "replay"];

/// Measures with all tests. Lists the parts of files that are not reached.
pub(crate) fn run(list: bool) -> Result<()> {
    let files = measure(&TESTS, true)?;
    if list {
        for file in &files {
            let [lines, branches] = [file.summary.lines, file.summary.branches];
            let missing = [
                lines.count - lines.covered,
                branches.count - branches.covered,
            ];
            let name = file.filename.display();
            println!(
                "   {BAD}{:>4} lines, {:>4} branches{BAD:#}  {name}",
                missing[0], missing[1]
            );
        }
        println!("   {FAINT}the lines: target/coverage/html/index.html{FAINT:#}");
        let mut html = llvm_cov("report", true)?;
        run_checked(
            html.args(["--html", "--output-dir"]).arg(folder()),
            "cargo llvm-cov",
        )?;
    }
    FOLDERS
        .iter()
        .try_for_each(|folder| require(&files, folder, LINES, BRANCHES))
}

/// Runs the step of `cargo xtask test`, with the fastest tests.
pub(crate) fn check() -> Result<()> {
    require(&measure(&SHORT_TESTS, false)?, FOLDERS[0], SHORT_LINES, 0)
}

#[derive(Deserialize)]
struct Export {
    data: [Data; 1],
}

#[derive(Deserialize)]
struct Data {
    files: Vec<File>,
}

#[derive(Deserialize)]
struct File {
    filename: PathBuf,
    summary: Summary,
}

#[derive(Clone, Copy, Deserialize)]
struct Summary {
    lines: Part,
    branches: Part,
}

#[derive(Clone, Copy, Default, Deserialize)]
struct Part {
    count: u64,
    covered: u64,
}

impl Part {
    fn of(files: &[File], folder: &str, part: fn(&Summary) -> Part) -> Part {
        let folder = root().join(folder);
        let inside = files
            .iter()
            .filter(|file| file.filename.starts_with(&folder));
        inside.fold(Part::default(), |sum, file| {
            let part = part(&file.summary);
            Part {
                count: sum.count + part.count,
                covered: sum.covered + part.covered,
            }
        })
    }

    fn reaches(self, thousandths: u64) -> bool {
        self.covered * 1000 >= self.count * thousandths
    }

    fn text(self) -> String {
        let hundredths = (self.covered * 10_000)
            .checked_div(self.count)
            .unwrap_or_default();
        let (whole, part) = (hundredths / 100, hundredths % 100);
        format!("{} of {}, {whole}.{part:02} %", self.covered, self.count)
    }
}

/// Prints the coverage of a folder, and compares it with its limits.
fn require(files: &[File], folder: &str, lines: u64, branches: u64) -> Result<()> {
    let of = |part| Part::of(files, folder, part);
    let reached = [of(|summary| summary.lines), of(|summary| summary.branches)];
    let [line_text, branch_text] = reached.map(Part::text);
    println!("   {BOLD}{folder}{BOLD:#}  lines {line_text}; branches {branch_text}");
    ensure!(reached[0].count > 0, "nothing of {folder} was measured");
    let is_enough = reached[0].reaches(lines) && reached[1].reaches(branches);
    ensure!(
        is_enough,
        "the coverage of {folder} is too low: --list shows where"
    );
    Ok(())
}

fn folder() -> PathBuf {
    target().join("coverage")
}

fn llvm_cov(verb: &str, branches: bool) -> Result<Command> {
    let variables = llvm_programs().context("missing: the component llvm-tools of the compiler")?;
    let mut command = cargo();
    command
        .args(["llvm-cov", verb])
        .args(branches.then_some("--branch"));
    command.env("CARGO_TARGET_DIR", folder()).envs(variables);
    if branches {
        // Branch coverage is unstable; this variable permits it on a stable compiler.
        command.env("RUSTC_BOOTSTRAP", "1");
    }
    Ok(command)
}

fn measure(tests: &[&str], branches: bool) -> Result<Vec<File>> {
    // Earlier runs would count as reached, and earlier builds of a renamed dependency as not
    // reached.
    let mut clean = llvm_cov("clean", false)?;
    run_checked(clean.arg("--workspace"), "cargo llvm-cov clean")?;
    let mut run = llvm_cov("test", branches)?;
    run.args(["--no-report", "--locked", "--quiet", "--lib"]);
    run.args(PACKAGES.map(|package| format!("--package={package}")));
    run.args(tests.iter().map(|test| format!("--test={test}")));
    run_checked(&mut run, "cargo llvm-cov")?;
    let mut report = llvm_cov("report", branches)?;
    // By default, the report omits folders named `tests`, to which the package of the C API belongs
    // here.
    report.args([
        "--json",
        "--summary-only",
        "--no-default-ignore-filename-regex",
    ]);
    let export: Export = serde_json::from_slice(&output(&mut report, "cargo llvm-cov report")?)?;
    let [data] = export.data;
    let measured = |file: &File| {
        let is_below = |folder: &&str| file.filename.starts_with(root().join(folder));
        FOLDERS.iter().any(is_below)
    };
    Ok(data.files.into_iter().filter(measured).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compares_the_sums_of_a_folder_with_their_limits() {
        let part = |count, covered| Part { count, covered };
        let file = |name: &str, lines| File {
            filename: root().join(name),
            summary: Summary {
                lines,
                branches: part(10, 9),
            },
        };
        let files = [
            file("core/src/a.rs", part(900, 900)),
            file("core/src/b.rs", part(100, 90)),
            file("ffi/src/a.rs", part(7, 0)),
        ];
        let sum = Part::of(&files, "core/src", |summary| summary.lines);
        assert!(sum.reaches(990) && !sum.reaches(991));
        assert!(require(&files, "core/src", 990, 900).is_ok());
        assert!(require(&files, "core/src", 990, 901).is_err());
        assert!(require(&files, "wasm/src", 0, 0).is_err());
    }
}
