//! The targets of `tests/bench/targets.toml`: what is measured, the required value, and the stretch
//! goal.

use super::figures::{Figure, Run};
use anyhow::{Context, Result};
use fs_err as fs;
use serde::{Deserialize, Serialize};

/// A performance target.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Target {
    pub(crate) number: String,
    pub(crate) what: String,
    measure: Measure,
    /// The required value and the stretch goal, in thousandths, picoseconds, or bytes depending on
    /// the measure.
    required: u64,
    stretch: u64,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Measure {
    /// The time of a candidate divided by that of another one.
    Ratio {
        side: String,
        of: String,
        base: String,
    },
    /// The time of a candidate minus that of another one.
    Difference {
        side: String,
        of: String,
        base: String,
    },
    Allocations {
        of: String,
    },
    /// The largest ratio of times for a body that is sixteen times as large, over all kinds of
    /// bodies.
    Growth,
    /// The longest time for a byte over all operations and fillings, in thousandths of a picosecond.
    WorstPerByte,
    /// The time for a byte, in thousandths of a picosecond.
    PerByte {
        side: String,
        of: String,
    },
    /// The time of a command divided by the longer of two times: that of a throughput in MB/s, and
    /// a part of that of the fastest of other commands.
    Throughput {
        of: String,
        others: Vec<String>,
        part: u64,
        rate: u64,
    },
    /// The largest resident set of all runs that measure memory, in KiB.
    Memory,
    /// The size of the file that a page loads for an entry of the npm package, compressed with
    /// `gzip` or `brotli`.
    Size {
        entry: String,
        encoding: String,
    },
}

/// The sides, as named in tables.
pub(crate) const RUST: &str = "Rust";
pub(crate) const LARGE: &str = "Rust, large bodies";
pub(crate) const WORST_INPUTS: &str = "Rust, worst inputs";
pub(crate) const C: &str = "C";
pub(crate) const NODE: &str = "Node.js";
pub(crate) const PYTHON: &str = "Python";
pub(crate) const CLI: &str = "Command line";

/// Prefixes and suffixes of the names that are compared for growth.
const WORST: &str = "worst body, ";
const SMALL: &str = ": n";
const SIXTEENFOLD: &str = ": 16 n";

/// Reads all targets in order.
pub(crate) fn read() -> Result<Vec<Target>> {
    #[derive(Deserialize)]
    struct Table {
        target: Vec<Target>,
    }
    let text = fs::read_to_string(super::runners::folder().join("targets.toml"))?;
    let table: Table = toml::from_str(&text).context("targets.toml")?;
    Ok(table.target)
}

/// The sizes of an entry of the npm package.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct Size {
    pub(crate) entry: String,
    pub(crate) encoding: String,
    /// The one file that a page loads: WebAssembly and glue.
    pub(crate) shipped: u64,
    pub(crate) glue: u64,
    pub(crate) module: u64,
}

/// The result for a target.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum TargetResult {
    Stretch,
    Met,
    NotMet,
}

impl TargetResult {
    pub(crate) fn text(self) -> &'static str {
        match self {
            TargetResult::Stretch => "met, stretch goal too",
            TargetResult::Met => "met",
            TargetResult::NotMet => "**not met**",
        }
    }
}

impl Target {
    /// Returns true if it belongs to this side. Sizes do not belong to a side.
    pub(crate) fn is_of(&self, side: &str) -> bool {
        match &self.measure {
            Measure::Ratio { side: measured, .. }
            | Measure::Difference { side: measured, .. }
            | Measure::PerByte { side: measured, .. } => measured == side,
            Measure::Allocations { .. } => side == RUST,
            Measure::Growth => side == LARGE,
            Measure::WorstPerByte => side == WORST_INPUTS,
            Measure::Throughput { .. } | Measure::Memory => side == CLI,
            Measure::Size { .. } => false,
        }
    }

    /// Returns the candidate that it compares with.
    pub(crate) fn base(&self) -> Option<&str> {
        match &self.measure {
            Measure::Ratio { base, .. } | Measure::Difference { base, .. } => Some(base),
            _ => None,
        }
    }

    /// Returns the measured value; `None` if a candidate has not run.
    pub(crate) fn measured(&self, runs: &[Run], sizes: &[Size]) -> Option<u64> {
        let side = |side: &str| runs.iter().find(|run| run.side == side);
        let figure = |of: &str, name: &str| side(of)?.figure(name);
        match &self.measure {
            Measure::Ratio { side, of, base } => Some(figure(side, of)?.ratio(figure(side, base)?)),
            Measure::Difference { side, of, base } => {
                Some(figure(side, of)?.difference(figure(side, base)?))
            }
            Measure::Allocations { of } => figure(RUST, of)?.allocations(),
            Measure::Growth => worst(side(LARGE)?).map(|(_, growth)| growth),
            Measure::WorstPerByte => {
                let figures = side(WORST_INPUTS)?.figures.iter();
                figures.filter_map(Figure::per_byte).max()
            }
            Measure::PerByte { side, of } => figure(side, of)?.per_byte(),
            Measure::Throughput {
                of,
                others,
                part,
                rate,
            } => {
                let others = others.iter().map(|name| figure(CLI, name)?.per_byte());
                let fastest = others.collect::<Option<Vec<u64>>>()?.into_iter().min()?;
                let bound = (1_000_000_000 / rate).max(fastest / part).max(1);
                Some(figure(CLI, of)?.per_byte()? * 1000 / bound)
            }
            Measure::Memory => {
                let figures = side(CLI)?.figures.iter();
                figures.filter_map(|figure| figure.memory).max()
            }
            Measure::Size { entry, encoding } => sizes
                .iter()
                .find(|size| size.entry == *entry && size.encoding == *encoding)
                .map(|size| size.shipped),
        }
    }

