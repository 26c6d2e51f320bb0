//! The steps `dist` and `dist-quick`: build the packages, install them into empty folders, and run the
//! programs of their readmes and all vectors with them. `dist` does so on aarch64 under emulation and
//! for Windows under wine too.

mod emulated;
mod formats;
mod image;
mod installation;
mod names;
mod native;
mod npm;
mod other_packages;
mod readmes;
mod registries;
mod wheel;
mod windows_python;
mod wine;
mod wine_packages;

use super::make::{self, all, folder};
use super::platform::Extent;
use super::{archive, sbom, sums};
use crate::support::checks::Checks;
use crate::support::process::text_of;
use crate::support::style::BAD;
use crate::support::test_counts::TestCounts;
use anstream::println;
use anyhow::{Context, Result, bail};
pub(super) use installation::Packages;
use installation::untar;
use payspec_support::root;
use serde_json::Value;
use std::collections::BTreeSet;
use std::process::Command;

/// A check.
pub(super) struct Check {
    name: &'static str,
    tools: &'static str,
    run: fn(&Packages) -> Result<TestCounts>,
}

const fn check_of(
    name: &'static str,
    tools: &'static str,
    run: fn(&Packages) -> Result<TestCounts>,
) -> Check {
    Check { name, tools, run }
}

/// The checks on this system and processor, which the step `dist-quick` runs.
const QUICK: &[Check] = &[
    check_of("checksums", "", checksums),
    check_of("names of files", "", names::run),
    check_of("bills of materials", "", bills),
    check_of("symbols of the C library", "binutils", symbols),
    check_of("wheels", "auditwheel abi3audit twine", wheel::tags),
    check_of(
        "Python",
        "python3 python3-venv mypy pyright node",
        wheel::native,
    ),
    check_of(
        "Python, a library that does not fit",
        "python3 python3-venv",
        wheel::replaced,
    ),
    check_of("C and C++", "c++ cmake pkg-config", native::c),
    check_of("npm", "node", npm::node),
    check_of("Go", "go cc python3", native::go),
    check_of("PHP", "php composer python3", native::php),
    check_of("Java", "java jna cc python3", native::java),
    check_of("readmes", readmes::TOOLS, readmes::run),
    check_of("Debian", "c++ pkg-config lintian", native::deb),
    check_of("command line", "", native::cli),
    check_of("registries", registries::TOOLS, registries::run),
    check_of("images", "skopeo iproute2 curl", image::run),
];

/// The checks of other platforms, and those that take minutes.
const OTHERS: &[Check] = &[
    check_of("files for macOS and Windows", "python3", formats::run),
    check_of(
        "packages for macOS and Windows",
        "python3",
        other_packages::run,
    ),
    check_of("Windows under wine", "wine64 zig python3 curl", wine::run),
    check_of(
        "Go and Python under wine",
        "wine64 go zig python3 setuptools",
        wine_packages::run,
    ),
    check_of(
        "Go, a platform that does not fit",
        "go cc zig python3",
        emulated::go_misfits,
    ),
    check_of("C on every platform", "zig qemu-user", emulated::c),
    check_of("Python on aarch64", "python3 qemu-user", emulated::python),
    check_of(
        "PHP on aarch64",
        "php composer python3 qemu-user",
        emulated::php,
    ),
    check_of("Java on aarch64", "java qemu-user", emulated::java),
    check_of(
        "Go on aarch64 and with musl",
        "go zig python3 qemu-user",
        emulated::go,
    ),
    check_of(
        "Python from the sources",
        "python3 python3-venv setuptools",
        wheel::from_sources,
    ),
    check_of("npm package in Deno and Bun", "node deno", npm::others),
];

/// Runs the step `dist`.
pub(crate) fn check() -> Result<Checks> {
    built_and_installed(Extent::All)
}

/// Runs the step `dist-quick`.
pub(crate) fn quick() -> Result<Checks> {
    built_and_installed(Extent::Quick)
}

fn built_and_installed(extent: Extent) -> Result<Checks> {
    let dist = folder(extent);
    all(&root(), &dist, &make::selected(&[])?, extent)?;
    installed(&Packages::of(dist, extent), &selected(&[], extent)?)
}

