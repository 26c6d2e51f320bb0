//! Finds the compiler for WebAssembly: rustup's toolchain, or Debian's if rustup is not installed.

use crate::support::process;
use std::path::PathBuf;
use std::process::Command;

pub(crate) const TARGET: &str = "wasm32-unknown-unknown";

/// A compiler, possibly without the target or the sources of std.
pub(crate) struct WasmCompiler {
    pub(crate) cargo: PathBuf,
    pub(crate) rustc: PathBuf,
    /// If `None`, rust-lld of the toolchain.
    pub(crate) linker: Option<&'static str>,
    /// The sysroot.
    pub(crate) root: PathBuf,
}

impl WasmCompiler {
    /// Returns rustup's toolchain, or Debian's if rustup is not installed.
    pub(crate) fn find() -> Option<WasmCompiler> {
        if process::works(Command::new("rustup").arg("--version")) {
            let root = process::sysroot()?;
            // The proxies of rustup could select another toolchain than the one that is checked.
            let (cargo, rustc) = (root.join("bin/cargo"), root.join("bin/rustc"));
            return Some(WasmCompiler {
                cargo,
                rustc,
                linker: None,
                root,
            });
        }
        // Debian's packages rustc-web, cargo-web, and rust-web-src.
        let (cargo, rustc) = (
            PathBuf::from("/usr/bin/cargo"),
            PathBuf::from("/usr/bin/rustc"),
        );
        let root = process::sysroot_of(&rustc).filter(|_| cargo.is_file())?;
        Some(WasmCompiler {
            cargo,
            rustc,
            linker: Some("wasm-ld"),
            root,
        })
    }

    /// Returns true if the target is installed.
    pub(crate) fn has_target(&self) -> bool {
        self.root.join("lib/rustlib").join(TARGET).is_dir()
    }

    /// Returns true if the sources of std are installed.
    pub(crate) fn has_sources(&self) -> bool {
        self.root
            .join("lib/rustlib/src/rust/library/Cargo.lock")
            .is_file()
    }
}
