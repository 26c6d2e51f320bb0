//! The folders of a build.

use super::archive::{copy, empty};
use super::platform::Libraries;
use super::programs::Programs;
use anyhow::Result;
use std::path::{Path, PathBuf};

/// The folders of a build, and the libraries and programs that packages contain.
pub(super) struct Build<'a> {
    /// The sources.
    pub(super) root: &'a Path,
    /// The packages.
    pub(super) out: &'a Path,
    /// Intermediate files.
    pub(super) work: &'a Path,
    pub(super) libraries: &'a [Libraries],
    /// Empty if no package that is built contains a program.
    pub(super) programs: &'a [Programs],
    /// The built checkout page.
    pub(super) page: &'a Path,
}

pub(super) const LICENSES: [&str; 2] = ["LICENSE-APACHE", "LICENSE-MIT"];

impl Build<'_> {
    /// Creates the folder of a package, with the licenses.
    pub(super) fn stage(&self, name: &str) -> Result<PathBuf> {
        let folder = self.work.join(name);
        empty(&folder)?;
        LICENSES
            .iter()
            .try_for_each(|license| copy(&self.root.join(license), &folder.join(license)))?;
        Ok(folder)
    }
}
