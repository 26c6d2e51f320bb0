//! `cargo xtask deny`: checks dependencies with cargo-deny, the rules in deny.toml and published
//! advisories, and the lock files of npm. With `--npm`, `npm audit` compares the packages of npm.

use super::advisories;
use crate::setup::{self, Consent};
use crate::support::checks::{self, Checks};
use crate::support::process::{cargo, output, run_checked, run_in};
use anyhow::{Context, Result};
use fs_err as fs;
use payspec_support::root;
use serde_json::Value;
use std::process::Command;

/// Names and arguments of cargo-deny. A shipped crate must not contain two versions of another.
const CHECKS: [(&str, &str); 5] = [
    (
        "licenses, bans, and sources of the workspace",
        "--manifest-path Cargo.toml check -A duplicate licenses bans sources",
    ),
    (
        "sources of the fuzz targets",
        "--manifest-path tests/fuzz/libfuzzer/Cargo.toml check sources",
    ),
    (
        "no crate twice in payspec",
        "--manifest-path core/Cargo.toml --exclude-dev check bans -D duplicate",
    ),
    (
        "no crate twice in payspec-ffi",
        "--manifest-path ffi/Cargo.toml --exclude-dev check bans -D duplicate",
    ),
    (
        "no crate twice in payspec-wasm",
        "--manifest-path wasm/Cargo.toml --exclude-dev check bans -D duplicate",
    ),
];

/// Checks everything, and runs `npm audit` if `npm` is true.
pub(crate) fn run(npm: bool) -> Result<()> {
    setup::require("cargo-deny", Consent::default())?;
    let mut checks = check()?;
    if npm {
        for folder in npm_folders()? {
            let audit = run_in(&root().join(&folder), "npm", &["audit"]);
            checks.check(&format!("npm audit in {folder}"), audit);
        }
    }
    checks.result()
}

/// Runs the step of `cargo xtask test`.
pub(crate) fn check() -> Result<Checks> {
    let mut checks = Checks::default();
    for (name, arguments) in CHECKS {
        let mut deny = cargo();
        deny.args([
            "deny",
            "--log-level",
            "error",
            "--locked",
            "--config",
            "deny.toml",
        ]);
        deny.args(arguments.split_whitespace());
        checks.check(name, run_checked(&mut deny, "cargo deny"));
    }
    checks.add("", advisories::check());
    for folder in npm_folders()? {
        let lock = format!("{folder}/package-lock.json");
        let text = fs::read_to_string(root().join(&lock))?;
        let lock_file: Value = serde_json::from_str(&text).context(lock.clone())?;
        let name = format!("sources and checksums in {lock}");
        checks.check(&name, checks::none(npm_problems(&lock_file)));
    }
    Ok(checks)
}

/// Returns the folders with a manifest of npm. Each must have a lock file.
fn npm_folders() -> Result<Vec<String>> {
    let mut git = Command::new("git");
    git.args(["ls-files", "*package.json"]).current_dir(root());
    let files = String::from_utf8(output(&mut git, "git ls-files")?)?;
    let folders = files
        .lines()
        .filter_map(|file| file.strip_suffix("/package.json"));
    Ok(folders.map(str::to_owned).collect())
}

/// Returns the packages of a lock file that do not come from the registry, or without a checksum,
/// which `npm ci` compares, and those of the manifest without one version.
fn npm_problems(lock: &Value) -> Vec<String> {
    let mut problems = Vec::new();
    let packages = lock["packages"].as_object().into_iter().flatten();
    // The package itself, and folders of the repository, have no source.
    let installed = packages
        .filter(|(name, package)| name.contains("node_modules/") && package["link"] != true);
    for (name, package) in installed {
        // With `omit-lockfile-registry-resolved`, npm omits the address of the registry.
        let source = package["resolved"].as_str().unwrap_or_default();
        let checksum = package["integrity"].as_str().unwrap_or_default();
        if !source.is_empty() && !source.starts_with("https://registry.npmjs.org/") {
            problems.push(format!("{name} comes from {source}"));
        } else if !checksum.starts_with("sha512-") {
            problems.push(format!("{name} has no checksum"));
        }
    }
    for kind in ["dependencies", "devDependencies", "optionalDependencies"] {
        let wanted = lock["packages"][""][kind].as_object().into_iter().flatten();
        for (name, version) in wanted {
            let version = version.as_str().unwrap_or_default();
            if !version.starts_with("file:") && semver::Version::parse(version).is_err() {
                problems.push(format!("{name} {version} is not one version"));
            }
        }
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn requires_npm_packages_from_the_registry_with_a_checksum() {
        let lock = json!({"packages": {
            "": {"dependencies": {"a": "1.0.0", "b": "^1.0.0", "ours": "file:.."}}, "js": {},
            "node_modules/ours": {"link": true},
            "node_modules/a": {"integrity": "sha512-x"},
            "node_modules/b": {"resolved": "https://registry.npmjs.org/b/-/b-1.tgz", "integrity": "sha512-x"},
            "node_modules/c": {"resolved": "https://example.org/c.tgz", "integrity": "sha512-x"},
            "node_modules/d": {"version": "1.0.0"},
        }});
        let problems = [
            "node_modules/c comes from https://example.org/c.tgz",
            "node_modules/d has no checksum",
            "b ^1.0.0 is not one version",
        ];
        assert_eq!(npm_problems(&lock), problems);
    }

    #[test]
    fn each_npm_folder_has_a_lock_file_and_ignores_scripts() {
        let folders = npm_folders().unwrap();
        assert!(folders.len() >= 4, "{folders:?}");
        for folder in folders {
            assert!(
                root().join(&folder).join("package-lock.json").is_file(),
                "{folder}"
            );
            let settings = root().join(&folder).join(".npmrc");
            let settings = fs::read_to_string(settings).unwrap();
            assert_eq!(settings, "ignore-scripts=true\n", "{folder}");
        }
    }
}
