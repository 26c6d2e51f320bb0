//! The results of a run: `tests/bench/results.json`, from which `RESULTS.md` is rendered.

use super::figures::{Figure, Run};
use super::targets::{
    self, Size, Target, TargetResult, WORST_INPUTS, hundredths, mebibytes, tenths, worst,
};
use super::{instructions, machine, runners};
use anyhow::{Context, Result, ensure};
use fs_err as fs;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

const JSON: &str = "results.json";
const MARKDOWN: &str = "RESULTS.md";

/// A baseline with a larger spread between rounds, or a larger drift during the run, indicates a
/// busy machine. In per cent.
const NOISY: u64 = 15;

/// All results of a run.
#[derive(Default, Deserialize, Serialize)]
pub(crate) struct Results {
    /// The machine and the versions, by name.
    facts: Vec<(String, String)>,
    /// The commit of the values before.
    before: String,
    targets: Vec<Measured>,
    /// Warnings about a busy machine.
    warnings: Vec<String>,
    sides: Vec<Side>,
    sizes: Vec<Size>,
}

/// The measured value of a target, as `targets.toml` defines it.
#[derive(Deserialize, Serialize)]
struct Measured {
    number: String,
    what: String,
    value: u64,
    before: Option<u64>,
}

/// The candidates of a program.
#[derive(Deserialize, Serialize)]
struct Side {
    side: String,
    candidates: Vec<Candidate>,
    /// The kind of body with the largest growth, and its ratio in thousandths.
    worst: Option<(String, u64)>,
}

/// The statistics of a candidate over all rounds.
#[derive(Deserialize, Serialize)]
struct Candidate {
    name: String,
    /// The median of a body.
    picoseconds: u64,
    /// From the 10th to the 90th percentile, in per cent.
    spread: u64,
    /// Thousandths of the time of the first candidate.
    ratio: u64,
    /// Thousandths of an allocation for a body.
    #[serde(skip_serializing_if = "Option::is_none")]
    allocations: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    picoseconds_per_byte: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    megabytes_per_second: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    resident_kib: Option<u64>,
}

impl Results {
    /// Computes the results of runs, beside those of the file.
    pub(crate) fn of(runs: &[Run], sizes: Vec<Size>, targets: &[Target]) -> Results {
        let old = Results::read().unwrap_or_default();
        let measured = |target: &Target| {
            Some(Measured {
                number: target.number.clone(),
                what: target.what.clone(),
                value: target.measured(runs, &sizes)?,
                before: old.value(&target.number, &target.what),
            })
        };
        Results {
            targets: targets.iter().filter_map(measured).collect(),
            facts: machine::facts(runs),
            before: old.fact("commit").to_owned(),
            warnings: runs.iter().filter_map(|run| noise(run, targets)).collect(),
            sides: runs.iter().map(Side::of).collect(),
            sizes,
        }
    }

    /// Reads the file of the last run.
    pub(crate) fn read() -> Result<Results> {
        let text = fs::read_to_string(runners::folder().join(JSON))?;
        serde_json::from_str(&text).context(JSON)
    }

    /// Writes both files.
    pub(crate) fn write(&self) -> Result<()> {
        let json = serde_json::to_string_pretty(self)? + "\n";
        fs::write(runners::folder().join(JSON), json)?;
        fs::write(runners::folder().join(MARKDOWN), self.markdown()?)?;
        Ok(())
    }

    fn fact(&self, name: &str) -> &str {
        let fact = self.facts.iter().find(|(known, _)| known == name);
        fact.map_or("", |(_, value)| value)
    }

    fn value(&self, number: &str, what: &str) -> Option<u64> {
        let mut targets = self.targets.iter();
        let found = targets.find(|target| target.number == number && target.what == what);
        found.map(|target| target.value)
    }

    /// Returns the value of the first target with this number, in thousandths.
    pub(crate) fn first(&self, number: &str) -> Result<u64> {
        let found = self.targets.iter().find(|target| target.number == number);
        let found = found.with_context(|| format!("{JSON} has no target {number}"))?;
        Ok(found.value)
    }

