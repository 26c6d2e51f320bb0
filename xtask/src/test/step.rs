//! The properties of a step of the tests.

use super::executables::Which;
use crate::support::test_counts::TestCounts;

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
    /// Names of tools in the set-up table.
    pub(crate) tools: &'static [&'static str],
    /// Prefixes of paths from the root. A change below one of them affects the step; if empty, any
    /// change does.
    pub(crate) paths: &'static [&'static str],
    pub(crate) run: Run,
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

/// A check with its name.
pub(crate) type Check = (&'static str, fn() -> Result<(), String>);

/// The work of a step.
pub(crate) enum Run {
    /// A cargo command that succeeds, with environment variables.
    Cargo(
        &'static [&'static str],
        &'static [(&'static str, &'static str)],
    ),
    /// Functions of this program, each counted as one check.
    Checks(&'static [Check]),
    /// Test executables of cargo. Each must run at least one test.
    Executables(Which),
    /// The examples in the documentation.
    Doctests,
    /// A function that returns its counts, and the problem if there is one.
    Counted(fn() -> (TestCounts, Option<String>)),
}
