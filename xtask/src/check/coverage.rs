//! `cargo xtask coverage`: measures how much of the core and of the C API the tests reach, with
//! cargo-llvm-cov.

use crate::support::process::{cargo, llvm_programs, llvm_version, run_checked, target, works};
use crate::support::style::{BAD, BOLD, FAINT, GOOD};
use crate::support::test_counts::TestCounts;
use anstream::println;
use payspec_support::root;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The measured folders, and the required coverage: per mille of lines and of branches.
const FOLDERS: [&str; 2] = ["core/src", "ffi/src"];
const LINES: usize = 990;
const BRANCHES: usize = 950;
/// The required coverage of the short run: the vectors, the corpora of the fuzz targets and the
/// unit tests.
const SHORT_LINES: usize = 900;
/// Lines that no test can reach, each with its reason.
const EXCLUSIONS: &str = "tests/data/uncovered.toml";
/// The C API is measured as the Rust library that the corpora of the fuzz targets run through:
/// `--test replay`. The comparison with serde_json and the growth tests take long and reach no
/// additional lines.
const PACKAGES: [&str; 3] = ["payspec", "payspec-tests", "payspec-fuzz"];
const TESTS: [&str; 9] = [
    "vectors",
    "replay",
    "invalid_arguments",
    "canaries",
    "iso4217",
    "money",
    "openapi",
    "properties",
    "typed",
];
const SHORT_TESTS: [&str; 2] = ["vectors", "replay"];

/// Measures lines and branches. Fails if too few are reached. Then, or with `all`, it lists those
/// that are not reached.
pub(crate) fn run(all: bool) -> Result<(), String> {
    let files = measure(&Tools::find()?, &TESTS, true)?;
    let exclusions = exclusions()?;
    let mut failed = Vec::new();
    for folder in FOLDERS {
        let sum = Sum::of(&files, folder, &exclusions);
        sum.show(folder);
        if !sum.reaches(LINES, BRANCHES) {
            failed.push(folder);
        }
    }
    if all || !failed.is_empty() {
        show_missing(&files, &exclusions);
    }
    let unneeded: Vec<&str> = exclusions
        .iter()
        .filter(|exclusion| !exclusion.is_needed(&files))
        .map(|exclusion| exclusion.text.as_str())
        .collect();
    if !unneeded.is_empty() {
        return Err(format!(
            "{EXCLUSIONS}: reached or removed: {}",
            unneeded.join("; ")
        ));
    }
    if failed.is_empty() {
        Ok(())
    } else {
        Err(format!(
            "the coverage of {} is too low",
            failed.join(" and ")
        ))
    }
}

/// Runs the step of `cargo xtask test`: a short run, counted as one check.
pub(crate) fn check() -> (TestCounts, Option<String>) {
    let tools = match Tools::find() {
        Ok(tools) => tools,
        Err(missing) => return (TestCounts::of_check(false), Some(missing)),
    };
    let result = measure(&tools, &SHORT_TESTS, false).and_then(|files| {
        let sum = Sum::of(&files, "core/src", &exclusions()?);
        sum.show("core/src");
        if sum.reaches(SHORT_LINES, 0) {
            Ok(())
        } else {
            Err("the coverage of the core is too low".to_owned())
        }
    });
    (TestCounts::of_check(result.is_ok()), result.err())
}

/// The LLVM programs that read the output of this compiler's programs.
struct Tools {
    variables: Vec<(&'static str, PathBuf)>,
}

impl Tools {
    fn find() -> Result<Tools, String> {
        if !works(cargo().args(["llvm-cov", "--version"])) {
            return Err(
                "cargo-llvm-cov is missing: cargo install --locked cargo-llvm-cov@0.8.4".to_owned(),
            );
        }
        let variables = llvm_programs().ok_or_else(|| {
            let major = llvm_version();
            format!(
                "llvm-cov and llvm-profdata {major} are missing: rustup component add llvm-tools, or apt-get install \
                 llvm-{major}"
            )
        })?;
        Ok(Tools { variables })
    }

