//! `cargo xtask npm`: builds the npm package into wasm/pkg.

mod build;
pub(crate) mod check;
mod modules;
mod paths;
mod toolchain;

use crate::support::files::text;
use crate::support::process::run_in;
use crate::support::style::{BOLD, FAINT};
use anstream::println;
use anyhow::Result;
pub(crate) use check::{changed, copy_package, newest, node_test, ready};
use paths::NpmPaths;
use std::path::{Path, PathBuf};

/// Returns the folder of the package.
pub(crate) fn package() -> PathBuf {
    NpmPaths::here().package()
}

/// Packs the package as `npm publish` does, and writes the archive to a folder. From sources other
/// than those of this program, the package is built in `work` first.
pub(crate) fn pack(root: &Path, work: &Path, out: &Path) -> Result<()> {
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

/// Builds the package.
pub(crate) fn run() -> Result<()> {
    let here = NpmPaths::here();
    build::build(&here)?;
    let package = here.package();
    println!(
        "\n{BOLD}{}{BOLD:#}  {FAINT}npm publish {0}{FAINT:#}",
        package.display()
    );
    Ok(())
}

/// Installs the locked packages of a folder if its lock file has changed. npm runs none of their
/// scripts.
pub(crate) fn install(folder: &Path) -> Result<()> {
    let lock = changed(&folder.join("package-lock.json"));
    match changed(&folder.join("node_modules/.package-lock.json")) {
        Some(installed) if lock.is_some_and(|lock| lock <= installed) => Ok(()),
        _ => {
            let arguments = ["ci", "--ignore-scripts", "--no-audit", "--no-fund"];
            run_in(folder, "npm", &arguments)
        }
    }
}
