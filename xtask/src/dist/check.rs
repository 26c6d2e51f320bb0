//! The step `dist`: builds the packages, installs them into empty folders, and runs the programs of their readmes and all
//! vectors with them, on this processor and on aarch64 under emulation.

mod emulated;
mod image;
mod installation;
mod measure;
mod native;
mod npm;
mod readmes;
mod recipes;
mod wheel;

use super::make::{self, all, folder};
use super::output::text_of;
use super::{archive, sbom, sums};
use crate::support::style::BAD;
use crate::support::test_counts::TestCounts;
use anstream::println;
pub(super) use installation::Packages;
pub(super) use measure::run as measure;
use payspec_tests::root;
use serde_json::Value;
use std::process::Command;

/// A check, and its name.
pub(super) type Check = (&'static str, fn(&Packages) -> Result<TestCounts, String>);

/// The checks on this processor.
const NATIVE: &[Check] = &[
    ("checksums", checksums),
    ("bills of materials", bills),
    ("symbols of the C library", symbols),
    ("wheels", wheel::tags),
    ("Python", wheel::native),
    ("Python, a library that does not fit", wheel::replaced),
    ("C and C++", native::c),
    ("npm", npm::node),
    ("Go", native::go),
    ("Go, a platform that does not fit", emulated::go_misfits),
    ("PHP", native::php),
    ("Java", native::java),
    ("readmes", readmes::run),
    ("Debian", native::deb),
    ("command line", native::cli),
    ("images", image::run),
];

/// The checks that need packages for all platforms, or take minutes.
const OTHERS: &[Check] = &[
    ("Python from the sources", wheel::from_sources),
    ("npm package in Deno and Bun", npm::others),
    ("recipes for Conan and vcpkg", recipes::run),
    ("C on every platform", emulated::c),
    ("Go on aarch64 and with musl", emulated::go),
    ("Python on aarch64", emulated::python),
    ("PHP on aarch64", emulated::php),
    ("Java on aarch64", emulated::java),
];

/// Runs the step `dist`.
pub(crate) fn check() -> (TestCounts, Option<String>) {
    built_and_installed(false)
}

/// Runs the step `dist-quick`.
pub(crate) fn quick() -> (TestCounts, Option<String>) {
    built_and_installed(true)
}

fn built_and_installed(is_quick: bool) -> (TestCounts, Option<String>) {
    let dist = folder(is_quick);
    let checks = make::selected(&[], is_quick)
        .and_then(|kinds| all(&root(), &dist, &kinds, is_quick))
        .and_then(|()| selected(&[], is_quick));
    match checks {
        Ok(checks) => installed(&Packages::of(dist, is_quick), &checks),
        Err(problem) => (TestCounts::of_check(false), Some(problem)),
    }
}

/// Returns the checks with one of these words in their names, or all.
///
/// # Errors
/// Returns the names of the checks if no name contains one of `words`.
pub(super) fn selected(words: &[String], is_quick: bool) -> Result<Vec<&'static Check>, String> {
    let has_word = |name: &str, word: &str| name.to_lowercase().contains(&word.to_lowercase());
    let checks: Vec<&Check> = NATIVE.iter().chain(if is_quick { &[] } else { OTHERS }).collect();
    if let Some(unknown) = words.iter().find(|word| checks.iter().all(|(name, _)| !has_word(name, word))) {
        let known: Vec<&str> = checks.iter().map(|(name, _)| *name).collect();
        return Err(format!("unknown check {unknown}: expected a word of {}", known.join("; ")));
    }
    let is_selected = |name: &str| words.is_empty() || words.iter().any(|word| has_word(name, word));
    Ok(checks.into_iter().filter(|(name, _)| is_selected(name)).collect())
}

/// Runs checks.
pub(super) fn installed(packages: &Packages, checks: &[&Check]) -> (TestCounts, Option<String>) {
    let (mut sum, mut problems) = (TestCounts::default(), Vec::new());
    for (name, check) in checks {
        let started = std::time::Instant::now();
        let result = archive::empty(&packages.folder).and_then(|()| check(packages));
        let seconds = started.elapsed().as_secs();
        match result {
            Ok(counts) if counts.failed == 0 && counts.passed > 0 => {
                println!("   {name}: {} passed, {seconds} s", counts.passed);
                sum.add(counts);
            }
            other => {
                let problem = other.map_or_else(|problem| problem, |counts| format!("{counts:?}"));
                println!("   {BAD}{name}{BAD:#}: {problem}");
                sum.add(TestCounts::of_check(false));
                problems.push(*name);
            }
        }
    }
    (sum, (!problems.is_empty()).then(|| problems.join(", ")))
}

