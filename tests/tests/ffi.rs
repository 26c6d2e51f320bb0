//! Tests the header, symbols, and installation of libpayspec with C programs from tests/c. Memory
//! is tested by `ffi_memory`, and the vectors by `ffi_vectors`.

// The tests use Linux tools and names of shared libraries.
#![cfg(target_os = "linux")]

#[path = "ffi/abi.rs"]
mod abi;
#[path = "ffi/cargo_c.rs"]
mod cargo_c;
#[path = "ffi/header.rs"]
mod header;
#[path = "ffi/install.rs"]
mod install;
#[path = "ffi/symbols.rs"]
mod symbols;

use payspec_tests::c::Prefix;
use std::path::Path;
use std::sync::OnceLock;

/// Returns the folder for temporary files.
fn scratch() -> &'static Path {
    Path::new(env!("CARGO_TARGET_TMPDIR"))
}

/// Returns the installation that all tests share.
fn prefix() -> &'static Prefix {
    static PREFIX: OnceLock<Prefix> = OnceLock::new();
    PREFIX.get_or_init(|| Prefix::new(scratch(), "ffi"))
}

/// Returns the SONAME: `libpayspec.so.0.MINOR` while MAJOR is 0, then `libpayspec.so.MAJOR`.
fn soname() -> String {
    match (
        env!("CARGO_PKG_VERSION_MAJOR"),
        env!("CARGO_PKG_VERSION_MINOR"),
    ) {
        ("0", minor) => format!("libpayspec.so.0.{minor}"),
        (major, _) => format!("libpayspec.so.{major}"),
    }
}

fn read(file: &str) -> String {
    std::fs::read_to_string(payspec_tests::root().join(file))
        .unwrap_or_else(|error| panic!("{file}: {error}"))
}
