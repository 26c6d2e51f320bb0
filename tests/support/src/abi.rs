//! The ABI version, as computed in `ffi`.

#[path = "../../../ffi/src/abi.rs"]
mod computed;

/// `PAYSPEC_ABI_VERSION`.
pub const ABI_VERSION: u32 = computed::ABI_VERSION;
/// The end of the SONAME.
pub const SONAME_SUFFIX: &str = computed::SONAME_SUFFIX;
