//! `cargo xtask msrv`: compiles the libraries with the oldest Rust that Cargo.toml states.

use crate::support::process::{cargo_of, run_checked, target};
use crate::support::style::FAINT;
use anstream::println;
use anyhow::Result;

/// `rust-version` in Cargo.toml.
const OLDEST: &str = env!("CARGO_PKG_RUST_VERSION");

/// Compiles the libraries.
pub(crate) fn run() -> Result<()> {
    // With the default features and without them; the C library has no features.
    for arguments in [
        "--package payspec --package payspec-ffi",
        "--package payspec --no-default-features",
    ] {
        println!("{FAINT}$ cargo +{OLDEST} check --locked {arguments}{FAINT:#}");
        let mut check = cargo_of(OLDEST);
        check.args(["check", "--quiet", "--locked", "--target-dir"]);
        check
            .arg(target().join("msrv"))
            .args(arguments.split_whitespace());
        run_checked(&mut check, &format!("cargo +{OLDEST} check"))?;
    }
    println!("payspec and payspec-ffi compile with Rust {OLDEST}");
    Ok(())
}
