//! `cargo xtask load`: requests per second of the gateway, beside those of its databases without
//! it.

use crate::setup::{self, Consent};
use crate::support::process::{cargo, output, run_checked, target};
use crate::support::record::Conditions;
use anyhow::Result;
use clap::Args;
use std::path::PathBuf;
use std::process::Command;

const BUILD: &str = "build --locked --release --package=payspec-gateway --package=payspec-trials \
                     --package=payspec-features --bin gateway --bin gateway-load";
pub(crate) const TOOLS: &str = "postgresql curl wrk perf";
const WITHOUT_PROFILE: &str = "postgresql curl wrk";

/// Selects the measurement.
#[derive(Args, Debug)]
pub(crate) struct Options {
    /// Seconds of each measurement
    #[arg(default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..))]
    seconds: u64,
    /// Another build of the gateway, to compare with
    #[arg(long, value_name = "PROGRAM")]
    against: Option<PathBuf>,
    /// More gateways on one database, and more payments in it; needs 20 GB of disk
    #[arg(long, conflicts_with = "against")]
    growth: bool,
    /// Measure both, with the processor time by part, and write service/trials/load/RESULTS.md
    #[arg(long, conflicts_with_all = ["against", "growth"])]
    record: bool,
    #[command(flatten)]
    consent: Consent,
}

/// Builds the gateway, and measures it.
pub(crate) fn run(options: &Options) -> Result<()> {
    let tools = if options.record {
        TOOLS
    } else {
        WITHOUT_PROFILE
    };
    setup::require(tools, options.consent)?;
    run_checked(cargo().args(BUILD.split_whitespace()), "cargo build")?;
    let load = |option: Option<&str>| {
        let mut load = Command::new(target().join("release/gateway-load"));
        load.arg(options.seconds.to_string())
            .args(&options.against)
            .args(option);
        load
    };
    if !options.record {
        let growth = options.growth.then_some("--growth");
        return run_checked(&mut load(growth), "gateway-load");
    }
    let conditions = Conditions::read();
    let mut printed = output(&mut load(Some("--profile")), "gateway-load")?;
    printed.extend(output(&mut load(Some("--growth")), "gateway-load")?);
    conditions.record(
        "service/trials/load/RESULTS.md",
        "The gateway under load",
        &printed,
    )
}
