//! `cargo xtask bench`: payspec and its peers on one corpus, which targets are reached, and the instruction budget.

mod callgrind;
mod figures;
mod instructions;
mod machine;
mod results;
mod sides;
mod targets;

use crate::look::{BOLD, FAINT, WARN};
use crate::tally::Tally;
use anstream::println;
use results::Results;
use sides::{SIDES, SIZES, Sides};

/// The verb.
pub(crate) fn run(arguments: &[String]) -> Result<(), String> {
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => {
            let results = measured(&Sides::new(false), |_| true)?;
            show(&results);
            sound(&results)?;
            results.write()?;
            println!("\n{FAINT}tests/bench/RESULTS.md and README.md have these figures now{FAINT:#}");
            Ok(())
        }
        ["--only", side] => only(side),
        ["--short"] => check().1.map_or(Ok(()), Err),
        ["--instructions"] => instructions::check().1.map_or(Ok(()), Err),
        ["--bless-instructions"] => instructions::bless(),
        _ => match arguments.first().and_then(|first| first.strip_prefix("--only=")) {
            Some(side) if arguments.len() == 1 => only(side),
            _ => Err("bench takes --only SIDE, --short, --instructions or --bless-instructions".to_owned()),
        },
    }
}

/// The step of `cargo xtask test`: every side once, in seconds. Verdicts count, times do not; and the instruction budget.
pub(crate) fn check() -> (Tally, Option<String>) {
    let (mut tally, mut problems) = (Tally::default(), Vec::new());
    let sides = Sides::new(true);
    for (name, _) in SIDES.into_iter().chain([(SIZES, &[][..])]) {
        let results = match measured(&sides, |wanted| wanted == name) {
            Ok(results) => results,
            Err(error) => {
                tally.add(Tally::of_check(false));
                problems.push(format!("{name}: {error}"));
                continue;
            }
        };
        let ran: usize = results.runs.iter().map(|run| run.figures.len()).sum::<usize>() + results.sizes.len();
        let faults = faults(&results);
        tally.add(Tally { passed: ran.saturating_sub(faults.len()) as u64, failed: faults.len() as u64 });
        println!(
            "   {BOLD}{name}{BOLD:#} {ran} contenders ran{}",
            if faults.is_empty() { ", each judged rightly" } else { "" }
        );
        problems.extend(faults);
    }
    println!("   {BOLD}instruction budget{BOLD:#}");
    let (counted, problem) = instructions::check();
    tally.add(counted);
    problems.extend(problem);
    (tally, (!problems.is_empty()).then(|| problems.join("; ")))
}

fn only(side: &str) -> Result<(), String> {
    let names: Vec<&str> = SIDES.iter().map(|(name, _)| *name).chain([SIZES]).collect();
    if !names.contains(&side) {
        return Err(format!("there is no side {side}: --only takes {}", names.join(", ")));
    }
    let results = measured(&Sides::new(false), |name| name == side)?;
    show(&results);
    sound(&results)
}

fn measured(sides: &Sides, wanted: impl Fn(&str) -> bool) -> Result<Results, String> {
    let mut results = Results::default();
    for (_, runs) in SIDES.iter().filter(|(name, _)| wanted(name)) {
        for side in *runs {
            results.runs.push(sides.run(side)?);
        }
    }
    if wanted(SIZES) {
        results.sizes = sides.sizes()?;
    }
    Ok(results)
}

fn show(results: &Results) {
    println!("\n{}{BOLD}Targets{BOLD:#}\n\n{}\n{}", results.figures(), results.targets(), results.sum());
    let noise = results.noise();
    if !noise.is_empty() {
        println!("\n{WARN}{}{WARN:#}", noise.trim_end());
    }
}

/// What would make figures worthless: a contender that judges wrongly, a target that compares nothing.
fn faults(results: &Results) -> Vec<String> {
    let lacking = results.lacking().into_iter().map(|target| format!("{target} was not measured"));
    results.runs.iter().flat_map(figures::Run::faults).chain(lacking).collect()
}

fn sound(results: &Results) -> Result<(), String> {
    let faults = faults(results);
    if faults.is_empty() { Ok(()) } else { Err(faults.join("\n")) }
}
