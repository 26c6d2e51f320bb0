//! Shared code of the tests and of `cargo xtask` that does not need the library: JSON in the order
//! written, Markdown, the names of tests, the ABI number, and folders.

pub mod abi;
pub mod json;
pub mod markdown;
pub mod test_names;

use std::path::{Path, PathBuf};
use std::process::Command;

/// Returns the root of the workspace.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .nth(2)
        .map_or_else(PathBuf::new, Path::to_path_buf)
}

/// Returns the cargo that runs this program, in the root of the workspace.
pub fn cargo() -> Command {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(root());
    cargo
}
