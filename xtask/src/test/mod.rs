//! `cargo xtask test`: selects and runs the steps, and prints a summary.

mod changed;
pub(crate) mod executables;
mod failures;
mod history;
mod output;
mod runners;
mod schedule;
mod step;
mod steps;

use crate::run::serve;
use crate::setup::{self, Consent};
use crate::support::interrupt;
use crate::support::process::target;
use crate::support::style::{BAD, BOLD, FAINT, GOOD, WARN};
use crate::support::test_counts::TestCounts;
use crate::support::{disk, test_counts};
use anstream::println;
use clap::Args;
use history::History;
use schedule::Task;
use std::collections::BTreeSet;
use std::fs::File;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use step::{Step, Tier};
use steps::{STEPS, step};

/// Selects the steps.
#[derive(Args, Debug)]
pub(crate) struct Options {
    /// Names of steps, see --list
    #[arg(value_name = "STEP", conflicts_with_all = ["all", "changed"])]
    steps: Vec<String>,
    /// Run every step except those before a release, as continuous integration does
    #[arg(long, conflicts_with = "changed")]
    all: bool,
    /// Run the usual steps that the changes in the working tree can affect
    #[arg(long)]
    changed: bool,
    /// List the steps with their last durations, without running them
    #[arg(long)]
    list: bool,
    #[command(flatten)]
    consent: Consent,
}

/// Set for the steps of a whole run: each runs in its own process, prints its output and installs
/// no tools.
const WITHIN: &str = "PAYSPEC_XTASK_WITHIN";
/// Disk space for the test executables, the libraries and the output of the tests.
const GIBIBYTES: u64 = 5;
/// Steps without whose result the steps after them cannot run.
const BUILDERS: &[&str] = &["build", "npm"];
/// More steps at once do not make a run faster: the others wait for one step.
const MOST_AT_ONCE: usize = 4;

/// Returns `serve` and the names of the steps, as far as they need a tool.
pub(crate) fn users(tool: &str) -> Vec<&'static str> {
    let steps = STEPS
        .iter()
        .filter(|step| step.tools.contains(&tool))
        .map(|step| step.name);
    serve::needs(tool)
        .then_some("serve")
        .into_iter()
        .chain(steps)
        .collect()
}

/// Returns the tools of the usual steps.
pub(crate) fn usual_tools() -> BTreeSet<&'static str> {
    STEPS
        .iter()
        .filter(|step| step.tier == Tier::Usual)
        .flat_map(|step| step.tools.iter().copied())
        .collect()
}

/// Runs the selected steps. Fails if a step fails, or if a tool is missing and `CI` is set.
pub(crate) fn run(options: &Options) -> Result<(), String> {
    if options.list {
        list();
        return Ok(());
    }
    let selected = selected(options)?;
    if selected.is_empty() {
        println!("No step is affected by the changes of the working tree.");
        return Ok(());
    }
    if std::env::var_os(WITHIN).is_some() {
        return selected.iter().try_for_each(|step| alone(step, &[]));
    }
    let folder = target().join("xtask");
    disk::writable(
        &folder,
        if options.all {
            GIBIBYTES * 2
        } else {
            GIBIBYTES
        },
    )?;
    let tools: BTreeSet<&'static str> = selected
        .iter()
        .flat_map(|step| step.tools.iter().copied())
        .collect();
    let missing = setup::ensure(&tools.into_iter().collect::<Vec<_>>(), options.consent)?;
    match selected.as_slice() {
        [step] => alone(step, &missing),
        _ => together(&selected, &missing, &folder),
    }
}

fn selected(options: &Options) -> Result<Vec<&'static Step>, String> {
    if options.changed {
        return Ok(changed::steps(&changed::files()?));
    }
    if options.steps.is_empty() {
        return Ok(STEPS
            .iter()
            .filter(|step| step.tier == Tier::Usual || options.all && step.tier == Tier::All)
            .collect());
    }
    let unknown = |name: &String| {
        let names: Vec<&str> = STEPS.iter().map(|step| step.name).collect();
        format!("unknown step {name}: expected one of {}", names.join(", "))
    };
    let named: Result<Vec<_>, _> = options
        .steps
        .iter()
        .map(|name| step(name).ok_or_else(|| unknown(name)))
        .collect();
    // In the order of the table, without repetitions.
    let named: BTreeSet<&str> = named?.iter().map(|step| step.name).collect();
    Ok(STEPS
        .iter()
        .filter(|step| named.contains(step.name))
        .collect())
}

