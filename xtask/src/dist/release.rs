//! `cargo xtask release`: sets the version everywhere, and runs all of a release that does not
//! publish.

use super::command::{Options, run as dist};
use crate::build::install::VERSION;
use crate::setup::{self, Consent};
use crate::support::process::{cargo, output, run_checked, works};
use crate::support::style::{BAD, BOLD, GOOD};
use crate::test::tools;
use anstream::println;
use anyhow::{Context, Result, anyhow, bail, ensure};
use clap::Args;
use fs_err as fs;
use payspec_support::root;
use std::collections::BTreeMap;
use std::process::Command;

/// A check before a release, and its name.
type Check = (&'static str, fn() -> Result<()>);

/// The action.
#[derive(Args, Debug)]
#[group(required = true)]
pub(crate) struct ReleaseOptions {
    /// Check the sources, build all packages twice, and check them; publishes nothing
    #[arg(long)]
    dry_run: bool,
    /// Write this version into all files that contain the current one
    #[arg(long, value_name = "VERSION", conflicts_with = "dry_run")]
    set: Option<semver::Version>,
}

/// Returns the files with the version, and the texts around it.
fn files() -> Result<BTreeMap<String, Vec<String>>> {
    Ok(toml::from_str(include_str!("../../versions.toml"))?)
}

/// Runs the command.
pub(crate) fn run(options: &ReleaseOptions) -> Result<()> {
    if let Some(version) = &options.set {
        return set(&version.to_string());
    }
    // Their installation restarts this program, so no later step may need one that is missing.
    setup::require(tools("dist"), Consent::default())?;
    let steps: [Check; 6] = [
        ("the version is the same everywhere", versions),
        ("nothing is uncommitted", clean),
        ("CHANGELOG.md dates the version", changelog),
        ("the crate payspec builds from its package", package),
        (
            "the public items are compatible with the previous version",
            compatible,
        ),
        (
            "the packages are the same in two builds, and work",
            packages,
        ),
    ];
    let mut failed = Vec::new();
    for (name, step) in steps {
        println!("{BOLD}{name}{BOLD:#}");
        match step() {
            Ok(()) => println!("   {GOOD}ok{GOOD:#}"),
            Err(problem) => {
                println!("   {BAD}{problem}{BAD:#}");
                failed.push(name);
            }
        }
    }
    if failed.is_empty() {
        Ok(())
    } else {
        Err(anyhow!("not ready: {}", failed.join("; ")))
    }
}

fn set(version: &str) -> Result<()> {
    versions()?;
    for (file, patterns) in files()? {
        let path = root().join(file);
        let mut text = fs::read_to_string(&path)?;
        for pattern in patterns {
            let [old, new] = [VERSION, version].map(|version| pattern.replace("{}", version));
            text = text.replace(&old, &new);
        }
        fs::write(&path, text)?;
    }
    println!("The version is {version}. Next: cargo xtask header, and a section of CHANGELOG.md.");
    Ok(())
}

fn versions() -> Result<()> {
    for (file, patterns) in files()? {
        let text = fs::read_to_string(root().join(&file))?;
        for pattern in patterns {
            let expected = pattern.replace("{}", VERSION);
            ensure!(text.contains(&expected), "{file} has no {expected:?}");
        }
    }
    Ok(())
}

fn clean() -> Result<()> {
    let changes = output(
        Command::new("git")
            .args(["status", "--porcelain"])
            .current_dir(root()),
        "git",
    )?;
    if changes.is_empty() {
        Ok(())
    } else {
        Err(anyhow!(String::from_utf8_lossy(&changes).into_owned()))
    }
}

fn read_changelog() -> Result<String> {
    fs::read_to_string(root().join("CHANGELOG.md")).context("CHANGELOG.md")
}

fn changelog() -> Result<()> {
    let text = read_changelog()?;
    let date = text
        .split_once(&format!("## [{VERSION}] - "))
        .and_then(|(_, rest)| rest.lines().next());
    let is_date =
        |date: &&str| date.len() == 10 && date.chars().all(|c| c.is_ascii_digit() || c == '-');
    date.filter(is_date)
        .map(|_| ())
        .with_context(|| format!("expected `## [{VERSION}] - YYYY-MM-DD`"))
}

fn package() -> Result<()> {
    run_checked(
        cargo().args(["package", "--locked", "--package", "payspec"]),
        "cargo package",
    )
}

/// Compares the public items of the crate with those of the previous version, and the change with
/// the number of this version. Before the first version there is nothing to compare.
fn compatible() -> Result<()> {
    let tags = output(
        Command::new("git")
            .args(["tag", "--list", "v*"])
            .current_dir(root()),
        "git tag",
    )?;
    let Some(tag) = previous_tag(&String::from_utf8_lossy(&tags), &read_changelog()?)? else {
        println!("   this is the first version");
        return Ok(());
    };
    if !works(cargo().args(["semver-checks", "--version"])) {
        bail!(
            "missing: cargo-semver-checks; `cargo install --locked cargo-semver-checks@0.51.0` installs it"
        );
    }
    let mut checks = cargo();
    checks.args([
        "semver-checks",
        "--package",
        "payspec",
        "--all-features",
        "--baseline-rev",
        &tag,
    ]);
    run_checked(&mut checks, "cargo semver-checks")
}

/// Returns the tag of the latest version before this one; `None` if this is the first version.
///
/// # Errors
/// If the changelog has an earlier version, but there is no tag of one, as in a clone without tags.
fn previous_tag(tags: &str, changelog: &str) -> Result<Option<String>> {
    let tagged = previous(tags.lines().filter_map(|tag| tag.strip_prefix('v')));
    let headings = changelog
        .lines()
        .filter_map(|line| Some(line.strip_prefix("## [")?.split_once(']')?.0));
    if tagged.is_none() && previous(headings).is_some() {
        bail!("no tag of an earlier version: git fetch --tags");
    }
    Ok(tagged.map(|version| format!("v{version}")))
}

/// Returns the latest version before this one. Other texts are ignored.
fn previous<'a>(versions: impl Iterator<Item = &'a str>) -> Option<semver::Version> {
    let this = semver::Version::parse(VERSION).ok()?;
    versions
        .filter_map(|version| semver::Version::parse(version).ok())
        .filter(|version| *version < this)
        .max()
}

