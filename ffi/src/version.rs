//! The version of the linked library: the macros of the header, at run time.

use std::ffi::{CStr, c_char};

use crate::abi::{ABI_VERSION, MAJOR, MINOR, number};
use crate::guard::guard;

const VERSION: &CStr =
    match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
        Ok(version) => version,
        Err(_) => panic!("a version contains no NUL"),
    };

const PATCH: u32 = number(env!("CARGO_PKG_VERSION_PATCH"));
const NUMBER: u32 = {
    assert!(
        MINOR < 1000 && PATCH < 1000,
        "the composite number has three digits for each"
    );
    MAJOR
        .saturating_mul(1_000_000)
        .saturating_add(MINOR.saturating_mul(1000))
        .saturating_add(PATCH)
};

/// Returns the version of the linked library, `"MAJOR.MINOR.PATCH"`: `PAYSPEC_VERSION` at run time.
///
/// @return a NUL-terminated text, which is static; do not free it
///
/// Threads: any number at the same time. Errors: none.
#[unsafe(no_mangle)]
pub extern "C" fn payspec_version() -> *const c_char {
    guard(|| VERSION.as_ptr())
}

/// Returns the version of the linked library as one number, for comparison: `PAYSPEC_VERSION_NUMBER` at run time.
///
/// @return MAJOR * 1000000 + MINOR * 1000 + PATCH
///
/// Threads: any number at the same time. Errors: none.
#[unsafe(no_mangle)]
pub extern "C" fn payspec_version_number() -> u32 {
    guard(|| NUMBER)
}

/// Returns the number of the binary interface, which is `PAYSPEC_ABI_VERSION` at run time. If the two are equal, the
/// library fits the header that the program was compiled with.
///
/// @return MINOR while MAJOR is 0, then 100 * MAJOR
///
/// Threads: any number at the same time. Errors: none.
#[unsafe(no_mangle)]
pub extern "C" fn payspec_abi_version() -> u32 {
    guard(|| ABI_VERSION)
}
