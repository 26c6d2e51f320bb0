//! Checks that builds are reproducible: builds the package again elsewhere and compares every file.

use super::build::{build, write_glue};
use super::commands::run_in;
use super::files::{Scratch, compare, copy};
use super::modules::{COMPILED, MODULES};
use super::paths::{NpmPaths, text};
use super::result::CheckResult;
use crate::support::style::{BOLD, FAINT};
use crate::support::test_counts::TestCounts;
use anstream::println;
use std::path::{Path, PathBuf};
use std::process::Command;

/// `cargo xtask npm --twice`: builds once here, with the files of earlier builds, and once from a
/// clean copy of the sources in another folder, tools of npm included. Takes minutes.
pub(super) fn everything() -> Result<(), String> {
    let here = NpmPaths::here();
    build(&here)?;
    let mut scratch = Scratch::new("npm-twice")?;
    let there = NpmPaths {
        root: scratch.path.join("another place/sources"),
        target: scratch.path.join("built"),
    };
    println!(
        "\n{BOLD}once more{BOLD:#}  {FAINT}{}{FAINT:#}",
        there.root.display()
    );
    copy_sources(&here.root, &there.root)?;
    build(&there)?;
    let pairs = [
        ("the modules", here.modules(), there.modules()),
        ("the package", here.package(), there.package()),
    ];
    let (_, problem) = same(&pairs, &scratch.path)?;
    problem.map_or(Ok(()), |problem| {
        scratch.keep();
        Err(problem)
    })
}

/// The part that takes seconds, for the tests: repeats all steps after the compiler in another
/// folder and time zone.
pub(super) fn packaging() -> CheckResult {
    let here = NpmPaths::here();
    let mut scratch = Scratch::new("npm-again")?;
    let (modules, package) = (
        scratch.path.join("modules"),
        scratch.path.join("another place"),
    );
    for module in &MODULES {
        let folder = modules.join(module.name);
        let stored = folder.join(COMPILED);
        copy(&here.modules().join(module.name).join(COMPILED), &stored)?;
        write_glue(module, &stored, &folder)?;
    }
    let mut node = Command::new("node");
    node.args(["build.mjs", text(&modules)?, text(&package)?])
        .current_dir(here.root.join("wasm"));
    let ended = node
        .env("TZ", "Pacific/Kiritimati")
        .env("LC_ALL", "C")
        .status()
        .map_err(|error| error.to_string())?;
    if !ended.success() {
        return Err(format!("build.mjs: {ended}"));
    }
    let pairs = [
        ("the modules", here.modules(), modules),
        ("the package", here.package(), package),
    ];
    let ran = same(&pairs, &scratch.path)?;
    if ran.1.is_some() {
        scratch.keep();
    }
    Ok(ran)
}

/// Compares pairs of folders, and the tarballs that npm builds of the last pair.
fn same(pairs: &[(&str, PathBuf, PathBuf)], scratch: &Path) -> CheckResult {
    let (mut counts, mut problems) = (TestCounts::default(), Vec::new());
    let mut add = |name: &str, one: &Path, other: &Path| -> Result<(), String> {
        let (files, differences) = compare(one, other)?;
        if files == 0 {
            return Err(format!("{name}: no file to compare"));
        }
        counts.add(TestCounts::of_check(differences.is_empty()));
        println!("   {name}: {files} files, {} differ", differences.len());
        problems.extend(
            differences
                .iter()
                .map(|difference| format!("{name}, {difference}")),
        );
        Ok(())
    };
    for (name, one, other) in pairs {
        add(name, one, other)?;
    }
    if let Some((_, one, other)) = pairs.last() {
        let tarballs = [scratch.join("tarball"), scratch.join("tarball once more")];
        for (package, tarball) in [one, other].into_iter().zip(&tarballs) {
            std::fs::create_dir_all(tarball)
                .map_err(|error| format!("{}: {error}", tarball.display()))?;
            run_in(
                scratch,
                "npm",
                &[
                    "pack",
                    "--silent",
                    "--pack-destination",
                    text(tarball)?,
                    text(package)?,
                ],
            )?;
        }
        add("the tarball", &tarballs[0], &tarballs[1])?;
    }
    let problem = (!problems.is_empty()).then(|| {
        format!(
            "two builds differ, see {}:\n  {}",
            scratch.display(),
            problems.join("\n  ")
        )
    });
    Ok((counts, problem))
}

/// Copies the files that git tracks or would add, unchanged.
fn copy_sources(from: &Path, to: &Path) -> Result<(), String> {
    let mut git = Command::new("git");
    git.args([
        "ls-files",
        "-z",
        "--cached",
        "--others",
        "--exclude-standard",
    ])
    .current_dir(from);
    let listed = git.output().map_err(|error| format!("git: {error}"))?;
    if !listed.status.success() {
        return Err(format!(
            "git ls-files: {}",
            String::from_utf8_lossy(&listed.stderr).trim()
        ));
    }
    for name in String::from_utf8_lossy(&listed.stdout).split_terminator('\0') {
        // Deleted files that are not committed yet are listed too.
        if from.join(name).is_file() {
            copy(&from.join(name), &to.join(name))?;
        }
    }
    Ok(())
}
