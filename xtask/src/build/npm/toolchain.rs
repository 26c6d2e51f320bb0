//! The compiler for wasm32, which also builds std: rustup's toolchain, or Debian's if rustup is not
//! installed.

use super::modules::Module;
use super::paths::NpmPaths;
use crate::support::process;
use crate::support::wasm_compiler::{TARGET, WasmCompiler};
use std::path::PathBuf;
use std::process::Command;

const PROFILE: &str = "wasm";
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
    pub(crate) fn find() -> Result<Toolchain, String> {
        let compiler =
            WasmCompiler::find().filter(|compiler| compiler.has_target() && compiler.has_sources());
        let compiler = compiler.ok_or_else(|| {
            format!(
                "{TARGET} or the sources of std are missing. With rustup: {ADD_TARGET} and {ADD_SOURCES}. On Debian \
                 without rustup: apt-get install rustc-web cargo-web rust-web-src lld"
            )
        })?;
        let version = process::printed_by(&compiler.rustc, &["--version"]).unwrap_or_default();
        Ok(Toolchain {
            about: format!("{version} for {TARGET}, std built for size"),
            compiler,
        })
    }

    /// Compiles `payspec-wasm`, and returns the path of the module.
    pub(crate) fn build(&self, module: &Module, paths: &NpmPaths) -> Result<PathBuf, String> {
        let folder = paths.target.join("wasm");
        let mut cargo = Command::new(&self.compiler.cargo);
        cargo
            .current_dir(&paths.root)
            .args(["build", "--locked", "--package", "payspec-wasm"]);
        cargo
            .args(["--profile", PROFILE, "--target", TARGET])
            .args(module.features);
        cargo.env("CARGO_PROFILE_WASM_OPT_LEVEL", module.optimization);
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
            (cargo_home(), "cargo"),
            (Some(self.compiler.root.clone()), "rust"),
        ] {
            flags.extend(
                folder.map(|folder| format!("--remap-path-prefix={}={name}", folder.display())),
            );
        }
        // Builds std with panics that abort immediately. With the std of rustup, the first module
        // for pages was a tenth larger after gzip (47.7 KB instead of 42.4 KB).
        cargo
            .arg("-Z")
            .arg(format!("build-std={}", crates_of_std(module)));
        cargo
            .args(["-Z", "build-std-features=optimize_for_size"])
            .env("RUSTC_BOOTSTRAP", "1");
        flags.extend(["-Zunstable-options", "-Cpanic=immediate-abort"].map(ToOwned::to_owned));
        if let Some(linker) = self.compiler.linker {
            cargo.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", linker);
        }
        // RUSTFLAGS would split a folder name at a space.
        cargo.env("CARGO_ENCODED_RUSTFLAGS", flags.join("\u{1f}"));
        match cargo.status() {
            Ok(status) if status.success() => {
                Ok(folder.join(TARGET).join(PROFILE).join("payspec_wasm.wasm"))
            }
            Ok(status) => Err(format!("cargo build for {TARGET}: {status}")),
            Err(error) => Err(format!("{}: {error}", self.compiler.cargo.display())),
        }
    }
}

/// Returns the crates that `-Z build-std` builds. The module without wasm-bindgen is no_std: 46
/// crates instead of 64, with the same size.
fn crates_of_std(module: &Module) -> &'static str {
    if module.has_glue() {
        "std,panic_abort"
    } else {
        "core,alloc"
    }
}

/// Returns the folder of the sources of dependencies.
fn cargo_home() -> Option<PathBuf> {
    std::env::var_os("CARGO_HOME")
        .map(PathBuf::from)
        .or_else(|| Some(std::env::home_dir()?.join(".cargo")))
}
