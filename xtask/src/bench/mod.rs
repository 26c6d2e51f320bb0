//! `cargo xtask bench`: measures payspec and other libraries on one corpus, and checks targets and
//! the instruction budget.

mod callgrind;
mod figures;
mod instructions;
mod machine;
mod noise;
mod previous;
mod results;
mod runners;
mod targets;

use crate::docs;
use crate::support::style::{BOLD, FAINT, WARN};
use crate::support::test_counts::TestCounts;
use anstream::println;
use clap::Args;
use figures::Run;
use results::Results;
use runners::{SIDES, SIZES, Sides};
pub(crate) use targets::hundredths;
use targets::{PYTHON, TARGETS, TargetResult};

/// Selects the measurements.
#[derive(Args, Debug)]
#[group(multiple = false)]
pub(crate) struct Options {
    /// One side without writing a file: rust, node, python, c, cli, or sizes
    #[arg(long, value_name = "SIDE")]
    only: Option<String>,
    /// All sides for a few seconds, and the instruction budget; the times are meaningless
    #[arg(long)]
    short: bool,
    /// Only the instruction budget
    #[arg(long)]
    instructions: bool,
    /// Update the instruction budget
    #[arg(long)]
    bless_instructions: bool,
}

/// Compares payspec with other libraries, or checks the instruction budget.
pub(crate) fn run(options: &Options) -> Result<(), String> {
    match options {
        Options {
            only: Some(side), ..
        } => only(side),
        Options { short: true, .. } => check().1.map_or(Ok(()), Err),
        Options {
            instructions: true, ..
        } => instructions::check().1.map_or(Ok(()), Err),
        Options {
            bless_instructions: true,
            ..
        } => instructions::bless(),
        _ => {
            let results = measured(&Sides::new(false), |_| true)?;
            show(&results);
            require_no_faults(&results)?;
            results.write()?;
            docs::draw("figures")?;
            println!(
                "\n{FAINT}tests/bench/RESULTS.md and the chart of README.md have been updated{FAINT:#}"
            );
            Ok(())
        }
    }
}

/// Runs the step of `cargo xtask test`: every side for seconds, and the instruction budget. Checks
/// verdicts, not times.
pub(crate) fn check() -> (TestCounts, Option<String>) {
    let (mut counts, mut problems) = (TestCounts::default(), Vec::new());
    let sides = Sides::new(true);
    for (name, _) in SIDES.into_iter().chain([(SIZES, &[][..])]) {
        let results = match measured(&sides, |side| side == name) {
            Ok(results) => results,
            Err(error) => {
                counts.add(TestCounts::of_check(false));
                problems.push(format!("{name}: {error}"));
                continue;
            }
        };
        let ran: usize = results
            .runs
            .iter()
            .map(|run| run.figures.len())
            .sum::<usize>()
            + results.sizes.len();
        let faults = faults(&results);
        counts.add(TestCounts {
            passed: ran.saturating_sub(faults.len()) as u64,
            failed: faults.len() as u64,
        });
        println!(
            "   {BOLD}{name}{BOLD:#} {ran} candidates ran{}",
            if faults.is_empty() {
                ", all verdicts correct"
            } else {
                ""
            }
        );
        problems.extend(faults);
    }
    println!("   {BOLD}instruction budget{BOLD:#}");
    let (counted, problem) = instructions::check();
    counts.add(counted);
    problems.extend(problem);
    (counts, (!problems.is_empty()).then(|| problems.join("; ")))
}

fn only(side: &str) -> Result<(), String> {
    let names: Vec<&str> = SIDES.iter().map(|(name, _)| *name).chain([SIZES]).collect();
    if !names.contains(&side) {
        return Err(format!(
            "unknown side {side}: expected one of {}",
            names.join(", ")
        ));
    }
    let results = measured(&Sides::new(false), |name| name == side)?;
    show(&results);
    require_no_faults(&results)
}

