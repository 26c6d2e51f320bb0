//! A tool of `xtask/tools.toml`: how it is found, its minimum version, and how it is installed.

use super::environment;
use crate::support::process::{llvm_programs, sysroot};
use semver::Version;
use serde::Deserialize;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::LazyLock;

/// The tools in the order in which they are installed and listed.
pub(crate) static TOOLS: LazyLock<Vec<Tool>> = LazyLock::new(|| {
    #[derive(Deserialize)]
    struct Table {
        tool: Vec<Tool>,
    }
    let table: Table = toml::from_str(include_str!("../../tools.toml")).expect("xtask/tools.toml");
    table.tool
});

/// A program, library, or component that commands need in addition to Rust.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Tool {
    /// The name, unique in the table.
    pub(crate) name: String,
    /// The command that finds it, if it is not `NAME --version`.
    probe: Option<String>,
    /// The minimum version, if older ones do not work: `20`, `3.11`.
    pub(crate) minimum: Option<String>,
    /// `rustup component add`.
    component: Option<String>,
    /// `rustup target add`.
    target: Option<String>,
    /// `rustup toolchain install --profile minimal`.
    toolchain: Option<String>,
    /// Packages of Debian and its relatives.
    apt: Option<String>,
    /// Packages of Fedora and its relatives.
    dnf: Option<String>,
    /// Formulas of Homebrew.
    brew: Option<String>,
    /// A package of PyPI, installed into an environment below the target folder.
    pub(crate) pip: Option<String>,
    /// `cargo install` with the package and its version.
    cargo: Option<String>,
}

/// A way to install a tool on this machine, with the names of packages.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Install<'t> {
    System(&'t str),
    Component(&'t str),
    Target(&'t str),
    Toolchain(&'t str),
    Pip(&'t str),
    Cargo(&'t str),
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

/// Returns the tool with this name.
///
/// # Panics
/// If the table does not contain it; a test checks the names in the list of steps.
pub(crate) fn tool(name: &str) -> &'static Tool {
    let found = TOOLS.iter().find(|tool| tool.name == name);
    found.unwrap_or_else(|| panic!("{name} is not the name of a tool"))
}

impl Tool {
    /// Returns the state of the tool on this machine.
    pub(crate) fn state(&self) -> State {
        let Some(version) = self.version() else {
            return State::Missing;
        };
        match (self.minimum.as_deref(), number_in(&version)) {
            (None, version) => State::Ready(version),
            (Some(minimum), Some(version)) if is_at_least(&version, minimum) => {
                State::Ready(Some(version))
            }
            (Some(_), version) => State::Old(version.unwrap_or_else(|| "unknown".to_owned())),
        }
    }

    /// Returns the text that contains the version, if the tool is installed.
    fn version(&self) -> Option<String> {
        let own = format!("{} --version", self.name);
        let module = format!(
            "$PYTHON -c \"from importlib.metadata import version; print(version('{}'))\"",
            self.name
        );
        match self.probe.as_deref() {
            Some("function") => has_part(&self.name).then(String::new),
            Some("module") => printed(&module),
            probe => printed(probe.unwrap_or(&own)),
        }
    }

    /// Returns the way to install it on a machine with this package manager.
    pub(super) fn install(
        &self,
        manager: Option<Manager>,
        has_rustup: bool,
    ) -> Option<Install<'_>> {
        let rustup = [
            self.component.as_deref().map(Install::Component),
            self.target.as_deref().map(Install::Target),
            self.toolchain.as_deref().map(Install::Toolchain),
        ];
        let system = match manager {
            Some(Manager::Apt) => self.apt.as_deref(),
            Some(Manager::Dnf) => self.dnf.as_deref(),
            Some(Manager::Brew) => self.brew.as_deref(),
            None => None,
        };
        rustup
            .into_iter()
            .flatten()
            .find(|_| has_rustup)
            .or(system.map(Install::System))
            .or(self.pip.as_deref().map(Install::Pip))
            .or(self.cargo.as_deref().map(Install::Cargo))
    }
}

/// Returns true if the compiler has a part that no command prints.
fn has_part(name: &str) -> bool {
    let folder = match name {
        "llvm-tools" => return llvm_programs().is_some(),
        "wasm32" => "wasm32-unknown-unknown",
        "rust-src" => "src/rust/library",
        target => target,
    };
    sysroot().is_some_and(|root| root.join("lib/rustlib").join(folder).is_dir())
}

/// Returns the output of a shell command that succeeds, with standard error, to which Java prints
/// its version.
fn printed(command: &str) -> Option<String> {
    let mut shell = Command::new("sh");
    shell
        .args(["-c", command])
        .env("PYTHON", environment::python());
    let output = shell.stdin(Stdio::null()).output().ok()?;
    let text = [output.stdout, output.stderr].concat();
    (output.status.success()).then(|| String::from_utf8_lossy(&text).into_owned())
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
pub(super) enum Manager {
    Apt,
    Brew,
    Dnf,
}

impl Manager {
    /// Returns the one of this machine.
    pub(super) fn here() -> Option<Manager> {
        [
            ("apt-get", Manager::Apt),
            ("dnf", Manager::Dnf),
            ("brew", Manager::Brew),
        ]
        .into_iter()
        .find_map(|(program, manager)| find(program).map(|_| manager))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_each_tool_once() {
        for (index, tool) in TOOLS.iter().enumerate() {
            let is_new = TOOLS[..index].iter().all(|other| other.name != tool.name);
            assert!(is_new, "{} twice", tool.name);
        }
        let oldest = tool("rust-oldest").toolchain.as_deref();
        assert_eq!(oldest, Some(env!("CARGO_PKG_RUST_VERSION")));
    }

    /// SECURITY.md promises it.
    #[test]
    fn each_tool_of_a_registry_has_one_version() {
        for tool in TOOLS.iter() {
            let is_version = |text: &str, mark| {
                let version = text.split_once(mark).map(|(_, version)| version);
                version.is_some_and(|version| Version::parse(version).is_ok())
            };
            let pip = tool.pip.as_deref().is_none_or(|pip| is_version(pip, "=="));
            let cargo = tool
                .cargo
                .as_deref()
                .is_none_or(|cargo| is_version(cargo, "@"));
            assert!(pip && cargo, "{}", tool.name);
        }
    }

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
        for (version, minimum) in [("20.0.0", "20"), ("3.11", "3.9"), ("1.10", "1.9.5")] {
            assert!(is_at_least(version, minimum), "{version} {minimum}");
        }
        for (version, minimum) in [("18.20.4", "20"), ("3.9.18", "3.11"), ("x", "1")] {
            assert!(!is_at_least(version, minimum), "{version} {minimum}");
        }
    }

    #[test]
    fn reports_a_tool_that_is_missing_or_old() {
        let state = |probe: &str, minimum: Option<&str>| {
            let tool = Tool {
                probe: Some(probe.to_owned()),
                minimum: minimum.map(str::to_owned),
                ..Tool::default()
            };
            tool.state()
        };
        assert_eq!(state("payspec-no-such-program", None), State::Missing);
        assert_eq!(state("exit 1", None), State::Missing);
        let old = State::Old("1.2.3".to_owned());
        assert_eq!(state("echo v1.2.3", Some("2")), old);
        assert!(state("echo v1.2.3", Some("1.2")).is_ready());
    }
}
