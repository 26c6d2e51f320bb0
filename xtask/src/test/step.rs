//! The properties of a step of the tests, as in `xtask/steps.toml`.

use serde::Deserialize;

/// A step of the tests.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Step {
    /// Its name on the command line.
    pub(crate) name: String,
    /// A short description.
    pub(crate) about: String,
    pub(crate) tier: Tier,
    #[serde(default)]
    pub(crate) after: Vec<String>,
    #[serde(default)]
    pub(crate) locks: Vec<String>,
    #[serde(default)]
    pub(crate) calm: bool,
    #[serde(default)]
    pub(crate) tools: String,
    #[serde(default)]
    pub(crate) cargo: Vec<String>,
    #[serde(default)]
    pub(crate) tests: Vec<Tests>,
}

impl Step {
    /// Returns the names of its tools.
    pub(crate) fn tools(&self) -> impl Iterator<Item = &str> {
        self.tools.split_whitespace()
    }
}

/// When a step runs.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Tier {
    Usual,
    All,
    /// These steps compile the release of several platforms.
    Release,
}

/// Test executables of a package.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Tests {
    pub(crate) package: String,
    /// The name of the target: `vectors`, or the crate's name for its unit tests. If empty, all
    /// targets of the package.
    #[serde(default)]
    pub(crate) target: String,
    #[serde(default)]
    pub(crate) arguments: Vec<String>,
}
