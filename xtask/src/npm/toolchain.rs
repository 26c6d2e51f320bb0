//! Who compiles for wasm32: rustup's toolchain where it has the target, else Debian's, which builds std itself.

use super::{Module, Place};
use std::path::{Path, PathBuf};
use std::process::Command;

const TARGET: &str = "wasm32-unknown-unknown";
const PROFILE: &str = "wasm";

/// A compiler with the target.
pub(crate) struct Toolchain {
    /// One line for the terminal.
    pub(crate) about: String,
    cargo: PathBuf,
    rustc: PathBuf,
    builds_std: bool,
}

impl Toolchain {
    pub(crate) fn find() -> Result<Toolchain, String> {
        let rustc = PathBuf::from(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
        let cargo = PathBuf::from(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        if sysroot(&rustc).is_some_and(|root| root.join("lib/rustlib").join(TARGET).is_dir()) {
            return Ok(Toolchain { about: about(&rustc, "its own std"), cargo, rustc, builds_std: false });
        }
        // Debian's packages rustc-web, cargo-web and rust-web-src, beside whatever rustup has installed.
        let (rustc, cargo) = (PathBuf::from("/usr/bin/rustc"), PathBuf::from("/usr/bin/cargo"));
        if cargo.is_file() && sysroot(&rustc).is_some_and(|root| root.join("lib/rustlib/src/rust/library").is_dir()) {
            return Ok(Toolchain { about: about(&rustc, "std built for size"), cargo, rustc, builds_std: true });
        }
        Err(format!(
            "no compiler for {TARGET} here. With rustup: rustup target add {TARGET}. On Debian: \
             apt-get install rustc-web cargo-web rust-web-src lld"
        ))
    }

    /// Compiles `payspec-wasm`, and says where the module is.
    pub(crate) fn build(&self, module: &Module, place: &Place) -> Result<PathBuf, String> {
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
        if self.builds_std {
            cargo
                .args(["-Z", "build-std=std,panic_abort", "-Z", "build-std-features=optimize_for_size"])
                .env("RUSTC_BOOTSTRAP", "1");
            cargo.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", "wasm-ld");
            // A panic is a trap, without a text: a third of the size.
            flags.extend(["-Zunstable-options", "-Cpanic=immediate-abort"].map(ToOwned::to_owned));
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

/// Where the sources of the libraries are.
fn cargo_home() -> Option<PathBuf> {
    std::env::var_os("CARGO_HOME").map(PathBuf::from).or_else(|| Some(std::env::home_dir()?.join(".cargo")))
}

fn sysroot(rustc: &Path) -> Option<PathBuf> {
    said(rustc, &["--print", "sysroot"]).map(PathBuf::from)
}

fn about(rustc: &Path, std: &str) -> String {
    format!("{} for {TARGET}, {std}", said(rustc, &["--version"]).unwrap_or_default())
}

/// What a compiler prints, outside the folder whose toolchain file could choose another one.
fn said(rustc: &Path, arguments: &[&str]) -> Option<String> {
    let output = Command::new(rustc).args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    (output.status.success() && !text.trim().is_empty()).then(|| text.trim().to_owned())
}
