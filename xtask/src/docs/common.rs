//! The type of a generated page, the folders and the program that the pages are made from, and
//! access to files.

use crate::support::files::below;
pub(super) use crate::support::files::{copy_folder as copy, write};
use crate::support::process;
use anyhow::{Context, Result, anyhow};
use payspec_support::root;
use serde::Deserialize;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A generated page of the book.
#[derive(Deserialize)]
pub(super) struct Page {
    /// The path below `docs/src`, with the extension `.md`.
    pub(super) path: String,
    pub(super) title: String,
    pub(super) text: String,
}

/// Returns the folder of the sources of the book.
pub(super) fn sources() -> PathBuf {
    root().join("docs")
}

/// Returns the folder of the generated files.
pub(super) fn output() -> PathBuf {
    process::target().join("docs")
}

/// Returns the program `payspec`.
pub(super) fn program() -> Result<PathBuf> {
    let messages = process::build(&["--bin", "payspec"], &[])?;
    process::executable(&messages, "payspec")
}

/// Returns the output of the program `payspec`, also if it exits with 1, which means that an input
/// is rejected.
pub(super) fn printed(arguments: &[&str]) -> Result<String> {
    let program = program()?;
    let output = Command::new(program)
        .args(arguments)
        .current_dir(root())
        .env_remove("COLUMNS")
        .output();
    let output = output.context("payspec")?;
    match output.status.code() {
        Some(0 | 1) => Ok(String::from_utf8(output.stdout)?),
        _ => Err(anyhow!(
            "payspec {}: {}",
            arguments.join(" "),
            String::from_utf8_lossy(&output.stderr)
        )),
    }
}

/// Returns the Markdown files in a folder and the folders below, sorted.
pub(super) fn markdown_files(folder: &Path) -> Result<Vec<PathBuf>> {
    let is_page = |file: &PathBuf| file.extension().is_some_and(|ending| ending == "md");
    let pages = below(folder)?.into_iter().filter(is_page);
    Ok(pages.map(|file| folder.join(file)).collect())
}
