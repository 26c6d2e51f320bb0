//! The command line with its manual pages and completions.

use super::archive::{copy, tar_gz, write};
use super::build::Build;
use super::other_systems::OtherProgram;
use super::programs::Programs;
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
    /// Builds an archive of the command line for each processor: the program, its manual pages, and
    /// its completions.
    pub(super) fn cli(&self) -> Result<()> {
        for programs in self.programs {
            let name = format!("payspec-cli-{VERSION}-{}", programs.platform.name);
            let folder = self.stage(&name)?;
            self.command_line(programs, &folder)?;
            copy(&self.root.join("cli/README.md"), &folder.join("README.md"))?;
            tar_gz(&folder, &self.out.join(format!("{name}.tar.gz")))?;
        }
        Ok(())
    }

    /// Builds an archive of the command line for each platform of macOS and Windows. It has no manual
    /// pages and completions, since those that this machine's program writes name the sandbox.
    pub(super) fn cli_of_other_systems(&self) -> Result<()> {
        for OtherProgram { platform, payspec } in self.other_programs {
            let name = format!("payspec-cli-{VERSION}-{}", platform.name);
            let folder = self.stage(&platform.staged(&name))?;
            copy(payspec, &folder.join("bin").join(platform.program()))?;
            copy(&self.root.join("cli/README.md"), &folder.join("README.md"))?;
            self.pack(platform, &name)?;
        }
        Ok(())
    }

    /// Copies the program with its manual pages and completions below a prefix, such as `/usr`.
    pub(super) fn command_line(&self, programs: &Programs, prefix: &Path) -> Result<()> {
        copy(&programs.payspec, &prefix.join("bin/payspec"))?;
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
