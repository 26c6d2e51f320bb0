//! The tables of results, printed beside the previous run and written to tests/bench/RESULTS.md.

use super::figures::{Figure, Run};
use super::previous::Previous;
use super::targets::{Size, TARGETS, Target, TargetResult, hundredths, mebibytes, tenths, worst};
use super::{machine, runners};
use std::path::PathBuf;

/// All measurements of a run.
#[derive(Default)]
pub(crate) struct Results {
    pub(crate) runs: Vec<Run>,
    pub(crate) sizes: Vec<Size>,
}

impl Results {
    /// Returns the targets of the sides that have run, with their measured values.
    fn measured(&self) -> impl Iterator<Item = (&'static Target, u64)> {
        TARGETS
            .iter()
            .filter_map(|target| Some((target, target.measured(&self.runs, &self.sizes)?)))
    }

    /// Returns the targets without a measurement although their side has run: a candidate has been
    /// renamed on one side only.
    pub(crate) fn unmeasured(&self) -> Vec<String> {
        let is_unmeasured = |target: &&Target| {
            self.runs.iter().any(|run| target.is_of(run.side))
                && target.measured(&self.runs, &self.sizes).is_none()
        };
        TARGETS
            .iter()
            .filter(is_unmeasured)
            .map(|target| format!("{} {}", target.number, target.what))
            .collect()
    }

    /// Returns the table of targets.
    pub(crate) fn targets(&self) -> String {
        let previous = Previous::read(&results());
        let mut table = Table::new(&[
            "",
            "target",
            "measured",
            &previous.heading(),
            "must be",
            "stretch goal",
            "",
        ]);
        for (target, value) in self.measured() {
            let bound = |text: String| {
                if text == "0" {
                    text
                } else {
                    format!("≤ {text}")
                }
            };
            table.row([
                target.number.to_owned(),
                target.what.to_owned(),
                target.show(value),
                previous.measured(target.number, target.what).to_owned(),
                bound(target.required()),
                bound(target.stretch()),
                target.result(value).text().to_owned(),
            ]);
        }
        table.text()
    }

    /// Returns a line with the number of targets that are met.
    pub(crate) fn sum(&self) -> String {
        let results: Vec<TargetResult> = self
            .measured()
            .map(|(target, value)| target.result(value))
            .collect();
        let count = |which: TargetResult| results.iter().filter(|result| **result == which).count();
        let (stretch, met, not) = (
            count(TargetResult::Stretch),
            count(TargetResult::Met),
            count(TargetResult::NotMet),
        );
        format!(
            "{} of {} met, {stretch} of them with the stretch goal; {not} not met.",
            stretch + met,
            results.len()
        )
    }

    /// Returns the tables of all candidates of all sides.
    pub(crate) fn figures(&self) -> String {
        let mut text = String::new();
        for run in &self.runs {
            text.push_str(&format!("## {}\n\n{}\n", run.side, candidates(run)));
            if let Some((kind, growth)) = worst(run) {
                let growth = hundredths(growth);
                text.push_str(&format!(
                    "The worst body with the largest growth, {kind}, takes {growth} times as long with 16 n bytes.\n\n"
                ));
            }
        }
        if !self.sizes.is_empty() {
            text.push_str(&format!(
                "## The npm package, bytes after compression\n\n{}\n",
                weights(&self.sizes)
            ));
        }
        text
    }

    /// Returns the warnings of all runs.
    pub(crate) fn noise(&self) -> String {
        self.runs
            .iter()
            .filter_map(Run::noise)
            .map(|line| format!("{line}\n\n"))
            .collect()
    }

    /// Writes RESULTS.md.
    pub(crate) fn write(&self) -> Result<(), String> {
        let mut facts = Table::new(&["", ""]);
        machine::facts(&self.runs)
            .into_iter()
            .for_each(|(name, value)| facts.row([name, value]));
        let text = format!(
            "# Figures\n\nOne run of `cargo xtask bench`, which writes this file. Absolute times depend on the machine; the \
             ratios of one run\nhold. Each is the median of the ratios within each round; ± is half the way from the 10th to \
             the 90th percentile.\n\n{}\n{}\n\n{}## Machine and versions\n\n{}\n{}",
            self.targets(),
            self.sum(),
            self.noise(),
            facts.text(),
            self.figures().trim_end()
        );
        write(results(), &format!("{text}\n"))
    }
}

