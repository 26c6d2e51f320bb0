//! `cargo xtask load`: measures the requests per second of the gateway, and of an empty handler for comparison.

use crate::support::process::{cargo, run_checked, target};
use std::process::Command;

const BUILD: [&str; 9] =
    ["build", "--locked", "--release", "--package", "payspec-gateway", "--bin", "gateway", "--bin", "gateway-load"];

/// Measures each server for this number of seconds.
pub(crate) fn run(seconds: u64) -> Result<(), String> {
    run_checked(cargo().args(BUILD), "cargo build")?;
    // Finds the gateway in its own folder.
    run_checked(Command::new(target().join("release").join("gateway-load")).arg(seconds.to_string()), "gateway-load")
}
