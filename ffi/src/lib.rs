//! libpayspec, the C API. It checks pointers; the core does the rest. Its reference is
//! `include/payspec.h`, which `cargo xtask header` generates from the documentation in this crate.

#[expect(dead_code, reason = "build.rs uses the end of the SONAME")]
mod abi;
mod call;
mod engine_handle;
mod guard;
mod input;

// The order is that of the header; the blank lines keep rustfmt from sorting.
pub mod status;

pub mod version;

pub mod buf;

pub mod engine;

pub mod operations;

pub mod batch;
