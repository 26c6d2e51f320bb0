//! `cargo xtask chaos` and `cargo xtask failover`: the long forms of the trials of the gateway, which
//! print what clients saw.

use crate::setup::{self, Consent};
use crate::support::process::{cargo, run_checked, target};
use crate::support::record::Conditions;
use crate::test::{executables, tools};
use anyhow::Result;
use clap::Args;
use fs_err as fs;
use std::process::Command;

/// Time and seed.
#[derive(Args, Debug)]
pub(crate) struct ChaosOptions {
    /// Time; every fault is injected at least once
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..))]
    minutes: u64,
    /// Seed of the order and of the moments; random if it is not given
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    #[command(flatten)]
    consent: Consent,
}

/// Rounds and seed.
#[derive(Args, Debug)]
pub(crate) struct FailoverOptions {
    /// Rounds, each with one fault
    #[arg(long, value_name = "N", default_value_t = 24, value_parser = clap::value_parser!(u64).range(1..))]
    rounds: u64,
    /// Seed of the order and of the moments; random if it is not given
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// Replicate asynchronously, and fail if no answered payment is lost
    #[arg(long)]
    asynchronous: bool,
    /// Write the report to service/trials/failover
    #[arg(long)]
    record: bool,
    #[command(flatten)]
    consent: Consent,
}

/// Injects faults into a gateway.
pub(crate) fn chaos(options: &ChaosOptions) -> Result<()> {
    // Without libfaketime, the steps of the clock are skipped.
    let _ = setup::ensure(&["faketime"], options.consent)?;
    setup::require("cc postgresql", options.consent)?;
    let mut trial = trial("chaos", "long::long")?;
    trial.env("CHAOS_MINUTES", options.minutes.to_string());
    trial.envs(options.seed.map(|seed| ("CHAOS_SEED", seed.to_string())));
    run_checked(&mut trial, "the gateway under faults")
}

/// Kills, cuts off, and pauses the primary of a database under load.
pub(crate) fn failover(options: &FailoverOptions) -> Result<()> {
    setup::require(tools("failover"), options.consent)?;
    let mut trial = trial("failover", "long")?;
    trial.env("FAILOVER_ROUNDS", options.rounds.to_string());
    trial.envs(options.seed.map(|seed| ("FAILOVER_SEED", seed.to_string())));
    let kind = match options.asynchronous {
        true => "asynchronous",
        false => "synchronous",
    };
    if options.asynchronous {
        trial.env("FAILOVER_ASYNCHRONOUS", "1");
    }
    let conditions = Conditions::read();
    let report = target().join("failover.md");
    run_checked(
        trial.env("FAILOVER_REPORT", &report),
        "the cluster under faults",
    )?;
    if options.record {
        let file = format!("service/trials/failover/{kind}.md");
        conditions.record(&file, "A cluster under faults", &fs::read(report)?)?;
    }
    Ok(())
}

/// Builds the gateway, and returns the command for the long form of a trial.
fn trial(test: &str, name: &str) -> Result<Command> {
    executables::gateway()?;
    let mut command = cargo();
    // With the package of the unified features, so that nothing is compiled again.
    command.args([
        "test",
        "--locked",
        "--package=payspec-trials",
        "--package=payspec-features",
    ]);
    command.arg(format!("--test={test}"));
    command.args(["--", "--ignored", "--exact", "--nocapture", name]);
    Ok(command)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tests_of_the_trials() {
        for (file, name) in [("chaos/long.rs", "long"), ("failover/main.rs", "long")] {
            let path = payspec_support::root()
                .join("service/trials/tests")
                .join(file);
            let text = fs::read_to_string(path).unwrap();
            assert!(text.contains(&format!("fn {name}() {{")), "{file}");
        }
    }
}