fn checksums(packages: &Packages) -> Result<TestCounts, String> {
    let mut command = Command::new("sha256sum");
    text_of(command.args(["--check", "--strict", "SHA256SUMS"]).current_dir(&packages.dist))?;
    let count = archive::files(&packages.dist)?.len() as u64;
    Ok(TestCounts { passed: count, failed: 0 })
}

/// Each package has a bill of materials with its checksum, whose dependencies are all listed.
fn bills(packages: &Packages) -> Result<TestCounts, String> {
    let mut counts = TestCounts::default();
    for file in archive::files(&packages.dist)? {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if !sbom::has_bill(&name) {
            continue;
        }
        let text = std::fs::read(packages.dist.join(format!("{name}.cdx.json")))
            .map_err(|error| format!("the bill of {name}: {error}"))?;
        let bill: Value = serde_json::from_slice(&text).map_err(|error| format!("the bill of {name}: {error}"))?;
        let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
        let (components, edges) = (list(&bill["components"]), list(&bill["dependencies"]));
        let is_listed = |reference: &Value| components.iter().any(|component| component["bom-ref"] == *reference);
        let main = &bill["metadata"]["component"];
        let is_whole = edges.iter().all(|edge| {
            (is_listed(&edge["ref"]) || edge["ref"] == main["bom-ref"])
                && list(&edge["dependsOn"]).iter().all(is_listed)
        });
        let is_licensed = components.iter().all(|component| component["licenses"][0]["expression"].is_string());
        if main["hashes"][0]["content"] != sums::sha256(&file)? || components.is_empty() || !is_whole || !is_licensed {
            return Err(format!("the bill of {name} is for another file, or not whole"));
        }
        counts.add(TestCounts::of_check(true));
    }
    Ok(counts)
}

/// The libraries need no symbol of a later glibc, and no library but those of the C library.
fn symbols(packages: &Packages) -> Result<TestCounts, String> {
    let mut counts = TestCounts::default();
    for platform in &packages.platforms {
        let folder = packages.empty(platform.name)?;
        let archive = packages.file("payspec-", &format!("{}.tar.gz", platform.name))?;
        text_of(Command::new("tar").arg("xzf").arg(archive).args(["--strip-components=1", "-C"]).arg(&folder))?;
        let text =
            text_of(Command::new("readelf").args(["-dW", "--dyn-syms", "lib/libpayspec.so"]).current_dir(&folder))?;
        for version in text.split("GLIBC_").skip(1).map(|rest| rest.split([' ', '\n', '(']).next().unwrap_or_default())
        {
            let number = |text: &str| text.split('.').map(|part| part.parse().unwrap_or(0)).collect::<Vec<u32>>();
            if platform.is_musl() || number(version) > number(platform.glibc) {
                return Err(format!("{} needs glibc {version}", platform.name));
            }
        }
        let needed =
            text.lines().filter(|line| line.contains("(NEEDED)")).filter_map(|line| line.split(['[', ']']).nth(1));
        for library in needed {
            let known = ["libc.so", "libm.so.6", "libc.so.6", "libdl.so.2", "libpthread.so.0", "ld-linux-aarch64.so.1"];
            if !known.contains(&library) && library != "ld-linux-x86-64.so.2" {
                return Err(format!("{} needs {library}", platform.name));
            }
        }
        let exported = text.lines().filter(|line| line.contains(" GLOBAL ") && !line.contains(" UND "));
        let other: Vec<&str> = exported.filter(|line| !line.contains(" payspec_")).collect();
        if !other.is_empty() {
            return Err(format!("{} exports {other:?}", platform.name));
        }
        counts.add(TestCounts::of_check(true));
    }
    Ok(counts)
}

#[cfg(test)]
mod tests {
    use super::selected;

    #[test]
    fn selects_checks_by_words_in_their_names() {
        let names = |word: &str, is_quick| -> Result<Vec<&str>, String> {
            Ok(selected(&[word.to_owned()], is_quick)?.iter().map(|(name, _)| *name).collect())
        };
        assert_eq!(names("NPM", false).unwrap(), ["npm", "npm package in Deno and Bun"]);
        assert_eq!(names("npm", true).unwrap(), ["npm"]);
        for (word, is_quick) in [("perl", false), ("bun", true)] {
            let error = names(word, is_quick).unwrap_err();
            assert!(error.starts_with(&format!("unknown check {word}: expected a word of checksums; ")), "{error}");
        }
    }
}
