//! The compiler for wasm32, which also builds std: rustup's toolchain, or Debian's if rustup is not installed.

use super::{Module, NpmPaths};
use std::path::{Path, PathBuf};
use std::process::Command;

const TARGET: &str = "wasm32-unknown-unknown";
const PROFILE: &str = "wasm";
/// The sources of std, below the sysroot.
const LIBRARY: &str = "lib/rustlib/src/rust/library";
const ADD_TARGET: &str = "rustup target add wasm32-unknown-unknown";
const ADD_SOURCES: &str = "rustup component add rust-src";

/// A compiler that supports the target.
pub(crate) struct Toolchain {
    /// A one-line description.
    pub(crate) about: String,
    cargo: PathBuf,
    rustc: PathBuf,
    /// If `None`, the toolchain's own rust-lld.
    linker: Option<&'static str>,
}

impl Toolchain {
    /// Returns rustup's toolchain, or Debian's if rustup is not installed.
    ///
    /// # Errors
    /// Returns the commands that install the missing parts.
    pub(crate) fn find() -> Result<Toolchain, String> {
        if output_of(Path::new("rustup"), &["--version"]).is_some() {
            let rustc = PathBuf::from(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
            let root = sysroot(&rustc).ok_or_else(|| format!("{}: does not run", rustc.display()))?;
            complete(&root)?;
            // The proxies of rustup could select another toolchain than the one that was checked.
            let (rustc, cargo) = (root.join("bin/rustc"), root.join("bin/cargo"));
            return Ok(Toolchain { about: about(&rustc), cargo, rustc, linker: None });
        }
        // Debian's packages rustc-web, cargo-web and rust-web-src.
        let (rustc, cargo) = (PathBuf::from("/usr/bin/rustc"), PathBuf::from("/usr/bin/cargo"));
        if cargo.is_file() && sysroot(&rustc).is_some_and(|root| root.join(LIBRARY).is_dir()) {
            return Ok(Toolchain { about: about(&rustc), cargo, rustc, linker: Some("wasm-ld") });
        }
        Err(format!(
            "no compiler for {TARGET} here. With rustup: {ADD_TARGET} and {ADD_SOURCES}. On Debian without rustup: \
             apt-get install rustc-web cargo-web rust-web-src lld"
        ))
    }

    /// Compiles `payspec-wasm`, and returns the path of the module.
    pub(crate) fn build(&self, module: &Module, paths: &NpmPaths) -> Result<PathBuf, String> {
        let folder = paths.target.join("wasm");
        let mut cargo = Command::new(&self.cargo);
        cargo.current_dir(&paths.root).args(["build", "--locked", "--package", "payspec-wasm"]);
        cargo.args(["--profile", PROFILE, "--target", TARGET]).args(module.features);
        cargo.env("CARGO_PROFILE_WASM_OPT_LEVEL", module.optimization);
        cargo.env("RUSTC", &self.rustc).env("CARGO_TARGET_DIR", &folder);
        // Set by the cargo that runs this program and by its toolchain.
        for set in ["RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS", "RUSTUP_TOOLCHAIN", "RUSTDOC", "CARGO"] {
            cargo.env_remove(set);
        }
        // The stack pointer is exported so that JavaScript can restore it after a trap.
        let mut flags =
            ["-Ctarget-feature=+simd128", "-Clink-arg=--export=__stack_pointer"].map(ToOwned::to_owned).to_vec();
        flags.extend(module.flags.iter().map(ToString::to_string));
        // Panic messages contain paths of sources, which must not depend on the machine.
        for (folder, name) in [(Some(paths.root.clone()), "."), (cargo_home(), "cargo"), (sysroot(&self.rustc), "rust")]
        {
            flags.extend(folder.map(|folder| format!("--remap-path-prefix={}={name}", folder.display())));
        }
        // Builds std with panics that abort immediately: the small module is a tenth smaller after gzip (47.7 KB to
        // 42.4 KB).
        cargo.arg("-Z").arg(format!("build-std={}", crates_of_std(module)));
        cargo.args(["-Z", "build-std-features=optimize_for_size"]).env("RUSTC_BOOTSTRAP", "1");
        flags.extend(["-Zunstable-options", "-Cpanic=immediate-abort"].map(ToOwned::to_owned));
        if let Some(linker) = self.linker {
            cargo.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", linker);
        }
        // RUSTFLAGS would split a folder name at a space.
        cargo.env("CARGO_ENCODED_RUSTFLAGS", flags.join("\u{1f}"));
        match cargo.status() {
            Ok(status) if status.success() => Ok(folder.join(TARGET).join(PROFILE).join("payspec_wasm.wasm")),
            Ok(status) => Err(format!("cargo build for {TARGET}: {status}")),
            Err(error) => Err(format!("{}: {error}", self.cargo.display())),
        }
    }
}

/// Returns the crates that `-Z build-std` builds. The module without wasm-bindgen is no_std: 46 crates instead of 64,
/// with the same size.
fn crates_of_std(module: &Module) -> &'static str {
    if module.features.is_empty() { "std,panic_abort" } else { "core,alloc" }
}

/// Checks that a toolchain of rustup has the target and the sources of std.
fn complete(root: &Path) -> Result<(), String> {
    let missing =
        [format!("lib/rustlib/{TARGET}"), LIBRARY.to_owned()].into_iter().find(|part| !root.join(part).is_dir());
    missing.map_or(Ok(()), |part| Err(format!("{}: no {part}. Run {ADD_TARGET} and {ADD_SOURCES}", root.display())))
}

/// Returns the folder of the sources of dependencies.
fn cargo_home() -> Option<PathBuf> {
    std::env::var_os("CARGO_HOME").map(PathBuf::from).or_else(|| Some(std::env::home_dir()?.join(".cargo")))
}

fn sysroot(rustc: &Path) -> Option<PathBuf> {
    output_of(rustc, &["--print", "sysroot"]).map(PathBuf::from)
}

fn about(rustc: &Path) -> String {
    format!("{} for {TARGET}, std built for size", output_of(rustc, &["--version"]).unwrap_or_default())
}

/// Returns the trimmed output of a compiler; `None` if it fails or prints nothing.
fn output_of(rustc: &Path, arguments: &[&str]) -> Option<String> {
    let output = Command::new(rustc).args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    (output.status.success() && !text.trim().is_empty()).then(|| text.trim().to_owned())
}
