//! Recorded measurements: Markdown files with a title, tables, and a last part about growth.

use payspec_tests::root;
use std::fs;

/// The record of the gateway under load.
pub(crate) const LOAD: &str = "examples/gateway/load/RESULTS.md";
/// The record of verdicts over columns.
pub(crate) const COLUMNS: &str = "tests/bulk/RESULTS.md";
/// The heading of the last part, which can be measured alone.
const GROWTH: &str = "## Growth";

/// Prints what a measurement has printed, and writes it to a file. A part that was not measured is kept.
pub(crate) fn record(file: &str, title: &str, printed: &[u8]) -> Result<(), String> {
    let path = root().join(file);
    let printed = String::from_utf8_lossy(printed);
    anstream::println!("{}", printed.trim());
    let title = format!("# {title}\n\n");
    let old = fs::read_to_string(&path).unwrap_or_default();
    let text = merged(old.strip_prefix(&title).unwrap_or_default(), &printed);
    fs::write(&path, title + &text).map_err(|error| format!("{}: {error}", path.display()))
}

/// Replaces the parts of the old text that the new one has.
fn merged(old: &str, new: &str) -> String {
    let parts = |text: &str| {
        let (tables, growth) = text.split_at(text.find(GROWTH).unwrap_or(text.len()));
        [tables, growth].map(|part| part.trim().to_owned())
    };
    let parts = parts(old).into_iter().zip(parts(new)).map(|(old, new)| if new.is_empty() { old } else { new });
    parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::merged;

    #[test]
    fn keeps_the_part_that_was_not_measured() {
        assert_eq!(merged("", "| 1 |\n\n"), "| 1 |\n");
        assert_eq!(merged("", "\n## Growth\n\n| 2 |\n"), "## Growth\n\n| 2 |\n");
        assert_eq!(merged("| 1 |\n\n## Growth\n\n| 2 |\n", "| 3 |\n"), "| 3 |\n\n## Growth\n\n| 2 |\n");
        assert_eq!(merged("| 1 |\n\n## Growth\n\n| 2 |\n", "## Growth\n| 3 |"), "| 1 |\n\n## Growth\n| 3 |\n");
        assert_eq!(merged("| 1 |\n\n## Growth\n\n| 2 |\n", "| 3 |\n## Growth\n| 4 |"), "| 3 |\n\n## Growth\n| 4 |\n");
    }
}
