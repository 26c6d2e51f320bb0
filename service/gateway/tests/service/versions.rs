//! The versions of what is part of the program.

use std::path::{Path, PathBuf};

use sqlx_core::connection::Connection;
use sqlx_core::query_scalar::query_scalar;
use sqlx_sqlite::SqliteConnection;

async fn sqlite_version() -> String {
    let mut connection = SqliteConnection::connect("sqlite::memory:").await.unwrap();
    query_scalar("SELECT sqlite_version()")
        .fetch_one(&mut connection)
        .await
        .unwrap()
}

/// Earlier versions may lose commits in WAL mode if two processes write at the same moment ("WAL-reset
/// bug").
#[tokio::test]
async fn sqlite_loses_no_commit_of_two_processes() {
    let version = sqlite_version().await;
    let numbers: Vec<u32> = version
        .split('.')
        .map(|number| number.parse().unwrap())
        .collect();
    assert!(numbers >= vec![3, 51, 3], "{version}");
}

/// The repository.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Adds the texts below a folder, without those of other projects.
fn read_texts(folder: &Path, texts: &mut Vec<(PathBuf, String)>) {
    const SKIPPED: [&str; 6] = [".git", "target", "node_modules", "vendor", "book", "pkg"];
    for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let (path, name) = (entry.path(), entry.file_name());
        let name = name.to_string_lossy();
        if entry.file_type().unwrap().is_dir() {
            if !SKIPPED.contains(&&*name) {
                read_texts(&path, texts);
            }
        } else if name.ends_with(".md") || name.ends_with(".toml") {
            texts.push((path.clone(), std::fs::read_to_string(&path).unwrap()));
        }
    }
}

/// Returns a word without the punctuation around it.
fn plain(word: &str) -> &str {
    word.trim_matches(|character: char| !character.is_alphanumeric())
}

/// Returns a word that is a version of two or three numbers.
fn version(word: &str) -> Option<&str> {
    let word = plain(word);
    let numbers: Vec<_> = word.split('.').collect();
    let is_number =
        |text: &&str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    ((2..=3).contains(&numbers.len()) && numbers.iter().all(is_number)).then_some(word)
}

/// Text such as "SQLite 3.51.3" names the version that the lock file has.
#[tokio::test]
async fn versions_in_prose_are_those_of_the_lock_file() {
    let lock: toml::Table = std::fs::read_to_string(root().join("Cargo.lock"))
        .unwrap()
        .parse()
        .unwrap();
    let mut locked: Vec<(String, String)> = lock["package"]
        .as_array()
        .unwrap()
        .iter()
        // The versions of the own packages are not those of their names.
        .filter(|package| package.get("source").is_some())
        .map(|package| ["name", "version"].map(|key| package[key].as_str().unwrap().to_owned()))
        .map(|[name, version]| (name, version))
        .collect();
    locked.push(("sqlite".to_owned(), sqlite_version().await));
    // A family of packages with one version.
    let sqlx = locked.iter().find(|(name, _)| name == "sqlx-core").unwrap();
    locked.push(("sqlx".to_owned(), sqlx.1.clone()));
    let mut texts = Vec::new();
    read_texts(&root(), &mut texts);
    let mut named = 0;
    for (path, text) in &texts {
        for line in text.lines() {
            let words: Vec<_> = line.split_whitespace().collect();
            for pair in words.windows(2) {
                let (name, Some(version)) = (plain(pair[0]).to_ascii_lowercase(), version(pair[1]))
                else {
                    continue;
                };
                let known: Vec<_> = locked.iter().filter(|(known, _)| *known == name).collect();
                if known.is_empty() {
                    continue;
                }
                named += 1;
                let starts = |(_, locked): &&(String, String)| {
                    *locked == version || locked.starts_with(&format!("{version}."))
                };
                assert!(
                    known.iter().any(starts),
                    "{}: {} {version}, but the lock file has {known:?}",
                    path.display(),
                    pair[0]
                );
            }
        }
    }
    assert!(named > 0, "no text names a version");
}
