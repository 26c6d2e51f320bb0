//! `--changed`: selects the steps that the changes of the working tree can affect.

use super::step::{Step, Tier};
use super::steps::STEPS;
use crate::support::process::output;
use payspec_support::root;
use std::process::Command;

/// Paths that affect every step.
const EVERYTHING: &[&str] = &[
    "Cargo.toml",
    "Cargo.lock",
    "rust-toolchain.toml",
    "clippy.toml",
    ".cargo/",
    "xtask/Cargo.toml",
    "xtask/src/test",
    "xtask/src/support",
];
/// Paths that affect no step: documents that no test reads.
const NOTHING: &[&str] = &[
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "LICENSE",
    ".editorconfig",
    ".vscode/",
    ".devcontainer/",
    ".gitignore",
];

/// Returns the changed and new files of the working tree, staged or not, as paths from the root.
pub(super) fn files() -> Result<Vec<String>, String> {
    let mut git = Command::new("git");
    git.args([
        "status",
        "--porcelain",
        "-z",
        "--untracked-files=all",
        "--no-renames",
    ])
    .current_dir(root());
    let text = String::from_utf8_lossy(&output(&mut git, "git status")?).into_owned();
    Ok(text
        .split('\0')
        .filter_map(|entry| entry.get(3..))
        .filter(|path| !path.is_empty())
        .map(str::to_owned)
        .collect())
}

/// Returns the usual steps that the files affect.
pub(super) fn steps(files: &[String]) -> Vec<&'static Step> {
    let begins = |path: &String, beginnings: &[&str]| {
        beginnings
            .iter()
            .any(|beginning| path.starts_with(beginning))
    };
    let relevant: Vec<&String> = files.iter().filter(|path| !begins(path, NOTHING)).collect();
    let is_affected = |step: &Step| {
        relevant.iter().any(|path| match step.paths {
            _ if begins(path, EVERYTHING) => true,
            [] => true,
            paths => begins(path, paths),
        })
    };
    // The other steps run only by name or with `--all`.
    STEPS
        .iter()
        .filter(|step| step.tier == Tier::Usual && is_affected(step))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(files: &[&str]) -> Vec<&'static str> {
        let files: Vec<String> = files.iter().map(ToString::to_string).collect();
        steps(&files).iter().map(|step| step.name).collect()
    }

    #[test]
    fn selects_the_steps_that_a_file_can_affect() {
        assert_eq!(names(&[]), [""; 0]);
        assert_eq!(names(&["CHANGELOG.md"]), [""; 0]);
        let page = names(&["examples/checkout/src/main.ts"]);
        assert!(
            page.contains(&"page") && !page.contains(&"core") && !page.contains(&"gateway"),
            "{page:?}"
        );
        let core = names(&["core/src/lib.rs"]);
        assert!(
            ["core", "lints", "c", "node", "gateway", "page"]
                .iter()
                .all(|name| core.contains(name)),
            "{core:?}"
        );
        assert!(names(&["include/payspec.h"]).contains(&"core"));
        let all = STEPS.iter().filter(|step| step.tier == Tier::Usual).count();
        assert_eq!(names(&["Cargo.lock"]).len(), all);
    }
}
