//! `cargo xtask install`: installs libpayspec for C: headers, shared and static library,
//! pkg-config, CMake.

use crate::support::files::{copy, write};
use crate::support::process::{self, text_of};
use anstream::println;
use anyhow::{Result, anyhow, bail};
use clap::Args;
use fs_err as fs;
use payspec_support::abi::SONAME_SUFFIX;
use std::path::{Path, PathBuf};
use std::process::Command;

pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");
const MAJOR: &str = env!("CARGO_PKG_VERSION_MAJOR");
const MINOR: &str = env!("CARGO_PKG_VERSION_MINOR");
pub(crate) const HEADERS: [&str; 3] = ["payspec.h", "payspec.hpp", "payspec.ffi.h"];

/// The destination.
#[derive(Args, Debug)]
pub(crate) struct Options {
    /// The prefix that the installed files contain
    #[arg(long, value_name = "P", default_value = "/usr/local", value_parser = absolute)]
    prefix: String,
    /// A folder before the prefix, for packaging
    #[arg(long, value_name = "D", default_value = "")]
    destdir: String,
}

fn absolute(prefix: &str) -> Result<String> {
    if prefix.starts_with('/') {
        return Ok(prefix.to_owned());
    }
    Err(anyhow!(
        "expected an absolute path, since it is written to payspec.pc"
    ))
}

/// Installs into a folder, for use by other commands.
pub(crate) fn into(prefix: &Path) -> Result<()> {
    run(&Options {
        prefix: prefix.display().to_string(),
        destdir: String::new(),
    })
}

/// Returns the shared library below a prefix.
pub(crate) fn shared_library(prefix: &Path) -> PathBuf {
    prefix.join("lib").join(Names::here().link)
}

/// Builds both libraries and installs them with the headers.
pub(crate) fn run(options: &Options) -> Result<()> {
    if cfg!(windows) {
        bail!("install supports Unix only; on Windows use the files in target/release");
    }
    let paths = InstallPaths::of(options);
    println!("Compiling libpayspec. The first time takes a minute or two.");
    let built = build()?;
    let names = Names::here();
    let library = paths.folder("lib")?;
    shared(&built.shared, &library, &names)?;
    archive(&built.archive, &library.join("libpayspec.a"), "")?;
    let include = paths.folder("include")?;
    for header in HEADERS {
        copy(
            &payspec_support::root().join("include").join(header),
            &include.join(header),
        )?;
    }
    metadata(&paths, &names)?;
    println!("payspec {VERSION} is in {}", paths.root.display());
    if options.destdir.is_empty() {
        hints(&paths.prefix)
            .into_iter()
            .chain(old_compiler())
            .for_each(|line| println!("{line}"));
    }
    Ok(())
}

/// Returns the exports that compilers and programs need for a prefix that the system does not
/// search.
fn hints(prefix: &str) -> Vec<String> {
    if ["/usr", "/usr/local"].contains(&prefix) {
        return vec!["Run `ldconfig` as root, so that programs find the library.".to_owned()];
    }
    let path = if cfg!(target_os = "macos") {
        "DYLD_LIBRARY_PATH"
    } else {
        "LD_LIBRARY_PATH"
    };
    vec![
        "The system does not search this folder. Set the variables that your language needs:"
            .to_owned(),
        format!(
            "    export PKG_CONFIG_PATH=\"{prefix}/lib/pkgconfig\"  # to compile C, C++, and Go"
        ),
        format!("    export {path}=\"{prefix}/lib\"  # to run programs in C, C++, and Go"),
        format!(
            "    export PAYSPEC_LIBRARY=\"{prefix}/lib/{}\"  # for PHP and Java",
            Names::here().link
        ),
    ]
}

/// Returns a warning if the C++ compiler is too old for payspec.hpp.
fn old_compiler() -> Option<String> {
    let output = Command::new("c++")
        .args(["-std=c++17", "-fsyntax-only", "-x", "c++", "/dev/null"])
        .output()
        .ok()?;
    (!output.status.success())
        .then(|| "The C++ compiler is too old for payspec.hpp, which needs C++17.".to_owned())
}

/// The folders of an installation.
struct InstallPaths {
    /// The prefix that the installed files contain.
    prefix: String,
    /// The folder to write to: the prefix, below `destdir` if it is set.
    root: PathBuf,
}

impl InstallPaths {
    fn of(options: &Options) -> InstallPaths {
        let root = PathBuf::from(format!("{}{}", options.destdir, options.prefix));
        InstallPaths {
            root,
            prefix: options.prefix.clone(),
        }
    }

