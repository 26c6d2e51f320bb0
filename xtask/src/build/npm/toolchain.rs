//! The compiler for wasm32, which builds std too: rustup's toolchain, or Debian's where there is no rustup.

use super::{Module, NpmPaths};
use std::path::{Path, PathBuf};
use std::process::Command;

const TARGET: &str = "wasm32-unknown-unknown";
const PROFILE: &str = "wasm";
/// The sources of std, below the sysroot.
const LIBRARY: &str = "lib/rustlib/src/rust/library";
const ADD_TARGET: &str = "rustup target add wasm32-unknown-unknown";
const ADD_SOURCES: &str = "rustup component add rust-src";

/// A compiler with the target.
pub(crate) struct Toolchain {
    /// One line for the terminal.
    pub(crate) about: String,
    cargo: PathBuf,
    rustc: PathBuf,
    /// None stands for the toolchain's own, rust-lld.
    linker: Option<&'static str>,
}

impl Toolchain {
    /// Returns rustup's toolchain, or Debian's where there is no rustup.
    ///
    /// # Errors
    /// Names the commands that install what is missing.
    pub(crate) fn find() -> Result<Toolchain, String> {
        if said(Path::new("rustup"), &["--version"]).is_some() {
            let rustc = PathBuf::from(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
            let root = sysroot(&rustc).ok_or_else(|| format!("{}: does not run", rustc.display()))?;
            complete(&root)?;
            // Not rustup's proxies: they could choose a toolchain other than the one whose parts were found.
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

    /// Compiles `payspec-wasm`, and returns where the module is.
    pub(crate) fn build(&self, module: &Module, place: &NpmPaths) -> Result<PathBuf, String> {
        let folder = place.target.join("wasm");
        let mut cargo = Command::new(&self.cargo);
        cargo.current_dir(&place.root).args(["build", "--locked", "--package", "payspec-wasm"]);
        cargo.args(["--profile", PROFILE, "--target", TARGET]).args(module.features);
        cargo.env("CARGO_PROFILE_WASM_OPT_LEVEL", module.optimise);
        cargo.env("RUSTC", &self.rustc).env("CARGO_TARGET_DIR", &folder);
        // Those of the cargo that runs this program, and of its toolchain.
        for set in ["RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS", "RUSTUP_TOOLCHAIN", "RUSTDOC", "CARGO"] {
            cargo.env_remove(set);
        }
        // The stack pointer is exported: JavaScript puts it back where a call was cut off.
        let mut flags =
            ["-Ctarget-feature=+simd128", "-Clink-arg=--export=__stack_pointer"].map(ToOwned::to_owned).to_vec();
        flags.extend(module.flags.iter().map(ToString::to_string));
        // A place in the sources, which a panic tells, is the same on every machine.
        for (folder, name) in [(Some(place.root.clone()), "."), (cargo_home(), "cargo"), (sysroot(&self.rustc), "rust")]
        {
            flags.extend(folder.map(|folder| format!("--remap-path-prefix={}={name}", folder.display())));
        }
        // std built here: with panics that abort at once it saves a tenth of the small module's gzip (47.7 KB to 42.4 KB).
        cargo.arg("-Z").arg(format!("build-std={}", crates_of_std(module)));
        cargo.args(["-Z", "build-std-features=optimize_for_size"]).env("RUSTC_BOOTSTRAP", "1");
        flags.extend(["-Zunstable-options", "-Cpanic=immediate-abort"].map(ToOwned::to_owned));
        if let Some(linker) = self.linker {
            cargo.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", linker);
        }
        // Not RUSTFLAGS: a folder may have a blank in its name.
        cargo.env("CARGO_ENCODED_RUSTFLAGS", flags.join("\u{1f}"));
        match cargo.status() {
            Ok(status) if status.success() => Ok(folder.join(TARGET).join(PROFILE).join("payspec_wasm.wasm")),
            Ok(status) => Err(format!("cargo build for {TARGET}: {status}")),
            Err(error) => Err(format!("{}: {error}", self.cargo.display())),
        }
    }
}

/// Returns what `-Z build-std` builds. The module without wasm-bindgen is no_std: 46 crates in place of 64, and as many
/// bytes as with std.
fn crates_of_std(module: &Module) -> &'static str {
    if module.features.is_empty() { "std,panic_abort" } else { "core,alloc" }
}

/// Checks that a toolchain of rustup's has the target and the sources of std.
fn complete(root: &Path) -> Result<(), String> {
    let missing =
        [format!("lib/rustlib/{TARGET}"), LIBRARY.to_owned()].into_iter().find(|part| !root.join(part).is_dir());
    missing.map_or(Ok(()), |part| Err(format!("{}: no {part}. Run {ADD_TARGET} and {ADD_SOURCES}", root.display())))
}

/// Where the sources of the libraries are.
fn cargo_home() -> Option<PathBuf> {
    std::env::var_os("CARGO_HOME").map(PathBuf::from).or_else(|| Some(std::env::home_dir()?.join(".cargo")))
}

fn sysroot(rustc: &Path) -> Option<PathBuf> {
    said(rustc, &["--print", "sysroot"]).map(PathBuf::from)
}

fn about(rustc: &Path) -> String {
    format!("{} for {TARGET}, std built for size", said(rustc, &["--version"]).unwrap_or_default())
}

/// What a compiler prints, outside the folder whose toolchain file could choose another one.
fn said(rustc: &Path, arguments: &[&str]) -> Option<String> {
    let output = Command::new(rustc).args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    (output.status.success() && !text.trim().is_empty()).then(|| text.trim().to_owned())
}
