//! The archives for C and C++.

use super::archive::{copy, tar_gz};
use super::build::Build;
use super::platform::System;
use crate::build::install::{self, HEADERS, Names, VERSION};
use anyhow::Result;
use payspec_support::abi::SONAME_SUFFIX;

impl Build<'_> {
    /// Builds an archive for C and C++ of each platform, and one with its debug information.
    pub(super) fn c(&self) -> Result<()> {
        for library in self.libraries {
            let name = format!("payspec-{VERSION}-{}", library.platform.name);
            let folder = self.stage(&name)?;
            let (file, soname) = (
                format!("libpayspec.so.{VERSION}"),
                format!("libpayspec.so.{SONAME_SUFFIX}"),
            );
            let lib = folder.join("lib");
            copy(&library.shared, &lib.join(&file))?;
            for (link, to) in [(soname.as_str(), file.as_str()), ("libpayspec.so", &soname)] {
                std::os::unix::fs::symlink(to, lib.join(link))?;
            }
            copy(&library.archive, &lib.join("libpayspec.a"))?;
            for header in HEADERS {
                copy(
                    &self.root.join("include").join(header),
                    &folder.join("include").join(header),
                )?;
            }
            install::write_metadata(&folder)?;
            copy(
                &self.root.join("bindings/cpp/README.md"),
                &folder.join("README.md"),
            )?;
            tar_gz(&folder, &self.out.join(format!("{name}.tar.gz")))?;
            let debug = self.stage(&format!("{name}-debug"))?;
            copy(
                &library.debug,
                &debug.join("lib/.debug/libpayspec.so.debug"),
            )?;
            tar_gz(&debug, &self.out.join(format!("{name}-debug.tar.gz")))?;
        }
        Ok(())
    }

    /// Builds an archive for C and C++ of each platform of macOS and Windows.
    pub(super) fn c_of_other_systems(&self) -> Result<()> {
        for library in self.other_libraries {
            let platform = library.platform;
            let name = format!("payspec-{VERSION}-{}", platform.name);
            let folder = self.stage(&platform.staged(&name))?;
            let lib = folder.join("lib");
            let names = if platform.system == System::MacOs {
                let names = Names::macos();
                install::shared(&library.shared, &lib, &names)?;
                names
            } else {
                let names = Names::windows(platform.target.ends_with("llvm"));
                copy(&library.shared, &folder.join("bin/payspec.dll"))?;
                copy(&library.import, &lib.join(names.link))?;
                names
            };
            copy(&library.archive, &lib.join("libpayspec.a"))?;
            for header in HEADERS {
                let from = self.root.join("include").join(header);
                copy(&from, &folder.join("include").join(header))?;
            }
            install::write_metadata_with(&folder, &names)?;
            let readme = self.root.join("bindings/cpp/README.md");
            copy(&readme, &folder.join("README.md"))?;
            self.pack(platform, &name)?;
        }
        Ok(())
    }
}
