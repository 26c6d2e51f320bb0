//! `cargo xtask install`: libpayspec as C users expect it: headers, both libraries, pkg-config, CMake.

use crate::support::process as tools;
use anstream::println;
use clap::Args;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const VERSION: &str = env!("CARGO_PKG_VERSION");
const MAJOR: &str = env!("CARGO_PKG_VERSION_MAJOR");
const HEADERS: [&str; 3] = ["payspec.h", "payspec.hpp", "payspec.ffi.h"];
/// What a program needs that links the static library: as `rustc --print native-static-libs` tells.
const SYSTEM: &[&str] =
    if cfg!(target_os = "macos") { &["System", "c", "m"] } else { &["gcc_s", "util", "rt", "pthread", "m", "dl", "c"] };

/// Where to.
#[derive(Args, Debug)]
pub(crate) struct Options {
    /// The folder that the installed files name
    #[arg(long, value_name = "P", default_value = "/usr/local", value_parser = absolute)]
    prefix: String,
    /// A folder before the prefix, for packages
    #[arg(long, value_name = "D", default_value = "")]
    destdir: String,
}

fn absolute(prefix: &str) -> Result<String, String> {
    if prefix.starts_with('/') {
        return Ok(prefix.to_owned());
    }
    Err("expected an absolute path: it is written into payspec.pc".to_owned())
}

/// Installs into a folder, for this program's own use.
pub(crate) fn into(prefix: &Path) -> Result<(), String> {
    run(&Options { prefix: prefix.display().to_string(), destdir: String::new() })
}

/// Builds both libraries and installs them with their headers.
pub(crate) fn run(options: &Options) -> Result<(), String> {
    if cfg!(windows) {
        return Err("install writes files as Unix has them; on Windows take them from target/release".to_owned());
    }
    let place = InstallPaths::of(options);
    let built = build()?;
    let names = Names::here();
    let library = place.folder("lib")?;
    shared(&built.shared, &library, &names)?;
    archive(&built.archive, &library.join("libpayspec.a"))?;
    let include = place.folder("include")?;
    for header in HEADERS {
        copy(&payspec_tests::root().join("include").join(header), &include.join(header))?;
    }
    for (template, folder, name) in [
        ("payspec.pc.in", "lib/pkgconfig", "payspec.pc"),
        ("payspec-config.cmake.in", "lib/cmake/payspec", "payspec-config.cmake"),
        ("payspec-config-version.cmake.in", "lib/cmake/payspec", "payspec-config-version.cmake"),
    ] {
        fill(template, &place.folder(folder)?.join(name), &place, &names)?;
    }
    println!("payspec {VERSION} is in {}", place.root.display());
    Ok(())
}

/// The folders of an installation.
struct InstallPaths {
    /// The prefix that the installed files name.
    prefix: String,
    /// Where they are written: the prefix, below destdir if there is one.
    root: PathBuf,
}

impl InstallPaths {
    fn of(options: &Options) -> InstallPaths {
        let root = PathBuf::from(format!("{}{}", options.destdir, options.prefix));
        InstallPaths { root, prefix: options.prefix.clone() }
    }

    fn folder(&self, name: &str) -> Result<PathBuf, String> {
        let folder = self.root.join(name);
        fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        Ok(folder)
    }
}

/// The shared library's file and the links to it.
struct Names {
    file: String,
    soname: String,
    link: &'static str,
}

impl Names {
    fn here() -> Names {
        if cfg!(target_os = "macos") {
            let [file, soname] = [VERSION, MAJOR].map(|number| format!("libpayspec.{number}.dylib"));
            Names { file, soname, link: "libpayspec.dylib" }
        } else {
            let [file, soname] = [VERSION, MAJOR].map(|number| format!("libpayspec.so.{number}"));
            Names { file, soname, link: "libpayspec.so" }
        }
    }
}

struct Built {
    shared: PathBuf,
    archive: PathBuf,
}

/// Builds both libraries and asks cargo where they are.
fn build() -> Result<Built, String> {
    let messages = tools::build(&["--release", "--package", "payspec-ffi"], &[])?;
    Ok(Built { shared: tools::library(&messages, tools::SHARED)?, archive: tools::library(&messages, &["a"])? })
}