fn list() {
    let history = History::read();
    let tiers = [
        (Tier::Usual, "cargo xtask test"),
        (Tier::All, "in addition: cargo xtask test --all"),
        (Tier::Release, "by name, before a release"),
    ];
    for (tier, title) in tiers {
        println!("{BOLD}{title}{BOLD:#}");
        for step in STEPS.iter().filter(|step| step.tier == tier) {
            let last = history
                .of(step.name)
                .map_or_else(|| "—".to_owned(), duration);
            println!(
                "  {:<13} {last:>9}  {FAINT}{}{FAINT:#}",
                step.name, step.about
            );
        }
    }
}

/// The result of a step.
struct Outcome {
    counts: TestCounts,
    /// The reason of a failure or a skip.
    problem: Option<String>,
    skipped: bool,
    took: Duration,
    log: PathBuf,
}

/// Runs one step in this process, and prints its output immediately.
fn alone(step: &Step, missing: &[&str]) -> Result<(), String> {
    let missing_tools = missing_tools(step, missing);
    if !missing_tools.is_empty() {
        println!(
            "{WARN}skipped{WARN:#}  {}: missing {}\n0 passed, {} failed",
            step.name,
            missing_tools.join(", "),
            u8::from(setup::is_ci())
        );
        return if setup::is_ci() {
            Err(String::new())
        } else {
            Ok(())
        };
    }
    let start = Instant::now();
    let (counts, problem) = runners::run(step);
    interrupt::stop_if_interrupted();
    let is_within = std::env::var_os(WITHIN).is_some();
    if !is_within {
        History::record(&[(step.name, start.elapsed())]);
    }
    if let Some(problem) = &problem {
        println!("{BAD}failed{BAD:#}  {}: {problem}", step.name);
    } else if !is_within {
        println!(
            "{GOOD}ok{GOOD:#}  {}  {FAINT}{}{FAINT:#}",
            step.name,
            duration(start.elapsed())
        );
    }
    std::println!("{} passed, {} failed", counts.passed, counts.failed);
    if counts.failed == 0 {
        Ok(())
    } else {
        Err(String::new())
    }
}

/// Returns the missing tools of a step.
fn missing_tools<'m>(step: &Step, missing: &[&'m str]) -> Vec<&'m str> {
    missing
        .iter()
        .copied()
        .filter(|name| step.tools.contains(name))
        .collect()
}