fn candidates(run: &Run) -> String {
    let Some(baseline) = run.baseline() else {
        return String::new();
    };
    let counts = run
        .figures
        .iter()
        .any(|figure| figure.allocations().is_some());
    let rates = run
        .figures
        .iter()
        .any(|figure| figure.throughput().is_some());
    let sets = run.figures.iter().any(|figure| figure.memory().is_some());
    let mut head = vec!["a body, median of all rounds", "ns", "± %", "× the first"];
    if counts {
        head.push("allocations");
    }
    if rates {
        head.push("MB/s");
    }
    if sets {
        head.push("resident, MiB");
    }
    let mut table = Table::new(&head);
    for figure in &run.figures {
        let mut row = vec![
            figure.name.clone(),
            nanoseconds(figure),
            figure.spread().div_ceil(2).to_string(),
            hundredths(figure.ratio(baseline)),
        ];
        if counts {
            row.push(figure.allocations().map(hundredths).unwrap_or_default());
        }
        if rates {
            row.push(
                figure
                    .throughput()
                    .map(|rate| rate.to_string())
                    .unwrap_or_default(),
            );
        }
        if sets {
            row.push(figure.memory().map(mebibytes).unwrap_or_default());
        }
        table.row(row);
    }
    table.text()
}

fn nanoseconds(figure: &Figure) -> String {
    match figure.median() {
        short if short < 100_000 => tenths(short),
        long => (long / 1000).to_string(),
    }
}

fn weights(sizes: &[Size]) -> String {
    let mut table = Table::new(&[
        "entry",
        "encoding",
        "as shipped, in one file",
        "the file without the module",
        "the module alone",
    ]);
    for size in sizes {
        let Size {
            entry,
            encoding,
            shipped,
            glue,
            module,
        } = size;
        let bytes = [*shipped, *glue, *module].map(|bytes| bytes.to_string());
        table.row([entry.clone(), encoding.clone()].into_iter().chain(bytes));
    }
    table.text()
}

fn results() -> PathBuf {
    runners::folder().join("RESULTS.md")
}

fn write(path: PathBuf, text: &str) -> Result<(), String> {
    std::fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))
}

/// A Markdown table with aligned columns, so that it is readable in a terminal too.
struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    fn new(head: &[&str]) -> Table {
        Table {
            rows: vec![head.iter().map(|cell| (*cell).to_owned()).collect()],
        }
    }

    fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }

    fn text(&self) -> String {
        let columns = self.rows.first().map_or(0, Vec::len);
        let width = |column: usize| {
            self.rows
                .iter()
                .filter_map(|row| row.get(column))
                .map(|cell| cell.chars().count())
                .max()
                .unwrap_or(0)
                .max(3)
        };
        let widths: Vec<usize> = (0..columns).map(width).collect();
        let mut text = String::new();
        for (number, row) in self.rows.iter().enumerate() {
            for (cell, width) in row.iter().zip(&widths) {
                text.push_str(&format!("| {cell:<width$} "));
            }
            text.push_str("|\n");
            if number == 0 {
                widths
                    .iter()
                    .for_each(|width| text.push_str(&format!("|{}", "-".repeat(width + 2))));
                text.push_str("|\n");
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_contain_every_target() {
        let results = std::fs::read_to_string(results()).unwrap();
        for number in 1..=13 {
            assert!(
                results.contains(&format!("| P{number} ")),
                "P{number} is missing: the run was incomplete"
            );
        }
    }

    #[test]
    fn aligns_columns() {
        let mut table = Table::new(&["", "ns"]);
        table.row(["a ÷ b".to_owned(), "1234".to_owned()]);
        assert_eq!(
            table.text(),
            "|       | ns   |\n|-------|------|\n| a ÷ b | 1234 |\n"
        );
    }

    #[test]
    fn names_missing_measurements_of_sides_that_have_run() {
        let text = br#"{"figures":[{"name":"native: verdict","rounds":[5,5,5]}]}"#;
        let runs = vec![Run::read(super::super::targets::C, text).unwrap()];
        let results = Results {
            runs,
            sizes: Vec::new(),
        };
        assert_eq!(results.unmeasured(), ["P6 C: report minus verdict"]);
    }
}
