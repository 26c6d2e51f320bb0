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
use std::path::PathBuf;

/// Returns the folder of the package.
pub(crate) fn package() -> PathBuf {
    NpmPaths::here().package()
}

/// Builds the package. With `twice`, builds it again from a copy of the sources in another folder and compares all
/// files.
pub(crate) fn run(twice: bool) -> Result<(), String> {
    if twice {
        return reproducible::everything();
    }
    let here = NpmPaths::here();
    build::build(&here)?;
    println!("\n{BOLD}{}{BOLD:#}  {FAINT}npm publish {0}{FAINT:#}", here.package().display());
    Ok(())
}
