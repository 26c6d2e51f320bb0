//! The properties of a step of the tests.

use crate::support::checks::{Checks, Named};
use anyhow::Result;

/// A step of the tests.
pub(crate) struct Step {
    /// Its name on the command line.
    pub(crate) name: &'static str,
    /// A short description.
    pub(crate) about: &'static str,
    /// Selects the runs that include it.
    pub(crate) tier: Tier,
    /// Steps that build its executables. They are added only in a whole run; on its own, the step
    /// builds what it needs.
    pub(crate) after: &'static [&'static str],
    /// Locks: two steps with the same lock never run at once, since cargo would block the second
    /// one.
    pub(crate) locks: &'static [&'static str],
    /// Names of tools in `xtask/tools.toml`, separated by spaces as for a package manager.
    pub(crate) tools: &'static str,
    pub(crate) run: Run,
}

impl Step {
    /// Returns the names of its tools.
    pub(crate) fn tools(&self) -> impl Iterator<Item = &'static str> {
        self.tools.split_whitespace()
    }
}

/// When a step runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Tier {
    /// In every run.
    Usual,
    /// With `--all` or by name.
    All,
    /// By name, before a release. These steps compile the release of several platforms.
    Release,
}

/// Test executables of a package.
pub(crate) struct Tests {
    pub(crate) package: &'static str,
    /// The name of the target: `vectors`, or the crate's name for its unit tests. If empty, all
    /// targets of the package.
    pub(crate) target: &'static str,
    pub(crate) arguments: &'static [&'static str],
}

impl Tests {
    pub(crate) const fn of(package: &'static str, target: &'static str) -> Tests {
        Tests {
            package,
            target,
            arguments: &[],
        }
    }

    pub(crate) const fn with(mut self, arguments: &'static [&'static str]) -> Tests {
        self.arguments = arguments;
        self
    }
}

/// The work of a step.
pub(crate) enum Run {
    /// Commands of cargo that succeed.
    Cargo(&'static [&'static str]),
    /// Functions of this program, each counted as one check.
    Checks(&'static [Named<()>]),
    /// Test executables of cargo. Each must run at least one test.
    Tests(&'static [Tests]),
    /// The test executables of the default members that no other step names.
    OtherTests,
    /// A function that returns its results.
    Counted(fn() -> Result<Checks>),
}
