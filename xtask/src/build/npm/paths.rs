//! The folders of the package and of its modules.

use crate::support::process::target;
use std::path::PathBuf;

/// The folders of the sources and of the build output.
pub(super) struct NpmPaths {
    pub(super) root: PathBuf,
    pub(super) target: PathBuf,
}

impl NpmPaths {
    pub(super) fn here() -> NpmPaths {
        NpmPaths {
            root: payspec_support::root(),
            target: target(),
        }
    }

    /// Returns the folder of both modules, each in a folder of its name; that of the full one
    /// contains its glue.
    pub(super) fn modules(&self) -> PathBuf {
        self.target.join("npm")
    }

    pub(super) fn package(&self) -> PathBuf {
        self.root.join("wasm/pkg")
    }
}