    /// Returns the targets with their values, and a line with the number of targets that are met.
    pub(crate) fn targets(&self) -> Result<String> {
        let heading = format!("before ({})", self.before);
        let mut table = Table::of(&[
            "",
            "target",
            "measured",
            &heading,
            "must be",
            "stretch goal",
            "",
        ]);
        let targets = targets::read()?;
        let mut counts = [0; 3];
        for measured in &self.targets {
            let is_same =
                |target: &&Target| target.number == measured.number && target.what == measured.what;
            let Some(target) = targets.iter().find(is_same) else {
                continue;
            };
            let bound = |text: String| match text.as_str() {
                "0" => text,
                _ => format!("≤ {text}"),
            };
            let result = target.result(measured.value);
            counts[result as usize] += 1;
            table.row([
                measured.number.clone(),
                measured.what.clone(),
                target.show(measured.value),
                measured
                    .before
                    .map(|value| target.show(value))
                    .unwrap_or_default(),
                bound(target.required()),
                bound(target.stretch()),
                result.text().to_owned(),
            ]);
        }
        let [stretch, met, not] = counts;
        let (met, sum) = (met + stretch, met + stretch + not);
        debug_assert_eq!(TargetResult::NotMet as usize, 2);
        Ok(format!(
            "{}\n{met} of {sum} met, {stretch} of them with the stretch goal; {not} not met.",
            table.text()
        ))
    }

    /// Returns the tables of all candidates of all sides.
    pub(crate) fn figures(&self) -> String {
        let mut text = String::new();
        for side in &self.sides {
            let table = match side.side.as_str() {
                WORST_INPUTS => side.matrix(),
                _ => side.table(),
            };
            text += &format!("## {}\n\n{table}\n", side.side);
            if let Some((kind, growth)) = &side.worst {
                text += &format!(
                    "The worst body with the largest growth, {kind}, takes {} times as long with 16 n bytes.\n\n",
                    hundredths(*growth)
                );
            }
        }
        if !self.sizes.is_empty() {
            let head = [
                "entry",
                "encoding",
                "as shipped, in one file",
                "the file without the module",
                "the module alone",
            ];
            let mut table = Table::of(&head);
            for size in &self.sizes {
                let bytes = [size.shipped, size.glue, size.module].map(|bytes| bytes.to_string());
                let names = [size.entry.clone(), size.encoding.clone()];
                table.row(names.into_iter().chain(bytes));
            }
            text += "## The npm package, bytes after compression\n\n";
            text += &table.text();
        }
        text
    }

    /// Returns the warnings of all runs, a paragraph each.
    pub(crate) fn warnings(&self) -> String {
        self.warnings
            .iter()
            .map(|warning| format!("{warning}\n\n"))
            .collect()
    }

    fn markdown(&self) -> Result<String> {
        let mut facts = Table::of(&["", ""]);
        for (name, value) in &self.facts {
            facts.row([name.clone(), value.clone()]);
        }
        Ok(format!(
            "# Figures\n\nOne run of `cargo xtask bench`, rendered from `results.json`. Absolute times depend on the machine; the \
             ratios of one\nrun hold. Each is the median of the ratios within each round; ± is half the way from the 10th to the 90th \
             percentile.\n\n{}\n\n{}## Instructions\n\nCounts of `instructions.json`, which \
             `cargo xtask bench --bless-instructions` writes; the times are those of the commit below.\n\n{}\n## Machine and versions\n\n{}\n{}\n",
            self.targets()?,
            self.warnings(),
            instructions_of_calls()?.text(),
            facts.text(),
            self.figures().trim_end()
        ))
    }
}

/// Returns the instructions of each call with the same body, a pay-in by card.
fn instructions_of_calls() -> Result<Table> {
    let mut table = Table::of(&[
        "a call in Rust, without the processor's SHA-256",
        "instructions",
    ]);
    for (name, count) in instructions::recorded()? {
        if let Some(call) = name.strip_suffix(": p2p-card") {
            table.row([call.to_owned(), count.instructions.to_string()]);
        }
    }
    ensure!(table.rows.len() > 1, "no call has this body");
    Ok(table)
}

/// Returns a warning if the machine was busy.
fn noise(run: &Run, targets: &[Target]) -> Option<String> {
    let targets = targets.iter().filter(|target| target.is_of(run.side));
    let bases = targets.filter_map(|target| run.figure(target.base()?));
    let noisy = |base: &&Figure| base.spread() > NOISY || base.drift() > NOISY;
    let all = run.figures.first().into_iter().chain(bases);
    let worst = all.filter(noisy).max_by_key(|base| base.spread())?;
    Some(format!(
        "NOISY: in {}, the baseline {} has a spread of {} % between rounds and moved by {} % during the run. Run again on \
         a quiet machine.",
        run.side,
        worst.name,
        worst.spread(),
        worst.drift()
    ))
}

impl Side {
    fn of(run: &Run) -> Side {
        let candidate = |figure: &Figure| Candidate {
            name: figure.name.clone(),
            picoseconds: figure.median(),
            spread: figure.spread(),
            ratio: run.figures.first().map_or(0, |first| figure.ratio(first)),
            allocations: figure.allocations(),
            picoseconds_per_byte: figure.per_byte().map(|thousandths| thousandths / 1000),
            megabytes_per_second: figure.throughput(),
            resident_kib: figure.memory,
        };
        Side {
            side: run.side.to_owned(),
            candidates: run.figures.iter().map(candidate).collect(),
            worst: worst(run),
        }
    }