/// Returns the checks with one of these words in their names, or all.
///
/// # Errors
/// Returns the names of the checks if no name contains one of `words`.
pub(super) fn selected(words: &[String], extent: Extent) -> Result<Vec<&'static Check>> {
    let has_word = |name: &str, word: &str| name.to_lowercase().contains(&word.to_lowercase());
    let checks: Vec<&Check> = QUICK
        .iter()
        .chain(if extent == Extent::Quick { &[] } else { OTHERS })
        .collect();
    if let Some(unknown) = words
        .iter()
        .find(|word| checks.iter().all(|check| !has_word(check.name, word)))
    {
        let known: Vec<&str> = checks.iter().map(|check| check.name).collect();
        bail!(
            "unknown check {unknown}: expected a word of {}",
            known.join("; ")
        );
    }
    let is_selected =
        |name: &str| words.is_empty() || words.iter().any(|word| has_word(name, word));
    Ok(checks
        .into_iter()
        .filter(|check| is_selected(check.name))
        .collect())
}

/// Returns the tools of checks.
pub(super) fn tools_of(checks: &[&Check]) -> BTreeSet<&'static str> {
    checks
        .iter()
        .flat_map(|check| check.tools.split_whitespace())
        .collect()
}

/// Runs the checks.
pub(super) fn installed(packages: &Packages, list: &[&Check]) -> Result<Checks> {
    let mut checks = Checks::default();
    for Check { name, run, .. } in list {
        let started = std::time::Instant::now();
        archive::empty(&packages.folder)?;
        let counts = run(packages);
        let seconds = started.elapsed().as_secs();
        match &counts {
            Ok(counts) => println!("   {name}: {} passed, {seconds} s", counts.passed),
            Err(error) => println!("   {BAD}{name}{BAD:#}: {error:#}"),
        }
        let is_none = |counts: &TestCounts| *counts == TestCounts::default();
        let none = |counts| is_none(&counts).then(|| "ran no test".to_owned());
        checks.add(name, counts.map(|counts| Checks::of(counts, none(counts))));
    }
    Ok(checks)
}

fn checksums(packages: &Packages) -> Result<TestCounts> {
    let mut command = Command::new("sha256sum");
    text_of(
        command
            .args(["--check", "--strict", "SHA256SUMS"])
            .current_dir(&packages.dist),
    )?;
    let count = archive::files(&packages.dist)?.len() as u64;
    Ok(TestCounts {
        passed: count,
        failed: 0,
    })
}

/// Each package has a bill of materials with its checksum, whose dependencies are all listed.
fn bills(packages: &Packages) -> Result<TestCounts> {
    let mut counts = TestCounts::default();
    for file in archive::files(&packages.dist)? {
        let name = file
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        if !sbom::has_bill(&name) {
            continue;
        }
        let text = fs_err::read(packages.dist.join(format!("{name}.cdx.json")))
            .with_context(|| format!("the bill of {name}"))?;
        let bill: Value =
            serde_json::from_slice(&text).with_context(|| format!("the bill of {name}"))?;
        let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
        let (components, edges) = (list(&bill["components"]), list(&bill["dependencies"]));
        let is_listed = |reference: &Value| {
            components
                .iter()
                .any(|component| component["bom-ref"] == *reference)
        };
        let main = &bill["metadata"]["component"];
        let is_whole = edges.iter().all(|edge| {
            (is_listed(&edge["ref"]) || edge["ref"] == main["bom-ref"])
                && list(&edge["dependsOn"]).iter().all(is_listed)
        });
        let is_licensed = components
            .iter()
            .all(|component| component["licenses"][0]["expression"].is_string());
        if main["hashes"][0]["content"] != sums::sha256(&file)?
            || components.is_empty()
            || !is_whole
            || !is_licensed
        {
            bail!("the bill of {name} is for another file, or not whole");
        }
        counts.add(TestCounts::of_check(true));
    }
    Ok(counts)
}

/// The libraries need no symbol of a later glibc, and no library but those of the C library.
fn symbols(packages: &Packages) -> Result<TestCounts> {
    let mut counts = TestCounts::default();
    for platform in packages.extent.linux() {
        let folder = packages.empty(platform.name)?;
        let archive = packages.file("payspec-", &format!("{}.tar.gz", platform.name))?;
        untar(&archive, &folder)?;
        let text = text_of(
            Command::new("readelf")
                .args(["-dW", "--dyn-syms", "lib/libpayspec.so"])
                .current_dir(&folder),
        )?;
        for version in text
            .split("GLIBC_")
            .skip(1)
            .map(|rest| rest.split([' ', '\n', '(']).next().unwrap_or_default())
        {
            let number = |text: &str| {
                text.split('.')
                    .map(|part| part.parse().unwrap_or(0))
                    .collect::<Vec<u32>>()
            };
            if platform.is_musl() || number(version) > number(platform.glibc) {
                bail!("{} needs glibc {version}", platform.name);
            }
        }
        let needed = text
            .lines()
            .filter(|line| line.contains("(NEEDED)"))
            .filter_map(|line| line.split(['[', ']']).nth(1));
        for library in needed {
            let known = [
                "libc.so",
                "libm.so.6",
                "libc.so.6",
                "libdl.so.2",
                "libpthread.so.0",
                "ld-linux-aarch64.so.1",
            ];
            if !known.contains(&library) && library != "ld-linux-x86-64.so.2" {
                bail!("{} needs {library}", platform.name);
            }
        }
        let exported = text
            .lines()
            .filter(|line| line.contains(" GLOBAL ") && !line.contains(" UND "));
        let other: Vec<&str> = exported
            .filter(|line| !line.contains(" payspec_"))
            .collect();
        if !other.is_empty() {
            bail!("{} exports {other:?}", platform.name);
        }
        counts.add(TestCounts::of_check(true));
    }
    Ok(counts)
}

