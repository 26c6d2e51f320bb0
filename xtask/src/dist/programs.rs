//! The static programs: the command line with its sandbox, and the gateway.

use super::archive::{copy, tar_gz};
use super::build::Build;
use super::platform::{PLATFORMS, Platform, built, without_paths, zigbuild};
use crate::build::install::VERSION;
use crate::support::process::{output, run_checked};
use anstream::println;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The programs of a platform with musl, whose C library they contain.
pub(super) struct Programs {
    pub(super) platform: &'static Platform,
    /// `payspec`, with the sandbox and its pages.
    pub(super) payspec: PathBuf,
    pub(super) gateway: PathBuf,
}

/// The shells of the completions, and the files as Debian and Fedora install them.
const COMPLETIONS: [(&str, &str); 3] = [
    ("bash", "bash-completion/completions/payspec"),
    ("zsh", "zsh/vendor-completions/_payspec"),
    ("fish", "fish/vendor_completions.d/payspec.fish"),
];

/// Builds the programs for both processors, with the built page inside the sandbox.
pub(super) fn build(
    root: &Path,
    folder: &Path,
    page: &Path,
    variables: &[(&str, &str)],
) -> Result<Vec<Programs>, String> {
    let platforms = PLATFORMS.iter().filter(|platform| platform.glibc.is_empty());
    let programs = platforms.map(|platform| {
        let program = |package: &str, name: &str| -> Result<PathBuf, String> {
            let mut cargo = zigbuild(root, package, platform.target)?;
            cargo.env("RUSTFLAGS", without_paths(root)).env("CARGO_PROFILE_RELEASE_STRIP", "symbols");
            cargo.env("PAYSPEC_PAGE", page).envs(variables.iter().copied());
            run_checked(&mut cargo, "cargo zigbuild")?;
            let to = folder.join(platform.name).join(name);
            copy(&built().join(platform.target).join("release").join(name), &to)?;
            println!("   {:<18} {name}: {} bytes", platform.name, to.metadata().map_or(0, |metadata| metadata.len()));
            Ok(to)
        };
        Ok(Programs {
            platform,
            payspec: program("payspec-cli", "payspec")?,
            gateway: program("payspec-gateway", "gateway")?,
        })
    });
    programs.collect()
}

impl Build<'_> {
    /// Builds an archive of the command line for each processor: the program, its manual pages, and its completions.
    pub(super) fn cli(&self) -> Result<(), String> {
        for programs in self.programs {
            let name = format!("payspec-cli-{VERSION}-{}", programs.platform.name);
            let folder = self.stage(&name)?;
            self.command_line(programs, &folder)?;
            copy(&self.root.join("cli/README.md"), &folder.join("README.md"))?;
            tar_gz(&folder, &self.out.join(format!("{name}.tar.gz")))?;
        }
        Ok(())
    }

    /// Copies the program with its manual pages and completions below a prefix, such as `/usr`.
    pub(super) fn command_line(&self, programs: &Programs, prefix: &Path) -> Result<(), String> {
        copy(&programs.payspec, &prefix.join("bin/payspec"))?;
        let native = self.programs.iter().find(|other| other.platform.processor == std::env::consts::ARCH);
        let native = &native.ok_or("no program runs on this machine")?.payspec;
        let pages = prefix.join("share/man/man1");
        fs::create_dir_all(&pages).map_err(|error| format!("{}: {error}", pages.display()))?;
        run_checked(Command::new(native).arg("man").arg(&pages), "payspec man")?;
        for (shell, file) in COMPLETIONS {
            let text = output(Command::new(native).args(["completions", shell]), "payspec completions")?;
            super::archive::write(&prefix.join("share").join(file), &String::from_utf8_lossy(&text))?;
        }
        Ok(())
    }
}
