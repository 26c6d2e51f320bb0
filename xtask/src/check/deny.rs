//! `cargo xtask deny`: checks dependencies with the rules in deny.toml. The tests check licenses,
//! sources, and bans without the network; the command also checks advisories.

use super::pins;
use crate::support::process::{cargo, run_checked};
use crate::support::test_counts::TestCounts;
use anstream::println;
use cargo_metadata::{
    DependencyKind, Metadata, MetadataCommand, Package, PackageId, Target, TargetKind,
};
use payspec_support::json::Json;
use payspec_support::root;
use serde::Deserialize;
use spdx::{Expression, Licensee, ParseMode};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::process::Command;

/// Lock files of the dependencies.
const CARGO_LOCKS: [&str; 2] = ["Cargo.lock", "tests/fuzz/libfuzzer/Cargo.lock"];
/// The crates that are published. Their dependencies must not contain a crate twice.
const SHIPPED: [&str; 3] = ["payspec", "payspec-ffi", "payspec-wasm"];

/// Checks all rules of deny.toml, including advisories, which are downloaded. Without a network it
/// uses the last download, which deny.toml allows for 30 days.
pub(crate) fn run(npm: bool, offline: bool) -> Result<(), String> {
    if offline {
        return check().1.map_or(Ok(()), Err);
    }
    let mut failed: Vec<String> = check().1.into_iter().collect();
    let mut follow =
        |command: &mut Command, name: &str| failed.extend(run_checked(command, name).err());
    let mut command = cargo();
    command.args(["deny", "--locked", "check"]);
    let version = cargo().args(["deny", "--version"]).output();
    let is_installed = version.is_ok_and(|output| output.status.success());
    if is_installed
        && run_checked(cargo().args(["deny", "fetch", "db"]), "cargo deny fetch").is_err()
    {
        println!(
            "   the advisories cannot be downloaded: the copy of the last download is used, for 30 days at most"
        );
        command.arg("--disable-fetch");
    }
    follow(
        &mut command,
        "cargo deny (if it is missing: cargo install --locked cargo-deny@0.20.2)",
    );
    if npm {
        for folder in pins::npm_folders()? {
            let mut audit = Command::new("npm");
            follow(
                audit.arg("audit").current_dir(root().join(&folder)),
                &format!("npm audit in {folder}"),
            );
        }
    }
    if failed.is_empty() {
        Ok(())
    } else {
        Err(failed.join("\n"))
    }
}

/// Runs the step of `cargo xtask test`: each subject counts as one check.
pub(crate) fn check() -> (TestCounts, Option<String>) {
    let found = match problems() {
        Ok(found) => found,
        Err(error) => return (TestCounts::of_check(false), Some(error)),
    };
    let mut sum = TestCounts::default();
    let mut all = Vec::new();
    for (subject, problems) in found {
        println!("   {subject}");
        sum.add(TestCounts::of_check(problems.is_empty()));
        all.extend(problems);
    }
    (sum, (!all.is_empty()).then(|| all.join("\n   ")))
}

/// The rules of deny.toml that these checks use.
#[derive(Deserialize)]
struct Rules {
    licenses: Licenses,
    bans: Bans,
    sources: Sources,
}

#[derive(Deserialize)]
struct Licenses {
    allow: Vec<String>,
    exceptions: Vec<Exception>,
}

#[derive(Deserialize)]
struct Exception {
    #[serde(rename = "crate")]
    name: String,
    allow: Vec<String>,
}

#[derive(Deserialize)]
struct Bans {
    deny: Vec<Ban>,
}

