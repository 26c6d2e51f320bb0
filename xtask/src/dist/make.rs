//! Builds the packages.

use super::build::Build;
use super::platform::{self, Libraries, Platform, platforms};
use super::{archive, programs, sbom, sums};
use crate::build::cross::QUICK;
use crate::build::install::VERSION;
use crate::build::npm;
use crate::run::serve;
use crate::setup::zig;
use crate::support::process::{output, rust_version, target};
use crate::support::style::BOLD;
use anstream::println;
use payspec_tests::root;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A kind of package, and the function that builds it.
pub(super) type Kind = (&'static str, fn(&Build<'_>) -> Result<(), String>);

pub(super) const KINDS: [Kind; 10] = [
    ("c", |build| build.c()),
    (RECIPES, |build| build.recipes()),
    ("python", |build| build.python()),
    ("npm", |build| npm::pack(build.root, &build.work.join("npm"), build.out)),
    ("go", |build| build.go()),
    ("php", |build| build.php()),
    ("java", |build| build.java()),
    ("deb", |build| build.deb()),
    ("cli", |build| build.cli()),
    ("oci", |build| build.images()),
];

/// The kind that needs the archives for all processors.
const RECIPES: &str = "recipes";

/// The kinds that contain programs, which take most of the time.
const WITH_PROGRAMS: [&str; 3] = ["deb", "cli", "oci"];

/// Returns the folder of the packages.
pub(super) fn folder(is_quick: bool) -> PathBuf {
    target().join(if is_quick { "dist-quick" } else { "dist" })
}

/// Builds the selected packages from the sources in `root`; quickly, only those of this processor, without most optimizations.
pub(super) fn all(root: &Path, out: &Path, is_selected: impl Fn(&str) -> bool, is_quick: bool) -> Result<(), String> {
    let is_selected = |kind: &str| is_selected(kind) && !(is_quick && kind == RECIPES);
    let (platforms, variables) = (platforms(is_quick), if is_quick { QUICK } else { &[] });
    archive::empty(out)?;
    let work = target().join("dist-work");
    archive::empty(&work)?;
    println!("{BOLD}libraries{BOLD:#}");
    let folder = work.join("libraries");
    let libraries = platforms.iter().map(|platform| platform::build(platform, root, &folder, variables));
    let libraries: Vec<Libraries> = libraries.collect::<Result<_, _>>()?;
    let (mut page, mut programs) = (PathBuf::new(), Vec::new());
    if WITH_PROGRAMS.iter().any(|kind| is_selected(kind)) {
        println!("{BOLD}programs{BOLD:#}");
        page = serve::page()?;
        programs = programs::build(&platforms, root, &work.join("programs"), &page, variables)?;
    }
    let build = Build { root, out, work: &work, libraries: &libraries, programs: &programs, page: &page };
    for (kind, function) in KINDS.iter().filter(|(kind, _)| is_selected(kind)) {
        println!("{BOLD}{kind}{BOLD:#}");
        function(&build)?;
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
