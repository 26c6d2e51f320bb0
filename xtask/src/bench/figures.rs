//! The output of the programs in tests/bench, and its statistics. All numbers are integers:
//! picoseconds, thousandths.

use anyhow::{Context, Result, ensure};
use serde::Deserialize;
use std::collections::BTreeMap;

/// The run of one program: all candidates in all rounds.
#[derive(Deserialize)]
pub(crate) struct Run {
    /// The name of the side.
    #[serde(skip)]
    pub(crate) side: &'static str,
    /// The first one is the baseline.
    pub(crate) figures: Vec<Figure>,
    /// Versions of languages and libraries that only the program can determine.
    #[serde(default)]
    pub(crate) versions: BTreeMap<String, String>,
}

/// The measurements of one candidate.
#[derive(Default, Deserialize)]
pub(crate) struct Figure {
    pub(crate) name: String,
    /// Picoseconds per body, one entry for each round.
    rounds: Vec<u64>,
    /// Allocations for all bodies together, and the number of bodies.
    allocations: Option<(u64, u64)>,
    /// Numbers of correct and wrong verdicts, for candidates that validate rules.
    verdicts: Option<(u64, u64)>,
    /// Bytes of 1000 bodies, for programs that read files.
    bytes: Option<u64>,
    /// The largest resident set in KiB, for programs.
    pub(crate) memory: Option<u64>,
}

impl Run {
    /// Parses the output of a program.
    pub(crate) fn read(side: &'static str, printed: &[u8]) -> Result<Run> {
        let run: Run = serde_json::from_slice(printed)
            .with_context(|| format!("{side} did not print JSON with figures"))?;
        ensure!(!run.figures.is_empty(), "{side} printed no figures");
        Ok(Run { side, ..run })
    }

    pub(crate) fn figure(&self, name: &str) -> Option<&Figure> {
        self.figures.iter().find(|figure| figure.name == name)
    }

    /// Returns the candidates that have not run, or with wrong verdicts.
    pub(crate) fn faults(&self) -> Vec<String> {
        let fault = |figure: &Figure| {
            let problem = match figure.verdicts {
                _ if figure.rounds.is_empty() || figure.rounds.contains(&0) => {
                    "has not run".to_owned()
                }
                Some((0, 0)) => "validated no body".to_owned(),
                Some((_, wrong)) if wrong > 0 => format!("has {wrong} wrong verdicts"),
                _ => return None,
            };
            Some(format!("{}: {} {problem}", self.side, figure.name))
        };
        self.figures.iter().filter_map(fault).collect()
    }
}

impl Figure {
    /// Returns the median in picoseconds per body.
    pub(crate) fn median(&self) -> u64 {
        percentile(&self.rounds, 50)
    }

    /// Returns the spread of the rounds: 10th to 90th percentile, in per cent of the median.
    pub(crate) fn spread(&self) -> u64 {
        (percentile(&self.rounds, 90) - percentile(&self.rounds, 10)) * 100 / self.median().max(1)
    }

    /// Returns the difference between the medians of the first and the last third, in per cent.
    pub(crate) fn drift(&self) -> u64 {
        let third = self.rounds.len().div_ceil(3);
        let first = percentile(&self.rounds[..third], 50);
        let last = percentile(&self.rounds[self.rounds.len() - third..], 50);
        first.abs_diff(last) * 100 / first.max(1)
    }

    /// Returns the median of the ratios to another candidate in the same round, in thousandths.
    pub(crate) fn ratio(&self, base: &Figure) -> u64 {
        self.median_with(base, |value, base| value * 1000 / base.max(1))
    }

    /// Returns the median of the differences to another candidate in the same round, in
    /// picoseconds, at least zero.
    pub(crate) fn difference(&self, base: &Figure) -> u64 {
        self.median_with(base, u64::saturating_sub)
    }

    fn median_with(&self, base: &Figure, combine: fn(u64, u64) -> u64) -> u64 {
        let rounds = self.rounds.iter().zip(&base.rounds);
        let values: Vec<u64> = rounds.map(|(value, base)| combine(*value, *base)).collect();
        percentile(&values, 50)
    }

    /// Returns the time for a byte, in thousandths of a picosecond.
    pub(crate) fn per_byte(&self) -> Option<u64> {
        // A pass over a file of 2 GB takes more picoseconds than a u64 holds a million times.
        let thousandths = u128::from(self.median()) * 1_000_000 / u128::from(self.bytes?.max(1));
        u64::try_from(thousandths).ok()
    }

    /// Returns the throughput in megabytes per second.
    pub(crate) fn throughput(&self) -> Option<u64> {
        Some(1_000_000_000 / self.per_byte()?.max(1))
    }

    /// Returns the allocations per body, in thousandths.
    pub(crate) fn allocations(&self) -> Option<u64> {
        let (count, bodies) = self.allocations?;
        Some((count * 1000).div_ceil(bodies.max(1)))
    }
}

fn percentile(values: &[u64], percent: usize) -> u64 {
    let mut sorted = values.to_vec();
    sorted.sort_unstable();
    let index = sorted.len().saturating_sub(1) * percent / 100;
    sorted.get(index).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    const RUST: &str = "Rust";

    fn figure(rounds: &[u64]) -> Figure {
        Figure {
            rounds: rounds.to_vec(),
            ..Figure::default()
        }
    }

    #[test]
    fn ignores_one_slow_round() {
        let candidate = figure(&[30, 31, 900, 29, 30]);
        let base = figure(&[100, 100, 3000, 100, 100]);
        assert_eq!((candidate.median(), candidate.ratio(&base)), (30, 300));
        assert_eq!(base.difference(&candidate), 70);
    }

    #[test]
    fn measures_the_spread_of_the_middle_rounds() {
        assert_eq!(figure(&[90, 95, 100, 105, 110]).spread(), 15);
    }

    #[test]
    fn divides_a_long_pass_by_its_bytes() {
        let mut pass = figure(&[20_000_000_000_000]);
        pass.bytes = Some(2_000_000_000 * 1000);
        assert_eq!(
            (pass.per_byte(), pass.throughput()),
            (Some(10_000_000), Some(100))
        );
    }

    #[test]
    fn rejects_wrong_verdicts_and_empty_runs() {
        let text =
            br#"{"figures":[{"name":"a","rounds":[5],"verdicts":[15,0]},{"name":"b","rounds":[5],"verdicts":[14,1]},
            {"name":"c","rounds":[]},{"name":"d","rounds":[7],"allocations":[1,8]}],"versions":{"ajv":"8"}}"#;
        let run = Run::read(RUST, text).unwrap();
        let faults = ["Rust: b has 1 wrong verdicts", "Rust: c has not run"];
        assert_eq!(run.faults(), faults);
        assert_eq!(run.figure("d").and_then(Figure::allocations), Some(125));
        assert!(Run::read(RUST, b"{}").is_err() && Run::read(RUST, b"Segmentation fault").is_err());
    }
}