    /// Returns a table with a row for each filling, and a column for each operation.
    fn matrix(&self) -> String {
        let mut operations = Vec::new();
        let mut rows: BTreeMap<&str, BTreeMap<&str, u64>> = BTreeMap::new();
        for of in &self.candidates {
            let Some((operation, filling)) = of.name.split_once(": ") else {
                continue;
            };
            if !operations.contains(&operation) {
                operations.push(operation);
            }
            let time = of.picoseconds_per_byte.unwrap_or_default();
            rows.entry(filling).or_default().insert(operation, time);
        }
        let head = ["ns a byte of 64 KiB"]
            .into_iter()
            .chain(operations.clone());
        let mut table = Table::of(&head.collect::<Vec<_>>());
        for (filling, times) in rows {
            let cell = |operation: &&str| {
                times
                    .get(operation)
                    .map_or_else(String::new, |time| tenths(*time))
            };
            let cells = operations.iter().map(cell);
            table.row([filling.to_owned()].into_iter().chain(cells));
        }
        table.text()
    }

    fn table(&self) -> String {
        type Column = (&'static str, fn(&Candidate) -> Option<String>);
        let optional: [Column; 3] = [
            ("allocations", |of| of.allocations.map(hundredths)),
            ("MB/s", |of| {
                of.megabytes_per_second.map(|rate| rate.to_string())
            }),
            ("resident, MiB", |of| of.resident_kib.map(mebibytes)),
        ];
        let has = |(_, cell): &&Column| self.candidates.iter().any(|of| cell(of).is_some());
        let optional: Vec<&Column> = optional.iter().filter(has).collect();
        let head = ["a body, median of all rounds", "ns", "± %", "× the first"];
        let names = optional.iter().map(|(name, _)| *name);
        let mut table = Table::of(&head.into_iter().chain(names).collect::<Vec<_>>());
        for of in &self.candidates {
            let nanoseconds = match of.picoseconds {
                short if short < 100_000 => tenths(short),
                long => (long / 1000).to_string(),
            };
            let spread = of.spread.div_ceil(2).to_string();
            let cells = [of.name.clone(), nanoseconds, spread, hundredths(of.ratio)];
            let more = optional
                .iter()
                .map(|(_, cell)| cell(of).unwrap_or_default());
            table.row(cells.into_iter().chain(more));
        }
        table.text()
    }
}

/// A Markdown table with aligned columns, so that it is readable in a terminal too.
struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    fn of(head: &[&str]) -> Table {
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
            let cells = self.rows.iter().filter_map(|row| row.get(column));
            cells
                .map(|cell| cell.chars().count())
                .max()
                .unwrap_or(0)
                .max(3)
        };
        let widths: Vec<usize> = (0..columns).map(width).collect();
        let mut text = String::new();
        for (number, row) in self.rows.iter().enumerate() {
            for (cell, width) in row.iter().zip(&widths) {
                text += &format!("| {cell:<width$} ");
            }
            text += "|\n";
            if number == 0 {
                let rule = widths
                    .iter()
                    .map(|width| format!("|{}", "-".repeat(width + 2)));
                text += &rule.collect::<String>();
                text += "|\n";
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_recorded_run_has_every_target_and_is_rendered() {
        let results = Results::read().unwrap();
        for target in targets::read().unwrap() {
            let value = results.value(&target.number, &target.what);
            assert!(
                value.is_some(),
                "{} {}: the run was incomplete",
                target.number,
                target.what
            );
        }
        let markdown = fs::read_to_string(runners::folder().join(MARKDOWN)).unwrap();
        let is_current = markdown == results.markdown().unwrap();
        assert!(is_current, "cargo xtask bench --render");
    }

    #[test]
    fn aligns_columns() {
        let mut table = Table::of(&["", "ns"]);
        table.row(["a ÷ b".to_owned(), "1234".to_owned()]);
        assert_eq!(
            table.text(),
            "|       | ns   |\n|-------|------|\n| a ÷ b | 1234 |\n"
        );
    }

    #[test]
    fn reports_a_noisy_baseline() {
        let noise = |rounds: &[u64]| {
            let text = format!(r#"{{"figures":[{{"name":"it","rounds":{rounds:?}}}]}}"#);
            noise(&Run::read(targets::RUST, text.as_bytes()).unwrap(), &[])
        };
        assert!(noise(&[100, 101, 99, 100, 101, 99]).is_none());
        let moved = noise(&[100, 100, 108, 108, 116, 116]);
        assert!(moved.is_some_and(|text| text.contains("moved by 16 %")));
        assert!(noise(&[100, 60, 100, 140, 100, 140]).is_some());
    }
}
