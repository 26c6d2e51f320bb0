//! The instruction budget: callgrind counts the instructions of the main calls, which are compared
//! with tests/bench/instructions.json. Unlike times, they are the same in every run, so a change of
//! a few per cent is noticed.

use super::callgrind::{Count, count};
use super::{machine, runners};
use crate::support::checks::Checks;
use crate::support::files::empty;
use crate::support::process::{self, output};
use crate::support::style::WARN;
use crate::support::test_counts::TestCounts;
use anstream::println;
use anyhow::{Context, Result, ensure};
use fs_err as fs;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;

const PROGRAM: &str = "payspec-instructions";
/// The permitted growth of a count, in thousandths. An equal decrease is reported.
const TOLERANCE: u64 = 30;
/// Compiled for the least capable processor and without detection of features, so that the executed
/// code is the same everywhere.
const FLAGS: &str = r#"-Ctarget-cpu=x86-64 --cfg sha2_backend="soft""#;
const HOW: &str =
    "`cargo xtask bench --bless-instructions` writes the new counts, if the change is worth it";

/// The counts of the file.
#[derive(Deserialize, Serialize)]
struct Budget {
    compiler: String,
    columns: [String; 2],
    calls: Counts,
}

/// Calls by name, with their cost.
pub(super) type Counts = BTreeMap<String, Count>;

/// Counts the instructions and writes the file.
pub(crate) fn bless() -> Result<()> {
    let calls = taken()?;
    let budget = Budget {
        compiler: machine::compiler(),
        columns: ["instructions", "calls of the C library"].map(str::to_owned),
        calls,
    };
    // One line for each call.
    let text = serde_json::to_string_pretty(&budget)?;
    let text = text
        .replace("[\n      ", "[")
        .replace(",\n      ", ", ")
        .replace("\n    ]", "]");
    fs::write(path(), text + "\n")?;
    println!(
        "{} counts are in tests/bench/instructions.json",
        budget.calls.len()
    );
    Ok(())
}

/// Returns the counts of the file.
pub(super) fn recorded() -> Result<Counts> {
    Ok(Budget::read()?.calls)
}

/// Counts the instructions and compares them: one check for each call.
pub(crate) fn check() -> Result<Checks> {
    let budget = Budget::read()?;
    ensure!(
        !budget.calls.is_empty(),
        "instructions.json contains no call"
    );
    let here = machine::compiler();
    if SUPPORTED && budget.compiler == here {
        return Ok(budget.compare(&taken()?));
    }
    println!(
        "   {WARN}WARNING: the instruction budget is SKIPPED, not passed{WARN:#}: the counts are for rustc {} on x86-64 Linux, not \
         for {here}",
        budget.compiler
    );
    Ok(Checks::default())
}

/// True if the counts of the file can be reproduced on this machine.
const SUPPORTED: bool = cfg!(all(target_os = "linux", target_arch = "x86_64"));

/// Runs the program under callgrind, which writes a dump for each call.
fn taken() -> Result<Counts> {
    ensure!(SUPPORTED, "instructions are counted on x86-64 Linux");
    let target = process::target().join("instructions");
    let program = runners::built(
        PROGRAM,
        &["--release"],
        &[
            ("RUSTFLAGS", FLAGS),
            ("CARGO_TARGET_DIR", &target.to_string_lossy()),
            ("CARGO_ENCODED_RUSTFLAGS", ""),
        ],
    )?;
    let folder = target.join("callgrind");
    // Dumps of an earlier run would otherwise be read.
    empty(&folder)?;
    let mut valgrind = Command::new("valgrind");
    valgrind.args(["--tool=callgrind", "--quiet", "--collect-atstart=no"]);
    // Two different patterns for one function: of two equal ones, callgrind ignores the first
    // option.
    valgrind.args([
        "--toggle-collect=*payspec_instructions*measured*",
        "--dump-after=*_instructions*measured*",
    ]);
    valgrind.arg(format!(
        "--callgrind-out-file={}",
        folder.join("dump").display()
    ));
    let corpus = runners::folder().join("corpus");
    // Only `PATH`, to find valgrind: the size of the environment moves the stack.
    valgrind
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default());
    let printed = output(valgrind.arg(program).arg(corpus), "valgrind")?;
    let names = String::from_utf8(printed)?;
    let names: Vec<&str> = names.lines().collect();
    ensure!(!names.is_empty(), "{PROGRAM} made no call");
    let counted = |(index, name): (usize, &&str)| {
        // The program makes all calls twice; the first ones are a warm-up.
        let dump = folder.join(format!("dump.{}", names.len() + index + 1));
        let count = count(&fs::read_to_string(dump)?, PROGRAM).context((*name).to_owned())?;
        Ok(((*name).to_owned(), count))
    };
    names.iter().enumerate().map(counted).collect()
}

