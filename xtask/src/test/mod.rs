//! `cargo xtask test`: selects and runs the steps, and prints a summary.

pub(crate) mod executables;
mod failures;
mod history;
mod runners;
mod schedule;
mod step;
mod steps;

use crate::run::serve;
use crate::setup::{self, Consent};
use crate::support::checks::Checks;
use crate::support::process::target;
use crate::support::style::{BAD, BOLD, FAINT, GOOD, WARN};
use crate::support::test_counts::TestCounts;
use crate::support::{disk, interrupt, test_counts};
use anstream::println;
use anyhow::{Context, Result, anyhow, bail};
use clap::Args;
use fs_err as fs;
use history::History;
use schedule::Task;
use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use step::{STEPS, Step, Tier, step};
pub(crate) use step::{tests, tools};

/// Selects the steps.
#[derive(Args, Debug, Default)]
pub(crate) struct Options {
    /// Names of steps, see --list
    #[arg(value_name = "STEP", conflicts_with_all = ["all", "slow"])]
    steps: Vec<String>,
    /// Run every step but the slow ones, as continuous integration does
    #[arg(long)]
    all: bool,
    /// Run the slow steps, as every week and before a release
    #[arg(long, conflicts_with = "all")]
    slow: bool,
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
/// One more than processors: some steps wait for a browser or a server, others use one processor.
const MORE_THAN_CORES: usize = 1;

/// Returns `serve` and the names of the steps, as far as they need a tool.
pub(crate) fn users(tool: &str) -> Vec<&'static str> {
    let needs = |step: &&'static Step| step.tools().any(|name| name == tool);
    let steps = STEPS.iter().filter(needs).map(|step| step.name.as_str());
    let serve = serve::needs(tool).then_some("serve");
    serve.into_iter().chain(steps).collect()
}

/// Returns the tools of the usual steps.
pub(crate) fn usual_tools() -> BTreeSet<&'static str> {
    let usual = STEPS.iter().filter(|step| step.tier == Tier::Usual);
    usual.flat_map(Step::tools).collect()
}

/// Runs the selected steps. Fails if a step fails, or if a tool is missing and `CI` is set.
pub(crate) fn run(options: &Options) -> Result<()> {
    if options.list {
        list();
        return Ok(());
    }
    let selected = selected(options)?;
    if std::env::var_os(WITHIN).is_some() {
        return selected.iter().try_for_each(|step| alone(step, &[]));
    }
    let folder = target().join("xtask");
    let disks = if options.all || options.slow { 2 } else { 1 };
    disk::writable(&folder, GIBIBYTES * disks)?;
    let tools: BTreeSet<&'static str> = selected.iter().flat_map(|step| step.tools()).collect();
    let missing = setup::ensure(&tools.into_iter().collect::<Vec<_>>(), options.consent)?;
    match selected.as_slice() {
        [step] => alone(step, &missing),
        _ => together(&selected, &missing, &folder),
    }
}

/// Returns the selected steps in the order of the table, without repetitions.
pub(crate) fn selected(options: &Options) -> Result<Vec<&'static Step>> {
    if let Some(unknown) = options.steps.iter().find(|name| step(name).is_none()) {
        let names: Vec<&str> = STEPS.iter().map(|step| step.name.as_str()).collect();
        bail!(
            "unknown step {unknown}: expected one of {}",
            names.join(", ")
        );
    }
    let is_selected = |step: &&'static Step| match options.steps.as_slice() {
        [] if options.slow => step.tier == Tier::Slow,
        [] => step.tier == Tier::Usual || options.all && step.tier == Tier::All,
        names => names.contains(&step.name),
    };
    Ok(STEPS.iter().filter(is_selected).collect())
}

fn list() {
    let history = History::read();
    let tiers = [
        (Tier::Usual, "cargo xtask test"),
        (Tier::All, "in addition: cargo xtask test --all"),
        (
            Tier::Slow,
            "every week and before a release: cargo xtask test --slow",
        ),
    ];
    for (tier, title) in tiers {
        println!("{BOLD}{title}{BOLD:#}");
        for step in STEPS.iter().filter(|step| step.tier == tier) {
            let last = history.of(&step.name);
            let last = last.map_or_else(|| "—".to_owned(), duration);
            println!(
                "  {:<13} {last:>9}  {FAINT}{}{FAINT:#}",
                step.name, step.about
            );
        }
    }
}

/// The result of a step.
struct Outcome {
    name: &'static str,
    counts: TestCounts,
    /// The reason of a failure or a skip.
    problem: Option<String>,
    skipped: bool,
    took: Duration,
    log: PathBuf,
}

