//! THREAT_MODEL.md, README.md, and SECURITY.md name tests that exist, one or more for each threat
//! and each promise.

use std::fs;
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    env!("CARGO_MANIFEST_DIR").into()
}

/// All lines with the name of a test, of the folders that contain tests.
fn tests(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(tests(&path));
            continue;
        }
        let text = fs::read_to_string(path).unwrap();
        let mut is_test = false;
        for line in text.lines().map(str::trim) {
            is_test |= line.starts_with("#[test]") || line.starts_with("#[tokio::test");
            if let Some((_, rest)) = line.split_once("fn ").filter(|_| is_test) {
                found.push(rest.split('(').next().unwrap().to_owned());
                is_test = false;
            }
        }
    }
    found
}

/// Checks the last column of the table between two texts.
fn check(file: &str, from: &str, to: &str, rows_at_least: usize) {
    let text = fs::read_to_string(folder().join(file)).unwrap();
    let (_, part) = text.split_once(from).unwrap();
    let (part, _) = part.split_once(to).unwrap();
    let tests: Vec<String> = ["tests/service", "src"]
        .iter()
        .flat_map(|name| tests(&folder().join(name)))
        .collect();
    let rows: Vec<&str> = part
        .lines()
        .filter(|line| line.starts_with("| "))
        .skip(1)
        .collect();
    assert!(rows.len() >= rows_at_least, "{file}: {} rows", rows.len());
    for row in rows {
        let cell = row
            .trim_end_matches([' ', '|'])
            .rsplit(" | ")
            .next()
            .unwrap();
        // Names of files and folders are no tests of Rust.
        let (names, others): (Vec<&str>, Vec<&str>) = cell
            .split('`')
            .skip(1)
            .step_by(2)
            .partition(|name| !name.contains(['/', '.']));
        assert!(!names.is_empty(), "{file}: no test in {row}");
        for name in names {
            assert!(
                tests.iter().any(|test| test == name),
                "{file}: there is no test {name}"
            );
        }
        for path in others.iter().filter(|path| path.ends_with(".js")) {
            let path = path.trim_start_matches("examples/checkout/");
            assert!(
                folder().join("../checkout").join(path).is_file(),
                "{file}: there is no {path}"
            );
        }
    }
}

#[test]
fn each_threat_names_tests_that_exist() {
    check("THREAT_MODEL.md", "## Threats", "## Decisions", 25);
}

#[test]
fn each_promise_names_tests_that_exist() {
    check("README.md", "## Which promises hold", "\n## ", 25);
    check(
        "../../SECURITY.md",
        "## Promises of the gateway",
        "## Limits",
        9,
    );
}