    fn llvm_cov(&self, verb: &str, branches: bool) -> Command {
        let mut command = cargo();
        command
            .args(["llvm-cov", verb])
            .args(branches.then_some("--branch"));
        command
            .env("CARGO_TARGET_DIR", folder())
            .envs(self.variables.iter().map(|(name, path)| (name, path)));
        if branches {
            // Branch coverage is unstable; this variable permits it on a stable compiler.
            command.env("RUSTC_BOOTSTRAP", "1");
        }
        command
    }
}

fn folder() -> PathBuf {
    target().join("coverage")
}

/// A source file: how often each line and each side of a branch was reached.
struct File {
    name: String,
    lines: BTreeMap<usize, u64>,
    branches: Vec<(usize, u64)>,
    source: Vec<String>,
}

/// Runs the tests and reads their coverage.
fn measure(tools: &Tools, tests: &[&str], branches: bool) -> Result<Vec<File>, String> {
    // Earlier runs would count as reached, and earlier builds of a renamed dependency as not
    // reached.
    run_checked(
        tools.llvm_cov("clean", false).arg("--workspace"),
        "cargo llvm-cov clean",
    )?;
    let mut run = tools.llvm_cov("test", branches);
    run.args(["--no-report", "--locked", "--quiet", "--lib"]);
    run.args(PACKAGES.iter().flat_map(|package| ["--package", package]));
    run.args(tests.iter().flat_map(|test| ["--test", test]));
    run_checked(&mut run, "cargo llvm-cov")?;
    let lcov = folder().join("payspec.lcov");
    // By default, the report omits folders named `tests`, to which the package of the C API belongs
    // here.
    let mut report = tools.llvm_cov("report", branches);
    report
        .args([
            "--lcov",
            "--no-default-ignore-filename-regex",
            "--output-path",
        ])
        .arg(&lcov);
    run_checked(&mut report, "cargo llvm-cov report")?;
    let text = fs::read_to_string(&lcov).map_err(|error| format!("{}: {error}", lcov.display()))?;
    let files = read(&text, &root())?;
    if files.is_empty() {
        Err("nothing was measured".to_owned())
    } else {
        Ok(files)
    }
}

/// Parses a report in the format of lcov: the files of `FOLDERS`, without their unit tests.
fn read(lcov: &str, root: &Path) -> Result<Vec<File>, String> {
    let mut files = Vec::new();
    for record in lcov.split("end_of_record") {
        let path = record.lines().find_map(|line| line.strip_prefix("SF:"));
        let path = path.and_then(|path| fs::canonicalize(path).ok());
        let name = path
            .as_deref()
            .and_then(|path| path.strip_prefix(root).ok())
            .and_then(Path::to_str);
        let Some(name) = name else { continue };
        if !FOLDERS.iter().any(|folder| name.starts_with(folder)) {
            continue;
        }
        let text =
            fs::read_to_string(root.join(name)).map_err(|error| format!("{name}: {error}"))?;
        let source: Vec<String> = text
            .lines()
            .map(|line| line.trim_end().to_owned())
            .collect();
        let end = source
            .iter()
            .position(|line| line.trim() == "#[cfg(test)]")
            .unwrap_or(source.len());
        let mut file = File {
            name: name.to_owned(),
            lines: BTreeMap::new(),
            branches: Vec::new(),
            source,
        };
        for line in record.lines() {
            let Some((kind, rest)) = line.split_once(':') else {
                continue;
            };
            let numbers: Vec<u64> = rest
                .split(',')
                .map(|number| number.parse().unwrap_or(0))
                .collect();
            let at = |number: &u64| {
                usize::try_from(*number)
                    .ok()
                    .filter(|number| *number <= end)
            };
            match (kind, numbers.as_slice()) {
                ("DA", [line, count, ..]) => file.lines.extend(at(line).map(|line| (line, *count))),
                ("BRDA", [line, .., count]) => {
                    file.branches.extend(at(line).map(|line| (line, *count)))
                }
                _ => {}
            }
        }
        files.push(file);
    }
    Ok(files)
}

/// A line that no test can reach. A line that ends with a brace covers the whole block.
#[derive(Deserialize)]
struct Exclusion {
    file: String,
    text: String,
    #[expect(dead_code, reason = "for readers of the file, and required")]
    reason: String,
}

impl Exclusion {
    fn is_for(&self, file: &File, line: usize) -> bool {
        let begins = |line: &usize| file.text(*line).trim_start() == self.text;
        if self.file != file.name {
            return false;
        }
        if !self.text.ends_with('{') {
            return begins(&line);
        }
        let first = (1..=line).rev().find(begins);
        first.is_some_and(|first| line <= file.end_of_block(first))
    }

    /// Returns true if it excludes at least one line or branch.
    fn is_needed(&self, files: &[File]) -> bool {
        let lines = |file: &File| {
            file.lines
                .iter()
                .any(|(line, count)| *count == 0 && self.is_for(file, *line))
        };
        let branches = |file: &File| {
            file.branches
                .iter()
                .any(|(line, count)| *count == 0 && self.is_for(file, *line))
        };
        files.iter().any(|file| lines(file) || branches(file))
    }
}

fn exclusions() -> Result<Vec<Exclusion>, String> {
    #[derive(Deserialize)]
    struct List {
        #[serde(default)]
        line: Vec<Exclusion>,
    }
    let text = fs::read_to_string(root().join(EXCLUSIONS))
        .map_err(|error| format!("{EXCLUSIONS}: {error}"))?;
    toml::from_str::<List>(&text)
        .map(|list| list.line)
        .map_err(|error| format!("{EXCLUSIONS}: {error}"))
}

impl File {
    fn text(&self, line: usize) -> &str {
        line.checked_sub(1)
            .and_then(|index| self.source.get(index))
            .map_or("", String::as_str)
    }