    pub(crate) fn result(&self, measured: u64) -> TargetResult {
        match measured {
            over if over > self.required => TargetResult::NotMet,
            over if over > self.stretch => TargetResult::Met,
            _ => TargetResult::Stretch,
        }
    }

    pub(crate) fn required(&self) -> String {
        self.show(self.required)
    }

    pub(crate) fn stretch(&self) -> String {
        self.show(self.stretch)
    }

    /// Formats a value with its unit, with an additional digit if it would otherwise equal the
    /// bound that it exceeds.
    pub(crate) fn show(&self, value: u64) -> String {
        match self.measure {
            Measure::Ratio { .. } | Measure::Growth | Measure::Throughput { .. } => {
                let is_close = hundredths(value) == hundredths(self.required);
                match value > self.required && is_close {
                    true => format!("{}.{:03}", value / 1000, value % 1000),
                    false => hundredths(value),
                }
            }
            Measure::PerByte { .. } | Measure::WorstPerByte => {
                format!("{} ns a byte", hundredths(value / 1000))
            }
            Measure::Memory => format!("{} MiB", mebibytes(value)),
            Measure::Difference { .. } => format!("{} ns", tenths(value)),
            Measure::Allocations { .. } if value == 0 => "0".to_owned(),
            Measure::Allocations { .. } => hundredths(value),
            Measure::Size { .. } => format!("{} KB", hundredths(value * 1000 / 1024)),
        }
    }
}

/// Returns the kind of body with the largest growth, and its ratio in thousandths. The times are
/// per body.
pub(crate) fn worst(run: &Run) -> Option<(String, u64)> {
    let pairs = run.figures.iter().filter_map(|small: &Figure| {
        let kind = small.name.strip_prefix(WORST)?.strip_suffix(SMALL)?;
        let large = run.figure(&format!("{WORST}{kind}{SIXTEENFOLD}"))?;
        Some((kind.to_owned(), large.ratio(small)))
    });
    pairs.max_by_key(|(_, growth)| *growth)
}

/// Formats thousandths with two decimals.
pub(crate) fn hundredths(thousandths: u64) -> String {
    let rounded = (thousandths + 5) / 10;
    format!("{}.{:02}", rounded / 100, rounded % 100)
}

/// Formats KiB as MiB with one decimal.
pub(crate) fn mebibytes(kibibytes: u64) -> String {
    tenths(kibibytes * 1000 / 1024)
}

/// Formats picoseconds as nanoseconds with one decimal.
pub(crate) fn tenths(picoseconds: u64) -> String {
    let rounded = (picoseconds + 50) / 100;
    format!("{}.{}", rounded / 10, rounded % 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target(is_wanted: impl Fn(&Target) -> bool) -> Target {
        read().unwrap().into_iter().find(is_wanted).unwrap()
    }

    #[test]
    fn meets_a_target_with_an_equal_value() {
        let first = target(|target| target.number == "P1");
        let [equal, goal, over] =
            [first.required, first.stretch, first.required + 1].map(|value| first.result(value));
        assert_eq!(equal, TargetResult::Met);
        assert_eq!(goal, TargetResult::Stretch);
        assert_eq!(over, TargetResult::NotMet);
    }

    #[test]
    fn rounds_values_and_names_their_units() {
        let rounded = [hundredths(1995), hundredths(44), tenths(34_850)];
        assert_eq!(rounded, ["2.00", "0.04", "34.9"]);
        let size = target(|target| matches!(target.measure, Measure::Size { .. }));
        assert_eq!(size.show(49_152), "48.00 KB");
        let memory = target(|target| matches!(target.measure, Measure::Memory));
        assert_eq!(memory.show(51_200), "50.0 MiB");
        let mut ratio = target(|target| matches!(target.measure, Measure::Ratio { .. }));
        ratio.required = 600;
        let shown = [600, 601, 599, 610].map(|value| ratio.show(value));
        assert_eq!(shown, ["0.60", "0.601", "0.60", "0.61"]);
    }

    #[test]
    fn compares_a_throughput_with_the_lower_bound() {
        let target = target(|target| matches!(target.measure, Measure::Throughput { .. }));
        let value = |jq: u64, of: u64| {
            let figure = |(name, ns): (&str, u64)| {
                let ps = ns * 1000;
                format!(r#"{{"name":"{name}","rounds":[{ps}],"bytes":400000}}"#)
            };
            let figures = [
                ("jq -c .", jq),
                ("payspec validate --jsonl", of),
                ("jsonschema (Rust), parse + all errors", 100_000),
                ("ajv validate, one array", 100_000),
            ];
            let text = format!(r#"{{"figures":[{}]}}"#, figures.map(figure).join(","));
            target.measured(&[Run::read(CLI, text.as_bytes()).unwrap()], &[])
        };
        // 100 MB/s: five times as much is over 300 MB/s.
        let values = [value(4000, 1334), value(4000, 667)];
        assert_eq!(values, [Some(1000), Some(500)]);
        // 40 MB/s: five times as much is less.
        assert_eq!(value(10_000, 2000), Some(1000));
    }

    #[test]
    fn takes_the_worst_growth() {
        let text = r#"{"figures":[{"name":"worst body, a: n","rounds":[10,10,10]},{"name":"worst body, a: 16 n","rounds":[160,160,170]},
            {"name":"worst body, b: n","rounds":[10,10,10]},{"name":"worst body, b: 16 n","rounds":[200,210,220]}]}"#;
        let run = Run::read(LARGE, text.as_bytes()).unwrap();
        assert_eq!(worst(&run), Some(("b".to_owned(), 21_000)));
    }
}
