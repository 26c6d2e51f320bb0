//! Checks that what is installed has a fixed version: each npm folder has a lock file that fits its
//! package.json, and each command that installs something names a version or a lock file.

use crate::setup::{Install, TOOLS};
use payspec_support::json::Json;
use payspec_support::root;
use std::fs;
use std::path::{Path, PathBuf};

/// Folders with files that others have made or that are built.
const NOT_OURS: [&str; 4] = ["target", "node_modules", "pkg", ".git"];
/// Files with commands, by their endings. `.ci/run` has none.
const WITH_COMMANDS: [&str; 6] = [".md", ".rs", ".mjs", ".js", ".sh", "/run"];

/// Returns the folders with a package.json, as paths from the root.
pub(super) fn npm_folders() -> Result<Vec<String>, String> {
    let manifests = files()?
        .into_iter()
        .filter_map(|file| Some(file.strip_suffix("/package.json")?.to_owned()));
    Ok(manifests.collect())
}

/// Returns what is wrong with the lock file of a package.json.
pub(super) fn npm_lock(manifest: &Json, lock: &Json) -> Vec<String> {
    let own = lock.get("packages").and_then(|packages| packages.get(""));
    let mut problems = Vec::new();
    for kind in ["dependencies", "devDependencies"] {
        let wanted = manifest.get(kind).map(Json::members).unwrap_or_default();
        for (name, version) in wanted {
            let version = version.as_str().unwrap_or_default();
            let locked = own.and_then(|own| own.get(kind)?.get(name)?.as_str());
            if locked != Some(version) {
                problems.push(format!("{name} {version} is not locked"));
            } else if !version.starts_with("file:") && !is_version(version) {
                problems.push(format!("{name} {version} is not one version"));
            }
        }
    }
    problems
}

/// Returns the number of tools of the table that a registry provides, and those without a version.
pub(super) fn tools() -> (usize, Vec<String>) {
    let installs: Vec<&Install> = TOOLS.iter().flat_map(|tool| tool.install).collect();
    let of_registry = |install: &&&Install| {
        matches!(
            install,
            Install::Pip(_) | Install::Cargo(..) | Install::Toolchain(_)
        )
    };
    (
        installs.iter().filter(of_registry).count(),
        installs.into_iter().filter_map(unpinned).collect(),
    )
}

fn unpinned(install: &Install) -> Option<String> {
    let is_pinned = match install {
        Install::Pip(package) => package
            .split_once("==")
            .is_some_and(|(_, version)| is_version(version)),
        Install::Cargo(_, version) => is_version(version),
        Install::Toolchain(name) => is_numeric(name),
        // The distribution and rust-toolchain.toml choose the versions of the others.
        _ => true,
    };
    (!is_pinned).then(|| format!("{install:?} has no version"))
}

/// Returns the number of files that were read, and the commands in them that install what no
/// version is fixed of.
pub(super) fn commands() -> Result<(usize, Vec<String>), String> {
    let files = files()?
        .into_iter()
        .filter(|file| WITH_COMMANDS.iter().any(|ending| file.ends_with(ending)));
    let mut count = 0;
    let mut problems = Vec::new();
    for file in files {
        let text =
            fs::read_to_string(root().join(&file)).map_err(|error| format!("{file}: {error}"))?;
        count += 1;
        // The examples of the tests below are wrong on purpose.
        let text = text.split("#[cfg(test)]").next().unwrap_or_default();
        problems.extend(
            text.lines()
                .filter_map(loose)
                .map(|command| format!("{file}: {command}")),
        );
    }
    Ok((count, problems))
}