impl Budget {
    fn read() -> Result<Budget> {
        serde_json::from_str(&fs::read_to_string(path())?)
            .with_context(|| format!("tests/bench/instructions.json; {HOW}"))
    }

    fn compare(&self, taken: &Counts) -> Checks {
        let (mut checks, mut decreased) = (Checks::default(), 0);
        for (name, now) in taken {
            let then = self.calls.get(name);
            let fault = match then {
                None => Some(format!("{name} is not in the file")),
                Some(then) => describe_increase(name, *then, *now),
            };
            let decrease = then.and_then(|then| describe_decrease(name, *then, *now));
            for line in fault.iter().chain(&decrease) {
                println!("     {line}");
            }
            decreased += usize::from(decrease.is_some());
            let counts = TestCounts::of_check(fault.is_none());
            checks.add("", Ok(Checks::of(counts, fault)));
        }
        for name in self.calls.keys().filter(|name| !taken.contains_key(*name)) {
            let fault = format!("{name} is in the file, but was not called");
            checks.add("", Ok(Checks::of(TestCounts::of_check(false), Some(fault))));
        }
        if decreased > 0 || !checks.problems.is_empty() {
            println!("   {WARN}{decreased} counts have decreased{WARN:#}; {HOW}");
        }
        checks
    }
}

fn describe_increase(name: &str, then: Count, now: Count) -> Option<String> {
    let increase = |what: &str, then: u64, now: u64| {
        let per_mille = now.saturating_sub(then) * 1000 / then.max(1);
        (per_mille > TOLERANCE).then(|| {
            format!(
                "{name}: {now} {what} instead of {then}, {}.{} % more",
                per_mille / 10,
                per_mille % 10
            )
        })
    };
    increase("instructions", then.instructions, now.instructions)
        .or_else(|| increase("calls of the C library", then.calls_out, now.calls_out))
}

fn describe_decrease(name: &str, then: Count, now: Count) -> Option<String> {
    let less = then.instructions.saturating_sub(now.instructions) * 1000 / then.instructions.max(1);
    let text = format!(
        "{name}: {} instructions instead of {}",
        now.instructions, then.instructions
    );
    (less > TOLERANCE).then(|| format!("{text}, {}.{} % less", less / 10, less % 10))
}

fn path() -> PathBuf {
    runners::folder().join("instructions.json")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(instructions: u64, calls_out: u64) -> Count {
        Count {
            instructions,
            calls_out,
        }
    }

    fn compared(now: &[(&str, Count)]) -> Checks {
        let text = r#"{"compiler":"1.95.0","columns":["",""],"calls":{"a":[1000,3],"b":[500,0]}}"#;
        let budget: Budget = serde_json::from_str(text).unwrap();
        let now = now.iter().map(|(name, count)| ((*name).to_owned(), *count));
        budget.compare(&now.collect())
    }

    #[test]
    fn allows_three_percent_more() {
        let within = compared(&[("a", of(1030, 3)), ("b", of(100, 0))]);
        assert_eq!((within.counts.passed, within.counts.failed), (2, 0));
        let over = compared(&[("a", of(1031, 3)), ("b", of(500, 1))]);
        assert_eq!((over.counts.failed, over.problems.len()), (2, 2));
        assert_eq!(
            describe_increase("a", of(1000, 0), of(1100, 0)).unwrap(),
            "a: 1100 instructions instead of 1000, 10.0 % more"
        );
    }

    #[test]
    fn rejects_other_calls_and_reports_a_decrease() {
        let other = compared(&[("a", of(1000, 3)), ("c", of(1, 0))]);
        assert_eq!((other.counts.passed, other.counts.failed), (1, 2));
        assert!(describe_decrease("a", of(1000, 3), of(900, 3)).is_some());
        assert!(describe_decrease("a", of(1000, 3), of(990, 3)).is_none());
    }
}
