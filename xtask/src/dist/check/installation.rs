//! The packages, and commands that use them apart from the repository.

use crate::dist::archive;
use crate::dist::platform::Extent;
use crate::support::process::target;
use crate::support::process::text_of;
use crate::support::test_counts::{TestCounts, counted_in};
use anyhow::{Context, Result, anyhow};
use fs_err as fs;
use payspec_support::{markdown, root};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The packages, and a folder for installations.
pub(crate) struct Packages {
    pub(super) dist: PathBuf,
    pub(super) folder: PathBuf,
    pub(super) extent: Extent,
}

impl Packages {
    /// Returns the packages of `cargo xtask dist`, or those of `cargo xtask dist --quick`.
    pub(crate) fn of(dist: PathBuf, extent: Extent) -> Packages {
        Packages {
            dist,
            folder: target().join("dist-check"),
            extent,
        }
    }

    /// Returns the file whose name starts and ends so.
    pub(super) fn file(&self, start: &str, end: &str) -> Result<PathBuf> {
        let is_named = |path: &PathBuf| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            name.starts_with(start) && name.ends_with(end)
        };
        archive::files(&self.dist)?
            .into_iter()
            .find(is_named)
            .with_context(|| format!("there is no {start}…{end}"))
    }

    /// Returns a new folder.
    pub(super) fn empty(&self, name: &str) -> Result<PathBuf> {
        let folder = self.folder.join(name);
        archive::empty(&folder)?;
        Ok(folder)
    }
}

/// Returns a command in a folder, with only these variables: nothing of the repository or of a
/// developer.
pub(super) fn isolated(program: impl AsRef<std::ffi::OsStr>, folder: &Path) -> Command {
    let mut command = Command::new(program);
    command.env_clear().current_dir(folder).stdin(Stdio::null());
    command
        .env("PATH", "/usr/bin:/bin")
        .env("HOME", folder)
        .env("LC_ALL", "C.UTF-8");
    // Go ignores a module in the folder of temporary files.
    let temporary = target().join("dist-tmp");
    let _ = fs::create_dir_all(&temporary);
    command.env("TMPDIR", temporary);
    command.env("PAYSPEC_VECTORS", root().join("tests/vectors"));
    command
}

/// Runs tests, and returns their counts. None is an error.
pub(super) fn counts_of(command: &mut Command) -> Result<TestCounts> {
    let text = text_of(command)?;
    let counts = counted_in(&text);
    if counts.passed == 0 || counts.failed > 0 {
        Err(anyhow!("{counts:?}\n{text}"))
    } else {
        Ok(counts)
    }
}

/// Runs a command that must print this.
pub(super) fn prints(command: &mut Command, expected: &str) -> Result<TestCounts> {
    let printed = text_of(command)?;
    if printed == expected {
        Ok(TestCounts::of_check(true))
    } else {
        Err(anyhow!("printed {printed:?}, not {expected:?}"))
    }
}

/// Writes the first program of a language in a readme to a file.
pub(super) fn program_of(readme: &Path, language: &str, file: &Path) -> Result<()> {
    let text = fs::read_to_string(readme)?;
    archive::write(
        file,
        markdown::blocks(&text, language)
            .next()
            .context("the readme contains no program")?,
    )
}

/// Unpacks the folder in an archive.
pub(super) fn untar(archive: &Path, folder: &Path) -> Result<()> {
    let mut tar = Command::new("tar");
    tar.arg("xzf")
        .arg(archive)
        .args(["--strip-components=1", "-C"])
        .arg(folder);
    text_of(&mut tar).map(drop)
}

/// Unpacks a zip file.
pub(super) fn unzip(archive: &Path, folder: &Path) -> Result<()> {
    text_of(
        Command::new("python3")
            .args(["-m", "zipfile", "-e"])
            .arg(archive)
            .arg(folder),
    )
    .map(|_| ())
}