/// Runs one step in this process, and prints its output immediately.
fn alone(step: &Step, missing: &[&str]) -> Result<()> {
    let missing_tools = missing_tools(step, missing);
    if !missing_tools.is_empty() {
        let failed = u8::from(setup::is_ci());
        println!(
            "{WARN}skipped{WARN:#}  {}: missing {missing_tools}",
            step.name
        );
        std::println!("0 passed, {failed} failed");
        return if failed > 0 { Err(silent()) } else { Ok(()) };
    }
    let start = Instant::now();
    let Checks { counts, problems } = steps::run(step);
    interrupt::stop_if_interrupted();
    let is_within = std::env::var_os(WITHIN).is_some();
    let took = start.elapsed();
    if !is_within {
        History::record(&[(&step.name, took)]);
    }
    if !problems.is_empty() {
        println!("{BAD}failed{BAD:#}  {}: {}", step.name, problems.join("\n"));
    } else if !is_within {
        println!(
            "{GOOD}ok{GOOD:#}  {}  {FAINT}{}{FAINT:#}",
            step.name,
            duration(took)
        );
    }
    closing(counts)
}

/// Prints the last line of a run.
fn closing(counts: TestCounts) -> Result<()> {
    std::println!("{} passed, {} failed", counts.passed, counts.failed);
    if counts.failed == 0 {
        Ok(())
    } else {
        Err(silent())
    }
}

/// Returns an error whose reason has been printed.
fn silent() -> anyhow::Error {
    anyhow!("")
}

/// Returns the missing tools of a step.
fn missing_tools(step: &Step, missing: &[&str]) -> String {
    let of_step: Vec<&str> = step.tools().filter(|name| missing.contains(name)).collect();
    of_step.join(", ")
}