    /// Returns the line that closes the block: the next line with a closing brace and the same
    /// indentation.
    fn end_of_block(&self, first: usize) -> usize {
        let indent = |line: usize| self.text(line).len() - self.text(line).trim_start().len();
        let closes = |line: &usize| {
            self.text(*line).trim_start().starts_with('}') && indent(*line) == indent(first)
        };
        (first..=self.source.len()).find(closes).unwrap_or(first)
    }
}

/// Numbers of a folder: total and reached.
#[derive(Debug, Default, PartialEq)]
struct Sum {
    lines: [usize; 2],
    branches: [usize; 2],
}

impl Sum {
    fn of(files: &[File], folder: &str, exclusions: &[Exclusion]) -> Sum {
        let mut sum = Sum::default();
        for file in files.iter().filter(|file| file.name.starts_with(folder)) {
            let counts = |line: usize| {
                !exclusions
                    .iter()
                    .any(|exclusion| exclusion.is_for(file, line))
            };
            let add = |[all, reached]: &mut [usize; 2], line: usize, count: u64| {
                if count > 0 || counts(line) {
                    *all += 1;
                    *reached += usize::from(count > 0);
                }
            };
            file.lines
                .iter()
                .for_each(|(line, count)| add(&mut sum.lines, *line, *count));
            file.branches
                .iter()
                .for_each(|(line, count)| add(&mut sum.branches, *line, *count));
        }
        sum
    }

    fn reaches(&self, lines: usize, branches: usize) -> bool {
        let enough = |[all, reached]: [usize; 2], required: usize| reached * 1000 >= all * required;
        self.lines[0] > 0 && enough(self.lines, lines) && enough(self.branches, branches)
    }

    fn show(&self, folder: &str) {
        let part = |[all, reached]: [usize; 2], what: &str| {
            let hundredths = (reached * 10_000).checked_div(all).unwrap_or_default();
            format!(
                "{what} {reached} of {all}, {}.{:02} %",
                hundredths / 100,
                hundredths % 100
            )
        };
        let branches = if self.branches[0] > 0 {
            part(self.branches, "; branches")
        } else {
            String::new()
        };
        println!(
            "   {BOLD}{folder}{BOLD:#}  {}{branches}",
            part(self.lines, "lines")
        );
    }
}

/// Prints every line that is not reached, and every branch with a side that is not reached.
fn show_missing(files: &[File], exclusions: &[Exclusion]) {
    for file in files {
        let mut missing: BTreeMap<usize, &str> = BTreeMap::new();
        missing.extend(
            file.branches
                .iter()
                .filter(|(_, count)| *count == 0)
                .map(|(line, _)| (*line, "branch")),
        );
        missing.extend(
            file.lines
                .iter()
                .filter(|(_, count)| **count == 0)
                .map(|(line, _)| (*line, "line  ")),
        );
        for (line, what) in missing {
            let excluded = exclusions
                .iter()
                .any(|exclusion| exclusion.is_for(file, line));
            let style = if excluded { GOOD } else { BAD };
            println!(
                "   {style}{what}{style:#}  {}:{line}  {FAINT}{}{FAINT:#}",
                file.name,
                file.text(line).trim_start()
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file() -> File {
        let source = [
            "fn a() {",
            "    if b {",
            "        c();",
            "    }",
            "    c2();",
            "}",
        ]
        .map(str::to_owned)
        .into();
        let lines = BTreeMap::from([(1, 3), (2, 3), (3, 0), (5, 0)]);
        File {
            name: "core/src/a.rs".to_owned(),
            lines,
            branches: vec![(2, 0), (2, 3)],
            source,
        }
    }

    #[test]
    fn skips_excluded_lines_and_rejects_stale_exclusions() {
        let files = [file()];
        let exclusion = |text: &str| Exclusion {
            file: "core/src/a.rs".to_owned(),
            text: text.to_owned(),
            reason: String::new(),
        };
        assert_eq!(
            Sum::of(&files, "core/src", &[]),
            Sum {
                lines: [4, 2],
                branches: [2, 1]
            }
        );
        assert_eq!(
            Sum::of(&files, "core/src", &[exclusion("c();")]),
            Sum {
                lines: [3, 2],
                branches: [2, 1]
            }
        );
        // A block ends with its brace.
        assert_eq!(
            Sum::of(&files, "core/src", &[exclusion("if b {")]),
            Sum {
                lines: [3, 2],
                branches: [1, 1]
            }
        );
        assert_eq!(
            Sum::of(&files, "core/src", &[exclusion("fn a() {")]),
            Sum {
                lines: [2, 2],
                branches: [1, 1]
            }
        );
        assert!(exclusion("c();").is_needed(&files) && exclusion("if b {").is_needed(&files));
        assert!(!exclusion("d();").is_needed(&files) && !exclusion("}").is_needed(&files));
        assert_eq!(Sum::of(&files, "ffi/src", &[]), Sum::default());
    }

    #[test]
    fn compares_the_shares_with_their_limits() {
        let sum = Sum {
            lines: [1000, 990],
            branches: [100, 95],
        };
        assert!(sum.reaches(990, 950) && !sum.reaches(991, 950) && !sum.reaches(990, 951));
        // Without measured lines, no coverage is reached.
        assert!(!Sum::default().reaches(0, 0));
    }
}
