//! The C library, the native module of the Python package, and the command line for macOS and
//! Windows, which Rust's linker and zig link without an SDK. zig has the C headers of both systems,
//! for SQLite and for the cryptography of TLS.

use super::apple_sdk;
use super::archive::{copy, write};
use super::platform::{Platform, System, print_sizes, size};
use crate::build::cross::{Profile, built, without_paths, zigbuild};
use crate::build::install;
use crate::support::process::{host, run_checked, sysroot};
use anstream::println;
use anyhow::{Context, Result};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The oldest macOS that programs run on: the first one for arm64.
pub(super) const OLDEST_MACOS: &str = "11.0";

/// The function that Python calls in the native module of its package.
pub(super) const PYTHON_EXPORT: &str = "PyInit__native";

/// The libraries of a platform of macOS or Windows.
pub(super) struct OtherLibraries {
    pub(super) platform: &'static Platform,
    /// libpayspec.dylib or payspec.dll.
    pub(super) shared: PathBuf,
    /// libpayspec.a without debug information.
    pub(super) archive: PathBuf,
    /// The import library of Windows.
    pub(super) import: PathBuf,
}

/// The native module of the Python package for a platform of macOS or Windows.
pub(super) struct OtherModule {
    pub(super) platform: &'static Platform,
    pub(super) file: PathBuf,
}

/// The command line of a platform of macOS or Windows.
pub(super) struct OtherProgram {
    pub(super) platform: &'static Platform,
    pub(super) payspec: PathBuf,
}

/// The flags for a program of macOS, which would otherwise export the functions of SQLite and of the
/// cryptography in C.
const NO_EXPORTS: &str = " -Clink-arg=-exported_symbol -Clink-arg=__mh_execute_header";

/// Returns the command that builds a package for a platform, and the folder of its files.
fn build(
    platform: &Platform,
    root: &Path,
    package: &str,
    profile: Profile,
) -> Result<(Command, PathBuf)> {
    let mut flags = without_paths(root);
    let mut cargo = zigbuild(root, &[package], platform.target, profile)?;
    if platform.system == System::MacOs {
        // zig's linker exports all symbols, not only those of the header. Programs must not load
        // libiconv, which the standard library names and does not use.
        flags += " -Clinker=rust-lld -Clinker-flavor=ld64.lld -Clink-arg=-dead_strip_dylibs";
        if package == "payspec-cli" {
            flags += NO_EXPORTS;
        }
        cargo
            .env("SDKROOT", apple_sdk::folder()?)
            .env("MACOSX_DEPLOYMENT_TARGET", OLDEST_MACOS);
    }
    cargo
        .env("RUSTFLAGS", flags)
        .env("CARGO_PROFILE_RELEASE_STRIP", "symbols");
    Ok((cargo, built().join(platform.target).join(profile.name())))
}

/// Makes a library for Windows export these functions: cargo-zigbuild removes the compiler's list,
/// without which all are exported.
fn export(cargo: &mut Command, root: &Path, package: &str, names: &[String]) -> Result<()> {
    let path = built().join(format!("{package}-exports.def"));
    write(&path, &format!("EXPORTS\n{}\n", names.join("\n")))?;
    let flags = format!("{} -Clink-arg={}", without_paths(root), path.display());
    cargo.env("RUSTFLAGS", flags);
    Ok(())
}

/// Builds the libraries of a platform from the sources in `root`.
pub(super) fn libraries(
    platform: &'static Platform,
    root: &Path,
    folder: &Path,
    profile: Profile,
) -> Result<OtherLibraries> {
    let (mut cargo, built) = build(platform, root, "payspec-ffi", profile)?;
    if platform.system == System::Windows {
        export(&mut cargo, root, "payspec-ffi", &install::exports()?)?;
    }
    run_checked(&mut cargo, "cargo zigbuild")?;
    let name = platform.library();
    let folder = folder.join(platform.name);
    let libraries = OtherLibraries {
        platform,
        shared: folder.join(name),
        archive: folder.join("libpayspec.a"),
        import: built.join("libpayspec.dll.a"),
    };
    copy(&built.join(name), &libraries.shared)?;
    // The bitcode in objects of the standard library is not needed.
    let mut strip = llvm("llvm-objcopy")?;
    strip
        .args(["--strip-debug", "--enable-deterministic-archives"])
        .args(["--remove-section=.llvmbc", "--remove-section=.llvmcmd"])
        .args(["--remove-section=__LLVM,__bitcode"])
        .args(["--remove-section=__LLVM,__cmdline"])
        .args([built.join("libpayspec.a"), libraries.archive.clone()]);
    run_checked(&mut strip, "llvm-objcopy")?;
    print_sizes(platform, &libraries.shared, &libraries.archive);
    Ok(libraries)
}

/// Builds the native module of the Python package for a platform from the sources in `root`.
pub(super) fn python(
    platform: &'static Platform,
    root: &Path,
    folder: &Path,
    profile: Profile,
) -> Result<OtherModule> {
    let (mut cargo, built) = build(platform, root, "payspec-python", profile)?;
    let name = if platform.system == System::Windows {
        let names = [PYTHON_EXPORT.to_owned()];
        export(&mut cargo, root, "payspec-python", &names)?;
        "payspec_native.dll"
    } else {
        "libpayspec_native.dylib"
    };
    run_checked(&mut cargo, "cargo zigbuild")?;
    let file = folder.join(platform.name).join(platform.python_module());
    copy(&built.join(name), &file)?;
    println!(
        "   {:<18} {}: {} bytes",
        platform.name,
        platform.python_module(),
        size(&file)
    );
    Ok(OtherModule { platform, file })
}

/// Builds the command line of a platform from the sources in `root`, with the built page inside the
/// sandbox.
pub(super) fn program(
    platform: &'static Platform,
    root: &Path,
    folder: &Path,
    page: &Path,
    profile: Profile,
) -> Result<OtherProgram> {
    let (mut cargo, built) = build(platform, root, "payspec-cli", profile)?;
    cargo.args(["--bin", "payspec"]).env("PAYSPEC_PAGE", page);
    run_checked(&mut cargo, "cargo zigbuild")?;
    let payspec = folder.join(platform.name).join(platform.program());
    copy(&built.join(platform.program()), &payspec)?;
    println!("   {:<18} payspec: {} bytes", platform.name, size(&payspec));
    Ok(OtherProgram { platform, payspec })
}

/// Returns a program of the compiler's component `llvm-tools`.
fn llvm(name: &str) -> Result<Command> {
    let sysroot = sysroot().context("rustc prints no sysroot")?;
    let folder = sysroot.join("lib/rustlib").join(host()).join("bin");
    Ok(Command::new(folder.join(name)))
}
