//! Other compilers and tools than the ones that run this program, and where they may write.

use payspec_tests::root;
use std::path::PathBuf;
use std::process::Command;

/// The target folder: what is below it goes with `cargo clean`.
pub(crate) fn target() -> PathBuf {
    let folder = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
    if folder.is_absolute() { folder } else { root().join(folder) }
}

/// The cargo that runs this program, without what it has set for it.
pub(crate) fn cargo() -> Command {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(root());
    cargo
}

/// The cargo of another toolchain of rustup's, whichever one runs this program.
pub(crate) fn cargo_of(toolchain: &str) -> Command {
    let mut cargo = Command::new("cargo");
    cargo.arg(format!("+{toolchain}")).current_dir(root());
    for name in ["CARGO", "RUSTC", "RUSTDOC", "RUSTUP_TOOLCHAIN"] {
        cargo.env_remove(name);
    }
    cargo
}

/// Whether a command can be run and ends well.
pub(crate) fn works(command: &mut Command) -> bool {
    command.output().is_ok_and(|output| output.status.success())
}

/// Runs a command that has to end well; what it writes goes where ours goes.
pub(crate) fn must(command: &mut Command, otherwise: &str) -> Result<(), String> {
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{otherwise}: {status}")),
        Err(error) => Err(format!("{otherwise}: {error}")),
    }
}