/// Returns the part of a line that installs something without a fixed version.
fn loose(line: &str) -> Option<String> {
    let after = |command: &str| line.split_once(command).map(|(_, rest)| rest);
    let arguments = |rest: &str| {
        rest.split(['`', '"', ';', ')', '\'', '&'])
            .next()
            .unwrap_or_default()
            .trim()
            .to_owned()
    };
    if let Some(rest) = after("npm ci").or_else(|| after(r#""npm", &["ci""#)) {
        return (!rest.contains("--ignore-scripts")).then(|| format!("npm ci{}", arguments(rest)));
    }
    // A package that was built here needs no version. The documentation calls the folder of a clone
    // `path/to/payspec`.
    let is_local = |rest: &str| {
        let mut packages = rest
            .split(' ')
            .filter(|word| !word.starts_with('-'))
            .peekable();
        packages.peek().is_some()
            && packages.all(|word| word.starts_with('.') || word.starts_with("path/to/payspec/"))
    };
    if let Some(rest) = after("npm install").map(arguments) {
        return (!is_local(&rest)).then(|| format!("npm install {rest}"));
    }
    if let Some(rest) = after("cargo install ").map(arguments) {
        let is_pinned =
            rest.split(' ').any(|word| word.contains('@')) || rest.starts_with("--path");
        return (!is_pinned).then(|| format!("cargo install {rest}"));
    }
    // A package with an extra is in quotes.
    let rest = after("pip install ").map(|rest| arguments(rest.trim_start_matches(['\'', '"'])))?;
    // The arguments of a format string come from the table.
    let is_pinned =
        rest.contains("==") || is_local(&rest) || rest.starts_with('{') || rest.starts_with("-r");
    (!is_pinned).then(|| format!("pip install {rest}"))
}

/// Returns whether a text is one version, not a range or a part of one: `1.2.3`, `1.0.0-beta.2`.
fn is_version(text: &str) -> bool {
    semver::Version::parse(text).is_ok()
}

/// Returns whether a text is two or three numbers: `1.89`, `1.89.0`.
fn is_numeric(text: &str) -> bool {
    (2..=3).contains(&text.split('.').count())
        && text.split('.').all(|part| part.parse::<u32>().is_ok())
}

/// Returns the paths of all files of the repository, sorted.
fn files() -> Result<Vec<String>, String> {
    let (root, mut found) = (root(), Vec::new());
    let mut next: Vec<PathBuf> = vec![root.clone()];
    while let Some(folder) = next.pop() {
        let named = |error: std::io::Error| format!("{}: {error}", folder.display());
        for entry in fs::read_dir(&folder).map_err(named)? {
            let path = entry.map_err(named)?.path();
            let is_ours = !path
                .file_name()
                .is_some_and(|name| NOT_OURS.iter().any(|other| name == *other));
            if path.is_dir() && !path.is_symlink() && is_ours {
                next.push(path);
            } else if path.is_file() {
                found.push(relative(&root, &path));
            }
        }
    }
    found.sort();
    Ok(found)
}

fn relative(root: &Path, path: &Path) -> String {
    path.strip_prefix(root)
        .unwrap_or(path)
        .to_string_lossy()
        .into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_that_is_installed_has_a_version() {
        assert_eq!(tools().1, [""; 0]);
        let (count, problems) = commands().unwrap();
        assert!(count > 100, "{count}");
        assert_eq!(problems, [""; 0]);
        let folders = npm_folders().unwrap();
        assert!(folders.len() >= 4, "{folders:?}");
        for folder in folders {
            assert!(
                root().join(&folder).join("package-lock.json").is_file(),
                "{folder} has no lock file"
            );
        }
    }

    #[test]
    fn a_tool_without_a_version_is_reported() {
        for install in [
            Install::Pip("x"),
            Install::Pip("x>=1.2.3"),
            Install::Cargo("x", "1"),
            Install::Toolchain("nightly"),
        ] {
            assert!(unpinned(&install).is_some(), "{install:?}");
        }
        assert_eq!(unpinned(&Install::Cargo("x", "1.2.3")), None);
    }

    #[test]
    fn a_command_without_a_version_is_reported() {
        for line in [
            "    npm install",
            "npm install left-pad",
            "npm ci",
            r#"run_in(folder, "npm", &["ci", "--no-audit"])"#,
            "missing: cargo install cargo-deny --locked",
            "pip install schemathesis",
            "pip install 'pytest[all]'",
            "pip install --quiet pytest",
            "npm install path/to/payspec/wasm/pkg left-pad",
        ] {
            assert!(loose(line).is_some(), "{line}");
        }
        for line in [
            "npm ci --ignore-scripts",
            "npm install ./wasm/pkg",
            "cargo install --locked cargo-deny@0.20.2",
            "pip install schemathesis==4.32.5",
            "pip install . && x",
            "pip install --quiet path/to/payspec/bindings/python",
            "pip install 'path/to/payspec/bindings/python[duckdb]'",
            "npm install path/to/payspec/wasm/pkg",
        ] {
            assert_eq!(loose(line), None);
        }
    }

    #[test]
    fn a_lock_file_that_does_not_fit_is_reported() {
        let read = |text: &str| Json::parse(text.as_bytes()).unwrap();
        let manifest = read(r#"{"dependencies":{"a":"1.0.0","b":"^1.0.0","c":"2.0.0"}}"#);
        let lock =
            read(r#"{"packages":{"":{"dependencies":{"a":"1.0.0","b":"^1.0.0","c":"1.0.0"}}}}"#);
        assert_eq!(
            npm_lock(&manifest, &lock),
            ["b ^1.0.0 is not one version", "c 2.0.0 is not locked"]
        );
        assert_eq!(npm_lock(&manifest, &read("{}")).len(), 3);
    }
}