    fn folder(&self, name: &str) -> Result<PathBuf> {
        let folder = self.root.join(name);
        fs::create_dir_all(&folder)?;
        Ok(folder)
    }
}

/// Names of the shared library and of the links to it, and what linkers need.
pub(crate) struct Names {
    file: String,
    soname: String,
    pub(crate) link: &'static str,
    /// The property of CMake with the name that programs contain, or with the import library.
    property: String,
    /// The system libraries for the static library, as listed by `rustc --print native-static-libs`.
    system: &'static [&'static str],
}

impl Names {
    fn here() -> Names {
        if cfg!(target_os = "macos") {
            Names::macos()
        } else {
            Names::linux()
        }
    }

    fn linux() -> Names {
        let [file, soname] =
            [VERSION, SONAME_SUFFIX].map(|number| format!("libpayspec.so.{number}"));
        Names {
            property: format!("IMPORTED_SONAME \"{soname}\""),
            file,
            soname,
            link: "libpayspec.so",
            system: &["gcc_s", "util", "rt", "pthread", "m", "dl", "c"],
        }
    }

    /// Returns those of macOS. Programs contain the install name, which ffi/build.rs sets.
    pub(crate) fn macos() -> Names {
        let [file, soname] =
            [VERSION, SONAME_SUFFIX].map(|number| format!("libpayspec.{number}.dylib"));
        Names {
            property: format!("IMPORTED_SONAME \"@rpath/{soname}\""),
            file,
            soname,
            link: "libpayspec.dylib",
            system: &["System", "c", "m"],
        }
    }

    /// Returns those of Windows, where programs link the import library, for the unwinder of a
    /// compiler.
    pub(crate) fn windows(is_llvm: bool) -> Names {
        Names {
            file: "../bin/payspec.dll".to_owned(),
            soname: String::new(),
            link: "libpayspec.dll.a",
            property: "IMPORTED_IMPLIB \"${_payspec_prefix}/lib/libpayspec.dll.a\"".to_owned(),
            system: if is_llvm {
                &[
                    "kernel32", "ntdll", "userenv", "ws2_32", "dbghelp", "unwind",
                ]
            } else {
                &[
                    "kernel32", "ntdll", "userenv", "ws2_32", "dbghelp", "gcc_eh",
                ]
            },
        }
    }
}

struct Built {
    shared: PathBuf,
    archive: PathBuf,
}

/// Builds both libraries and returns their paths.
fn build() -> Result<Built> {
    let messages = process::build(&["--release", "--package", "payspec-ffi"], &[])?;
    Ok(Built {
        shared: process::library(&messages, process::SHARED)?,
        archive: process::library(&messages, &["a"])?,
    })
}

/// Copies a shared library, and links its other names to it.
pub(crate) fn shared(built: &Path, folder: &Path, names: &Names) -> Result<()> {
    copy(built, &folder.join(&names.file))?;
    for (link, target) in [
        (names.soname.as_str(), names.file.as_str()),
        (names.link, &names.soname),
    ] {
        let link = folder.join(link);
        let _ = fs::remove_file(&link);
        #[cfg(unix)]
        std::os::unix::fs::symlink(target, &link)?;
        #[cfg(not(unix))]
        copy(&folder.join(target), &link)?;
    }
    Ok(())
}

/// Creates an archive of one object whose only global names are `payspec_*`, so that a program may
/// link other Rust libraries too. The names of the tools for another processor have a prefix.
pub(crate) fn archive(built: &Path, to: &Path, prefix: &str) -> Result<()> {
    let _ = fs::remove_file(to);
    if cfg!(target_os = "macos") {
        return copy(built, to);
    }
    let [object, built] =
        [to.with_extension("o"), built.to_path_buf()].map(|path| path.display().to_string());
    let roots = exports()?
        .into_iter()
        .map(|name| format!("--undefined={name}"));
    let mut link = vec!["-r", "--gc-sections", "--force-group-allocation"]
        .into_iter()
        .map(str::to_owned)
        .collect::<Vec<_>>();
    link.extend(roots);
    link.extend(["-o".to_owned(), object.clone(), built]);
    text_of(Command::new(format!("{prefix}ld")).args(&link))?;
    // The bitcode in objects of the standard library is not needed, and other tools reject it.
    let keep = [
        "--strip-debug",
        "--wildcard",
        "--keep-global-symbol=payspec_*",
        "--remove-section=.llvm*",
        &object,
    ];
    text_of(Command::new(format!("{prefix}objcopy")).args(keep))?;
    text_of(
        Command::new(format!("{prefix}ar"))
            .arg("rcsD")
            .arg(to)
            .arg(&object),
    )?;
    Ok(fs::remove_file(&object)?)
}

