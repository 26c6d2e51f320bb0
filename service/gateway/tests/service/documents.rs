//! Each promise of the documents names a test that exists.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

const DOCUMENTS: [(&str, &str); 3] = [
    ("SECURITY.md", include_str!("../../../../SECURITY.md")),
    ("README.md", include_str!("../../README.md")),
    ("THREAT_MODEL.md", include_str!("../../THREAT_MODEL.md")),
];
/// The last column of tables of promises.
const COLUMNS: [&str; 2] = ["test", "enforced by"];
/// The folders with tests that the documents name.
const SOURCES: [&str; 4] = ["service", "cli", "tests/tests", "examples/checkout/tests"];
/// The folders below which a document names files.
const BASES: [&str; 4] = [
    "",
    "service/gateway",
    "service/gateway/tests/service",
    "examples/checkout",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Adds the names of the functions in Rust below a folder.
fn functions(folder: &Path, names: &mut HashSet<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && !path.ends_with("target") && !path.ends_with("node_modules") {
            functions(&path, names);
        } else if path.extension().is_some_and(|end| end == "rs") {
            let text = std::fs::read_to_string(&path).unwrap();
            let found = text.split("fn ").skip(1).filter_map(|rest| {
                rest.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_')
                    .next()
            });
            names.extend(found.map(str::to_owned));
        }
    }
}

/// Returns the cells of the last column of each row, of tables of promises.
fn promises(text: &str) -> Vec<&str> {
    let mut is_promises = false;
    let mut cells = Vec::new();
    for line in text.lines() {
        let last = line
            .trim_end_matches('|')
            .rsplit(" | ")
            .next()
            .map(str::trim)
            .filter(|_| line.starts_with("| "));
        match last {
            None if line.starts_with("|-") => {}
            None => is_promises = false,
            Some(last) if is_promises => cells.push(last),
            Some(last) => is_promises = COLUMNS.contains(&last),
        }
    }
    cells
}

#[test]
fn each_promise_names_a_test_that_exists() {
    let mut names = HashSet::new();
    for folder in SOURCES {
        functions(&root().join(folder), &mut names);
    }
    let is_name = |word: &str| {
        word.matches('_').count() >= 2
            && word.chars().all(|letter| {
                letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '_'
            })
    };
    let exists = |path: &str| {
        let ends = ["", ".rs"];
        let places = BASES
            .iter()
            .flat_map(|base| ends.map(|end| root().join(base).join(format!("{path}{end}"))));
        places.into_iter().any(|place| place.exists())
    };
    let mut wrong = Vec::new();
    for (document, text) in DOCUMENTS {
        let promises = promises(text);
        assert!(
            promises.len() > 20,
            "{document}: {} promises",
            promises.len()
        );
        for cell in promises {
            if !cell.contains('`') {
                wrong.push(format!("{document}: a promise without a test: {cell}"));
            }
            for word in cell.split('`').skip(1).step_by(2) {
                let is_path = word.contains('/') && !word.contains(' ');
                if is_name(word) && !names.contains(word) || is_path && !exists(word) {
                    wrong.push(format!("{document}: {word}"));
                }
            }
        }
    }
    assert_eq!(wrong, [] as [String; 0]);
}
