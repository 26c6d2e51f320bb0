//! libpayspec as C programs use it: its header, its symbols, its installation. The programs are in tests/c; memory is
//! checked by `ffi_memory`, and the vectors are run by `ffi_vectors`.

// Elsewhere the tools are others: nm, valgrind and the names of shared libraries are those of Linux.
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

/// Where these tests may write.
fn scratch() -> &'static Path {
    Path::new(env!("CARGO_TARGET_TMPDIR"))
}

/// One installation for all of them.
fn prefix() -> &'static Prefix {
    static PREFIX: OnceLock<Prefix> = OnceLock::new();
    PREFIX.get_or_init(|| Prefix::new(scratch(), "ffi"))
}

fn read(file: &str) -> String {
    std::fs::read_to_string(payspec_tests::root().join(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}