/// Runs several steps, each as a process with its own log.
fn together(
    selected: &[&'static Step],
    missing: &[&str],
    folder: &std::path::Path,
) -> Result<(), String> {
    let start = Instant::now();
    let logs = folder.join("logs");
    std::fs::create_dir_all(&logs).map_err(|error| format!("{}: {error}", logs.display()))?;
    // Logs and results have fixed names. The lock ends with this process.
    let lock = File::create(folder.join("lock"))
        .map_err(|error| format!("{}: {error}", folder.display()))?;
    if rustix::fs::flock(&lock, rustix::fs::FlockOperation::NonBlockingLockExclusive).is_err() {
        return Err("another `cargo xtask test` is running in this folder".to_owned());
    }
    let built = folder.join("executables.json");
    // A list of an earlier run would otherwise be used in this run.
    let _ = std::fs::remove_file(&built);
    let limit = std::thread::available_parallelism()
        .map_or(2, usize::from)
        .clamp(2, MOST_AT_ONCE);
    let names: Vec<&str> = selected.iter().map(|step| step.name).collect();
    println!(
        "{BOLD}{} steps, {limit} at once:{BOLD:#} {}\n",
        selected.len(),
        names.join(", ")
    );

    let tasks: Vec<Task> = selected
        .iter()
        .map(|step| Task {
            name: step.name,
            after: step.after,
            locks: step.locks,
        })
        .collect();
    let has_build = names.contains(&"build");
    let unbuilt: Mutex<Vec<&str>> = Mutex::default();
    let work = |task: &Task| {
        let log = logs.join(format!("{}.log", task.name));
        let missing_tools = step(task.name)
            .map(|step| missing_tools(step, missing))
            .unwrap_or_default();
        let failed = unbuilt
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .iter()
            .copied()
            .find(|name| task.after.contains(name));
        let start = Instant::now();
        let skip = |problem: String, failed: bool| {
            (
                TestCounts {
                    passed: 0,
                    failed: u64::from(failed),
                },
                Some(problem),
                true,
            )
        };
        let (counts, problem, skipped) = if let Some(failed) = failed {
            // The failure has been counted.
            skip(format!("not run, since {failed} has failed"), false)
        } else if missing_tools.is_empty() {
            let built = has_build.then_some(&built);
            let (counts, problem) = as_process(task.name, &log, built.map(PathBuf::as_path));
            (counts, problem, false)
        } else {
            skip(
                format!(
                    "missing: {}; `cargo xtask doctor` shows how to install it",
                    missing_tools.join(", ")
                ),
                setup::is_ci(),
            )
        };
        interrupt::stop_if_interrupted();
        if problem.is_some() && BUILDERS.contains(&task.name) {
            unbuilt
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .push(task.name);
        }
        Outcome {
            counts,
            problem,
            skipped,
            took: start.elapsed(),
            log,
        }
    };
    let outcomes = schedule::run(
        &tasks,
        limit,
        work,
        |task| println!("{FAINT}   start {}{FAINT:#}", task.name),
        |task, outcome| report(task.name, outcome),
    );
    let ran = names
        .iter()
        .copied()
        .zip(&outcomes)
        .filter(|(_, outcome)| !outcome.skipped);
    History::record(
        &ran.map(|(name, outcome)| (name, outcome.took))
            .collect::<Vec<_>>(),
    );
    summary(&names, &outcomes, start.elapsed())
}

/// Runs this program for one step.
fn as_process(
    name: &str,
    log: &std::path::Path,
    built: Option<&std::path::Path>,
) -> (TestCounts, Option<String>) {
    let run = || -> Result<(bool, String), String> {
        let text = |error: std::io::Error| format!("{}: {error}", log.display());
        let file = File::create(log).map_err(text)?;
        let program = std::env::current_exe().map_err(|error| error.to_string())?;
        let mut child = Command::new(program);
        child
            .args(["test", "--no-install", name])
            .env(WITHIN, "1")
            .stdin(Stdio::null());
        child.stdout(file.try_clone().map_err(text)?).stderr(file);
        if let Some(built) = built {
            child.env(executables::BUILT, built);
        }
        let status = child.status().map_err(|error| error.to_string())?;
        let output = std::fs::read(log).map_err(text)?;
        Ok((
            status.success(),
            String::from_utf8_lossy(&output).into_owned(),
        ))
    };
    match run() {
        Ok((success, output)) => {
            let counts = output
                .lines()
                .rev()
                .find_map(test_counts::closing)
                .unwrap_or_default();
            let problem = output
                .lines()
                .rev()
                .find_map(|line| line.strip_prefix("failed  "));
            let problem = problem.map(|line| {
                line.split_once(": ")
                    .map_or(line, |(_, problem)| problem)
                    .to_owned()
            });
            match (success, counts.failed) {
                (true, 0) => (counts, None),
                (_, 0) => (
                    TestCounts {
                        failed: 1,
                        ..counts
                    },
                    Some(problem.unwrap_or_else(|| "ended early".to_owned())),
                ),
                _ => (counts, Some(problem.unwrap_or_default())),
            }
        }
        Err(error) => (TestCounts::of_check(false), Some(error)),
    }
}

/// Prints the result of a step, and the whole log if it failed.
fn report(name: &str, outcome: &Outcome) {
    let took = duration(outcome.took);
    match &outcome.problem {
        None => println!(
            "{GOOD}      ok {name}{GOOD:#}  {FAINT}{} passed, {took}{FAINT:#}",
            outcome.counts.passed
        ),
        Some(problem) if outcome.skipped => println!("{WARN} skipped {name}{WARN:#}  {problem}"),
        Some(problem) => {
            println!("{BAD}  failed {name}{BAD:#}  {took}  {problem}");
            let text = std::fs::read(&outcome.log).unwrap_or_default();
            let mut out = anstream::stdout().lock();
            // A closed terminal is not an error: the log has been written.
            let _ = out.write_all(&text).and_then(|()| out.flush());
        }
    }
}

/// Prints the failures again, since the log of a failed step may be thousands of lines above, and
/// then a table.
fn summary(names: &[&str], outcomes: &[Outcome], took: Duration) -> Result<(), String> {
    for (name, outcome) in names.iter().zip(outcomes) {
        if outcome.problem.is_some() && !outcome.skipped {
            println!(
                "\n{BAD}{name}{BAD:#}  {FAINT}{}{FAINT:#}",
                outcome.log.display()
            );
            let log = std::fs::read(&outcome.log).unwrap_or_default();
            for line in failures::lines(&String::from_utf8_lossy(&log)) {
                println!("   {line}");
            }
        }
    }
    println!(
        "\n{BOLD}{:<13} {:<8} {:>8} {:>7} {:>10}{BOLD:#}",
        "step", "result", "passed", "failed", "time"
    );
    let mut sum = TestCounts::default();
    for (name, outcome) in names.iter().zip(outcomes) {
        let (style, word) = match (&outcome.problem, outcome.skipped) {
            (None, _) => (GOOD, "ok"),
            (Some(_), true) => (WARN, "skipped"),
            (Some(_), false) => (BAD, "failed"),
        };
        let TestCounts { passed, failed } = outcome.counts;
        println!(
            "{name:<13} {style}{word:<8}{style:#} {passed:>8} {failed:>7} {:>10}",
            duration(outcome.took)
        );
        sum.add(outcome.counts);
    }
    println!(
        "{FAINT}{:<13} {:<8} {:>8} {:>7} {:>10}{FAINT:#}\n",
        "all",
        "",
        sum.passed,
        sum.failed,
        duration(took)
    );
    for (name, outcome) in names.iter().zip(outcomes) {
        match &outcome.problem {
            Some(problem) if outcome.skipped => {
                println!("{WARN}skipped{WARN:#}  {name}: {problem}");
            }
            Some(_) => {
                println!("{BAD}failed{BAD:#}   {name}: to repeat it, cargo xtask test {name}")
            }
            None => {}
        }
    }
    std::println!("{} passed, {} failed", sum.passed, sum.failed);
    if sum.failed == 0 {
        Ok(())
    } else {
        Err(String::new())
    }
}

/// Formats a duration as `4.2 s` or `3 min 07 s`.
fn duration(time: Duration) -> String {
    let seconds = time.as_secs();
    if seconds < 60 {
        format!("{seconds}.{} s", time.subsec_millis() / 100)
    } else {
        format!("{} min {:02} s", seconds / 60, seconds % 60)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_durations() {
        assert_eq!(duration(Duration::from_millis(4_250)), "4.2 s");
        assert_eq!(duration(Duration::from_secs(187)), "3 min 07 s");
    }

    #[test]
    fn selects_steps_by_name_in_the_order_of_the_table() {
        let options = |steps: &[&str]| Options {
            steps: steps.iter().map(ToString::to_string).collect(),
            all: false,
            changed: false,
            list: false,
            consent: Consent::default(),
        };
        let names = |steps: &[&str]| {
            selected(&options(steps))
                .map(|steps| steps.iter().map(|step| step.name).collect::<Vec<_>>())
        };
        assert_eq!(
            names(&["core", "format", "core"]).unwrap(),
            ["format", "core"]
        );
        assert!(
            names(&["no-such-step"])
                .unwrap_err()
                .contains("expected one of format, ")
        );
        assert!(
            names(&[]).unwrap().contains(&"gateway") && !names(&[]).unwrap().contains(&"mutants")
        );
    }
}
