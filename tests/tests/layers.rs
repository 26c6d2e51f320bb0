//! Checks the direction of imports between the source files. An entry of `core/src` imports only
//! from entries before it in the order of `layers/rules.rs`. Files of a package form no cycle. In
//! the core, `wide` and `Engine` have few importers.
//!
//! Every path in the code counts, except in tests, comments and strings. A path counts as an import
//! of the file that defines the item, so re-exports (`pub use`) do not count.

#[path = "layers/imports.rs"]
mod imports;
#[path = "layers/rules.rs"]
mod rules;
#[path = "layers/small_trees.rs"]
mod small_trees;
#[path = "layers/sources.rs"]
mod sources;

use sources::Sources;
use std::fs;
use std::path::Path;

/// The folders with the source files of the packages.
const FOLDERS: [&str; 15] = [
    "cli/src",
    "core/src",
    "ffi/src",
    "service/gateway/src",
    "service/sandbox/src",
    "tests/bench/src",
    "tests/bulk/src",
    "tests/fuzz/src",
    "tests/protocol/src",
    "tests/src",
    "tests/support/src",
    "wasm/src",
    "wasm/page/src",
    "xtask/generate/src",
    "xtask/src",
];

#[test]
fn files_import_in_one_direction() {
    let root = payspec_tests::root();
    let mut sources = Sources::new();
    for folder in FOLDERS {
        read_folder(&root, folder, &mut sources);
    }
    let violations =
        rules::check(&sources, &rules::PACKAGES).unwrap_or_else(|error| panic!("{error}"));
    let texts: Vec<String> = violations.into_values().collect();
    assert!(texts.is_empty(), "{}", texts.join("\n"));
}

fn read_folder(root: &Path, folder: &str, sources: &mut Sources) {
    let entries =
        fs::read_dir(root.join(folder)).unwrap_or_else(|error| panic!("{folder}: {error}"));
    for entry in entries {
        let entry = entry.unwrap();
        let path = format!("{folder}/{}", entry.file_name().to_string_lossy());
        if entry.file_type().unwrap().is_dir() {
            read_folder(root, &path, sources);
        } else if path.ends_with(".rs") {
            let text =
                fs::read_to_string(entry.path()).unwrap_or_else(|error| panic!("{path}: {error}"));
            sources.insert(path, text);
        }
    }
}
