//! Builds the packages.

use super::build::Build;
use super::platform::{self, Libraries, Platform, platforms};
use super::tools::{LIBRARY_TOOLS, OTHER_LIBRARY_TOOLS};
use super::{archive, programs, sbom, sums};
use crate::build::cross::QUICK;
use crate::build::install::VERSION;
use crate::build::npm;
use crate::run::serve::{self, PAGE_TOOLS};
use crate::setup::zig;
use crate::support::process::{output, rust_version, target};
use crate::support::style::BOLD;
use anstream::println;
use payspec_tests::root;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A kind of package.
pub(super) struct Kind {
    /// The name for `--only`.
    name: &'static str,
    /// The tools that build it from the libraries. The program that writes zip files needs Python.
    tools: &'static [&'static str],
    build: fn(&Build<'_>) -> Result<(), String>,
}

const KINDS: [Kind; 10] = [
    Kind { name: "c", tools: &[], build: |build| build.c() },
    Kind { name: RECIPES, tools: &[], build: |build| build.recipes() },
    Kind { name: "python", tools: &["python3", "python3-venv", "setuptools"], build: |build| build.python() },
    Kind { name: "npm", tools: PAGE_TOOLS, build: |build| npm::pack(build.root, &build.work.join("npm"), build.out) },
    Kind { name: "go", tools: &["python3"], build: |build| build.go() },
    Kind { name: "php", tools: &["python3"], build: |build| build.php() },
    Kind { name: "java", tools: &["java", "jna", "python3"], build: |build| build.java() },
    Kind { name: "deb", tools: PAGE_TOOLS, build: |build| build.deb() },
    Kind { name: "cli", tools: PAGE_TOOLS, build: |build| build.cli() },
    Kind { name: "oci", tools: PAGE_TOOLS, build: |build| build.images() },
];

/// The kind that needs the archives for all processors.
const RECIPES: &str = "recipes";

/// The kinds that contain programs, which take most of the time.
const WITH_PROGRAMS: [&str; 3] = ["deb", "cli", "oci"];

/// Returns the kinds with these names, or all. A quick build has no recipes.
///
/// # Errors
/// Returns the known names if one of `names` is unknown.
pub(super) fn selected(names: &[String], is_quick: bool) -> Result<Vec<&'static Kind>, String> {
    let kinds: Vec<&Kind> = KINDS.iter().filter(|kind| !(is_quick && kind.name == RECIPES)).collect();
    if let Some(unknown) = names.iter().find(|name| kinds.iter().all(|kind| kind.name != **name)) {
        let known: Vec<&str> = kinds.iter().map(|kind| kind.name).collect();
        return Err(format!("unknown package {unknown}: expected one of {}", known.join(", ")));
    }
    Ok(kinds.into_iter().filter(|kind| names.is_empty() || names.iter().any(|name| name == kind.name)).collect())
}

/// Returns the tools that build these kinds, with those of the libraries.
pub(super) fn tools_of(kinds: &[&Kind], is_quick: bool) -> Vec<&'static str> {
    let libraries = LIBRARY_TOOLS.iter().chain(if is_quick { &[] } else { OTHER_LIBRARY_TOOLS });
    let tools: BTreeSet<&str> = libraries.chain(kinds.iter().flat_map(|kind| kind.tools)).copied().collect();
    tools.into_iter().collect()
}

/// Returns the folder of the packages.
pub(super) fn folder(is_quick: bool) -> PathBuf {
    target().join(if is_quick { "dist-quick" } else { "dist" })
}

/// Builds the packages of these kinds from the sources in `root`; quickly, only those of this processor, without most
/// optimizations.
pub(super) fn all(root: &Path, out: &Path, kinds: &[&Kind], is_quick: bool) -> Result<(), String> {
    let (platforms, variables) = (platforms(is_quick), if is_quick { QUICK } else { &[] });
    archive::empty(out)?;
    let work = target().join("dist-work");
    archive::empty(&work)?;
    println!("{BOLD}libraries{BOLD:#}");
    let folder = work.join("libraries");
    let libraries = platforms.iter().map(|platform| platform::build(platform, root, &folder, variables));
    let libraries: Vec<Libraries> = libraries.collect::<Result<_, _>>()?;
    let (mut page, mut programs) = (PathBuf::new(), Vec::new());
    if kinds.iter().any(|kind| WITH_PROGRAMS.contains(&kind.name)) {
        println!("{BOLD}programs{BOLD:#}");
        page = serve::page()?;
        programs = programs::build(&platforms, root, &work.join("programs"), &page, variables)?;
    }
    let build = Build { root, out, work: &work, libraries: &libraries, programs: &programs, page: &page };
    for kind in kinds {
        println!("{BOLD}{}{BOLD:#}", kind.name);
        (kind.build)(&build)?;
    }
    sbom::write_sboms(root, out)?;
    archive::write(&out.join("build.json"), &metadata(&platforms)?)?;
    sums::write_sums(out)?;
    for file in archive::files(out)?.iter().filter(|file| !file.to_string_lossy().ends_with(".json")) {
        let size = file.metadata().map_or(0, |metadata| metadata.len());
        println!("   {size:>9}  {}", file.file_name().unwrap_or_default().to_string_lossy());
    }
    println!("the packages are in {}", out.display());
    Ok(())
}