/// Runs several steps, each as a process with its own log.
fn together(selected: &[&'static Step], missing: &[&str], folder: &Path) -> Result<()> {
    let start = Instant::now();
    let logs = folder.join("logs");
    fs::create_dir_all(&logs)?;
    // Logs and results have fixed names. The lock ends with this process.
    let lock = fs::File::create(folder.join("lock"))?;
    let locked = rustix::fs::flock(&lock, rustix::fs::FlockOperation::NonBlockingLockExclusive);
    locked.context("another `cargo xtask test` is running in this folder")?;
    let built = folder.join("executables.json");
    // A list of an earlier run would otherwise be used in this run.
    let _ = fs::remove_file(&built);
    let cores = std::thread::available_parallelism().map_or(2, usize::from);
    let limit = (cores + MORE_THAN_CORES).min(MOST_AT_ONCE);
    let names: Vec<&str> = selected.iter().map(|step| step.name.as_str()).collect();
    println!(
        "{BOLD}{} steps, {limit} at once:{BOLD:#} {}\n",
        selected.len(),
        names.join(", ")
    );
    let tasks: Vec<Task> = selected.iter().copied().map(Task::from).collect();
    let built = names.contains(&"build").then_some(built);
    let unbuilt: Mutex<Vec<&str>> = Mutex::default();
    let work = |task: &Task| {
        let missing_tools = step(task.name).map(|step| missing_tools(step, missing));
        let missing_tools = missing_tools.unwrap_or_default();
        let mut unready = unbuilt.lock().unwrap_or_else(PoisonError::into_inner);
        let failed = unready
            .iter()
            .copied()
            .find(|name| task.after.contains(name));
        drop(unready);
        let outcome = if let Some(failed) = failed {
            // The failure has been counted.
            skipped(task.name, format!("not run, since {failed} has failed"), 0)
        } else if missing_tools.is_empty() {
            as_process(task.name, &logs, built.as_deref())
        } else {
            let hint = "`cargo xtask doctor` shows how to install it";
            let problem = format!("missing: {missing_tools}; {hint}");
            skipped(task.name, problem, u64::from(setup::is_ci()))
        };
        interrupt::stop_if_interrupted();
        if outcome.problem.is_some() && BUILDERS.contains(&task.name) {
            unready = unbuilt.lock().unwrap_or_else(PoisonError::into_inner);
            unready.push(task.name);
        }
        outcome
    };
    let outcomes = schedule::run(
        &tasks,
        limit,
        work,
        |task| println!("{FAINT}   start {}{FAINT:#}", task.name),
        |_, outcome| report(outcome),
    );
    let ran = outcomes.iter().filter(|outcome| !outcome.skipped);
    let times: Vec<_> = ran.map(|outcome| (outcome.name, outcome.took)).collect();
    History::record(&times);
    summary(&outcomes, start.elapsed())
}

fn skipped(name: &'static str, problem: String, failed: u64) -> Outcome {
    Outcome {
        name,
        counts: TestCounts { passed: 0, failed },
        problem: Some(problem),
        skipped: true,
        took: Duration::ZERO,
        log: PathBuf::new(),
    }
}

/// Runs this program for one step.
fn as_process(name: &'static str, logs: &Path, built: Option<&Path>) -> Outcome {
    let start = Instant::now();
    let log = logs.join(format!("{name}.log"));
    let run = || -> Result<(bool, String)> {
        let file = fs::File::create(&log)?.into_parts().0;
        let mut child = Command::new(std::env::current_exe()?);
        child
            .args(["test", "--no-install", name])
            .env(WITHIN, "1")
            .stdin(Stdio::null());
        child.stdout(file.try_clone()?).stderr(file);
        child.envs(built.map(|built| (executables::BUILT, built)));
        let status = child.status()?;
        let output = String::from_utf8_lossy(&fs::read(&log)?).into_owned();
        Ok((status.success(), output))
    };
    let (counts, problem) = match run() {
        Ok((success, output)) => {
            let mut counts = output
                .lines()
                .rev()
                .find_map(test_counts::closing)
                .unwrap_or_default();
            let problem = output
                .lines()
                .rev()
                .find_map(|line| line.strip_prefix("failed  "));
            let problem = problem.map(|line| line.split_once(": ").map_or(line, |(_, text)| text));
            if !success && counts.failed == 0 {
                counts.failed = 1;
            }
            let problem = problem.unwrap_or("ended early").to_owned();
            (counts, (counts.failed > 0).then_some(problem))
        }
        Err(error) => (TestCounts::of_check(false), Some(format!("{error:#}"))),
    };
    Outcome {
        name,
        counts,
        problem,
        skipped: false,
        took: start.elapsed(),
        log,
    }
}

/// Prints the result of a step, and the whole log if it failed.
fn report(outcome: &Outcome) {
    let (name, took) = (outcome.name, duration(outcome.took));
    match &outcome.problem {
        None => println!(
            "{GOOD}      ok {name}{GOOD:#}  {FAINT}{} passed, {took}{FAINT:#}",
            outcome.counts.passed
        ),
        Some(problem) if outcome.skipped => println!("{WARN} skipped {name}{WARN:#}  {problem}"),
        Some(problem) => {
            println!("{BAD}  failed {name}{BAD:#}  {took}  {problem}");
            let text = fs::read(&outcome.log).unwrap_or_default();
            let mut out = anstream::stdout().lock();
            // A closed terminal is not an error: the log has been written.
            let _ = out.write_all(&text).and_then(|()| out.flush());
        }
    }
}

/// Prints the failures again, since the log of a failed step may be thousands of lines above, and
/// then a table.
fn summary(outcomes: &[Outcome], took: Duration) -> Result<()> {
    let failed = |outcome: &&Outcome| outcome.problem.is_some() && !outcome.skipped;
    for Outcome { name, log, .. } in outcomes.iter().filter(failed) {
        println!("\n{BAD}{name}{BAD:#}  {FAINT}{}{FAINT:#}", log.display());
        let text = fs::read(log).unwrap_or_default();
        for line in failures::lines(&String::from_utf8_lossy(&text)) {
            println!("   {line}");
        }
    }
    println!(
        "\n{BOLD}{:<13} {:<8} {:>8} {:>7} {:>10}{BOLD:#}",
        "step", "result", "passed", "failed", "time"
    );
    let mut sum = TestCounts::default();
    for outcome in outcomes {
        let (style, word) = match (&outcome.problem, outcome.skipped) {
            (None, _) => (GOOD, "ok"),
            (Some(_), true) => (WARN, "skipped"),
            (Some(_), false) => (BAD, "failed"),
        };
        let TestCounts { passed, failed } = outcome.counts;
        let (name, took) = (outcome.name, duration(outcome.took));
        println!("{name:<13} {style}{word:<8}{style:#} {passed:>8} {failed:>7} {took:>10}");
        sum.add(outcome.counts);
    }
    let (passed, failed) = (sum.passed, sum.failed);
    println!(
        "{FAINT}{:<22} {passed:>8} {failed:>7} {:>10}{FAINT:#}\n",
        "all",
        duration(took)
    );
    for Outcome {
        name,
        problem,
        skipped,
        ..
    } in outcomes
    {
        match problem {
            Some(problem) if *skipped => println!("{WARN}skipped{WARN:#}  {name}: {problem}"),
            Some(_) => {
                println!("{BAD}failed{BAD:#}   {name}: to repeat it, cargo xtask test {name}")
            }
            None => {}
        }
    }
    closing(sum)
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
        let shown = [4_270, 59_999, 187_000].map(|millis| duration(Duration::from_millis(millis)));
        assert_eq!(shown, ["4.2 s", "59.9 s", "3 min 07 s"]);
    }

    #[test]
    fn selects_named_steps_in_the_order_of_the_table() {
        let names = |steps: &[&str]| -> Result<Vec<&str>> {
            let options = Options {
                steps: steps.iter().map(ToString::to_string).collect(),
                ..Options::default()
            };
            let steps = selected(&options)?;
            Ok(steps.iter().map(|step| step.name.as_str()).collect())
        };
        assert_eq!(
            names(&["core", "format", "core"]).unwrap(),
            ["format", "core"]
        );
        let error = names(&["no-such-step"]).unwrap_err().to_string();
        assert!(error.contains("expected one of format, "), "{error}");
        let usual = names(&[]).unwrap();
        assert!(usual.contains(&"gateway") && !usual.contains(&"mutants"));
    }
}
