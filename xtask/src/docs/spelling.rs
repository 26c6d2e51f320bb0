//! Checks the spelling of the documentation with typos. `docs/typos.toml` lists the words of the
//! subject.

use crate::support::process::run_checked;
use anyhow::Result;
use payspec_support::root;
use std::process::Command;

/// The files that people read.
const FILES: &[&str] = &[
    "README.md",
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "CHANGELOG.md",
    "docs",
    "cli/README.md",
    "wasm/README.md",
    "include",
    "core/src",
    "wasm/types",
    "service/gateway/README.md",
];

pub(super) fn check() -> Result<()> {
    let mut typos = Command::new("typos");
    typos
        .current_dir(root())
        .args(["--config", "docs/typos.toml", "--format", "brief"])
        .args(FILES);
    run_checked(&mut typos, "typos")
}
