//! `cargo xtask msrv`: the libraries compile with the oldest Rust that Cargo.toml states.

use crate::support::process::{cargo_of, run_checked, target, works};
use crate::support::style::FAINT;
use crate::support::test_counts::TestCounts;
use anstream::println;

/// `rust-version` of the workspace.
const OLDEST: &str = env!("CARGO_PKG_RUST_VERSION");

/// Compiles the libraries.
pub(crate) fn run() -> Result<(), String> {
    if !is_there() {
        return Err(missing());
    }
    // With the default features and without them; the C library has no features.
    for arguments in [
        &["--package", "payspec", "--package", "payspec-ffi"][..],
        &["--package", "payspec", "--no-default-features"],
    ] {
        println!(
            "{FAINT}$ cargo +{OLDEST} check --locked {}{FAINT:#}",
            arguments.join(" ")
        );
        let mut check = cargo_of(OLDEST);
        check
            .args(["check", "--quiet", "--locked", "--target-dir"])
            .arg(target().join("msrv"))
            .args(arguments);
        run_checked(
            &mut check,
            &format!("payspec does not compile with Rust {OLDEST}"),
        )?;
    }
    println!("payspec and payspec-ffi compile with Rust {OLDEST}");
    Ok(())
}

/// Runs the step of `cargo xtask test`.
pub(crate) fn check() -> (TestCounts, Option<String>) {
    let result = run();
    (TestCounts::of_check(result.is_ok()), result.err())
}

fn is_there() -> bool {
    works(cargo_of(OLDEST).arg("--version"))
}

fn missing() -> String {
    format!("Rust {OLDEST} is missing: rustup toolchain install {OLDEST} --profile minimal")
}
