//! The examples in `xtask/examples.toml`.

use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// The examples, and texts that their commands contain.
pub(crate) static EXAMPLES: LazyLock<Examples> = LazyLock::new(|| {
    toml::from_str(include_str!("../../examples.toml")).expect("xtask/examples.toml")
});

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Examples {
    pub(crate) sanitized: String,
    pub(crate) responses: String,
    pub(crate) example: Vec<Example>,
}

/// An example.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Example {
    pub(crate) name: String,
    folder: Option<String>,
    pub(crate) needs: BTreeMap<String, String>,
    #[serde(default)]
    pub(crate) build: Vec<String>,
    pub(crate) tests: Vec<String>,
}

impl Example {
    /// Returns the folder below `examples` and `bindings`.
    pub(crate) fn folder(&self) -> &str {
        self.folder.as_ref().unwrap_or(&self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::EXAMPLES;
    use payspec_support::root;

    #[test]
    fn every_example_has_a_folder_and_tests() {
        for example in &EXAMPLES.example {
            let folder = root().join("examples").join(example.folder());
            assert!(
                folder.is_dir() && !example.tests.is_empty(),
                "{}",
                example.name
            );
        }
    }
}
