//! Checks the direction of imports between the source files. An entry of `core/src` imports only
//! from entries before it in the order of `layers/rules.rs`. Files of a package form no cycle. In
//! the core, `wide` and `Engine` have few importers.
//!
//! Every path in the code counts, except in tests, comments and strings. A path counts as an import
//! of the file that defines the item, so re-exports (`pub use`) do not count.
//!
//! `tests/data/layers.txt` lists the violations that are allowed for now. `LAYERS_BLESS=1` writes
//! it.

#[path = "layers/imports.rs"]
mod imports;
#[path = "layers/list.rs"]
mod list;
#[path = "layers/rules.rs"]
mod rules;
#[path = "layers/small_trees.rs"]
mod small_trees;
#[path = "layers/sources.rs"]
mod sources;

use sources::Sources;
use std::fs;
use std::path::Path;

const ALLOWED: &str = "tests/data/layers.txt";

/// The folders with the source files of the packages.
const FOLDERS: [&str; 6] = [
    "core/src",
    "ffi/src",
    "wasm/src",
    "wasm/page/src",
    "xtask/src",
    "examples/gateway/src",
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
    let allowed = fs::read_to_string(root.join(ALLOWED)).unwrap_or_default();
    if std::env::var_os("LAYERS_BLESS").is_some_and(|value| value == "1") {
        let list = list::write(&violations);
        let (added, removed) = list::count_changes(&allowed, &list);
        println!("{ALLOWED}: {added} lines added, {removed} removed");
        fs::write(root.join(ALLOWED), list).unwrap();
        return;
    }
    let differences = list::compare(ALLOWED, &allowed, &violations);
    assert!(
        differences.is_empty(),
        "{differences}\nIf a violation cannot be avoided yet, write the list: \
         LAYERS_BLESS=1 cargo test -p payspec-tests --test layers"
    );
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
