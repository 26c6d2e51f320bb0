//! Which library is linked, at run time: the twins of the macros in the header.

use std::ffi::{CStr, c_char};

use crate::abi::{ABI_VERSION, MAJOR, MINOR, number};
use crate::guard::guard;

const VERSION: &CStr = match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
    Ok(version) => version,
    Err(_) => panic!("a version holds no NUL"),
};

const PATCH: u32 = number(env!("CARGO_PKG_VERSION_PATCH"));
const NUMBER: u32 = {
    assert!(MINOR < 1000 && PATCH < 1000, "the composite number has three digits for each");
    MAJOR.saturating_mul(1_000_000).saturating_add(MINOR.saturating_mul(1000)).saturating_add(PATCH)
};

/// The version of the library that is linked, `"MAJOR.MINOR.PATCH"`: the run-time twin of `PAYSPEC_VERSION`.
///
/// @return a text that lives as long as the library is loaded; never free it.
///
/// Threads: any number at once. Errors: none.
#[unsafe(no_mangle)]
pub extern "C" fn payspec_version() -> *const c_char {
    guard(|| VERSION.as_ptr())
}

/// The version as one number that can be compared: the run-time twin of `PAYSPEC_VERSION_NUMBER`.
///
/// @return MAJOR * 1000000 + MINOR * 1000 + PATCH
///
/// Threads: any number at once. Errors: none.
#[unsafe(no_mangle)]
pub extern "C" fn payspec_version_number() -> u32 {
    guard(|| NUMBER)
}

/// Returns the number of the binary interface, which is `PAYSPEC_ABI_VERSION` at run time. If the two are equal, the
/// library fits the header that the program was compiled with.
///
/// @return MINOR while MAJOR is 0, then 100 * MAJOR
///
/// Threads: any number at once. Errors: none.
#[unsafe(no_mangle)]
pub extern "C" fn payspec_abi_version() -> u32 {
    guard(|| ABI_VERSION)
}
