//! `cargo xtask load`: measures the requests per second of the gateway, beside what its databases do without it.

use crate::support::process::{cargo, run_checked, target};
use std::path::Path;
use std::process::Command;

const BUILD: [&str; 9] =
    ["build", "--locked", "--release", "--package", "payspec-gateway", "--bin", "gateway", "--bin", "gateway-load"];

/// Measures each server for this number of seconds. With a gateway of another version, both are measured in turn.
pub(crate) fn run(seconds: u64, against: Option<&Path>) -> Result<(), String> {
    run_checked(cargo().args(BUILD), "cargo build")?;
    // Finds the gateway in its own folder.
    let mut load = Command::new(target().join("release").join("gateway-load"));
    run_checked(load.arg(seconds.to_string()).args(against), "gateway-load")
}
