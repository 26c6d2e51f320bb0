//! The page of the toolchains of JavaScript, from the table of the tests of the npm package.

use super::markdown::table;
use crate::common::{Page, failed};
use payspec_tests::root;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::fs;

/// A row of the table in `wasm/tests/toolchains/table.json`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Toolchain {
    name: String,
    /// The package whose version is tested. The folder before it has the manifest with the version.
    package: String,
    /// The settings of the toolchain in the test.
    config: Option<Map<String, Value>>,
    note: Option<String>,
    /// A part of the error of each entry that cannot work.
    #[serde(default)]
    fails: BTreeMap<String, String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Manifest {
    #[serde(default)]
    engines: BTreeMap<String, String>,
    dev_dependencies: BTreeMap<String, String>,
}

/// The versions of the packages of the tests.
struct Versions {
    package: Manifest,
    toolchains: Manifest,
}

impl Versions {
    /// Returns the package with its version.
    fn named(&self, name: &str) -> Result<String, String> {
        // The tests run in the Chromium of the system.
        if name == "chromium" {
            return Ok(name.to_owned());
        }
        let found = match name.split_once('/') {
            Some((_, name)) => self.toolchains.dev_dependencies.get(name),
            None if name == "node" => self.package.engines.get(name),
            None => {
                let both = [&self.package, &self.toolchains];
                both.iter()
                    .find_map(|manifest| manifest.dev_dependencies.get(name))
            }
        };
        let name = name.trim_start_matches("toolchains/");
        let version =
            found.ok_or_else(|| format!("no version of {name} in the manifests of the tests"))?;
        Ok(format!("{name} {version}"))
    }
}

pub(super) fn page() -> Result<Page, String> {
    let toolchains: Vec<Toolchain> = read("wasm/tests/toolchains/table.json")?;
    let versions = Versions {
        package: read("wasm/package.json")?,
        toolchains: read("wasm/tests/toolchains/package.json")?,
    };
    let rows: Result<Vec<_>, String> = toolchains
        .iter()
        .map(|row| Ok([row.name.clone(), versions.named(&row.package)?, result(row)]))
        .collect();
    let text = format!(
        "# Where it runs\n\nThe tests of the npm package load and use these entry points in each of these toolchains: `payspec`, \
         `payspec/checkout`, `payspec/card`, `payspec/messages/en`, `payspec/messages/ru`, and `payspec/slim`. `payspec/sandbox` \
         is tested with node:test and Vitest. Importing an entry point needs no global besides those of the language. All vectors run in Node.js, Chromium, and Firefox.\n\n{}\n\
         [Validate in JavaScript](../start/javascript.md) describes bundlers, Workers, and tests.\n",
        table(["toolchain", "tested", "result"], rows?)
    );
    Ok(Page {
        path: "reference/where-it-runs.md".to_owned(),
        title: "Where it runs".to_owned(),
        text,
    })
}

/// Returns the result of a row, with its settings.
fn result(row: &Toolchain) -> String {
    let mut parts = if row.fails.is_empty() {
        vec!["All entry points work.".to_owned()]
    } else {
        vec!["`payspec/card` and the messages work.".to_owned()]
    };
    for (entry, error) in &row.fails {
        parts.push(format!("`{entry}` throws an error with `{error}`."));
    }
    for (name, value) in row.config.iter().flatten() {
        parts.push(format!("`{name}: {value}`."));
    }
    parts.extend(row.note.clone());
    parts.join(" ")
}

fn read<T: DeserializeOwned>(path: &str) -> Result<T, String> {
    let full = root().join(path);
    let text = fs::read_to_string(&full).map_err(failed(&full))?;
    serde_json::from_str(&text).map_err(|error| format!("{path}: {error}"))
}

#[cfg(test)]
mod tests {
    use super::page;

    #[test]
    fn lists_every_toolchain_with_a_version() {
        let text = page().unwrap().text;
        assert!(text.contains("| Node.js, `import` | node >=20 | All entry points work. |"));
        assert!(
            text.contains("`optimizeDeps: {\"exclude\":[\"payspec\"]}`"),
            "{text}"
        );
        assert!(
            text.contains("`payspec/slim` throws an error with `expected the global WebAssembly`.")
        );
    }
}
