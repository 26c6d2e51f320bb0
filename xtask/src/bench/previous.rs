//! The targets of the previous run, read from RESULTS.md before a new run replaces it.

use crate::support::target_rows::target_rows;
use std::path::Path;

/// The measured values of a previous run, as printed.
#[derive(Default)]
pub(crate) struct Previous {
    commit: String,
    /// Number, name and measured value of each target.
    rows: Vec<[String; 3]>,
}

impl Previous {
    /// Reads a file of results. Without one there are no previous values.
    pub(crate) fn read(file: &Path) -> Previous {
        std::fs::read_to_string(file)
            .map(|text| Previous::parse(&text))
            .unwrap_or_default()
    }

    fn parse(text: &str) -> Previous {
        let commit = text
            .lines()
            .find_map(|line| line.strip_prefix("| commit"))
            .unwrap_or_default();
        let rows = target_rows(text)
            .map(|row| row.map(str::to_owned))
            .collect();
        Previous {
            commit: commit.trim_matches(['|', ' ']).to_owned(),
            rows,
        }
    }

    /// Returns the heading of the column.
    pub(crate) fn heading(&self) -> String {
        if self.commit.is_empty() {
            "before".to_owned()
        } else {
            format!("before ({})", self.commit)
        }
    }

    /// Returns the previous value of a target, or an empty text for a target that did not exist. A
    /// target that is alone with its number may have been renamed since.
    pub(crate) fn measured(&self, number: &str, what: &str) -> &str {
        let same: Vec<&[String; 3]> = self.rows.iter().filter(|row| row[0] == number).collect();
        let row = match same[..] {
            [row] => Some(row),
            _ => same.into_iter().find(|row| row[1] == what),
        };
        row.map_or("", |row| &row[2])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "\
|    | target  | measured | must be |
|----|---------|----------|---------|
| P1 | verdict | 0.45     | ≤ 0.50  |
| P2 | valid   | 0.15     | ≤ 0.22  |
| P2 | invalid | 0.22     | ≤ 0.25  |

|           |         |
|-----------|---------|
| commit    | 94f65aa |
";

    #[test]
    fn finds_targets_by_number_and_name() {
        let previous = Previous::parse(FILE);
        assert_eq!(previous.heading(), "before (94f65aa)");
        assert_eq!(previous.measured("P1", "renamed"), "0.45");
        assert_eq!(previous.measured("P2", "invalid"), "0.22");
        assert_eq!(previous.measured("P2", "unknown"), "");
        assert_eq!(previous.measured("P3", "new"), "");
    }

    #[test]
    fn has_no_values_without_a_file() {
        let previous = Previous::read(Path::new("no such file"));
        assert_eq!(
            (
                previous.heading().as_str(),
                previous.measured("P1", "verdict")
            ),
            ("before", "")
        );
    }
}
