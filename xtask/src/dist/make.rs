//! Builds the packages.

use super::build::Build;
use super::platform::{self, Extent, Libraries};
use super::{archive, other_systems, programs, sbom, sums};
use crate::build::install::VERSION;
use crate::build::npm;
use crate::run::serve::{self, PAGE_TOOLS};
use crate::setup::zig;
use crate::support::process::{output, rust_version, target};
use crate::support::style::BOLD;
use anstream::println;
use anyhow::{Result, anyhow, bail};
use payspec_support::root;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The tools for libraries, which every package contains.
const LIBRARY_TOOLS: &str = "binutils zig cargo-zigbuild";

/// The tools for the libraries of all processors with Linux.
const LINUX_TOOLS: &str = "binutils-aarch64 aarch64-unknown-linux-gnu x86_64-unknown-linux-musl \
                           aarch64-unknown-linux-musl";

/// The tools for macOS and Windows.
const OTHER_SYSTEMS_TOOLS: &str = "x86_64-apple-darwin aarch64-apple-darwin x86_64-pc-windows-gnu \
                                   aarch64-pc-windows-gnullvm llvm-tools";

/// The tools of the command line: those of the page, and those that build wheels.
const CLI_TOOLS: &str = "wasm32 rust-src node python3 python3-venv setuptools";

/// A kind of package.
pub(super) struct Kind {
    /// The name for `--only`.
    name: &'static str,
    /// The tools that build it from the libraries. The program that writes zip files needs Python.
    /// Names of tools, separated by spaces.
    tools: &'static str,
    build: fn(&Build<'_>) -> Result<()>,
}

const KINDS: [Kind; 9] = [
    Kind {
        name: "c",
        tools: "python3",
        build: |build| {
            build.c()?;
            build.c_of_other_systems()
        },
    },
    Kind {
        name: "python",
        tools: "python3 python3-venv setuptools",
        build: |build| build.python(),
    },
    Kind {
        name: "npm",
        tools: PAGE_TOOLS,
        build: |build| npm::pack(build.root, &build.work.join("npm"), build.out),
    },
    Kind {
        name: "go",
        tools: "python3",
        build: |build| build.go(),
    },
    Kind {
        name: "php",
        tools: "python3",
        build: |build| build.php(),
    },
    Kind {
        name: "java",
        tools: "java jna python3",
        build: |build| build.java(),
    },
    Kind {
        name: "deb",
        tools: PAGE_TOOLS,
        build: |build| build.deb(),
    },
    Kind {
        name: "cli",
        tools: CLI_TOOLS,
        build: |build| {
            build.cli()?;
            build.npm_programs()?;
            build.wheels_of_programs()?;
            build.formula()?;
            build.scoop()?;
            build.documents()
        },
    },
    Kind {
        name: "oci",
        tools: PAGE_TOOLS,
        build: |build| build.images(),
    },
];

/// The kinds that contain programs, which take most of the time.
const WITH_PROGRAMS: [&str; 3] = ["deb", "cli", "oci"];

/// The kinds with the C library for macOS and Windows, with the module for Python, and with the
/// command line.
const LIBRARIES_FOR_OTHERS: [&str; 4] = ["c", "go", "php", "java"];
const MODULE_FOR_OTHERS: [&str; 1] = ["python"];
const PROGRAM_FOR_OTHERS: [&str; 1] = ["cli"];

/// Returns the kinds with these names, and what they need; without names, all.
///
/// # Errors
/// Returns the known names if one of `names` is unknown.
pub(super) fn selected(names: &[String]) -> Result<Vec<&'static Kind>> {
    if let Some(unknown) = names
        .iter()
        .find(|name| KINDS.iter().all(|kind| kind.name != **name))
    {
        let known: Vec<&str> = KINDS.iter().map(|kind| kind.name).collect();
        bail!(
            "unknown package {unknown}: expected one of {}",
            known.join(", ")
        );
    }
    let has = |name: &str| names.iter().any(|other| other == name);
    let is_selected = |kind: &&Kind| names.is_empty() || has(kind.name);
    Ok(KINDS.iter().filter(is_selected).collect())
}

/// Returns the tools that build these kinds, with those of the libraries.
pub(super) fn tools_of(kinds: &[&Kind], extent: Extent) -> BTreeSet<&'static str> {
    let mut lists: Vec<&str> = kinds.iter().map(|kind| kind.tools).collect();
    lists.push(LIBRARY_TOOLS);
    if extent != Extent::All {
        let with_musl = extent.with_programs();
        lists.extend(with_musl.iter().map(|platform| platform.target));
    } else {
        lists.push(LINUX_TOOLS);
        let for_others = [
            &LIBRARIES_FOR_OTHERS[..],
            &MODULE_FOR_OTHERS,
            &PROGRAM_FOR_OTHERS,
        ]
        .concat();
        if kinds.iter().any(|kind| for_others.contains(&kind.name)) {
            lists.push(OTHER_SYSTEMS_TOOLS);
        }
    }
    lists.into_iter().flat_map(str::split_whitespace).collect()
}

/// Returns the folder of the packages.
pub(super) fn folder(extent: Extent) -> PathBuf {
    target().join(match extent {
        Extent::All => "dist",
        Extent::Native => "dist-native",
        Extent::Quick => "dist-quick",
    })
}

