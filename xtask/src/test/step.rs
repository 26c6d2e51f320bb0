//! The table of steps, `xtask/steps.toml`.

use serde::Deserialize;
use std::sync::LazyLock;

/// The steps in the order in which they start.
pub(crate) static STEPS: LazyLock<Vec<Step>> = LazyLock::new(|| {
    #[derive(Deserialize)]
    struct Table {
        step: Vec<Step>,
    }
    let table: Table = toml::from_str(include_str!("../../steps.toml")).expect("xtask/steps.toml");
    table.step
});

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
    /// These steps take most of the time, and find least.
    Slow,
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

/// Returns the step with this name.
pub(crate) fn step(name: &str) -> Option<&'static Step> {
    STEPS.iter().find(|step| step.name == name)
}

/// Returns the tools of a step, separated by spaces; for an unknown name none, which a test of the
/// callers would notice.
pub(crate) fn tools(name: &str) -> &'static str {
    step(name).map_or("", |step| &step.tools)
}

/// Returns the tests of a step.
pub(crate) fn tests(name: &str) -> &'static [Tests] {
    step(name).map_or(&[], |step| &step.tests)
}