fn packages() -> Result<()> {
    dist(&Options::twice())?;
    dist(&Options::checking())
}

#[cfg(test)]
mod tests {
    #[test]
    fn has_one_version() {
        super::versions().unwrap();
    }

    fn previous(tags: &str, changelog: &str) -> Option<String> {
        super::previous_tag(tags, changelog).unwrap()
    }

    #[test]
    fn compares_with_the_latest_version_before_this_one() {
        let tags = "v0.0.9\nv0.0.10\nv99.0.0\nvenus\n0.0.11\n";
        for changelog in [&changelog("0.0.10"), ""] {
            assert_eq!(previous(tags, changelog).as_deref(), Some("v0.0.10"));
        }
    }

    #[test]
    fn compares_the_first_version_with_nothing() {
        for other in [super::VERSION, "Unreleased", "99.0.0"] {
            for tags in ["", &format!("v{}\nv99.0.0\n", super::VERSION)] {
                assert_eq!(previous(tags, &changelog(other)), None, "{other}");
            }
        }
    }

    #[test]
    fn a_clone_without_the_tag_of_an_earlier_version_is_an_error() {
        for tags in ["", &format!("v{}\nv99.0.0\n", super::VERSION)] {
            let error = super::previous_tag(tags, &changelog("0.0.9")).unwrap_err();
            assert!(error.to_string().contains("git fetch --tags"), "{error}");
        }
    }

    fn changelog(other: &str) -> String {
        format!(
            "# Changelog\n\n## [{}] - unreleased\n\n### Added\n\n## [{other}] - 2026-01-31\n",
            super::VERSION
        )
    }
}
