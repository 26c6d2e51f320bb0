//! The Debian packages: the library with its symbols file, the files for development, and the
//! command line. `xtask/debian` has their descriptions, and the script that writes them.

use super::archive::{EPOCH, copy, empty};
use super::build::Build;
use super::platform::{Libraries, Platform};
use crate::build::install::{self, HEADERS, VERSION};
use crate::support::process::run_checked;
use anyhow::Result;
use fs_err::os::unix::fs::symlink;
use payspec_support::abi::SONAME_SUFFIX;
use std::path::{Path, PathBuf};
use std::process::Command;

impl Build<'_> {
    /// Builds the packages of the library for glibc, and of the command line.
    pub(super) fn deb(&self) -> Result<()> {
        let is_glibc = |library: &&Libraries| !library.platform.is_musl();
        for library in self.libraries.iter().filter(is_glibc) {
            self.library(library)?;
        }
        for programs in self.programs {
            let folder = self.folder("payspec", programs.platform)?;
            self.command_line(&programs.payspec, &folder.join("usr"))?;
            self.package("payspec", programs.platform, &folder)?;
        }
        Ok(())
    }

    /// Builds `libpayspec`, with the end of the SONAME in its name, and `libpayspec-dev`.
    fn library(&self, library: &Libraries) -> Result<()> {
        let platform = library.platform;
        let lib = format!("usr/lib/{}", platform.name);
        let [file, soname] = [VERSION, SONAME_SUFFIX].map(|end| format!("libpayspec.so.{end}"));

        let name = format!("libpayspec{SONAME_SUFFIX}");
        let folder = self.folder(&name, platform)?;
        copy(&library.shared, &folder.join(&lib).join(&file))?;
        symlink(&file, folder.join(&lib).join(&soname))?;
        self.package(&name, platform, &folder)?;

        let folder = self.folder("libpayspec-dev", platform)?;
        copy(&library.archive, &folder.join(&lib).join("libpayspec.a"))?;
        symlink(&soname, folder.join(&lib).join("libpayspec.so"))?;
        for header in HEADERS {
            let to = folder.join("usr/include").join(header);
            copy(&self.root.join("include").join(header), &to)?;
        }
        install::write_system_metadata(&folder, platform.name)?;
        self.package("libpayspec-dev", platform, &folder)
    }

    fn folder(&self, package: &str, platform: &Platform) -> Result<PathBuf> {
        let folder = self
            .work
            .join(format!("{package}-{}", platform.architecture));
        empty(&folder)?;
        Ok(folder)
    }

    /// Writes the package with the files of a folder.
    fn package(&self, name: &str, platform: &Platform, folder: &Path) -> Result<()> {
        let mut script = Command::new(self.root.join("xtask/debian/build.sh"));
        script
            .arg(name)
            .arg(folder)
            .arg(self.out)
            .env("VERSION", VERSION)
            .env("SONAME", SONAME_SUFFIX)
            .env("GLIBC", platform.glibc)
            .env("ARCHITECTURE", platform.architecture)
            .env("SOURCE_DATE_EPOCH", EPOCH);
        run_checked(&mut script, name)
    }
}
