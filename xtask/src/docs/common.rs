//! The type of a generated page, the folders and the program that the pages are made from, and
//! access to files.

use crate::support::process;
use payspec_tests::root;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A generated page of the book.
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
pub(super) fn program() -> Result<PathBuf, String> {
    let messages = process::build(&["--bin", "payspec"], &[])?;
    process::executable(&messages, "payspec")
}

/// Returns the output of the program `payspec`, also if it exits with 1, which means that an input
/// is rejected.
pub(super) fn printed(arguments: &[&str]) -> Result<String, String> {
    use std::sync::OnceLock;
    static PROGRAM: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    let program = PROGRAM.get_or_init(program).clone()?;
    let output = Command::new(program)
        .args(arguments)
        .current_dir(root())
        .env_remove("COLUMNS")
        .output();
    let output = output.map_err(|error| format!("payspec: {error}"))?;
    match output.status.code() {
        Some(0 | 1) => String::from_utf8(output.stdout)
            .map_err(|_| "payspec printed bytes that are not UTF-8".to_owned()),
        _ => Err(format!(
            "payspec {}: {}",
            arguments.join(" "),
            String::from_utf8_lossy(&output.stderr)
        )),
    }
}

/// Copies a folder with its content.
pub(super) fn copy(from: &Path, to: &Path) -> Result<(), String> {
    fs::create_dir_all(to).map_err(failed(to))?;
    for entry in fs::read_dir(from).map_err(failed(from))? {
        let path = entry.map_err(failed(from))?.path();
        let Some(name) = path.file_name() else {
            continue;
        };
        let target = to.join(name);
        if path.is_dir() {
            copy(&path, &target)?;
        } else {
            fs::copy(&path, &target).map_err(failed(&path))?;
        }
    }
    Ok(())
}

/// Returns the Markdown files in a folder and the folders below, sorted.
pub(super) fn markdown_files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed(folder))? {
        let path = entry.map_err(failed(folder))?.path();
        if path.is_dir() {
            files.extend(markdown_files(&path)?);
        } else if path.extension().is_some_and(|ending| ending == "md") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// Writes a file, and creates its folder.
pub(super) fn write(path: &Path, text: &str) -> Result<(), String> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(failed(folder))?;
    }
    fs::write(path, text).map_err(failed(path))
}

/// Returns a function that adds the path to an error.
pub(super) fn failed(path: &Path) -> impl Fn(std::io::Error) -> String + use<> {
    let path = path.display().to_string();
    move |error| format!("{path}: {error}")
}
