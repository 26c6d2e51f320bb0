//! The command line with its manual pages and completions.

use super::archive::{copy, write};
use super::build::Build;
use super::platform::System;
use crate::build::install::VERSION;
use crate::support::process::{output, run_checked};
use anyhow::{Context, Result};
use fs_err as fs;
use std::path::Path;
use std::process::Command;

/// The shells of the completions, and the files as Debian and Fedora install them.
const COMPLETIONS: [(&str, &str); 3] = [
    ("bash", "bash-completion/completions/payspec"),
    ("zsh", "zsh/vendor-completions/_payspec"),
    ("fish", "fish/vendor_completions.d/payspec.fish"),
];

impl Build<'_> {
    /// Builds an archive of the command line for each platform: the program, and, except for Windows,
    /// its manual pages and completions.
    pub(super) fn cli(&self) -> Result<()> {
        for (platform, payspec) in self.command_lines() {
            let name = format!("payspec-cli-{VERSION}-{}", platform.name);
            let folder = self.stage(&platform.staged(&name))?;
            match platform.system {
                System::Windows => copy(payspec, &folder.join("bin/payspec.exe"))?,
                System::Linux | System::MacOs => self.command_line(payspec, &folder)?,
            }
            copy(&self.root.join("cli/README.md"), &folder.join("README.md"))?;
            self.pack(platform, &name)?;
        }
        Ok(())
    }

    /// Copies a program with the manual pages and completions below a prefix, such as `/usr`. The
    /// program of this machine writes them.
    pub(super) fn command_line(&self, payspec: &Path, prefix: &Path) -> Result<()> {
        copy(payspec, &prefix.join("bin/payspec"))?;
        let native = self
            .programs
            .iter()
            .find(|other| other.platform.is_native());
        let native = &native.context("no program runs on this machine")?.payspec;
        let pages = prefix.join("share/man/man1");
        fs::create_dir_all(&pages)?;
        run_checked(Command::new(native).arg("man").arg(&pages), "payspec man")?;
        for (shell, file) in COMPLETIONS {
            let text = output(
                Command::new(native).args(["completions", shell]),
                "payspec completions",
            )?;
            write(
                &prefix.join("share").join(file),
                &String::from_utf8_lossy(&text),
            )?;
        }
        Ok(())
    }
}
