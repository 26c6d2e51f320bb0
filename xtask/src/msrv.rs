//! `cargo xtask msrv`: the libraries compile with the oldest Rust that Cargo.toml states.

use crate::look::{FAINT, WARN};
use crate::tally::Tally;
use crate::tools::{cargo_of, must, target, works};
use anstream::println;

/// `rust-version` of the workspace.
const OLDEST: &str = env!("CARGO_PKG_RUST_VERSION");

/// The verb.
pub(crate) fn run(_: &[String]) -> Result<(), String> {
    if !is_there() {
        return Err(missing());
    }
    // With the default features and without them; the C library has none.
    for arguments in
        [&["--package", "payspec", "--package", "payspec-ffi"][..], &["--package", "payspec", "--no-default-features"]]
    {
        println!("{FAINT}$ cargo +{OLDEST} check --locked {}{FAINT:#}", arguments.join(" "));
        let mut check = cargo_of(OLDEST);
        check.args(["check", "--quiet", "--locked", "--target-dir"]).arg(target().join("msrv")).args(arguments);
        must(&mut check, &format!("payspec does not compile with Rust {OLDEST}"))?;
    }
    println!("payspec and payspec-ffi compile with Rust {OLDEST}");
    Ok(())
}

/// The step of `cargo xtask test`.
pub(crate) fn check() -> (Tally, Option<String>) {
    if !is_there() {
        println!("   {WARN}warning{WARN:#}  not tested: {}", missing());
        return (Tally::default(), None);
    }
    let result = run(&[]);
    (Tally::of_check(result.is_ok()), result.err())
}

fn is_there() -> bool {
    works(cargo_of(OLDEST).arg("--version"))
}

fn missing() -> String {
    format!("Rust {OLDEST} is missing: rustup toolchain install {OLDEST} --profile minimal")
}
