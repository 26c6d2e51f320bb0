//! The names of files in the readme and in manifests of other systems.

use super::installation::Packages;
use crate::build::install::VERSION;
use crate::support::test_counts::TestCounts;
use anyhow::{Result, ensure};
use payspec_support::root;
use serde_json::Value;

/// The formula of Homebrew and the manifest of Scoop contain the checksums of files that exist, and
/// README.md names only files that exist.
pub(super) fn run(packages: &Packages) -> Result<TestCounts> {
    let sums = fs_err::read_to_string(packages.dist.join("SHA256SUMS"))?;
    let formula = fs_err::read_to_string(packages.dist.join("payspec.rb"))?;
    let quoted = |key: &str| {
        let values = formula.lines().map(str::trim);
        let values = values.filter_map(move |line| line.strip_prefix(key)?.split('"').nth(1));
        values.collect::<Vec<_>>()
    };
    let mut found = Vec::new();
    for (url, sum) in quoted("url ").iter().zip(quoted("sha256 ")) {
        let file = url.rsplit('/').next().unwrap_or_default();
        found.push(format!("{sum}  {file}"));
    }
    let scoop = fs_err::read(packages.dist.join("payspec.json"))?;
    let scoop: Value = serde_json::from_slice(&scoop)?;
    for architecture in scoop["architecture"].as_object().into_iter().flatten() {
        let text = |name: &str| architecture.1[name].as_str().unwrap_or_default();
        let file = text("url").rsplit('/').next().unwrap_or_default();
        ensure!(file.strip_suffix(".zip") == Some(text("extract_dir")));
        found.push(format!("{}  {file}", text("hash")));
    }
    let archives = found.len();
    let expected = packages.extent.with_programs().len() + packages.extent.other_systems().len();
    ensure!(
        archives == expected,
        "{archives} archives in {formula}{scoop}"
    );
    let readme = fs_err::read_to_string(root().join("README.md"))?;
    let words = readme.split(|c: char| c.is_whitespace() || "`,=".contains(c));
    let files = words.filter_map(|word| word.strip_prefix("target/dist-native/"));
    found.extend(files.map(|file| format!("  {file}")));
    ensure!(
        found.len() >= archives + 5,
        "README.md names too few files of target/dist-native"
    );
    let documents = ["openapi", "asyncapi"].map(|name| format!("  payspec-{name}-{VERSION}.json"));
    found.extend(documents);
    for entry in &found {
        let is_listed = sums.lines().any(|line| line.ends_with(entry.as_str()));
        ensure!(is_listed, "SHA256SUMS has no {entry:?}");
    }
    Ok(TestCounts {
        passed: found.len() as u64,
        failed: 0,
    })
}
