//! THREAT_MODEL.md names tests that exist.

use std::fs;
use std::path::Path;

fn sources(folder: &Path) -> String {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.map(|path| if path.is_dir() { sources(&path) } else { fs::read_to_string(path).unwrap() }).collect()
}

#[test]
fn each_named_test_exists() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(folder.join("THREAT_MODEL.md")).unwrap();
    let (_, threats) = text.split_once("## Threats").unwrap();
    let (threats, _) = threats.split_once("## Decisions").unwrap();
    let sources = sources(&folder.join("tests/service"));
    let rows: Vec<&str> = threats.lines().filter(|line| line.starts_with("| ")).skip(1).collect();
    assert!(rows.len() > 20);
    for row in rows {
        let tests = row.split('|').nth(3).unwrap();
        let names: Vec<&str> = tests.split('`').skip(1).step_by(2).collect();
        assert!(!names.is_empty(), "{row}");
        for name in names {
            assert!(sources.contains(&format!("fn {name}(")), "{name}");
        }
    }
}