fn measured(sides: &Sides, is_selected: impl Fn(&str) -> bool) -> Result<Results, String> {
    let mut results = Results::default();
    for (_, runs) in SIDES.iter().filter(|(name, _)| is_selected(name)) {
        for side in *runs {
            results.runs.push(sides.run(side)?);
        }
    }
    if is_selected(SIZES) {
        results.sizes = sides.sizes()?;
    }
    Ok(results)
}

fn show(results: &Results) {
    println!(
        "\n{}{BOLD}Targets{BOLD:#}\n\n{}\n{}",
        results.figures(),
        results.targets(),
        results.sum()
    );
    let noise = results.noise();
    if !noise.is_empty() {
        println!("\n{WARN}{}{WARN:#}", noise.trim_end());
    }
}

/// Returns problems that make the figures useless: wrong verdicts, and targets without a
/// measurement.
fn faults(results: &Results) -> Vec<String> {
    let unmeasured = results
        .unmeasured()
        .into_iter()
        .map(|target| format!("{target} was not measured"));
    results
        .runs
        .iter()
        .flat_map(Run::faults)
        .chain(unmeasured)
        .collect()
}

fn require_no_faults(results: &Results) -> Result<(), String> {
    let faults = faults(results);
    if faults.is_empty() {
        Ok(())
    } else {
        Err(faults.join("\n"))
    }
}

/// Compares the output of `bench.py` with P11. Returns the target, the measured ratio, and its
/// bound.
///
/// # Errors
/// If a verdict is wrong, a figure is missing, or P11 is not met.
pub(crate) fn compare_python(printed: &[u8]) -> Result<String, String> {
    let run = Run::read(PYTHON, printed)?;
    let faults = run.faults();
    if !faults.is_empty() {
        return Err(faults.join("\n"));
    }
    let target = TARGETS
        .iter()
        .find(|target| target.number == "P11")
        .ok_or("P11 is not a target")?;
    let measured = target.measured(&[run], &[]).ok_or("P11 was not measured")?;
    let (number, what) = (target.number, target.what);
    let compared = format!(
        "{number} {what}: {}, at most {}",
        target.show(measured),
        target.required()
    );
    match target.result(measured) {
        TargetResult::NotMet => Err(format!("not met: {compared}")),
        TargetResult::Met | TargetResult::Stretch => Ok(compared),
    }
}

#[cfg(test)]
mod tests {
    use super::compare_python;

    /// Returns what `bench.py` prints for this time of payspec, in picoseconds, and 1000 for
    /// pydantic.
    fn printed(time: u64, wrong: u64) -> Vec<u8> {
        let figure = |name: &str, time: u64| {
            format!(
                r#"{{"name":"{name}: valid","rounds":[{time},{time},{time}],"verdicts":[{},{wrong}]}}"#,
                15 - wrong
            )
        };
        let (ours, theirs) = (
            figure("payspec, bytes → report bytes", time),
            figure("pydantic, validate_json", 1000),
        );
        format!(r#"{{"figures":[{theirs},{ours}],"versions":{{}}}}"#).into_bytes()
    }

    #[test]
    fn compares_python_with_the_bound_of_its_target() {
        let compared = |time| compare_python(&printed(time, 0));
        for (time, ratio) in [(4, "0.00"), (270, "0.27"), (350, "0.35")] {
            assert!(
                compared(time)
                    .unwrap()
                    .ends_with(&format!(": {ratio}, at most 0.35")),
                "{:?}",
                compared(time)
            );
        }
        for (time, ratio) in [(351, "0.351"), (1250, "1.25"), (12_500, "12.50")] {
            let error = compared(time).unwrap_err();
            assert!(
                error.starts_with("not met: P11 ")
                    && error.ends_with(&format!(": {ratio}, at most 0.35"))
            );
        }
    }

    #[test]
    fn rejects_a_run_of_python_without_the_figures_of_its_target() {
        assert_eq!(
            compare_python(br#"{"figures":[{"name":"a","rounds":[5]}]}"#).unwrap_err(),
            "P11 was not measured"
        );
        assert!(
            compare_python(&printed(270, 1))
                .unwrap_err()
                .contains("has 1 wrong verdicts")
        );
        assert!(compare_python(b"Traceback").is_err());
    }
}