#[cfg(test)]
mod tests {
    use super::{Extent, OTHERS, QUICK, selected, tools_of};
    use crate::dist::make;
    use crate::dist::platform::{OTHER_SYSTEMS, PLATFORMS};
    use crate::test::tools;
    use payspec_support::root;
    use std::collections::BTreeSet;

    #[test]
    fn selects_checks_by_words_in_their_names() {
        let names = |word: &str, extent| -> anyhow::Result<Vec<&str>> {
            Ok(selected(&[word.to_owned()], extent)?
                .iter()
                .map(|check| check.name)
                .collect())
        };
        assert_eq!(
            names("NPM", Extent::All).unwrap(),
            ["npm", "npm package in Deno and Bun"]
        );
        assert_eq!(names("npm", Extent::Quick).unwrap(), ["npm"]);
        for (word, extent) in [("perl", Extent::All), ("bun", Extent::Quick)] {
            let error = names(word, extent).unwrap_err().to_string();
            assert!(
                error.starts_with(&format!(
                    "unknown check {word}: expected a word of checksums; "
                )),
                "{error}"
            );
        }
    }

    #[test]
    fn needs_only_the_tools_of_the_selected_checks() {
        let checks = selected(&["symbols".to_owned(), "wheels".to_owned()], Extent::All).unwrap();
        let tools = ["abi3audit", "auditwheel", "binutils", "twine"];
        assert_eq!(tools_of(&checks), BTreeSet::from(tools));
    }

    #[test]
    fn the_steps_have_the_tools_of_all_kinds_and_checks() {
        for (extent, of_step) in [(Extent::Quick, "dist-quick"), (Extent::All, "dist")] {
            let of_kinds = make::tools_of(&make::selected(&[]).unwrap(), extent);
            let of_checks = tools_of(&selected(&[], extent).unwrap());
            let needed: BTreeSet<&str> = of_kinds.into_iter().chain(of_checks).collect();
            assert_eq!(needed, tools(of_step).split_whitespace().collect());
        }
    }

    /// The page names every platform that is built, and the check behind each row.
    #[test]
    fn page_of_platforms_names_platforms_and_checks() {
        let page = root().join("docs/src/reference/platforms.md");
        let text = std::fs::read_to_string(page).unwrap();
        let rows: Vec<Vec<&str>> = text
            .lines()
            .filter(|line| line.starts_with('|'))
            .map(|line| line.trim_matches('|').split('|').map(str::trim).collect())
            .collect();
        let platforms = PLATFORMS.iter().chain(&OTHER_SYSTEMS);
        let named: Vec<String> = platforms
            .map(|platform| format!("`{}`", platform.name))
            .collect();
        assert_eq!(rows[0][1..9], named);
        let checks: Vec<&str> = QUICK.iter().chain(OTHERS).map(|check| check.name).collect();
        for row in &rows[2..] {
            assert_eq!(row.len(), rows[0].len(), "{row:?}");
            assert!(checks.contains(&row[9]), "no check {}", row[9]);
            let known = [
                "native", "qemu", "wine", "static", "packed", "workflow", "–",
            ];
            assert!(row[1..9].iter().all(|cell| known.contains(cell)), "{row:?}");
            // WebAssembly is for all, and packages of Linux are for it alone.
            let is_everywhere = row[5..9]
                .iter()
                .all(|cell| !["–", "workflow"].contains(cell));
            let linux = ["WebAssembly", "Debian", "images"];
            let is_of_linux = linux.iter().any(|word| row[0].contains(word));
            assert_ne!(is_everywhere, is_of_linux, "{row:?}");
        }
        for name in [
            "files for macOS and Windows",
            "packages for macOS and Windows",
            "Windows under wine",
            "Go and Python under wine",
        ] {
            assert!(checks.contains(&name) && text.contains(&format!("`{name}`")));
        }
        assert!(rows.len() > 10);
    }
}
