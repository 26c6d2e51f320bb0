//! `cargo xtask npm`: builds the npm package into wasm/pkg.

mod build;
pub(crate) mod check;
mod commands;
mod files;
mod modules;
mod paths;
mod reproducible;
mod result;
mod toolchain;

use crate::support::style::{BOLD, FAINT};
use anstream::println;
pub(crate) use check::{changed, copy_package, newest, node_test, ready};
pub(crate) use commands::{install, run_in};
use paths::NpmPaths;
pub(crate) use paths::text;
pub(crate) use result::{CheckResult, counted};
use std::path::{Path, PathBuf};

/// Returns the folder of the package.
pub(crate) fn package() -> PathBuf {
    NpmPaths::here().package()
}

/// Packs the package as `npm publish` does, and writes the archive to a folder. From sources other
/// than those of this program, the package is built in `work` first.
pub(crate) fn pack(root: &Path, work: &Path, out: &Path) -> Result<(), String> {
    let paths = NpmPaths {
        root: root.to_owned(),
        target: work.to_owned(),
    };
    if root == payspec_support::root() {
        ready()?
    } else {
        build::build(&paths)?
    }
    run_in(
        out,
        "npm",
        &[
            "pack",
            "--silent",
            "--pack-destination",
            text(out)?,
            text(&paths.package())?,
        ],
    )
}

/// Builds the package. With `twice`, builds it again from a copy of the sources in another folder
/// and compares all files.
pub(crate) fn run(twice: bool) -> Result<(), String> {
    if twice {
        return reproducible::everything();
    }
    let here = NpmPaths::here();
    build::build(&here)?;
    println!(
        "\n{BOLD}{}{BOLD:#}  {FAINT}npm publish {0}{FAINT:#}",
        here.package().display()
    );
    Ok(())
}
