//! Finds the bodies in folders.

use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use super::Origin;
use crate::failure::Failure;

/// Returns the inputs that the arguments name: files as they are, and the JSON files in folders,
/// ordered by name.
///
/// Without arguments, returns standard input. Files that cannot be reached are failures beside the
/// others.
pub(crate) fn find(arguments: &[PathBuf]) -> Vec<Result<Origin, Failure>> {
    if arguments.is_empty() {
        return vec![Ok(Origin::Stdin)];
    }
    arguments
        .iter()
        .flat_map(|path| {
            if path.is_dir() {
                folder(path)
            } else {
                vec![Ok(Origin::of(path))]
            }
        })
        .collect()
}

fn folder(path: &PathBuf) -> Vec<Result<Origin, Failure>> {
    let mut found: Vec<_> = WalkDir::new(path)
        .sort_by_file_name()
        .into_iter()
        .filter_map(|entry| match entry {
            Ok(entry) if entry.file_type().is_dir() => None,
            Ok(entry) => {
                is_body(entry.path().extension()).then(|| Ok(Origin::File(short(entry.path()))))
            }
            Err(error) => {
                let name = error.path().unwrap_or(path).display().to_string();
                let error = error
                    .into_io_error()
                    .unwrap_or_else(|| std::io::Error::other("the folders form a loop"));
                Some(Err(Failure::reading(&name, &error)))
            }
        })
        .collect();
    if found.is_empty() {
        found.push(Err(Failure::new(format!(
            "{}: no file ends in .json, .jsonl, or .ndjson",
            path.display()
        ))));
    }
    found
}

/// Returns a path in the current folder without the dot before it.
fn short(path: &Path) -> PathBuf {
    path.strip_prefix(".").unwrap_or(path).to_owned()
}

fn is_body(ending: Option<&std::ffi::OsStr>) -> bool {
    ending.is_some_and(|ending| ending == "json" || ending == "jsonl" || ending == "ndjson")
}
