//! Shared code of the conformance tests and `cargo xtask`: JSON in the order written, vectors,
//! matcher, seeds.

pub mod abi;
pub mod allocations;
pub mod batch;
pub mod c;
pub mod call;
pub mod debug;
pub mod flat;
pub mod json;
pub mod leak;
pub mod markdown;
pub mod matcher;
pub mod near_json;
pub mod planted_secrets;
pub mod rational;
pub mod reader;
pub mod seeds;
pub mod tree;
pub mod vector;
pub mod worst_case;

use std::path::{Path, PathBuf};
use std::process::Command;

/// Returns the root of the workspace.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .map_or_else(PathBuf::new, Path::to_path_buf)
}

/// Returns the cargo that runs this program, in the root of the workspace.
pub fn cargo() -> Command {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(root());
    cargo
}
