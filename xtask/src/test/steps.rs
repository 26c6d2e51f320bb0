//! Runs the steps of `cargo xtask test`, with the functions of those that are more than commands of
//! cargo or test executables.

use super::executables;
use super::runners;
use super::step::Step;
use crate::build::{cli, npm};
use crate::check::{api, bulk, clients, coverage, deny, model, msrv, mutants, workflows};
use crate::dist;
use crate::docs::{self, comments};
use crate::examples;
use crate::run::{sandbox, serve};
use crate::support::checks::{Checks, Named};
use crate::support::process::{cargo, run_checked};
use crate::support::test_counts::TestCounts;
use anyhow::Result;

/// Returns the results of a step. One that fails without a count has one failure.
pub(super) fn run(step: &Step) -> Checks {
    let mut checks = Checks::default();
    match work(&step.name) {
        Some(Work::Checks(list)) => {
            for (name, check) in list {
                checks.check(name, check());
            }
        }
        Some(Work::Counted(function)) => checks.add("", function()),
        None => {
            for command in &step.cargo {
                let mut cargo = cargo();
                let ran = run_checked(cargo.args(command.split_whitespace()), "cargo");
                checks.check(&format!("cargo {command}"), ran);
            }
            if !step.tests.is_empty() {
                checks.add("", executables::run(&step.tests, &[]));
            }
        }
    }
    if checks.counts == TestCounts::default() {
        checks.check("", Err(anyhow::anyhow!("ran no test")));
    }
    checks
}

/// The work of a step in this program.
enum Work {
    /// Functions that are counted as one check each.
    Checks(&'static [Named<()>]),
    /// A function that returns its results.
    Counted(fn() -> Result<Checks>),
}

/// Returns the function of a step, which runs the tests of the step too.
fn work(step: &str) -> Option<Work> {
    let counted: fn() -> Result<Checks> = match step {
        "core" => runners::core,
        "integration" => runners::others,
        "doctests" => runners::doctests,
        "c" => runners::c,
        "node" => npm::check::package,
        "python" => examples::python,
        "bulk" => bulk::check,
        "page" => serve::check,
        "sandbox" => sandbox::check,
        "bundlers" => npm::check::bundlers,
        "dist-quick" => dist::quick,
        "mutants" => mutants::check,
        "bench" => runners::bench,
        "growth" => runners::growth,
        "sandbox-all" => sandbox::check_all,
        "tasks" => sandbox::check_tasks,
        "clients" => clients::check,
        "spark" => bulk::spark,
        "examples" => examples::check,
        "dist" => dist::check,
        "model" => model::check,
        "redaction" => model::check_redaction,
        "book" => docs::check,
        "deny" => deny::check,
        _ => return checks(step).map(Work::Checks),
    };
    Some(Work::Counted(counted))
}

fn checks(step: &str) -> Option<&'static [Named<()>]> {
    Some(match step {
        "build" => &[("the test executables", executables::build)],
        "npm" => &[("the package", npm::ready)],
        "coverage" => &[("coverage of the core", coverage::check)],
        "cli" => &[
            ("cargo install --path cli", cli::install),
            ("static binaries", cli::check),
        ],
        "docs" => &[
            ("the documentation of all members", comments::members),
            ("the crate payspec as on docs.rs", comments::docs_rs),
            ("the comments of the C header", comments::header),
            ("the docstrings of the Python package", comments::python),
            ("the types of the npm package", comments::types),
        ],
        "api" => &[("the public items", api::check)],
        "features" => &[("the features are additive", api::check_features)],
        "msrv" => &[("the oldest Rust", msrv::run)],
        "workflows" => &[("actionlint", workflows::lint)],
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::load;
    use crate::setup::TOOLS;
    use crate::test::step::{STEPS, Tier, step};

    #[test]
    fn has_unique_names_and_known_references() {
        for (index, step) in STEPS.iter().enumerate() {
            let has_name = |name: &str| STEPS[..index].iter().any(|other| other.name == name);
            assert!(!has_name(&step.name), "{} twice", step.name);
            for after in &step.after {
                // Earlier in the table, so that no steps wait for each other.
                assert!(has_name(after), "{}: no step {after}", step.name);
            }
            for name in step.tools() {
                let is_known = TOOLS.iter().any(|tool| tool.name == name);
                assert!(is_known, "{}: no tool {name}", step.name);
            }
        }
    }

    /// A function that runs the tests of its step names the step.
    #[test]
    fn has_work_in_every_step() {
        for step in STEPS.iter() {
            let has_list = !step.cargo.is_empty() || !step.tests.is_empty();
            assert!(has_list || work(&step.name).is_some(), "{}", step.name);
            let is_both = !step.cargo.is_empty() && work(&step.name).is_some();
            assert!(!is_both, "{} would not run its commands", step.name);
        }
    }

    /// A step of the usual tier must not depend on one that only runs with `--all`.
    #[test]
    fn depends_on_usual_steps_only_in_usual_steps() {
        for usual in STEPS.iter().filter(|step| step.tier == Tier::Usual) {
            let mut after = usual.after.iter();
            assert!(after.all(|name| step(name).is_some_and(|other| other.tier == Tier::Usual)));
        }
    }

    /// A tool that no step and no measurement needs would be installed without a reason.
    #[test]
    fn needs_every_tool() {
        for tool in TOOLS.iter() {
            let mut steps = STEPS.iter().flat_map(Step::tools);
            let is_needed = steps.any(|name| name == tool.name);
            let is_measuring = load::TOOLS.split(' ').any(|name| name == tool.name);
            assert!(is_needed || is_measuring, "{}", tool.name);
        }
    }
}
