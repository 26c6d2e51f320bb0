//! The number of the binary interface, computed from the version. `ffi/build.rs` and
//! `tests/src/abi.rs` include this file too, so that SONAME, header, installed files, and
//! `payspec_abi_version` agree.

pub(crate) const MAJOR: u32 = number(env!("CARGO_PKG_VERSION_MAJOR"));
pub(crate) const MINOR: u32 = number(env!("CARGO_PKG_VERSION_MINOR"));

/// The number of the binary interface.
pub(crate) const ABI_VERSION: u32 = abi_version(MAJOR, MINOR);

/// The end of the SONAME: `0.MINOR` while MAJOR is 0, then `MAJOR`.
pub(crate) const SONAME_SUFFIX: &str = if MAJOR == 0 {
    concat!("0.", env!("CARGO_PKG_VERSION_MINOR"))
} else {
    env!("CARGO_PKG_VERSION_MAJOR")
};

/// Returns MINOR while MAJOR is 0, since every 0.MINOR may change the interface; then 100 × MAJOR,
/// so that 0.1 and 1.0 differ.
const fn abi_version(major: u32, minor: u32) -> u32 {
    if major == 0 {
        assert!(minor < 100, "0.100 would have the number of 1.0");
        minor
    } else {
        major.saturating_mul(100)
    }
}

/// Returns the value of a part of the version. A part that is not a number fails the build.
pub(crate) const fn number(digits: &str) -> u32 {
    match u32::from_str_radix(digits, 10) {
        Ok(number) => number,
        Err(_) => {
            assert!(digits.is_empty(), "the parts of the version are numbers");
            0
        }
    }
}

#[cfg(test)]
mod tests {
    use super::abi_version;

    #[test]
    fn differs_for_incompatible_versions() {
        let versions = [(0, 1), (0, 2), (0, 99), (1, 0), (2, 0)];
        assert_eq!(
            versions.map(|(major, minor)| abi_version(major, minor)),
            [1, 2, 99, 100, 200]
        );
        assert_eq!(abi_version(1, 7), abi_version(1, 0));
    }
}
