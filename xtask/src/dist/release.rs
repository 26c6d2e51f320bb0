//! `cargo xtask release`: sets the version everywhere, and runs all of a release that does not
//! publish.

use super::command::{Options, run as dist};
use super::tools::TOOLS;
use crate::build::install::VERSION;
use crate::setup::{self, Consent};
use crate::support::process::{cargo, output, run_checked, works};
use crate::support::style::{BAD, BOLD, GOOD};
use anstream::println;
use anyhow::{Context, Result, anyhow, bail};
use clap::Args;
use fs_err as fs;
use payspec_support::root;
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

/// The files with the version, and the text around it. Cargo.toml of the workspace is the source;
/// the header follows from `cargo xtask header`.
const FILES: [(&str, &str); 23] = [
    ("Cargo.toml", "\nversion = \"{}\""),
    ("cli/README.md", "payspec-cli-{}-"),
    (
        "cli/tests/cases/formats.trycmd",
        "\"version\":\"{}\"}},\"columnKind\"",
    ),
    ("bindings/cpp/README.md", "payspec-{}-"),
    ("bindings/java/README.md", "payspec-{}.jar"),
    ("bindings/java/README.md", ":payspec:{}`"),
    (
        "bindings/java/pom.xml",
        "<version>{}</version>\n    <packaging>",
    ),
    ("bindings/python/pyproject.toml", "\nversion = \"{}\""),
    ("bindings/python/payspec/_library.py", "\nVERSION = \"{}\""),
    ("bindings/python/README.md", "payspec=={} "),
    (
        "bindings/java/src/main/java/payspec/NativeLibrary.java",
        " VERSION = \"{}\"",
    ),
    ("bindings/go/README.md", "payspec@v{} "),
    ("bindings/go/README.md", "payspec-go-v{}.zip"),
    ("bindings/php/README.md", "payspec-payspec-{}.zip"),
    ("examples/go/go.mod", "payspec v{}\n"),
    (
        "tests/fuzz/libfuzzer/Cargo.lock",
        "\nname = \"payspec\"\nversion = \"{}\"",
    ),
    (
        "tests/fuzz/libfuzzer/Cargo.lock",
        "\nname = \"payspec-fuzz\"\nversion = \"{}\"",
    ),
    (
        "tests/fuzz/libfuzzer/Cargo.lock",
        "\nname = \"payspec-fuzz-ffi\"\nversion = \"{}\"",
    ),
    (
        "tests/fuzz/libfuzzer/Cargo.lock",
        "\nname = \"payspec-tests\"\nversion = \"{}\"",
    ),
    ("wasm/README.md", "payspec-{}.tgz"),
    ("wasm/package.json", "\n  \"version\": \"{}\""),
    (
        "wasm/package-lock.json",
        "\"name\": \"payspec\",\n  \"version\": \"{}\"",
    ),
    (
        "wasm/package-lock.json",
        "\"name\": \"payspec\",\n      \"version\": \"{}\"",
    ),
];

/// Runs the command.
pub(crate) fn run(options: &ReleaseOptions) -> Result<()> {
    if let Some(version) = &options.set {
        return set(&version.to_string());
    }
    // Their installation restarts this program, so no later step may need one that is missing.
    setup::require(TOOLS, Consent::default())?;
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
    for (file, pattern) in FILES {
        let path = root().join(file);
        let text = fs::read_to_string(&path)?;
        let text = text.replace(
            &pattern.replace("{}", VERSION),
            &pattern.replace("{}", version),
        );
        fs::write(&path, text)?;
    }
    println!("The version is {version}. Next: cargo xtask header, and a section of CHANGELOG.md.");
    Ok(())
}

fn versions() -> Result<()> {
    let contains = |(file, pattern): &(&str, &str)| {
        fs::read_to_string(root().join(file))
            .is_ok_and(|text| text.contains(&pattern.replace("{}", VERSION)))
    };
    let other: Vec<&str> = FILES
        .iter()
        .filter(|entry| !contains(entry))
        .map(|(file, _)| *file)
        .collect();
    if other.is_empty() {
        Ok(())
    } else {
        Err(anyhow!("{VERSION} is not in {}", other.join(", ")))
    }
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
