//! Creates, copies, and compares folders.

use crate::support::files::{self, below, failed};
pub(super) use crate::support::files::{copy, empty as cleared};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// A temporary folder outside the project. It is removed on drop unless it is kept.
pub(super) struct Scratch {
    pub(super) path: PathBuf,
    keep: bool,
}

impl Scratch {
    pub(super) fn new(name: &str) -> Result<Scratch, String> {
        let path = std::env::temp_dir().join(format!("payspec-{name}-{}", std::process::id()));
        cleared(&path)?;
        Ok(Scratch { path, keep: false })
    }

    /// Keeps the folder for inspection.
    pub(super) fn keep(&mut self) {
        self.keep = true;
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if !self.keep {
            // Not an error: the system cleans its temporary folder.
            let _ = std::fs::remove_dir_all(&self.path);
        }
    }
}

/// Replaces `to` by a copy of the folder.
pub(super) fn copy_folder(from: &Path, to: &Path) -> Result<(), String> {
    cleared(to)?;
    files::copy_folder(from, to)
}

/// Returns the number of files in both folders, and the differences.
pub(super) fn compare(one: &Path, other: &Path) -> Result<(usize, Vec<String>), String> {
    let (ours, theirs) = (contents(one)?, contents(other)?);
    let names: BTreeSet<&PathBuf> = ours.keys().chain(theirs.keys()).collect();
    let differences = names.iter().filter_map(|name| {
        let what = match (ours.get(*name)?, theirs.get(*name)) {
            (one, Some(other)) if one == other => return None,
            (one, Some(other)) => {
                let same = one
                    .iter()
                    .zip(other)
                    .take_while(|(one, other)| one == other)
                    .count();
                format!(
                    "{} and {} bytes, different from byte {same}",
                    one.len(),
                    other.len()
                )
            }
            (_, None) => format!("not in {}", other.display()),
        };
        Some(format!("{}: {what}", name.display()))
    });
    let more = theirs.keys().filter(|name| !ours.contains_key(*name));
    let more = more.map(|name| format!("{}: not in {}", name.display(), one.display()));
    Ok((names.len(), differences.chain(more).collect()))
}

/// Returns the files below a folder by their relative paths.
fn contents(folder: &Path) -> Result<BTreeMap<PathBuf, Vec<u8>>, String> {
    let read = |file: PathBuf| {
        let path = folder.join(&file);
        let bytes = std::fs::read(&path).map_err(failed(&path))?;
        Ok((file, bytes))
    };
    below(folder)?.into_iter().map(read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_a_folder_exactly() {
        let scratch = Scratch::new("copy").unwrap();
        let [from, to] = ["from", "to"].map(|folder| scratch.path.join(folder));
        for file in [from.join("below/one"), from.join("other"), to.join("old")] {
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(&file, "text").unwrap();
        }
        copy_folder(&from, &to).unwrap();
        assert_eq!(compare(&from, &to), Ok((2, vec![])));
    }

    #[test]
    fn reports_changed_missing_and_new_files() {
        let scratch = Scratch::new("compare").unwrap();
        let write = |path: &str, text: &str| {
            let path = scratch.path.join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        for side in ["one", "other"] {
            write(&format!("{side}/same"), "same");
            write(&format!("{side}/below/same"), "");
        }
        let compared = || compare(&scratch.path.join("one"), &scratch.path.join("other")).unwrap();
        assert_eq!(compared(), (2, vec![]));
        write("one/removed", "");
        write("other/new", "");
        for (side, text) in [("one", "abc1"), ("other", "abc23")] {
            write(&format!("{side}/below/changed"), text);
        }
        let (files, differences) = compared();
        assert_eq!((files, differences.len()), (5, 3));
        assert_eq!(
            differences[0],
            "below/changed: 4 and 5 bytes, different from byte 3"
        );
        assert!(
            differences[1].starts_with("removed: not in ") && differences[1].ends_with("other")
        );
        assert!(differences[2].starts_with("new: not in ") && differences[2].ends_with("one"));
        assert!(compare(&scratch.path.join("none"), &scratch.path).is_err());
    }
}
