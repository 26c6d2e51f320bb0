//! `cargo xtask bench`: measures payspec and other libraries on one corpus, and checks targets and
//! the instruction budget.

mod callgrind;
mod figures;
pub(crate) mod instructions;
mod machine;
mod results;
mod runners;
mod targets;

use crate::docs;
use crate::support::checks::{self, Checks};
use crate::support::style::{BOLD, FAINT, WARN};
use crate::support::test_counts::TestCounts;
use anstream::println;
use anyhow::{Result, bail};
use clap::Args;
use figures::Run;
pub(crate) use results::Results;
use runners::{SIDES, SIZES, Sides};
pub(crate) use targets::hundredths;
use targets::{Size, Target};

/// Selects the measurements.
#[derive(Args, Debug)]
#[group(multiple = false)]
pub(crate) struct Options {
    /// One side without writing a file: rust, node, python, c, cli, or sizes
    #[arg(long, value_name = "SIDE")]
    only: Option<String>,
    /// All sides for a few seconds; the times are meaningless
    #[arg(long)]
    short: bool,
    /// Only the instruction budget
    #[arg(long)]
    instructions: bool,
    /// Update the instruction budget
    #[arg(long)]
    bless_instructions: bool,
    /// Write RESULTS.md and the chart of README.md again from results.json
    #[arg(long)]
    render: bool,
}

/// Compares payspec with other libraries, or checks the instruction budget.
pub(crate) fn run(options: &Options) -> Result<()> {
    if let Some(side) = &options.only {
        let names: Vec<&str> = SIDES.iter().map(|(name, _)| *name).chain([SIZES]).collect();
        if !names.contains(&side.as_str()) {
            bail!("unknown side {side}: expected one of {}", names.join(", "));
        }
        return measured(&Sides::new(false), |name| name == side)?
            .shown()
            .map(drop);
    }
    if options.short {
        return check()?.result();
    }
    if options.instructions {
        return instructions::check()?.result();
    }
    if options.bless_instructions {
        instructions::bless()?;
        return Results::read()?.write();
    }
    let results = match options.render {
        true => Results::read()?,
        false => measured(&Sides::new(false), |_| true)?.shown()?,
    };
    results.write()?;
    docs::draw()?;
    println!(
        "\n{FAINT}tests/bench/RESULTS.md and the chart of README.md have been updated{FAINT:#}"
    );
    Ok(())
}

/// Runs the step of `cargo xtask test`: every side for seconds. Checks verdicts, not times.
pub(crate) fn check() -> Result<Checks> {
    let mut checks = Checks::default();
    let sides = Sides::new(true);
    for (name, _) in SIDES.into_iter().chain([(SIZES, &[][..])]) {
        let side = measured(&sides, |side| side == name).map(|measured| {
            let runs = measured.runs.iter().map(|run| run.figures.len());
            let ran = runs.sum::<usize>() + measured.sizes.len();
            let problems = measured.faults();
            println!(
                "   {BOLD}{name}{BOLD:#} {ran} candidates ran, {} faults",
                problems.len()
            );
            let (passed, failed) = (ran.saturating_sub(problems.len()), problems.len());
            let counts = TestCounts {
                passed: passed as u64,
                failed: failed as u64,
            };
            Checks { counts, problems }
        });
        checks.add(name, side);
    }
    Ok(checks)
}

/// The runs of the selected sides.
struct Measurement {
    runs: Vec<Run>,
    sizes: Vec<Size>,
    targets: Vec<Target>,
}

fn measured(sides: &Sides, is_selected: impl Fn(&str) -> bool) -> Result<Measurement> {
    let selected = SIDES.iter().filter(|(name, _)| is_selected(name));
    let runs = selected
        .flat_map(|(_, runs)| *runs)
        .map(|side| sides.run(side));
    let runs = runs.collect::<Result<_>>()?;
    let sizes = if is_selected(SIZES) {
        sides.sizes()?
    } else {
        Vec::new()
    };
    let targets = targets::read()?;
    Ok(Measurement {
        runs,
        sizes,
        targets,
    })
}

impl Measurement {
    /// Prints the results, and returns them if they are usable.
    fn shown(self) -> Result<Results> {
        let faults = self.faults();
        let results = Results::of(&self.runs, self.sizes, &self.targets);
        println!(
            "\n{}{BOLD}Targets{BOLD:#}\n\n{}",
            results.figures(),
            results.targets()?
        );
        println!("\n{WARN}{}{WARN:#}", results.warnings().trim_end());
        checks::none(faults)?;
        Ok(results)
    }

    /// Returns problems that make the figures useless: wrong verdicts, and targets without a
    /// measurement although their side has run, since a candidate was renamed on one side only.
    fn faults(&self) -> Vec<String> {
        let unmeasured = self.targets.iter().filter(|target| {
            self.runs.iter().any(|run| target.is_of(run.side))
                && target.measured(&self.runs, &self.sizes).is_none()
        });
        let unmeasured =
            unmeasured.map(|target| format!("{} {} was not measured", target.number, target.what));
        self.runs
            .iter()
            .flat_map(Run::faults)
            .chain(unmeasured)
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_missing_measurements_of_sides_that_have_run() {
        let text = br#"{"figures":[{"name":"native: verdict","rounds":[5,5,5]}]}"#;
        let measurement = Measurement {
            runs: vec![Run::read(targets::C, text).unwrap()],
            sizes: Vec::new(),
            targets: targets::read().unwrap(),
        };
        let faults = ["P6 C: report minus verdict was not measured"];
        assert_eq!(measurement.faults(), faults);
    }
}
