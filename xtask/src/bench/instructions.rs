//! The instruction budget: callgrind counts the instructions of the main calls, which are compared
//! with tests/bench/instructions.json. Unlike times, they are the same in every run, so a change of
//! a few per cent is noticed.

use super::callgrind::{Count, count};
use super::figures::number;
use super::{machine, runners};
use crate::support::process;
use crate::support::style::{FAINT, WARN};
use crate::support::test_counts::TestCounts;
use anstream::println;
use payspec_support::json::Json;
use std::path::PathBuf;
use std::process::{Command, Stdio};

const PROGRAM: &str = "payspec-instructions";
/// The permitted growth of a count, in thousandths. An equal decrease is reported.
const TOLERANCE: u64 = 30;
/// Compiled for the least capable processor and without detection of features, so that the executed
/// code is the same everywhere.
const FLAGS: &str = r#"-Ctarget-cpu=x86-64 --cfg sha2_backend="soft""#;
const HOW: &str =
    "`cargo xtask bench --bless-instructions` writes the new counts, if the change is worth it";

/// Calls by name, with their cost.
type Counts = Vec<(String, Count)>;

/// Counts the instructions and writes the file.
pub(crate) fn bless() -> Result<(), String> {
    supported()?;
    let counts = taken()?;
    let line = |(name, count): &(String, Count)| {
        let numbers =
            [count.instructions, count.calls_out].map(|number| Json::Number(number.into()));
        (name.clone(), Json::Array(numbers.to_vec()))
    };
    let file = Json::Object(vec![
        ("compiler".to_owned(), Json::String(machine::compiler())),
        (
            "columns".to_owned(),
            Json::Array(
                ["instructions", "calls of the C library"]
                    .map(|name| Json::String(name.to_owned()))
                    .to_vec(),
            ),
        ),
        (
            "calls".to_owned(),
            Json::Object(counts.iter().map(line).collect()),
        ),
    ]);
    std::fs::write(path(), format!("{}\n", file.expanded(0)))
        .map_err(|error| format!("{}: {error}", path().display()))?;
    println!(
        "{} counts are in tests/bench/instructions.json",
        counts.len()
    );
    Ok(())
}

/// Counts the instructions and compares them: one check for each call.
pub(crate) fn check() -> (TestCounts, Option<String>) {
    let skip = match (supported(), Budget::read()) {
        (_, Err(error)) => return (TestCounts::of_check(false), Some(error)),
        (Err(why), _) => why,
        (Ok(()), Ok(budget)) if budget.compiler == machine::compiler() => {
            return match taken() {
                Ok(counts) => budget.compare(&counts),
                Err(error) => (TestCounts::of_check(false), Some(error)),
            };
        }
        (Ok(()), Ok(budget)) => {
            format!(
                "the counts are for rustc {}, not for {}",
                budget.compiler,
                machine::compiler()
            )
        }
    };
    println!("   {WARN}WARNING: the instruction budget is SKIPPED, not passed{WARN:#}: {skip}");
    (TestCounts::default(), None)
}

/// Checks that the counts of the file can be reproduced on this machine.
fn supported() -> Result<(), String> {
    if cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        Ok(())
    } else {
        Err("instructions are counted on x86-64 Linux".to_owned())
    }
}

/// Runs the program under callgrind, which writes a dump for each call.
fn taken() -> Result<Counts, String> {
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
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
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
    let output = valgrind
        .arg(program)
        .arg(corpus)
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output();
    let output =
        output.map_err(|error| format!("missing: valgrind ({error}), apt-get install valgrind"))?;
    if !output.status.success() {
        return Err(format!("{PROGRAM} under valgrind: {}", output.status));
    }
    let names = String::from_utf8_lossy(&output.stdout).into_owned();
    let counted = |(index, name): (usize, &str)| {
        // The program makes all calls twice; the first ones are a warm-up.
        let dump = folder.join(format!("dump.{}", names.lines().count() + index + 1));
        let text = std::fs::read_to_string(&dump)
            .map_err(|error| format!("callgrind wrote no dump for {name}: {error}"))?;
        Ok((
            name.to_owned(),
            count(&text, PROGRAM).map_err(|error| format!("{name}: {error}"))?,
        ))
    };
    let counts: Counts = names
        .lines()
        .enumerate()
        .map(counted)
        .collect::<Result<_, String>>()?;
    if counts.is_empty() {
        Err(format!("{PROGRAM} made no call"))
    } else {
        Ok(counts)
    }
}

