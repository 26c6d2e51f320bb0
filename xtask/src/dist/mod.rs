//! `cargo xtask dist`: builds the packages of all languages into target/dist, with checksums and bills of materials.

mod archive;
mod check;
mod deb;
mod packages;
mod platform;
mod release;
mod sbom;
mod sums;

use crate::build::install::VERSION;
use crate::setup::zig;
use crate::support::process::{output, rust_version, target};
use crate::support::style::BOLD;
use anstream::println;
pub(crate) use check::check;
use clap::Args;
use packages::Build;
use payspec_tests::root;
use platform::Libraries;
pub(crate) use platform::PLATFORMS;
pub(crate) use release::{ReleaseOptions, run as release};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The packages to build.
#[derive(Args, Debug, Default)]
pub(crate) struct Options {
    /// The folder to write to
    #[arg(long, value_name = "D")]
    out: Option<PathBuf>,
    /// Build only these: c, python, go, php, java, deb; with --check, run only the checks with such a word in their name
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    only: Vec<String>,
    /// Check the packages that are built, as the step `dist` of the tests does
    #[arg(long, conflicts_with = "twice")]
    check: bool,
    /// Build again from a copy of the sources in another folder, and compare all files
    #[arg(long)]
    twice: bool,
}

impl Options {
    /// Two builds of everything.
    fn twice() -> Options {
        Options { twice: true, ..Options::default() }
    }

    /// A check of what is built.
    fn checking() -> Options {
        Options { check: true, ..Options::default() }
    }
}

/// A kind of package, and the function that builds it.
type Kind = (&'static str, fn(&Build<'_>) -> Result<(), String>);

const KINDS: [Kind; 6] = [
    ("c", |build| build.c()),
    ("python", |build| build.python()),
    ("go", |build| build.go()),
    ("php", |build| build.php()),
    ("java", |build| build.java()),
    ("deb", |build| build.deb()),
];

/// Builds the packages.
pub(crate) fn run(options: &Options) -> Result<(), String> {
    if options.check {
        let packages = check::Packages::of(options.out.clone().unwrap_or_else(folder));
        let (counts, problem) = check::installed(&packages, &options.only);
        println!("tests: {} passed, {} failed", counts.passed, counts.failed);
        return problem.map_or(Ok(()), Err);
    }
    if let Some(unknown) = options.only.iter().find(|name| KINDS.iter().all(|(kind, _)| kind != name)) {
        return Err(format!("unknown package {unknown}: expected one of {}", KINDS.map(|(kind, _)| kind).join(", ")));
    }
    let is_selected = |kind: &str| options.only.is_empty() || options.only.iter().any(|name| name == kind);
    let out = options.out.clone().unwrap_or_else(folder);
    all(&root(), &out, is_selected)?;
    if options.twice {
        let copy = target().join("dist-again");
        archive::empty(&copy)?;
        archive::copy_tracked(&root(), "", &copy.join("another place"))?;
        let again = copy.join("dist");
        all(&copy.join("another place"), &again, is_selected)?;
        same(&out, &again)?;
        println!("two builds in different folders have the same bytes");
    }
    Ok(())
}

/// Returns the folder of the packages.
fn folder() -> PathBuf {
    target().join("dist")
}

/// Builds the selected packages from the sources in `root`.
fn all(root: &Path, out: &Path, is_selected: impl Fn(&str) -> bool) -> Result<(), String> {
    archive::empty(out)?;
    let work = target().join("dist-work");
    archive::empty(&work)?;
    println!("{BOLD}libraries{BOLD:#}");
    let libraries = PLATFORMS.iter().map(|platform| platform::build(platform, root, &work.join("libraries")));
    let libraries: Vec<Libraries> = libraries.collect::<Result<_, _>>()?;
    let build = Build { root, out, work: &work, libraries: &libraries };
    for (kind, function) in KINDS.iter().filter(|(kind, _)| is_selected(kind)) {
        println!("{BOLD}{kind}{BOLD:#}");
        function(&build)?;
    }
    sbom::write_sboms(root, out)?;
    archive::write(&out.join("build.json"), &metadata()?)?;
    sums::write_sums(out)?;
    for file in archive::files(out)?.iter().filter(|file| !file.to_string_lossy().ends_with(".json")) {
        let size = file.metadata().map_or(0, |metadata| metadata.len());
        println!("   {size:>9}  {}", file.file_name().unwrap_or_default().to_string_lossy());
    }
    println!("the packages are in {}", out.display());
    Ok(())
}

/// Returns the versions of the sources and of the tools.
fn metadata() -> Result<String, String> {
    let printed = |command: &mut Command| -> Option<String> {
        let text = output(command, "").ok()?;
        Some(String::from_utf8_lossy(&text).trim().to_owned())
    };
    let commit = printed(Command::new("git").args(["rev-parse", "HEAD"]).current_dir(root()));
    let zig = printed(Command::new(zig()?).arg("version"));
    let targets: Vec<String> =
        PLATFORMS.iter().map(|platform| format!("{} {}", platform.target, platform.glibc)).collect();
    let document = serde_json::json!({
        "version": VERSION, "commit": commit, "rustc": rust_version(), "zig": zig, "targets": targets,
    });
    serde_json::to_string_pretty(&document).map(|text| text + "\n").map_err(|error| error.to_string())
}

/// Compares the checksums of two builds.
fn same(one: &Path, other: &Path) -> Result<(), String> {
    let read = |folder: &Path| std::fs::read_to_string(folder.join("SHA256SUMS")).map_err(|error| error.to_string());
    let (one, other) = (read(one)?, read(other)?);
    let differing: Vec<&str> = one.lines().filter(|line| !other.lines().any(|known| known == *line)).collect();
    if differing.is_empty() && one.lines().count() == other.lines().count() {
        return Ok(());
    }
    Err(format!("the second build differs:\n{}", differing.join("\n")))
}
