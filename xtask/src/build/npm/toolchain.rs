//! The compiler for wasm32: rustup's toolchain, or Debian's if rustup is not installed.

use super::modules::Module;
use super::paths::NpmPaths;
use crate::support::process;
use crate::support::wasm_compiler::{TARGET, WasmCompiler};
use anyhow::{Context, Result, anyhow};
use std::path::PathBuf;
use std::process::Command;

const ADD_TARGET: &str = "rustup target add wasm32-unknown-unknown";
const ADD_SOURCES: &str = "rustup component add rust-src";

/// A compiler with the target and the sources of std.
pub(crate) struct Toolchain {
    /// A one-line description.
    pub(crate) about: String,
    compiler: WasmCompiler,
}

impl Toolchain {
    /// Returns rustup's toolchain, or Debian's if rustup is not installed.
    ///
    /// # Errors
    /// Returns the commands that install the missing parts.
    pub(crate) fn find() -> Result<Toolchain> {
        let compiler =
            WasmCompiler::find().filter(|compiler| compiler.has_target() && compiler.has_sources());
        let compiler = compiler.with_context(|| {
            format!(
                "{TARGET} or the sources of std are missing. With rustup: {ADD_TARGET} and {ADD_SOURCES}. On Debian \
                 without rustup: apt-get install rustc-web cargo-web rust-web-src lld"
            )
        })?;
        let version = process::printed_by(&compiler.rustc, &["--version"]).unwrap_or_default();
        Ok(Toolchain {
            about: format!("{version} for {TARGET}"),
            compiler,
        })
    }

    /// Compiles the crate of a module, and returns the path of the module.
    pub(crate) fn build(&self, module: &Module, paths: &NpmPaths) -> Result<PathBuf> {
        let folder = paths.target.join("wasm");
        let mut cargo = Command::new(&self.compiler.cargo);
        cargo
            .current_dir(&paths.root)
            .args(["build", "--locked", "--package", module.package])
            .args(["--profile", module.profile, "--target", TARGET]);
        cargo
            .env("RUSTC", &self.compiler.rustc)
            .env("CARGO_TARGET_DIR", &folder);
        // Set by the cargo that runs this program and by its toolchain.
        for set in [
            "RUSTFLAGS",
            "CARGO_ENCODED_RUSTFLAGS",
            "RUSTUP_TOOLCHAIN",
            "RUSTDOC",
            "CARGO",
        ] {
            cargo.env_remove(set);
        }
        let mut flags: Vec<String> = module.flags.iter().map(ToString::to_string).collect();
        // Panic messages contain paths of sources, which must not depend on the machine.
        for (folder, name) in [
            (Some(paths.root.clone()), "."),
            (sources_of_dependencies(), "cargo"),
            (Some(self.compiler.root.clone()), "rust"),
        ] {
            flags.extend(
                folder.map(|folder| format!("--remap-path-prefix={}={name}", folder.display())),
            );
        }
        build_std(&mut cargo, &mut flags);
        if let Some(linker) = self.compiler.linker {
            cargo.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", linker);
        }
        // RUSTFLAGS would split a folder name at a space.
        cargo.env("CARGO_ENCODED_RUSTFLAGS", flags.join("\u{1f}"));
        match cargo.status() {
            Ok(status) if status.success() => {
                Ok(folder.join(TARGET).join(module.profile).join(module.file()))
            }
            Ok(status) => Err(anyhow!("cargo build for {TARGET}: {status}")),
            Err(error) => Err(anyhow!("{}: {error}", self.compiler.cargo.display())),
        }
    }
}

/// Builds std with panics that abort at once, without their messages. Both are unstable, so
/// `RUSTC_BOOTSTRAP` is set. With stable Rust, `payspec` has 145,020 bytes after brotli at level
/// "s", and 134,297 at level "z", where a verdict takes 3.6 times as long as natively (P8).
/// `payspec/checkout` has 51,376 bytes after gzip instead of 46,289.
fn build_std(cargo: &mut Command, flags: &mut Vec<String>) {
    cargo
        .args(["-Z", "build-std=std,panic_abort"])
        .args(["-Z", "build-std-features=optimize_for_size"])
        .env("RUSTC_BOOTSTRAP", "1");
    flags.extend(["-Zunstable-options", "-Cpanic=immediate-abort"].map(ToOwned::to_owned));
}

/// Returns the folder of the sources of dependencies.
fn sources_of_dependencies() -> Option<PathBuf> {
    let home = std::env::var_os("CARGO_HOME")
        .map(PathBuf::from)
        .or_else(|| Some(std::env::home_dir()?.join(".cargo")))?;
    Some(home.join("registry/src"))
}