/// The counts of the file.
struct Budget {
    compiler: String,
    counts: Counts,
}

impl Budget {
    fn read() -> Result<Budget, String> {
        let text = std::fs::read(path())
            .map_err(|error| format!("{}: {error}; {HOW}", path().display()))?;
        Budget::parse(&text).map_err(|error| format!("{}: {error}", path().display()))
    }

    fn parse(text: &[u8]) -> Result<Budget, String> {
        let json = Json::parse(text)?;
        let compiler = json
            .get("compiler")
            .and_then(Json::as_str)
            .ok_or("the member compiler is missing")?
            .to_owned();
        let count = |(name, numbers): &(String, Json)| match numbers.elements() {
            [one, other] => Some((
                name.clone(),
                Count {
                    instructions: number(one)?,
                    calls_out: number(other)?,
                },
            )),
            _ => None,
        };
        let counts: Option<Counts> = json
            .get("calls")
            .map_or(&[][..], Json::members)
            .iter()
            .map(count)
            .collect();
        let counts = counts.ok_or("a call must have two numbers")?;
        if counts.is_empty() {
            Err("the file contains no call".to_owned())
        } else {
            Ok(Budget { compiler, counts })
        }
    }

    fn compare(&self, taken: &Counts) -> (TestCounts, Option<String>) {
        let (mut counts, mut faults, mut decreases) =
            (TestCounts::default(), Vec::new(), Vec::new());
        let find = |counts: &Counts, name: &str| {
            counts
                .iter()
                .find(|(call, _)| call == name)
                .map(|(_, count)| *count)
        };
        for (name, now) in taken {
            let fault = match find(&self.counts, name) {
                None => Some(format!("{name} is not in the file")),
                Some(then) => describe_increase(name, then, *now),
            };
            counts.add(TestCounts::of_check(fault.is_none()));
            faults.extend(fault);
            decreases.extend(
                find(&self.counts, name).and_then(|then| describe_decrease(name, then, *now)),
            );
        }
        for (name, _) in self
            .counts
            .iter()
            .filter(|(name, _)| find(taken, name).is_none())
        {
            counts.add(TestCounts::of_check(false));
            faults.push(format!("{name} is in the file, but was not called"));
        }
        faults.iter().for_each(|fault| println!("     {fault}"));
        decreases
            .iter()
            .for_each(|decrease| println!("     {FAINT}{decrease}{FAINT:#}"));
        if !decreases.is_empty() {
            println!(
                "   {WARN}{} counts have decreased{WARN:#}: {HOW}",
                decreases.len()
            );
        }
        (
            counts,
            (!faults.is_empty())
                .then(|| format!("{} counts are over the budget; {HOW}", faults.len())),
        )
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

    fn compared(now: &[(&str, Count)]) -> (TestCounts, Option<String>) {
        let budget =
            Budget::parse(br#"{"compiler":"1.95.0","calls":{"a":[1000,3],"b":[500,0]}}"#).unwrap();
        budget.compare(
            &now.iter()
                .map(|(name, count)| ((*name).to_owned(), *count))
                .collect(),
        )
    }

    #[test]
    fn allows_three_percent_more() {
        assert_eq!(
            compared(&[("a", of(1030, 3)), ("b", of(100, 0))]),
            (
                TestCounts {
                    passed: 2,
                    failed: 0
                },
                None
            )
        );
        let (counts, fault) = compared(&[("a", of(1031, 3)), ("b", of(500, 1))]);
        assert_eq!((counts.failed, fault.is_some()), (2, true));
        assert_eq!(
            describe_increase("a", of(1000, 0), of(1100, 0)).unwrap(),
            "a: 1100 instructions instead of 1000, 10.0 % more"
        );
    }

    #[test]
    fn rejects_other_calls_and_reports_a_decrease() {
        assert_eq!(
            compared(&[("a", of(1000, 3)), ("c", of(1, 0))]).0,
            TestCounts {
                passed: 1,
                failed: 2
            }
        );
        assert!(
            describe_decrease("a", of(1000, 3), of(900, 3)).is_some()
                && describe_decrease("a", of(1000, 3), of(990, 3)).is_none()
        );
    }

    #[test]
    fn rejects_a_budget_without_calls() {
        for text in [
            "{}",
            r#"{"compiler":"1","calls":{}}"#,
            r#"{"compiler":"1","calls":{"a":[1]}}"#,
        ] {
            assert!(Budget::parse(text.as_bytes()).is_err(), "{text}");
        }
    }
}
