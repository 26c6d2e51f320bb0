//! A tool: how it is found, its minimum version, and how it is installed.

use semver::Version;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// A program, library, or component that commands need in addition to Rust.
pub(crate) struct Tool {
    /// The name, unique in the table.
    pub(crate) name: &'static str,
    /// The way to find it.
    pub(crate) probe: Probe,
    /// The minimum version, if older ones do not work: `20`, `3.11`.
    pub(crate) minimum: Option<&'static str>,
    /// Ways to install it. The first one that works on this machine is used.
    pub(crate) install: &'static [Install],
}

/// The way to find a tool and its version.
pub(crate) enum Probe {
    /// A command that succeeds. The version is the first number in its output.
    Command(&'static [&'static str]),
    /// A subcommand of cargo.
    Cargo(&'static str),
    /// A rustup toolchain.
    Toolchain(&'static str),
    /// The first of these programs on `PATH`, or the one in a variable.
    AnyOf(&'static [&'static str], &'static str),
    /// A file, or the one in a variable.
    File(&'static str, &'static str),
    /// A function that returns the version.
    Function(fn() -> Option<String>),
}

/// A way to install a tool.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Install {
    /// Packages of Debian and its relatives.
    Apt(&'static [&'static str]),
    /// Packages of Fedora and its relatives.
    Dnf(&'static [&'static str]),
    /// Formulas of Homebrew.
    Brew(&'static [&'static str]),
    /// `rustup component add`.
    Component(&'static str),
    /// `rustup target add`.
    Target(&'static str),
    /// `rustup toolchain install --profile minimal`.
    Toolchain(&'static str),
    /// Packages of PyPI, installed into an environment below the target folder.
    Pip(&'static str),
    /// `cargo install` with the package and its version, without optimization to build in a third
    /// of the time.
    Cargo(&'static str, &'static str),
}

/// The state of a tool.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum State {
    /// Installed, with its version if known.
    Ready(Option<String>),
    /// Installed, but too old.
    Old(String),
    /// Not installed.
    Missing,
}

impl State {
    pub(crate) fn is_ready(&self) -> bool {
        matches!(self, State::Ready(_))
    }
}

impl Tool {
    /// Returns the state of the tool on this machine.
    pub(crate) fn state(&self) -> State {
        let Some(version) = self.probe.version() else {
            return State::Missing;
        };
        match (self.minimum, number_in(&version)) {
            (None, None) => State::Ready(None),
            (None, Some(version)) => State::Ready(Some(version)),
            (Some(minimum), Some(version)) if is_at_least(&version, minimum) => {
                State::Ready(Some(version))
            }
            (Some(_), version) => {
                State::Old(version.unwrap_or_else(|| "unknown version".to_owned()))
            }
        }
    }
}

impl Probe {
    /// Returns the text that contains the version, if the tool is installed.
    fn version(&self) -> Option<String> {
        match self {
            Probe::Command([program, arguments @ ..]) => {
                printed(Command::new(program).args(arguments))
            }
            Probe::Command([]) => None,
            Probe::Cargo(name) => printed(Command::new("cargo").args([name, "--version"])),
            Probe::Toolchain(name) => printed(
                Command::new("rustup")
                    .args(["run", name, "rustc", "--version"])
                    .env("RUSTUP_AUTO_INSTALL", "0"),
            ),
            Probe::AnyOf(names, variable) => {
                let named = std::env::var_os(variable).map(PathBuf::from);
                let found = named.or_else(|| names.iter().find_map(|name| find(name)))?;
                printed(Command::new(found).arg("--version"))
            }
            Probe::File(path, variable) => {
                let path =
                    std::env::var_os(variable).map_or_else(|| PathBuf::from(path), PathBuf::from);
                path.exists().then(String::new)
            }
            Probe::Function(version) => version(),
        }
    }
}

/// Returns the output of a command that succeeds, with standard error, to which Java prints its
/// version.
pub(super) fn printed(command: &mut Command) -> Option<String> {
    let output = command.stdin(Stdio::null()).output().ok()?;
    let text = [output.stdout, output.stderr]
        .map(|text| String::from_utf8_lossy(&text).into_owned())
        .concat();
    output.status.success().then_some(text)
}

/// Returns the path of a program on `PATH`.
pub(super) fn find(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .map(|folder| folder.join(name))
        .find(|file| file.is_file())
}

/// Returns the first number with a dot, or otherwise the first number.
fn number_in(text: &str) -> Option<String> {
    let words = || {
        text.split(|c: char| !c.is_ascii_digit() && c != '.')
            .map(|word| word.trim_matches('.'))
    };
    let is_number = |word: &&str| word.starts_with(|c: char| c.is_ascii_digit());
    words()
        .find(|word| is_number(word) && word.contains('.'))
        .or_else(|| words().find(is_number))
        .map(str::to_owned)
}

fn is_at_least(version: &str, minimum: &str) -> bool {
    match (three_parts(version), three_parts(minimum)) {
        (Some(version), Some(minimum)) => version >= minimum,
        _ => false,
    }
}

/// Parses a version, with 0 for missing parts: distributions have `9.2` and `1.9.0.1`.
fn three_parts(text: &str) -> Option<Version> {
    let mut parts = text.split('.').map(|part| part.parse().ok());
    let mut next = || parts.next().unwrap_or(Some(0));
    Some(Version::new(next()?, next()?, next()?))
}

/// A package manager of the system.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Manager {
    Apt,
    Brew,
    Dnf,
}

impl Manager {
    /// Returns the one of this machine.
    pub(crate) fn here() -> Option<Manager> {
        [
            ("apt-get", Manager::Apt),
            ("dnf", Manager::Dnf),
            ("brew", Manager::Brew),
        ]
        .into_iter()
        .find_map(|(program, manager)| find(program).map(|_| manager))
    }
}

impl Install {
    /// Returns true if this machine has the installer.
    pub(crate) fn is_possible(self, manager: Option<Manager>) -> bool {
        match self {
            Install::Apt(_) => manager == Some(Manager::Apt),
            Install::Dnf(_) => manager == Some(Manager::Dnf),
            Install::Brew(_) => manager == Some(Manager::Brew),
            Install::Component(_) | Install::Target(_) | Install::Toolchain(_) => {
                find("rustup").is_some()
            }
            Install::Pip(_) | Install::Cargo(..) => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_version_in_the_output_of_programs() {
        for (text, version) in [
            ("v20.20.2\n", "20.20.2"),
            ("Python 3.11.7", "3.11.7"),
            ("cc (Debian 12.2.0-14+deb12u1) 12.2.0", "12.2.0"),
            ("openjdk version \"17.0.15\" 2025-04-15", "17.0.15"),
            ("javac 17", "17"),
            ("go version go1.19.8 linux/amd64", "1.19.8"),
            ("GNU Make 4.3\nBuilt for", "4.3"),
        ] {
            assert_eq!(number_in(text).as_deref(), Some(version), "{text}");
        }
        assert_eq!(number_in("no number"), None);
    }

    #[test]
    fn compares_versions_by_number() {
        assert!(
            is_at_least("20.0.0", "20")
                && is_at_least("3.11", "3.9")
                && is_at_least("1.10", "1.9.5")
        );
        assert!(
            !is_at_least("18.20.4", "20")
                && !is_at_least("3.9.18", "3.11")
                && !is_at_least("x", "1")
        );
    }

    #[test]
    fn reports_a_tool_that_is_missing_or_old() {
        let tool = |probe, minimum| Tool {
            name: "x",
            probe,
            minimum,
            install: &[],
        };
        assert_eq!(
            tool(Probe::Command(&["payspec-no-such-program"]), None).state(),
            State::Missing
        );
        assert_eq!(
            tool(Probe::Command(&["sh", "-c", "exit 1"]), None).state(),
            State::Missing
        );
        let old = tool(Probe::Command(&["sh", "-c", "echo v1.2.3"]), Some("2")).state();
        assert_eq!(old, State::Old("1.2.3".to_owned()));
        assert!(
            tool(Probe::Command(&["sh", "-c", "echo v1.2.3"]), Some("1.2"))
                .state()
                .is_ready()
        );
    }
}
