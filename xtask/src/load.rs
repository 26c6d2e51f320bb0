//! `cargo xtask load`: how many requests a second the gateway serves, beside a handler that does nothing.

use crate::npm::target;
use std::process::Command;

const BUILD: [&str; 9] =
    ["build", "--locked", "--release", "--package", "payspec-gateway", "--bin", "gateway", "--bin", "gateway-load"];

/// The verb.
pub(crate) fn run(arguments: &[String]) -> Result<(), String> {
    if arguments.iter().any(|argument| !argument.parse().is_ok_and(|seconds: u64| seconds > 0)) || arguments.len() > 1 {
        return Err("load takes a number of seconds".to_owned());
    }
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    held("cargo build", Command::new(cargo).args(BUILD).current_dir(payspec_tests::root()))?;
    // It finds the gateway beside itself.
    held("gateway-load", Command::new(target().join("release").join("gateway-load")).args(arguments))
}

fn held(name: &str, command: &mut Command) -> Result<(), String> {
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{name}: {status}")),
        Err(error) => Err(format!("{name}: {error}")),
    }
}
