//! Reads the names of the tests in Rust: documents and tables name the tests that show a promise.

use std::collections::HashSet;
use std::path::Path;
use std::{fs, io};

/// Returns the names of the tests in Rust below a folder.
pub fn below(folder: &Path) -> io::Result<HashSet<String>> {
    let mut names = HashSet::new();
    add_below(folder, &mut names)?;
    Ok(names)
}

fn add_below(folder: &Path, names: &mut HashSet<String>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() && !path.ends_with("target") && !path.ends_with("node_modules") {
            add_below(&path, names)?;
        } else if path.extension().is_some_and(|end| end == "rs") {
            names.extend(of(&fs::read_to_string(&path)?));
        }
    }
    Ok(())
}

/// Returns the names of the functions after `#[test]` or `#[tokio::test]`, with other attributes
/// between them.
pub fn of(text: &str) -> Vec<String> {
    let mut is_test = false;
    let mut names = Vec::new();
    for line in text.lines().map(str::trim_start) {
        let code = line.strip_prefix("async ").unwrap_or(line);
        if line.starts_with("#[test]") || line.starts_with("#[tokio::test") {
            is_test = true;
        } else if let Some(rest) = code.strip_prefix("fn ") {
            let is_end = |letter: char| !letter.is_ascii_alphanumeric() && letter != '_';
            let name = rest.split(is_end).next().unwrap_or_default();
            names.extend(is_test.then(|| name.to_owned()));
            is_test = false;
        } else if line.is_empty() {
            is_test = false;
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_functions_with_the_attribute_are_tests() {
        let text = "
        #[test]
        fn one() {}
        #[tokio::test(flavor = \"multi_thread\")]
        #[ignore]
        async fn two() {}
        #[test]
        // A reason.
        #[cfg(unix)]
        fn three() {}
        #[tokio::test(
            flavor = \"current_thread\"
        )]
        async fn four() {}
        fn five() {}
        // #[test]
        fn six() {}
        // fn seven() {}
    ";
        assert_eq!(of(text), ["one", "two", "three", "four"]);
    }
}