/// Returns the names of the functions in the header.
pub(crate) fn exports() -> Result<Vec<String>> {
    let path = payspec_support::root().join(crate::build::header::DECLARATIONS);
    let text = fs::read_to_string(&path)?;
    let words = text.split(|character: char| {
        !character.is_ascii_alphanumeric() && character != '_' && character != '('
    });
    let names = words
        .filter_map(|word| word.split_once('('))
        .map(|(name, _)| name.to_owned());
    Ok(names.filter(|name| name.starts_with("payspec_")).collect())
}

/// Writes the files for pkg-config and CMake of a Linux platform below a prefix that may be moved.
pub(crate) fn write_metadata(root: &Path) -> Result<()> {
    write_metadata_with(root, &Names::here())
}

/// Writes them for a library with these names.
pub(crate) fn write_metadata_with(root: &Path, names: &Names) -> Result<()> {
    // pkg-config replaces it by the folder of payspec.pc.
    let paths = InstallPaths {
        root: root.to_owned(),
        prefix: "${pcfiledir}/../..".to_owned(),
    };
    metadata(&paths, names)
}

/// Writes the same files for the system's prefix, with libraries in the folder of an architecture.
/// The templates name `lib`, three folders below the prefix.
pub(crate) fn write_system_metadata(root: &Path, triplet: &str) -> Result<()> {
    let paths = InstallPaths {
        root: root.join("usr"),
        prefix: "/usr".to_owned(),
    };
    metadata(&paths, &Names::here())?;
    let lib = paths.folder(&format!("lib/{triplet}"))?;
    for folder in ["pkgconfig", "cmake"] {
        fs::rename(paths.root.join("lib").join(folder), lib.join(folder))?;
    }
    for file in ["pkgconfig/payspec.pc", "cmake/payspec/payspec-config.cmake"] {
        let text = fs::read_to_string(lib.join(file))?
            .replace("prefix}/lib", &format!("prefix}}/lib/{triplet}"))
            .replace("/../../..\"", "/../../../..\"");
        write(&lib.join(file), &text)?;
    }
    Ok(())
}

fn metadata(paths: &InstallPaths, names: &Names) -> Result<()> {
    for (template, folder, name) in [
        ("payspec.pc.in", "lib/pkgconfig", "payspec.pc"),
        (
            "payspec-config.cmake.in",
            "lib/cmake/payspec",
            "payspec-config.cmake",
        ),
        (
            "payspec-config-version.cmake.in",
            "lib/cmake/payspec",
            "payspec-config-version.cmake",
        ),
    ] {
        fill(template, &paths.folder(folder)?.join(name), paths, names)?;
    }
    Ok(())
}

fn fill(template: &str, to: &Path, paths: &InstallPaths, names: &Names) -> Result<()> {
    let path = payspec_support::root().join("ffi/install").join(template);
    let mut text = fs::read_to_string(&path)?;
    let flags: Vec<String> = names
        .system
        .iter()
        .map(|name| format!("-l{name}"))
        .collect();
    for (name, value) in [
        // Only payspec.pc contains this name; in pkg-config files, a space ends a word.
        ("@PREFIX@", paths.prefix.replace(' ', "\\ ").as_str()),
        ("@VERSION@", VERSION),
        ("@MAJOR@", MAJOR),
        ("@MINOR@", MINOR),
        ("@SHARED@", &names.file),
        ("@SHARED_PROPERTY@", &names.property),
        ("@STATIC_FLAGS@", &flags.join(" ")),
        ("@STATIC_LIBRARIES@", &names.system.join(";")),
        ("@POINTER_BYTES@", &size_of::<usize>().to_string()),
    ] {
        text = text.replace(name, value);
    }
    write(to, &text)
}

#[cfg(test)]
mod tests {
    use super::hints;

    #[test]
    fn prints_the_exports_that_a_prefix_needs() {
        let lines = hints("/opt/payspec").join("\n");
        let expected = [
            (
                "PKG_CONFIG_PATH=\"/opt/payspec/lib/pkgconfig\"",
                "to compile C, C++, and Go",
            ),
            (
                "LIBRARY_PATH=\"/opt/payspec/lib\"",
                "to run programs in C, C++, and Go",
            ),
            (
                "PAYSPEC_LIBRARY=\"/opt/payspec/lib/libpayspec.",
                "for PHP and Java",
            ),
        ];
        for (variable, languages) in expected {
            let line = lines.lines().find(|line| line.contains(variable));
            assert!(
                line.is_some_and(|line| line.ends_with(languages)),
                "{lines}"
            );
        }
        assert!(!hints("/usr/local").join("\n").contains("export"));
    }
}
