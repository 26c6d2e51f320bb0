//! Writes, copies, and lists files. Every error contains the path.

use anyhow::{Context, Result};
use fs_err as fs;
use std::path::{Path, PathBuf};

/// Creates an empty folder, or empties an existing one.
pub(crate) fn empty(folder: &Path) -> Result<()> {
    // Includes broken links.
    if folder.symlink_metadata().is_ok() {
        fs::remove_dir_all(folder)?;
    }
    Ok(fs::create_dir_all(folder)?)
}

fn create_parent(file: &Path) -> Result<()> {
    Ok(file.parent().map_or(Ok(()), fs::create_dir_all)?)
}

/// Writes a file, and creates its folder.
pub(crate) fn write(file: &Path, text: &str) -> Result<()> {
    create_parent(file)?;
    Ok(fs::write(file, text)?)
}

/// Copies a file, and creates its folder. A program that runs is replaced, not overwritten.
pub(crate) fn copy(from: &Path, to: &Path) -> Result<()> {
    create_parent(to)?;
    let _ = fs::remove_file(to);
    Ok(fs::copy(from, to).map(drop)?)
}

/// Copies a folder with its content into another one, which may have files already.
pub(crate) fn copy_folder(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    let mut files = below(from)?.into_iter();
    files.try_for_each(|file| copy(&from.join(&file), &to.join(&file)))
}

/// Returns the files in a folder and the folders below, sorted, by their paths in the folder.
pub(crate) fn below(folder: &Path) -> Result<Vec<PathBuf>> {
    let (mut found, mut next) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(open) = next.pop() {
        for entry in fs::read_dir(&open)? {
            let path = entry?.path();
            if path.is_dir() {
                next.push(path);
            } else {
                found.push(path.strip_prefix(folder)?.to_owned());
            }
        }
    }
    found.sort();
    Ok(found)
}

/// Returns a path as text for the arguments of a command.
pub(crate) fn text(path: &Path) -> Result<&str> {
    path.to_str()
        .with_context(|| format!("{} is not UTF-8", path.display()))
}
