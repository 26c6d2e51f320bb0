//! Reads, writes, copies, and lists files. Every error contains the path.

use std::fs;
use std::io::Error;
use std::path::{Path, PathBuf};

/// Returns a function that adds the path to an error.
pub(crate) fn failed(path: &Path) -> impl Fn(Error) -> String + use<> {
    let path = path.display().to_string();
    move |error| format!("{path}: {error}")
}

/// Creates an empty folder, or empties an existing one.
pub(crate) fn empty(folder: &Path) -> Result<(), String> {
    // Includes broken links.
    if folder.symlink_metadata().is_ok() {
        fs::remove_dir_all(folder).map_err(failed(folder))?;
    }
    fs::create_dir_all(folder).map_err(failed(folder))
}

fn create_parent(file: &Path) -> Result<(), String> {
    match file.parent() {
        Some(folder) => fs::create_dir_all(folder).map_err(failed(folder)),
        None => Ok(()),
    }
}

/// Writes a file, and creates its folder.
pub(crate) fn write(file: &Path, text: &str) -> Result<(), String> {
    create_parent(file)?;
    fs::write(file, text).map_err(failed(file))
}

/// Copies a file, and creates its folder.
pub(crate) fn copy(from: &Path, to: &Path) -> Result<(), String> {
    create_parent(to)?;
    fs::copy(from, to).map(drop).map_err(failed(from))
}

/// Copies a folder with its content into another one, which may have files already.
pub(crate) fn copy_folder(from: &Path, to: &Path) -> Result<(), String> {
    fs::create_dir_all(to).map_err(failed(to))?;
    below(from)?
        .iter()
        .try_for_each(|file| copy(&from.join(file), &to.join(file)))
}

/// Returns the files in a folder and the folders below, sorted, by their paths in the folder.
pub(crate) fn below(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let (mut found, mut next) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(open) = next.pop() {
        for entry in fs::read_dir(&open).map_err(failed(&open))? {
            let path = entry.map_err(failed(&open))?.path();
            if path.is_dir() {
                next.push(path);
            } else {
                found.push(path.strip_prefix(folder).unwrap_or(&path).to_owned());
            }
        }
    }
    found.sort();
    Ok(found)
}
