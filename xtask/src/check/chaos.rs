//! `cargo xtask chaos`: injects faults into a gateway under load for some minutes, and prints a
//! table of their effects.

use crate::setup::{self, Consent};
use crate::support::process::{cargo, run_checked};
use crate::test::executables;
use clap::Args;

/// With the package of the unified features, so that nothing is compiled again.
const TEST: [&str; 5] = [
    "test",
    "--locked",
    "--package=payspec-trials",
    "--package=payspec-features",
    "--test=chaos",
];
const LONG: [&str; 5] = ["--", "--ignored", "--exact", "--nocapture", "long::long"];
const TOOLS: [&str; 3] = ["cc", "postgresql", "faketime"];

/// Time and seed.
#[derive(Args, Debug)]
pub(crate) struct Options {
    /// Time; every fault is injected at least once
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..))]
    minutes: u64,
    /// Seed of the order and of the moments; random if it is not given
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    #[command(flatten)]
    consent: Consent,
}

/// Runs the long form of the tests.
pub(crate) fn run(options: &Options) -> Result<(), String> {
    let missing = setup::ensure(&TOOLS, options.consent)?;
    // Without libfaketime, the steps of the clock are skipped.
    if let Some(name) = missing.iter().find(|name| **name != "faketime") {
        return Err(format!("{name} is missing: {}", setup::command_for(name)));
    }
    executables::gateway()?;
    let mut command = cargo();
    command
        .args(TEST)
        .args(LONG)
        .env("CHAOS_MINUTES", options.minutes.to_string());
    command.envs(options.seed.map(|seed| ("CHAOS_SEED", seed.to_string())));
    run_checked(&mut command, "the gateway under faults")
}