/// Returns the versions of the sources and of the tools.
fn metadata(platforms: &[&Platform]) -> Result<String, String> {
    let printed = |command: &mut Command| -> Option<String> {
        let text = output(command, "").ok()?;
        Some(String::from_utf8_lossy(&text).trim().to_owned())
    };
    let commit = printed(Command::new("git").args(["rev-parse", "HEAD"]).current_dir(root()));
    let zig = printed(Command::new(zig()?).arg("version"));
    let targets: Vec<String> =
        platforms.iter().map(|platform| format!("{} {}", platform.target, platform.glibc)).collect();
    let document = serde_json::json!({
        "version": VERSION, "commit": commit, "rustc": rust_version(), "zig": zig, "targets": targets,
    });
    serde_json::to_string_pretty(&document).map(|text| text + "\n").map_err(|error| error.to_string())
}

/// Compares the checksums of two builds, without the debug information: that of the unwinder contains the path of zig,
/// relative to the sources.
pub(super) fn same(one: &Path, other: &Path) -> Result<(), String> {
    let read = |folder: &Path| std::fs::read_to_string(folder.join("SHA256SUMS")).map_err(|error| error.to_string());
    let (one, other) = (read(one)?, read(other)?);
    let differing: Vec<&str> =
        one.lines().filter(|line| !line.contains("-debug.") && !other.lines().any(|known| known == *line)).collect();
    if differing.is_empty() && one.lines().count() == other.lines().count() {
        return Ok(());
    }
    Err(format!("the second build differs:\n{}", differing.join("\n")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dist::{QUICK_TOOLS, TOOLS};

    fn named(names: &[&str], is_quick: bool) -> Result<Vec<&'static Kind>, String> {
        selected(&names.iter().map(ToString::to_string).collect::<Vec<_>>(), is_quick)
    }

    #[test]
    fn selects_kinds_by_their_names() {
        let names = |kinds: Vec<&Kind>| kinds.iter().map(|kind| kind.name).collect::<Vec<_>>();
        assert_eq!(names(named(&["oci", "c"], false).unwrap()), ["c", "oci"]);
        assert_eq!(named(&[], false).unwrap().len(), KINDS.len());
        assert!(!names(named(&[], true).unwrap()).contains(&RECIPES));
        for (name, is_quick) in [("conan", false), (RECIPES, true)] {
            let error = named(&["c", name], is_quick).err().unwrap();
            assert!(error.starts_with(&format!("unknown package {name}: expected one of c, ")), "{error}");
        }
    }

    #[test]
    fn needs_only_the_tools_of_the_selected_kinds() {
        let tools = |names: &[&str], is_quick| tools_of(&named(names, is_quick).unwrap(), is_quick);
        assert_eq!(tools(&["c"], true), ["binutils", "cargo-zigbuild", "x86_64-unknown-linux-musl", "zig"]);
        assert!(tools(&["c"], false).contains(&"binutils-aarch64"));
        let twice = tools(&["cli", "oci"], false);
        assert_eq!(twice, tools(&["oci"], false));
        assert!(twice.contains(&"wasm32") && !twice.contains(&"java"), "{twice:?}");
    }

    #[test]
    fn the_steps_have_the_tools_of_all_kinds() {
        for (is_quick, of_step) in [(true, QUICK_TOOLS), (false, TOOLS)] {
            let tools = tools_of(&named(&[], is_quick).unwrap(), is_quick);
            assert!(tools.iter().all(|tool| of_step.contains(tool)), "{tools:?}");
        }
    }
}
