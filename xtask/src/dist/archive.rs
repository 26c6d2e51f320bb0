//! Copies files, and writes archives whose bytes depend only on the names and contents of their
//! files.

use crate::support::files;
pub(super) use crate::support::files::{copy, empty, write};
use crate::support::process::run_checked;
use anyhow::{Context, Result, bail};
use fs_err as fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The time of all files in packages: 1 January 1980, the first one that zip files can contain.
pub(super) const EPOCH: &str = "315532800";

/// Copies the files of a folder that git knows, so that nothing else of a working copy reaches a
/// package. A copy of the sources without git contains nothing else.
pub(super) fn copy_tracked(root: &Path, folder: &str, to: &Path) -> Result<()> {
    let files = if root.join(".git").exists() {
        tracked(root, folder)?
    } else {
        below(root, folder)?
    };
    if files.is_empty() {
        bail!("there is no file in {folder}");
    }
    for file in files {
        let inside = file.strip_prefix(folder)?;
        copy(&root.join(&file), &to.join(inside))?;
    }
    Ok(())
}

fn tracked(root: &Path, folder: &str) -> Result<Vec<PathBuf>> {
    let mut git = Command::new("git");
    git.args([
        "ls-files",
        "-z",
        "--cached",
        "--others",
        "--exclude-standard",
        "--",
    ])
    .current_dir(root);
    let output = git
        .arg(if folder.is_empty() { "." } else { folder })
        .output()
        .context("git")?;
    let listed = String::from_utf8_lossy(&output.stdout).into_owned();
    let files = listed
        .split('\0')
        .filter(|name| !name.is_empty() && root.join(name).is_file());
    Ok(files.map(PathBuf::from).collect())
}

fn below(root: &Path, folder: &str) -> Result<Vec<PathBuf>> {
    let files = files::below(&root.join(folder))?;
    Ok(files
        .iter()
        .map(|file| Path::new(folder).join(file))
        .collect())
}

/// Packs a folder, with its name as first part of the paths.
pub(super) fn tar_gz(folder: &Path, to: &Path) -> Result<()> {
    let (parent, name) = (
        folder.parent().unwrap_or(folder),
        folder.file_name().unwrap_or_default(),
    );
    let tar = "tar --sort=name --format=ustar --mtime=@\"$3\" --owner=0 --group=0 --numeric-owner --mode=go=rX,u+rw,a-s \
               -cf - -- \"$1\" | gzip -9n > \"$2\"";
    let mut command = Command::new("sh");
    command
        .args(["-ec", tar, "sh"])
        .arg(name)
        .arg(to)
        .arg(EPOCH)
        .current_dir(parent);
    run_checked(&mut command, "tar")
}

/// Packs the contents of a folder as a tar file whose files belong to a user. The folder itself is
/// not in it: the root of an image belongs to root.
pub(super) fn tar(folder: &Path, to: &Path, user: u32) -> Result<()> {
    let script = "cd \"$1\" && tar --sort=name --format=ustar --mtime=@\"$3\" --owner=\"$4\" --group=\"$4\" --numeric-owner \
                  --mode=go=rX,u+rw,a-s -cf \"$2\" -- *";
    let mut command = Command::new("sh");
    command
        .args(["-ec", script, "sh"])
        .arg(folder)
        .arg(to)
        .arg(EPOCH)
        .arg(user.to_string());
    run_checked(&mut command, "tar")
}

/// Packs the contents of a folder as a zip file, sorted, the manifest of a jar first.
pub(super) fn zip(folder: &Path, to: &Path) -> Result<()> {
    const PROGRAM: &str = "
import sys, zipfile
from pathlib import Path
folder, target = map(Path, sys.argv[1:])
files = sorted((path for path in folder.rglob('*') if path.is_file()), key=lambda path: path.relative_to(folder).as_posix())
with zipfile.ZipFile(target, 'w', zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
    for path in files:
        entry = zipfile.ZipInfo(path.relative_to(folder).as_posix(), (1980, 1, 1, 0, 0, 0))
        entry.compress_type, entry.external_attr, entry.create_system = zipfile.ZIP_DEFLATED, 0o644 << 16, 3
        archive.writestr(entry, path.read_bytes())
";
    run_checked(
        Command::new("python3")
            .args(["-c", PROGRAM])
            .arg(folder)
            .arg(to),
        "python3",
    )
}

/// Returns the names of the files below a folder, sorted.
pub(super) fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder)?;
    let mut paths: Vec<PathBuf> = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.is_file())
        .collect();
    paths.sort();
    Ok(paths)
}
