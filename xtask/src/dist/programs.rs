//! The static programs: the command line with its sandbox, and the gateway.

use super::archive::copy;
use super::platform::Platform;
use crate::build::cross::{Profile, built, static_programs};
use crate::support::process::run_checked;
use anstream::println;
use anyhow::Result;
use std::path::{Path, PathBuf};

/// The programs of a platform with musl, whose C library they contain.
pub(super) struct Programs {
    pub(super) platform: &'static Platform,
    /// `payspec`, with the sandbox and its pages.
    pub(super) payspec: PathBuf,
    pub(super) gateway: PathBuf,
}

/// Builds the programs of platforms, which have musl, with the built page inside the sandbox.
pub(super) fn build(
    platforms: &[&'static Platform],
    root: &Path,
    folder: &Path,
    page: &Path,
    profile: Profile,
) -> Result<Vec<Programs>> {
    let programs = platforms.iter().map(|platform| {
        // One command for both, which share most of their crates.
        let mut cargo = static_programs(
            root,
            &["payspec-cli", "payspec-gateway"],
            platform.target,
            page,
            profile,
        )?;
        run_checked(
            cargo.args(["--bin", "payspec", "--bin", "gateway"]),
            "cargo zigbuild",
        )?;
        let program = |name: &str| -> Result<PathBuf> {
            let to = folder.join(platform.name).join(name);
            copy(
                &built()
                    .join(platform.target)
                    .join(profile.name())
                    .join(name),
                &to,
            )?;
            println!(
                "   {:<18} {name}: {} bytes",
                platform.name,
                to.metadata().map_or(0, |metadata| metadata.len())
            );
            Ok(to)
        };
        Ok(Programs {
            platform,
            payspec: program("payspec")?,
            gateway: program("gateway")?,
        })
    });
    programs.collect()
}
