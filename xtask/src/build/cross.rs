//! Builds for other platforms, with zig as the compiler and linker of C.

use crate::setup::zig;
use crate::support::process::{sysroot, target};
use anyhow::Result;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A profile of `Cargo.toml`.
#[derive(Clone, Copy)]
pub(crate) enum Profile {
    Release,
    /// Without the optimizations that take most of the time.
    Quick,
}

impl Profile {
    /// Returns its name, which is also that of its folder.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Profile::Release => "release",
            Profile::Quick => "quick",
        }
    }
}

/// Returns the folder of all builds.
pub(crate) fn built() -> PathBuf {
    target().join("dist-build")
}

/// Returns the command that builds packages of the workspace for a target. Variables that change
/// the profile `release` change both, since one inherits from it.
pub(crate) fn zigbuild(
    root: &Path,
    packages: &[&str],
    target: &str,
    profile: Profile,
) -> Result<Command> {
    let mut cargo = Command::new("cargo-zigbuild");
    cargo.args([
        "zigbuild",
        "--quiet",
        "--locked",
        "--profile",
        profile.name(),
        "--target",
        target,
    ]);
    cargo.args(packages.iter().flat_map(|package| ["--package", package]));
    cargo
        .current_dir(root)
        .env("CARGO_TARGET_DIR", built())
        .env("CARGO_ZIGBUILD_ZIG_PATH", zig()?);
    Ok(cargo)
}

/// Returns flags of the compiler that replace the paths of this machine, which would be in messages
/// of panics and in debug information.
pub(crate) fn without_paths(root: &Path) -> String {
    let cargo_home = std::env::var("CARGO_HOME")
        .unwrap_or_else(|_| format!("{}/.cargo", std::env::var("HOME").unwrap_or_default()));
    // Generic functions of the standard library contain the path of its sources.
    let library = sysroot().unwrap_or_default().join("lib/rustlib/src/rust");
    format!(
        "--remap-path-prefix={}=/payspec --remap-path-prefix={cargo_home}=/cargo \
         --remap-path-prefix={}=/rust",
        root.display(),
        library.display()
    )
}

/// Returns the command that builds static programs for a target with musl. The command line and the
/// packages use the same, so that they share the crates.
pub(crate) fn static_programs(
    root: &Path,
    packages: &[&str],
    target: &str,
    page: &Path,
    profile: Profile,
) -> Result<Command> {
    let mut cargo = zigbuild(root, packages, target, profile)?;
    cargo
        .env("RUSTFLAGS", without_paths(root))
        .env("CARGO_PROFILE_RELEASE_STRIP", "symbols");
    cargo.env("PAYSPEC_PAGE", page);
    Ok(cargo)
}
