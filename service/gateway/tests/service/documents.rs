//! Each promise of the documents names a test that exists.

use payspec_support::{root, test_names};
use std::collections::HashSet;
use std::path::PathBuf;

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

/// Words of the tables that are neither tests nor files.
const NO_TESTS: [&str; 6] = [
    "#![forbid(unsafe_code)]",
    "#![no_std]",
    "guard",
    "redact",
    "redact_text",
    "zeroize",
];

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

/// Returns the file or folder with a path, as a document names it.
fn place(path: &str) -> Option<PathBuf> {
    let places = BASES
        .iter()
        .flat_map(|base| ["", ".rs"].map(|end| root().join(base).join(format!("{path}{end}"))));
    places.into_iter().find(|place| place.exists())
}

/// Returns the faults of a cell: words in backticks that are neither tests nor files, and files of
/// tests in JavaScript without the titles of tests that they contain.
fn faults(cell: &str, names: &HashSet<String>) -> Vec<String> {
    let mut parts = cell.split('`').skip(1);
    let mut faults = Vec::new();
    let mut is_named = false;
    while let Some(word) = parts.next() {
        let after = parts.next().unwrap_or_default();
        is_named = true;
        let is_path = word.contains('/') && !word.contains(' ');
        match place(word).filter(|_| is_path) {
            Some(file) if word.ends_with(".js") => {
                let text = std::fs::read_to_string(file).unwrap();
                let titles: Vec<&str> = after.split('"').skip(1).step_by(2).collect();
                if titles.is_empty() {
                    faults.push(format!("{word}: no title of a test"));
                }
                let is_missing = |title: &str| !text.contains(&format!("\ntest(\"{title}\", "));
                let missing = titles.into_iter().filter(|title| is_missing(title));
                faults.extend(missing.map(|title| format!("{word}: {title}")));
            }
            Some(_) => {}
            None if names.contains(word) || NO_TESTS.contains(&word) => {}
            None => faults.push(word.to_owned()),
        }
    }
    if !is_named {
        faults.push(format!("a promise without a test: {cell}"));
    }
    faults
}

#[test]
fn each_promise_names_a_test_that_exists() {
    let mut names = HashSet::new();
    for folder in SOURCES {
        names.extend(test_names::below(&root().join(folder)).unwrap());
    }
    let mut wrong = Vec::new();
    for (document, text) in DOCUMENTS {
        let promises = promises(text);
        assert!(
            promises.len() > 20,
            "{document}: {} promises",
            promises.len()
        );
        let found = promises.iter().flat_map(|cell| faults(cell, &names));
        wrong.extend(found.map(|fault| format!("{document}: {fault}")));
    }
    assert_eq!(wrong, [] as [String; 0]);
}

#[test]
fn a_promise_without_its_test_is_a_fault() {
    let names = HashSet::from(["first".to_owned()]);
    let file = "`examples/checkout/tests/safety.test.js`";
    let title = "\"going back restores nothing of the card\"";
    for (cell, count) in [
        ("`first`; `zeroize`", 0),
        ("`second`", 1),
        ("a review", 1),
        ("`tests/tests/vectors.rs`, `tests/tests`", 0),
        ("`tests/tests/missing.rs`", 1),
        (file, 1),
        (&format!("in Chromium, {file}: {title}"), 0),
        (&format!("{file}: \"going back\""), 1),
        (&format!("{file}: {title}, \"missing\""), 1),
    ] {
        let found = faults(cell, &names);
        assert_eq!(found.len(), count, "{cell}: {found:?}");
    }
}
