//! `cargo xtask load`: measures the requests per second of the gateway, beside what its databases
//! do without it.

use crate::docs;
use crate::setup::{self, Consent};
use crate::support::process::{cargo, output, run_checked, target};
use crate::support::record::{Conditions, LOAD};
use clap::Args;
use std::path::PathBuf;
use std::process::Command;

const BUILD: [&str; 10] = [
    "build",
    "--locked",
    "--release",
    "--package=payspec-gateway",
    "--package=payspec-trials",
    "--package=payspec-features",
    "--bin",
    "gateway",
    "--bin",
    "gateway-load",
];
/// The tools of a measurement. The last one is needed only for the processor time by part.
pub(crate) const TOOLS: [&str; 4] = ["postgresql", "curl", "wrk", "perf"];

/// Options of `cargo xtask load`.
#[derive(Args, Debug)]
pub(crate) struct Options {
    /// Time for each server
    #[arg(default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..))]
    seconds: u64,
    /// Measure the program `gateway` of another version in turn with this one, and print the ratios
    #[arg(long, value_name = "PROGRAM")]
    against: Option<PathBuf>,
    /// Instead, measure up to three gateways on one PostgreSQL, and up to 10 million stored
    /// payments, which need 20 GB of disk
    #[arg(long, conflicts_with = "against")]
    growth: bool,
    /// Measure also where the gateway's processor time goes, and write
    /// service/trials/load/RESULTS.md and its plots
    #[arg(long, conflicts_with = "against")]
    record: bool,
    #[command(flatten)]
    consent: Consent,
}

/// Runs the program `gateway-load`, which finds the gateway in its own folder.
pub(crate) fn run(options: &Options) -> Result<(), String> {
    let is_profiled = options.record && !options.growth;
    let missing = setup::ensure(
        if is_profiled { &TOOLS } else { &TOOLS[..3] },
        options.consent,
    )?;
    if !missing.is_empty() {
        return Err(format!(
            "missing: {}; `cargo xtask load --yes` installs them",
            missing.join(", ")
        ));
    }
    run_checked(cargo().args(BUILD), "cargo build")?;
    let mut load = Command::new(target().join("release").join("gateway-load"));
    load.arg(options.seconds.to_string()).args(&options.against);
    if options.growth {
        load.arg("--growth");
    } else if is_profiled {
        load.arg("--profile");
    }
    if !options.record {
        return run_checked(&mut load, "gateway-load");
    }
    let conditions = Conditions::read();
    conditions.record(
        LOAD,
        "The gateway under load",
        &output(&mut load, "gateway-load")?,
    )?;
    docs::draw(if options.growth {
        "gateway-growth"
    } else {
        "latency"
    })
}