#[derive(Deserialize)]
struct Ban {
    #[serde(rename = "crate")]
    name: String,
    reason: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Sources {
    allow_registry: Vec<String>,
}

/// Returns each subject with its problems.
fn problems() -> Result<Vec<(String, Vec<String>)>, String> {
    let text = read("deny.toml")?;
    let rules: Rules = toml::from_str(&text).map_err(|error| format!("deny.toml: {error}"))?;
    let metadata = MetadataCommand::new()
        .manifest_path(root().join("Cargo.toml"))
        .other_options(["--locked", "--all-features"].map(str::to_owned))
        .exec()
        .map_err(|error| format!("cargo metadata: {error}"))?;
    let count = metadata.packages.len();
    let mut found = vec![
        (
            format!("licenses of {count} crates"),
            licenses(&rules.licenses, &metadata.packages)?,
        ),
        (
            format!("bans among {count} crates"),
            bans(&rules.bans, &metadata.packages),
        ),
    ];
    for name in SHIPPED {
        let (count, problems) = duplicates(&metadata, name)?;
        found.push((
            format!("{name}: {count} crates, none of them twice"),
            problems,
        ));
    }
    for lock in CARGO_LOCKS {
        let (count, problems) =
            sources(&rules.sources, &read(lock)?).map_err(|error| format!("{lock}: {error}"))?;
        found.push((
            format!("sources of {count} crates in {lock}"),
            prefixed(lock, problems),
        ));
    }
    let (count, problems) = pins::tools();
    found.push((format!("versions of {count} tools"), problems));
    let (count, problems) = pins::commands()?;
    found.push((
        format!("commands that install something, in {count} files"),
        problems,
    ));
    for folder in pins::npm_folders()? {
        let lock = format!("{folder}/package-lock.json");
        let manifest = Json::parse(read(&format!("{folder}/package.json"))?.as_bytes())?;
        let locked = Json::parse(read(&lock)?.as_bytes())?;
        let (count, mut problems) = npm_sources(&locked);
        problems.extend(pins::npm_lock(&manifest, &locked));
        found.push((
            format!("sources of {count} packages in {lock}"),
            prefixed(&lock, problems),
        ));
    }
    Ok(found)
}

fn read(file: &str) -> Result<String, String> {
    fs::read_to_string(root().join(file)).map_err(|error| format!("{file}: {error}"))
}

fn prefixed(file: &str, problems: Vec<String>) -> Vec<String> {
    problems
        .into_iter()
        .map(|problem| format!("{file}: {problem}"))
        .collect()
}

fn licenses(rules: &Licenses, packages: &[Package]) -> Result<Vec<String>, String> {
    let licensee = |name: &String| {
        Licensee::parse(name).map_err(|error| format!("deny.toml: {name}: {error}"))
    };
    let allowed = rules
        .allow
        .iter()
        .map(licensee)
        .collect::<Result<Vec<_>, _>>()?;
    let mut used = BTreeSet::new();
    let mut problems = Vec::new();
    for package in packages {
        let name = package.name.as_str();
        let exception = rules
            .exceptions
            .iter()
            .find(|exception| exception.name == name);
        let excepted = exception.map(|exception| {
            exception
                .allow
                .iter()
                .map(licensee)
                .collect::<Result<Vec<_>, _>>()
        });
        let excepted = excepted.transpose()?.unwrap_or_default();
        let text = package.license.as_deref().unwrap_or_default();
        let Ok(expression) = Expression::parse_mode(text, ParseMode::LAX) else {
            problems.push(format!("{name}: unreadable license: {text:?}"));
            continue;
        };
        let is_allowed = expression.evaluate(|required| {
            let listed = allowed
                .iter()
                .position(|license| license.satisfies(required));
            used.extend(listed);
            listed.is_some() || excepted.iter().any(|license| license.satisfies(required))
        });
        if !is_allowed {
            problems.push(format!("{name}: the license is not allowed: {text}"));
        }
    }
    let unused = rules
        .allow
        .iter()
        .enumerate()
        .filter(|(index, _)| !used.contains(index));
    problems.extend(unused.map(|(_, name)| format!("deny.toml: nothing is licensed under {name}")));
    let unused_exceptions = rules.exceptions.iter().filter(|rule| {
        !packages
            .iter()
            .any(|package| package.name.as_str() == rule.name)
    });
    problems.extend(
        unused_exceptions
            .map(|rule| format!("deny.toml: the exception for {} has no crate", rule.name)),
    );
    Ok(problems)
}

fn bans(rules: &Bans, packages: &[Package]) -> Vec<String> {
    let banned = |package: &Package| {
        let ban = rules
            .deny
            .iter()
            .find(|ban| ban.name == package.name.as_str())?;
        Some(format!("{} is banned: {}", ban.name, ban.reason))
    };
    packages.iter().filter_map(banned).collect()
}

/// Returns the number of crates that a published crate is built of, and those of them that occur in
/// two versions. The crates of procedural macros are part of the compiler only.
fn duplicates(metadata: &Metadata, name: &str) -> Result<(usize, Vec<String>), String> {
    let missing = || format!("cargo metadata does not contain {name}");
    let resolve = metadata.resolve.as_ref().ok_or_else(missing)?;
    let package = metadata
        .packages
        .iter()
        .find(|package| package.name.as_str() == name)
        .ok_or_else(missing)?;
    let mut seen = BTreeSet::from([&package.id]);
    let mut next = vec![&package.id];
    while let Some(id) = next.pop() {
        let node = resolve
            .nodes
            .iter()
            .find(|node| node.id == *id)
            .ok_or_else(missing)?;
        let is_macro = |id: &PackageId| {
            let package = metadata.packages.iter().find(|package| package.id == *id);
            let is_proc_macro = |target: &Target| target.is_kind(TargetKind::ProcMacro);
            package.is_some_and(|package| package.targets.iter().any(is_proc_macro))
        };
        let shipped = node.deps.iter().filter(|dependency| {
            let mut kinds = dependency.dep_kinds.iter();
            kinds.any(|kind| kind.kind == DependencyKind::Normal) && !is_macro(&dependency.pkg)
        });
        next.extend(
            shipped
                .map(|dependency| &dependency.pkg)
                .filter(|id| seen.insert(id)),
        );
    }
    let mut versions: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for package in seen
        .iter()
        .filter_map(|id: &&PackageId| metadata.packages.iter().find(|package| package.id == **id))
    {
        versions
            .entry(package.name.as_str())
            .or_default()
            .push(package.version.to_string());
    }
    let repeated = versions.iter().filter(|(_, versions)| versions.len() > 1);
    let problems = repeated
        .map(|(crate_, versions)| format!("{name} is built of {crate_} {}", versions.join(" and ")))
        .collect();
    Ok((seen.len(), problems))
}

#[derive(Deserialize)]
struct Lock {
    package: Vec<Locked>,
}

#[derive(Deserialize)]
struct Locked {
    name: String,
    source: Option<String>,
    checksum: Option<String>,
}

fn sources(rules: &Sources, lock: &str) -> Result<(usize, Vec<String>), toml::de::Error> {
    let packages = toml::from_str::<Lock>(lock)?.package;
    let problem = |package: &Locked| {
        // Packages of this workspace have no source.
        let source = package.source.as_deref()?;
        let known = source
            .strip_prefix("registry+")
            .is_some_and(|url| rules.allow_registry.iter().any(|allowed| allowed == url));
        match (known, &package.checksum) {
            (false, _) => Some(format!("{} comes from {source}", package.name)),
            (true, None) => Some(format!("{} has no checksum", package.name)),
            (true, Some(_)) => None,
        }
    };
    Ok((
        packages.len(),
        packages.iter().filter_map(problem).collect(),
    ))
}

fn npm_sources(lock: &Json) -> (usize, Vec<String>) {
    let packages = lock.get("packages").map(Json::members).unwrap_or_default();
    let problem = |(name, package): &(String, Json)| {
        // The package itself, and folders of the repository.
        if name.is_empty() || package.get("link").is_some() || !name.contains("node_modules/") {
            return None;
        }
        let text = |member: &str| {
            package
                .get(member)
                .and_then(Json::as_str)
                .unwrap_or_default()
        };
        // With `omit-lockfile-registry-resolved`, npm omits the address of the registry.
        let source = text("resolved");
        if !source.is_empty() && !source.starts_with("https://registry.npmjs.org/") {
            Some(format!("{name} comes from {source}"))
        } else if !text("integrity").starts_with("sha512-") {
            Some(format!("{name} has no checksum"))
        } else {
            None
        }
    };
    (
        packages.len(),
        packages.iter().filter_map(problem).collect(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_a_source_that_is_not_allowed() {
        let rules = Sources {
            allow_registry: vec!["https://github.com/rust-lang/crates.io-index".to_owned()],
        };
        let entry = |name: &str, more: &str| {
            format!("[[package]]\nname = \"{name}\"\nversion = \"1.0.0\"\n{more}\n")
        };
        let registry = "source = \"registry+https://github.com/rust-lang/crates.io-index\"";
        let lock = [
            entry("ours", ""),
            entry("good", &format!("{registry}\nchecksum = \"00\"")),
            entry("bare", registry),
            entry("git", "source = \"git+https://example.org/git#0\""),
            entry(
                "other",
                "source = \"registry+https://example.org/index\"\nchecksum = \"00\"",
            ),
        ];
        let (count, problems) = sources(&rules, &lock.concat()).unwrap();
        assert_eq!(count, 5);
        assert_eq!(
            problems,
            [
                "bare has no checksum",
                "git comes from git+https://example.org/git#0",
                "other comes from registry+https://example.org/index",
            ]
        );
    }

    #[test]
    fn requires_npm_packages_from_the_registry_with_a_checksum() {
        let lock = r#"{"packages":{"":{},"js":{},"node_modules/ours":{"link":true},
            "node_modules/a":{"integrity":"sha512-x"},
            "node_modules/b":{"resolved":"https://registry.npmjs.org/b/-/b-1.tgz","integrity":"sha512-x"},
            "node_modules/c":{"resolved":"https://example.org/c.tgz","integrity":"sha512-x"},
            "node_modules/d":{"version":"1.0.0"}}}"#;
        let (_, problems) = npm_sources(&Json::parse(lock.as_bytes()).unwrap());
        assert_eq!(
            problems,
            [
                "node_modules/c comes from https://example.org/c.tgz",
                "node_modules/d has no checksum"
            ]
        );
    }
}
