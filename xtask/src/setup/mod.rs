//! Set-up: finds, lists, and installs the tools that commands need.

mod doctor;
mod environment;
mod plan;
mod tool;

use anstream::eprintln;
use anyhow::Result;
use clap::Args;
pub(crate) use doctor::doctor;
pub(crate) use environment::{python, zig};
use std::ffi::OsString;
use std::io::{BufRead, IsTerminal, Write};
use std::process::Command;
pub(crate) use tool::{State, TOOLS, tool};

/// Set for this program if it restarts itself after an installation.
const INSTALLED: &str = "PAYSPEC_XTASK_INSTALLED";

/// Consent to install tools.
#[derive(Args, Clone, Copy, Debug, Default)]
pub(crate) struct Consent {
    /// Install missing tools without confirmation, as for root and with CI=true
    #[arg(long, conflicts_with = "no_install")]
    pub(crate) yes: bool,
    /// Install no tools; steps whose tools are missing are skipped
    #[arg(long)]
    pub(crate) no_install: bool,
}

/// Returns true on a server for continuous integration, where a missing tool is a failure.
pub(crate) fn is_ci() -> bool {
    std::env::var("CI").is_ok_and(|ci| ci == "true")
}

/// Restarts this program if the private environment has programs that `PATH` does not include.
pub(crate) fn enter() -> Result<()> {
    let path = environment::path();
    if std::env::var_os("PATH").is_some_and(|old| old == path) {
        Ok(())
    } else {
        restart(&[("PATH", path)])
    }
}

/// Replaces this process by itself with additional environment variables.
fn restart(variables: &[(&str, OsString)]) -> Result<()> {
    let program = std::env::current_exe()?;
    let mut again = Command::new(program);
    again
        .args(std::env::args_os().skip(1))
        .envs(variables.iter().map(|(name, value)| (name, value)));
    Err(std::os::unix::process::CommandExt::exec(&mut again).into())
}

/// Installs the missing tools of `names` if permitted, and returns the names that are still
/// missing.
///
/// # Errors
/// Returns the command that failed, and how to run it again.
pub(crate) fn ensure(names: &[&'static str], consent: Consent) -> Result<Vec<&'static str>> {
    let missing: Vec<_> = names
        .iter()
        .copied()
        .filter(|name| !tool(name).state().is_ready())
        .collect();
    let is_second = std::env::var_os(INSTALLED).is_some();
    if is_second && !missing.is_empty() {
        eprintln!(
            "These tools are still not found after their installation: {}.",
            missing.join(", ")
        );
    }
    if missing.is_empty() || consent.no_install || is_second {
        return Ok(missing);
    }
    let plan = plan::Plan::of(&missing);
    if plan.is_empty() {
        return Ok(missing);
    }
    eprintln!(
        "These tools are missing: {}. They are installed by:",
        missing.join(", ")
    );
    plan.lines().iter().for_each(|line| eprintln!("  {line}"));
    if !(consent.yes || is_ci() || rustix::process::getuid().is_root() || confirms()) {
        return Ok(missing);
    }
    plan.carry_out()?;
    // The new programs may be in folders that are not on the `PATH` of this process.
    restart(&[
        ("PATH", environment::path()),
        (INSTALLED, OsString::from("1")),
    ])?;
    Ok(missing)
}

/// Installs the missing tools of a list, separated by spaces, if permitted.
///
/// # Errors
/// Returns the tools that are still missing.
pub(crate) fn require(names: &'static str, consent: Consent) -> Result<()> {
    require_all(names.split_whitespace(), consent)
}

/// Installs the missing ones of these tools if permitted.
///
/// # Errors
/// Returns the tools that are still missing.
pub(crate) fn require_all(
    names: impl IntoIterator<Item = &'static str>,
    consent: Consent,
) -> Result<()> {
    let missing = ensure(&names.into_iter().collect::<Vec<_>>(), consent)?;
    let missing = missing.join(", ");
    anyhow::ensure!(
        missing.is_empty(),
        "missing: {missing}; `--yes` installs them"
    );
    Ok(())
}

/// Prompts for confirmation, only on a terminal.
fn confirms() -> bool {
    if !std::io::stdin().is_terminal() || !std::io::stderr().is_terminal() {
        eprintln!("Without a terminal, tools are installed only with --yes.");
        return false;
    }
    eprint!("Install them now? [y/N] ");
    let _ = std::io::stderr().flush();
    let mut answer = String::new();
    let read = std::io::stdin().lock().read_line(&mut answer);
    read.is_ok() && ["y", "yes"].contains(&answer.trim().to_lowercase().as_str())
}

/// Returns the command that installs a tool on this machine, as typed in a shell.
pub(crate) fn command_for(name: &str) -> String {
    plan::Plan::of(&[name]).lines().join(" && ")
}
