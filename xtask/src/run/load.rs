//! `cargo xtask load`: how many requests a second the gateway serves, beside a handler that does nothing.

use crate::support::process::{cargo, run_checked, target};
use std::process::Command;

const BUILD: [&str; 9] =
    ["build", "--locked", "--release", "--package", "payspec-gateway", "--bin", "gateway", "--bin", "gateway-load"];

/// Measures for so many seconds at each server.
pub(crate) fn run(seconds: u64) -> Result<(), String> {
    run_checked(cargo().args(BUILD), "cargo build")?;
    // It finds the gateway beside itself.
    run_checked(Command::new(target().join("release").join("gateway-load")).arg(seconds.to_string()), "gateway-load")
}
