//! Recorded measurements: Markdown files with a title, tables, and a last part about growth. Each
//! part states its machine.

use super::machine::{commit, cores, load, processor};
use payspec_support::root;
use std::fs;

/// The record of the gateway under load.
pub(crate) const LOAD: &str = "service/trials/load/RESULTS.md";
/// The record of verdicts over columns.
pub(crate) const COLUMNS: &str = "tests/bulk/RESULTS.md";
/// The heading of the last part, which can be measured alone.
const GROWTH: &str = "## Growth";

/// The conditions of a measurement.
pub(crate) struct Conditions(String);

impl Conditions {
    /// Reads them before the measurement, so that its own load does not count.
    pub(crate) fn read() -> Self {
        let load = load().map_or_else(String::new, |load| {
            format!("; load average before the run {load}")
        });
        let commit = commit().unwrap_or_else(|| "unknown".to_owned());
        Self(format!(
            "{}, {} cores, commit {commit}{load}.",
            processor(),
            cores()
        ))
    }

    /// Prints what a measurement has printed, and writes it to a file. A part that was not measured
    /// is kept.
    pub(crate) fn record(&self, file: &str, title: &str, printed: &[u8]) -> Result<(), String> {
        let path = root().join(file);
        let printed = String::from_utf8_lossy(printed);
        anstream::println!("{}", printed.trim());
        let title = format!("# {title}\n\n");
        let old = fs::read_to_string(&path).unwrap_or_default();
        let text = merged(
            old.strip_prefix(&title).unwrap_or_default(),
            &self.with(&printed),
        );
        fs::write(&path, title + &text).map_err(|error| format!("{}: {error}", path.display()))
    }

    /// Adds the conditions to each part.
    fn with(&self, printed: &str) -> String {
        let (tables, growth) = parts(printed);
        let tables = if tables.is_empty() {
            String::new()
        } else {
            format!("{}\n\n{tables}\n\n", self.0)
        };
        tables + &growth.replacen(GROWTH, &format!("{GROWTH}\n\n{}", self.0), 1)
    }
}

/// Returns the tables, and the part about growth with its heading.
fn parts(text: &str) -> (&str, &str) {
    let (tables, growth) = text.split_at(text.find(GROWTH).unwrap_or(text.len()));
    (tables.trim(), growth.trim())
}

/// Replaces the parts of the old text that the new one has.
fn merged(old: &str, new: &str) -> String {
    let ((old_tables, old_growth), (tables, growth)) = (parts(old), parts(new));
    let measured = [(old_tables, tables), (old_growth, growth)]
        .map(|(old, new)| if new.is_empty() { old } else { new });
    measured
        .into_iter()
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .join("\n\n")
        + "\n"
}

#[cfg(test)]
mod tests {
    use super::{Conditions, merged};

    #[test]
    fn states_the_conditions_in_each_part() {
        let conditions = Conditions("A machine.".to_owned());
        let of = |printed| merged("", &conditions.with(printed));
        assert_eq!(of("| 1 |\n"), "A machine.\n\n| 1 |\n");
        assert_eq!(
            of("\n## Growth\n\n| 2 |"),
            "## Growth\n\nA machine.\n\n| 2 |\n"
        );
        assert_eq!(
            of("| 1 |\n## Growth\n\n| 2 |"),
            "A machine.\n\n| 1 |\n\n## Growth\n\nA machine.\n\n| 2 |\n"
        );
    }

    #[test]
    fn keeps_the_part_that_was_not_measured() {
        assert_eq!(merged("", "| 1 |\n\n"), "| 1 |\n");
        assert_eq!(merged("", "\n## Growth\n\n| 2 |\n"), "## Growth\n\n| 2 |\n");
        assert_eq!(
            merged("| 1 |\n\n## Growth\n\n| 2 |\n", "| 3 |\n"),
            "| 3 |\n\n## Growth\n\n| 2 |\n"
        );
        assert_eq!(
            merged("| 1 |\n\n## Growth\n\n| 2 |\n", "## Growth\n| 3 |"),
            "| 1 |\n\n## Growth\n| 3 |\n"
        );
        assert_eq!(
            merged("| 1 |\n\n## Growth\n\n| 2 |\n", "| 3 |\n## Growth\n| 4 |"),
            "| 3 |\n\n## Growth\n| 4 |\n"
        );
    }
}
