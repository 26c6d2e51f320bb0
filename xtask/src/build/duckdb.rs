//! `cargo xtask duckdb`: builds the extension of DuckDB.

use crate::build::install::VERSION;
use crate::support::process::{self, SHARED};
use anstream::println;
use std::fs;
use std::path::{Path, PathBuf};

/// The version of DuckDB's C API that the extension needs, as in `bindings/duckdb/src/lib.rs`.
const API: &str = "v1.2.0";
/// DuckDB's name of this platform.
const PLATFORM: &str = if cfg!(target_os = "macos") {
    if cfg!(target_arch = "aarch64") {
        "osx_arm64"
    } else {
        "osx_amd64"
    }
} else if cfg!(target_env = "musl") {
    if cfg!(target_arch = "aarch64") {
        "linux_arm64_musl"
    } else {
        "linux_amd64_musl"
    }
} else if cfg!(target_arch = "aarch64") {
    "linux_arm64"
} else {
    "linux_amd64"
};

/// Builds the extension, and prints how to load it.
pub(crate) fn run() -> Result<(), String> {
    println!("Compiling the extension. The first time takes some minutes.");
    let extension = build(&["--release"])?;
    println!(
        "In a session with `allow_unsigned_extensions` (of the command line: duckdb -unsigned):"
    );
    println!("    LOAD '{}';", extension.display());
    Ok(())
}

/// Builds the extension with this profile, and returns its file.
pub(crate) fn build(profile: &[&str]) -> Result<PathBuf, String> {
    let target = process::target().join("duckdb").display().to_string();
    let folders = [
        "--manifest-path",
        "bindings/duckdb/Cargo.toml",
        "--target-dir",
        &target,
    ];
    let library = process::library(&process::build(&[&folders, profile].concat(), &[])?, SHARED)?;
    // DuckDB takes the name of the extension from the file.
    let extension = library.with_file_name("payspec.duckdb_extension");
    write(&library, PLATFORM, &extension)?;
    Ok(extension)
}

/// Writes a library with the metadata that DuckDB reads before it loads an extension.
fn write(library: &Path, platform: &str, extension: &Path) -> Result<(), String> {
    let mut bytes = fs::read(library).map_err(|error| format!("{}: {error}", library.display()))?;
    bytes.extend(metadata(platform));
    fs::write(extension, bytes).map_err(|error| format!("{}: {error}", extension.display()))
}

/// Returns the metadata, in the form of a custom section of WebAssembly: eight fields of 32 bytes,
/// of which the last three to be read are unused, and 256 bytes for a signature.
fn metadata(platform: &str) -> Vec<u8> {
    const FIELD: usize = 32;
    const SIGNATURE: usize = 256;
    let version = format!("v{VERSION}");
    let mut out = b"\0\x93\x04\x10duckdb_signature\x80\x04".to_vec();
    for field in ["", "", "", "C_STRUCT", &version, API, platform, "4"] {
        let end = out.len() + FIELD;
        out.extend(field.as_bytes());
        out.resize(end, 0);
    }
    out.resize(out.len() + SIGNATURE, 0);
    out
}

#[cfg(test)]
mod tests {
    use super::API;

    #[test]
    fn declares_the_version_that_the_extension_requires() {
        let source = payspec_tests::root().join("bindings/duckdb/src/lib.rs");
        let text = std::fs::read_to_string(source).unwrap();
        assert!(text.contains(&format!("min_duckdb_version = \"{API}\"")));
    }
}