fn shared(built: &Path, folder: &Path, names: &Names) -> Result<(), String> {
    copy(built, &folder.join(&names.file))?;
    for (link, target) in [(names.soname.as_str(), names.file.as_str()), (names.link, &names.soname)] {
        let link = folder.join(link);
        let _ = fs::remove_file(&link);
        #[cfg(unix)]
        std::os::unix::fs::symlink(target, &link).map_err(|error| format!("{}: {error}", link.display()))?;
        #[cfg(not(unix))]
        copy(&folder.join(target), &link)?;
    }
    Ok(())
}

/// The archive as one object whose only global names are payspec_*: a program may link other Rust libraries beside it.
fn archive(built: &Path, to: &Path) -> Result<(), String> {
    let _ = fs::remove_file(to);
    if cfg!(target_os = "macos") {
        return copy(built, to);
    }
    let [object, built] = [to.with_extension("o"), built.to_path_buf()].map(|path| path.display().to_string());
    let roots = exports()?.into_iter().map(|name| format!("--undefined={name}"));
    let mut link =
        vec!["-r", "--gc-sections", "--force-group-allocation"].into_iter().map(str::to_owned).collect::<Vec<_>>();
    link.extend(roots);
    link.extend(["-o".to_owned(), object.clone(), built]);
    run_tool("ld", &link)?;
    // The bitcode that Rust's own objects carry along is of no use here, and irritates other tools.
    let keep = ["--wildcard", "--keep-global-symbol=payspec_*", "--remove-section=.llvm*", &object];
    run_tool("objcopy", &keep.map(str::to_owned))?;
    run_tool("ar", &["rcs", &to.display().to_string(), &object].map(str::to_owned))?;
    fs::remove_file(&object).map_err(|error| format!("{object}: {error}"))
}

/// The functions of the header.
fn exports() -> Result<Vec<String>, String> {
    let path = payspec_tests::root().join(crate::build::header::DECLARATIONS);
    let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let words =
        text.split(|character: char| !character.is_ascii_alphanumeric() && character != '_' && character != '(');
    let names = words.filter_map(|word| word.split_once('(')).map(|(name, _)| name.to_owned());
    Ok(names.filter(|name| name.starts_with("payspec_")).collect())
}

fn run_tool(tool: &str, arguments: &[String]) -> Result<(), String> {
    match Command::new(tool).args(arguments).output() {
        Ok(output) if output.status.success() => Ok(()),
        Ok(output) => Err(format!("{tool}: {}", String::from_utf8_lossy(&output.stderr).trim())),
        Err(error) => Err(format!("{tool}: {error}; it comes with binutils")),
    }
}

fn fill(template: &str, to: &Path, place: &InstallPaths, names: &Names) -> Result<(), String> {
    let path = payspec_tests::root().join("ffi/install").join(template);
    let mut text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let flags: Vec<String> = SYSTEM.iter().map(|name| format!("-l{name}")).collect();
    for (name, value) in [
        // Of the templates payspec.pc alone says it, where a blank would end the word.
        ("@PREFIX@", place.prefix.replace(' ', "\\ ").as_str()),
        ("@VERSION@", VERSION),
        ("@MAJOR@", MAJOR),
        ("@SHARED@", &names.file),
        ("@SONAME@", &names.soname),
        ("@STATIC_FLAGS@", &flags.join(" ")),
        ("@STATIC_LIBRARIES@", &SYSTEM.join(";")),
        ("@POINTER_BYTES@", &size_of::<usize>().to_string()),
    ] {
        text = text.replace(name, value);
    }
    fs::write(to, text).map_err(|error| format!("{}: {error}", to.display()))
}

/// A new file in the old one's place: a program that runs keeps the library that it has loaded.
fn copy(from: &Path, to: &Path) -> Result<(), String> {
    let _ = fs::remove_file(to);
    fs::copy(from, to).map(|_| ()).map_err(|error| format!("{} to {}: {error}", from.display(), to.display()))
}
