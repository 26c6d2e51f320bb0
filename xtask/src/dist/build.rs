//! The folders of a build.

use super::archive::{copy, empty, tar_gz, zip};
use super::other_systems::{OtherLibraries, OtherModule, OtherProgram};
use super::platform::{Libraries, Platform, System};
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
    /// Those of macOS and Windows; empty if no package that is built contains them.
    pub(super) other_libraries: &'a [OtherLibraries],
    pub(super) other_modules: &'a [OtherModule],
    pub(super) other_programs: &'a [OtherProgram],
    /// The built checkout page.
    pub(super) page: &'a Path,
}

pub(super) const LICENSES: [&str; 2] = ["LICENSE-APACHE", "LICENSE-MIT"];

impl Build<'_> {
    /// Returns the shared library of each platform.
    pub(super) fn shared_libraries(&self) -> Vec<(&'static Platform, &Path)> {
        let linux = self.libraries.iter();
        let linux = linux.map(|library| (library.platform, library.shared.as_path()));
        let others = self.other_libraries.iter();
        let others = others.map(|library| (library.platform, library.shared.as_path()));
        linux.chain(others).collect()
    }

    /// Returns the static library of each platform.
    pub(super) fn archives(&self) -> Vec<(&'static Platform, &Path)> {
        let linux = self.libraries.iter();
        let linux = linux.map(|library| (library.platform, library.archive.as_path()));
        let others = self.other_libraries.iter();
        let others = others.map(|library| (library.platform, library.archive.as_path()));
        linux.chain(others).collect()
    }

    /// Returns the native module of the Python package for each platform.
    pub(super) fn python_modules(&self) -> Vec<(&'static Platform, &Path)> {
        let linux = self.libraries.iter();
        let linux = linux.map(|library| (library.platform, library.python.as_path()));
        let others = self.other_modules.iter();
        let others = others.map(|module| (module.platform, module.file.as_path()));
        linux.chain(others).collect()
    }

    /// Returns the command line of each platform.
    pub(super) fn command_lines(&self) -> Vec<(&'static Platform, &Path)> {
        let linux = self.programs.iter();
        let linux = linux.map(|programs| (programs.platform, programs.payspec.as_path()));
        let others = self.other_programs.iter();
        let others = others.map(|program| (program.platform, program.payspec.as_path()));
        linux.chain(others).collect()
    }

    /// Creates the folder of a package, with the licenses.
    pub(super) fn stage(&self, name: &str) -> Result<PathBuf> {
        let folder = self.work.join(name);
        empty(&folder)?;
        LICENSES
            .iter()
            .try_for_each(|license| copy(&self.root.join(license), &folder.join(license)))?;
        Ok(folder)
    }

    /// Packs the staged folder of a name as users of the system expect it.
    pub(super) fn pack(&self, platform: &Platform, name: &str) -> Result<()> {
        let folder = self.work.join(platform.staged(name));
        let archive = self.out.join(format!("{name}.{}", platform.archive()));
        match platform.system {
            System::Windows => zip(folder.parent().unwrap_or(&folder), &archive),
            System::Linux | System::MacOs => tar_gz(&folder, &archive),
        }
    }
}