/// Builds the packages of these kinds from the sources in `root`.
pub(super) fn all(root: &Path, out: &Path, kinds: &[&Kind], extent: Extent) -> Result<()> {
    let profile = extent.profile();
    archive::empty(out)?;
    let work = target().join("dist-work");
    archive::empty(&work)?;
    let has = |names: &[&str]| kinds.iter().any(|kind| names.contains(&kind.name));
    println!("{BOLD}libraries{BOLD:#}");
    let folder = work.join("libraries");
    let libraries = extent.linux().into_iter();
    let libraries = libraries.map(|platform| platform::build(platform, root, &folder, profile));
    let libraries: Vec<Libraries> = libraries.collect::<Result<_, _>>()?;
    let (mut others, mut other_modules, mut other_cli) = (Vec::new(), Vec::new(), Vec::new());
    for platform in extent.other_systems() {
        if has(&LIBRARIES_FOR_OTHERS) {
            others.push(other_systems::libraries(platform, root, &folder, profile)?);
        }
        if has(&MODULE_FOR_OTHERS) {
            other_modules.push(other_systems::python(platform, root, &folder, profile)?);
        }
    }
    let (mut page, mut programs) = (PathBuf::new(), Vec::new());
    if has(&WITH_PROGRAMS) {
        println!("{BOLD}programs{BOLD:#}");
        page = serve::page()?;
        let folder = work.join("programs");
        let platforms = extent.with_programs();
        programs = programs::build(&platforms, root, &folder, &page, profile)?;
        if has(&PROGRAM_FOR_OTHERS) {
            for platform in extent.other_systems() {
                let program = other_systems::program(platform, root, &folder, &page, profile)?;
                other_cli.push(program);
            }
        }
    }
    let build = Build {
        root,
        out,
        work: &work,
        libraries: &libraries,
        programs: &programs,
        other_libraries: &others,
        other_modules: &other_modules,
        other_programs: &other_cli,
        page: &page,
    };
    for kind in kinds {
        println!("{BOLD}{}{BOLD:#}", kind.name);
        (kind.build)(&build)?;
    }
    sbom::write_sboms(root, out)?;
    archive::write(&out.join("build.json"), &metadata(extent)?)?;
    sums::write_sums(out)?;
    for file in archive::files(out)?
        .iter()
        .filter(|file| !file.to_string_lossy().ends_with(".json"))
    {
        let size = file.metadata().map_or(0, |metadata| metadata.len());
        println!(
            "   {size:>9}  {}",
            file.file_name().unwrap_or_default().to_string_lossy()
        );
    }
    println!("the packages are in {}", out.display());
    Ok(())
}

/// Returns the versions of the sources and of the tools.
fn metadata(extent: Extent) -> Result<String> {
    let printed = |command: &mut Command| -> Option<String> {
        let text = output(command, "").ok()?;
        Some(String::from_utf8_lossy(&text).trim().to_owned())
    };
    let commit = printed(
        Command::new("git")
            .args(["rev-parse", "HEAD"])
            .current_dir(root()),
    );
    let zig = printed(Command::new(zig()?).arg("version"));
    let platforms = extent.linux().into_iter().chain(extent.other_systems());
    let targets: Vec<String> = platforms
        .map(|platform| format!("{} {}", platform.target, platform.glibc))
        .collect();
    let document = serde_json::json!({
        "version": VERSION, "commit": commit, "rustc": rust_version(), "zig": zig, "targets": targets,
    });
    Ok(serde_json::to_string_pretty(&document)? + "\n")
}

/// Compares the checksums of two builds, without the debug information: that of the unwinder
/// contains the path of zig, relative to the sources.
pub(super) fn same(one: &Path, other: &Path) -> Result<()> {
    let read = |folder: &Path| fs_err::read_to_string(folder.join("SHA256SUMS"));
    let (one, other) = (read(one)?, read(other)?);
    let differing: Vec<&str> = one
        .lines()
        .filter(|line| !line.contains("-debug.") && !other.lines().any(|known| known == *line))
        .collect();
    if differing.is_empty() && one.lines().count() == other.lines().count() {
        return Ok(());
    }
    Err(anyhow!(
        "the second build differs:\n{}",
        differing.join("\n")
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(names: &[&str]) -> Result<Vec<&'static Kind>> {
        selected(&names.iter().map(ToString::to_string).collect::<Vec<_>>())
    }

    #[test]
    fn selects_kinds_by_their_names() {
        let names = |kinds: Vec<&Kind>| kinds.iter().map(|kind| kind.name).collect::<Vec<_>>();
        assert_eq!(names(named(&["oci", "c"]).unwrap()), ["c", "oci"]);
        assert_eq!(named(&[]).unwrap().len(), KINDS.len());
        let error = named(&["c", "perl"]).err().unwrap().to_string();
        assert!(
            error.starts_with("unknown package perl: expected one of c, "),
            "{error}"
        );
    }

    #[test]
    fn needs_only_the_tools_of_the_selected_kinds() {
        let tools = |names: &[&str]| tools_of(&named(names).unwrap(), Extent::All);
        let of_c = [LIBRARY_TOOLS, LINUX_TOOLS, OTHER_SYSTEMS_TOOLS, "python3"];
        let of_c = of_c.iter().flat_map(|list| list.split_whitespace());
        assert_eq!(tools(&["c"]), of_c.collect());
        assert!(tools(&["go"]).contains("aarch64-apple-darwin"));
        assert!(!tools(&["deb"]).contains("aarch64-apple-darwin"));
        let native = tools_of(&named(&["c"]).unwrap(), Extent::Native);
        let with_musl = native.iter().filter(|name| name.ends_with("-musl"));
        assert!(with_musl.count() <= 1 && !native.contains("aarch64-apple-darwin"));
        let twice = tools(&["cli", "oci"]);
        assert_eq!(twice, tools(&["cli"]));
        assert!(
            twice.contains(&"wasm32") && !twice.contains(&"java"),
            "{twice:?}"
        );
    }
}
