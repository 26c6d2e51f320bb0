//! `cargo xtask load`: how many requests a second the gateway serves, beside a handler that does nothing.

use crate::tools::{cargo, must, target};
use std::process::Command;

const BUILD: [&str; 9] =
    ["build", "--locked", "--release", "--package", "payspec-gateway", "--bin", "gateway", "--bin", "gateway-load"];

/// The verb.
pub(crate) fn run(arguments: &[String]) -> Result<(), String> {
    if arguments.iter().any(|argument| !argument.parse().is_ok_and(|seconds: u64| seconds > 0)) || arguments.len() > 1 {
        return Err("load takes a number of seconds".to_owned());
    }
    must(cargo().args(BUILD), "cargo build")?;
    // It finds the gateway beside itself.
    must(Command::new(target().join("release").join("gateway-load")).args(arguments), "gateway-load")
}
