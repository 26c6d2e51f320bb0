//! `cargo xtask load`: measures the requests per second of the gateway, beside what its databases do without it.

use crate::docs;
use crate::support::process::{cargo, output, run_checked, target};
use payspec_tests::root;
use std::path::Path;
use std::process::Command;

const BUILD: [&str; 9] =
    ["build", "--locked", "--release", "--package", "payspec-gateway", "--bin", "gateway", "--bin", "gateway-load"];
/// The tables, with the anchors that the book includes.
pub(crate) const RESULTS: &str = "examples/gateway/load/RESULTS.md";

/// Measures each server for this number of seconds. With a gateway of another version, both are measured in turn.
pub(crate) fn run(seconds: u64, against: Option<&Path>) -> Result<(), String> {
    run_checked(program(seconds)?.args(against), "gateway-load")
}

/// Measures also where processor time goes, and writes the tables and the plot.
pub(crate) fn record(seconds: u64) -> Result<(), String> {
    let printed = output(program(seconds)?.arg("--profile"), "gateway-load")?;
    let text = format!("# The gateway under load\n\n{}", String::from_utf8_lossy(&printed).trim_end()) + "\n";
    anstream::print!("{text}");
    let path = root().join(RESULTS);
    std::fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
    docs::draw_latency()
}

/// Builds the program, which finds the gateway in its own folder.
fn program(seconds: u64) -> Result<Command, String> {
    run_checked(cargo().args(BUILD), "cargo build")?;
    let mut load = Command::new(target().join("release").join("gateway-load"));
    load.arg(seconds.to_string());
    Ok(load)
}
