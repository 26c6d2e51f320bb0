//! Runs node and npm.

use crate::support::style::FAINT;
use anstream::println;
use std::path::Path;
use std::process::Command;

/// Installs the tools in wasm/package-lock.json if they are missing.
pub(crate) fn install(folder: &Path) -> Result<(), String> {
    let lock = folder.join("package-lock.json");
    let installed = folder.join("node_modules/.package-lock.json");
    let time = |path: &Path| path.metadata().and_then(|about| about.modified());
    match (time(&lock), time(&installed)) {
        (Ok(lock), Ok(installed)) if lock <= installed => Ok(()),
        _ => run_in(
            folder,
            "npm",
            &["ci", "--ignore-scripts", "--no-audit", "--no-fund"],
        ),
    }
}

/// Runs a program in a folder with the output of this process.
pub(crate) fn run_in(folder: &Path, program: &str, arguments: &[&str]) -> Result<(), String> {
    println!("{FAINT}$ {program} {}{FAINT:#}", arguments.join(" "));
    match Command::new(program)
        .args(arguments)
        .current_dir(folder)
        .status()
    {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{program}: {status}")),
        Err(error) => Err(format!(
            "{program}: {error}; node and npm are part of Node.js 20 or later"
        )),
    }
}
