//! `cargo xtask npm`: builds the npm package into wasm/pkg.

mod build;
pub(crate) mod check;
mod modules;
mod paths;
mod toolchain;

use crate::support::files::{self, text};
use crate::support::process::run_in;
use crate::support::style::{BOLD, FAINT};
use anstream::println;
use anyhow::{Result, ensure};
pub(crate) use check::{changed, copy_package, newest, node_test, ready};
use paths::NpmPaths;
use std::path::{Path, PathBuf};

/// Returns the folder of the package.
pub(crate) fn package() -> PathBuf {
    NpmPaths::here().package()
}

/// Packs the package as `npm publish` does, with the launcher of the command line, and writes the
/// archive to a folder. From sources other than those of this program, the package is built in
/// `work` first.
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
    let staged = work.join("package");
    files::empty(&staged)?;
    files::copy_folder(&paths.package(), &staged)?;
    with_launcher(root, &staged)?;
    let arguments = ["pack", "--silent", "--pack-destination", text(out)?];
    run_in(&staged, "npm", &arguments)
}

/// Adds the launcher to a package, so that `npx payspec` runs the command line. The entries that
/// pages load are the same without it.
fn with_launcher(root: &Path, package: &Path) -> Result<()> {
    let launchers = root.join("cli/packages/npm");
    files::copy(&launchers.join("library.cjs"), &package.join("payspec.cjs"))?;
    files::copy(&launchers.join("run.cjs"), &package.join("run.cjs"))?;
    let manifest = package.join("package.json");
    let text = fs_err::read_to_string(&manifest)?;
    let kind = "  \"type\": \"module\",\n";
    ensure!(text.contains(kind), "package.json of npm has no type");
    let with_program = format!("  \"bin\": {{ \"payspec\": \"payspec.cjs\" }},\n{kind}");
    files::write(&manifest, &text.replacen(kind, &with_program, 1))
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
