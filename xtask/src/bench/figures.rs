//! The output of the programs in tests/bench, and its statistics. All numbers are integers:
//! picoseconds, thousandths.

use payspec_support::json::Json;

/// The run of one program: all candidates in all rounds.
pub(crate) struct Run {
    /// The name of the side.
    pub(crate) side: &'static str,
    /// The first one is the baseline.
    pub(crate) figures: Vec<Figure>,
    /// Versions of languages and libraries that only the program can determine.
    pub(crate) versions: Vec<(String, String)>,
}

/// The measurements of one candidate.
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
    memory: Option<u64>,
}

impl Run {
    /// Parses the output of a program.
    pub(crate) fn read(side: &'static str, printed: &[u8]) -> Result<Run, String> {
        let json =
            Json::parse(printed).map_err(|error| format!("{side} did not print JSON: {error}"))?;
        let without_figures = || format!("{side} printed JSON without figures");
        let figures = json.get("figures").ok_or_else(without_figures)?.elements();
        let figures: Option<Vec<Figure>> = figures.iter().map(figure).collect();
        let versions = json.get("versions").map_or(&[][..], Json::members).iter();
        let versions = versions
            .filter_map(|(name, version)| Some((name.clone(), version.as_str()?.to_owned())));
        let run = Run {
            side,
            figures: figures.ok_or_else(without_figures)?,
            versions: versions.collect(),
        };
        if run.figures.is_empty() {
            Err(without_figures())
        } else {
            Ok(run)
        }
    }

    pub(crate) fn figure(&self, name: &str) -> Option<&Figure> {
        self.figures.iter().find(|figure| figure.name == name)
    }

    pub(crate) fn baseline(&self) -> Option<&Figure> {
        self.figures.first()
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
        let ratios = self
            .rounds
            .iter()
            .zip(&base.rounds)
            .map(|(value, base)| value * 1000 / base.max(&1));
        percentile(&ratios.collect::<Vec<u64>>(), 50)
    }

    /// Returns the median of the differences to another candidate in the same round, in
    /// picoseconds, at least zero.
    pub(crate) fn difference(&self, base: &Figure) -> u64 {
        let differences = self
            .rounds
            .iter()
            .zip(&base.rounds)
            .map(|(value, base)| value.saturating_sub(*base));
        percentile(&differences.collect::<Vec<u64>>(), 50)
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

    /// Returns the largest resident set in KiB.
    pub(crate) fn memory(&self) -> Option<u64> {
        self.memory
    }

    /// Returns the allocations per body, in thousandths.
    pub(crate) fn allocations(&self) -> Option<u64> {
        self.allocations
            .map(|(count, bodies)| (count * 1000).div_ceil(bodies.max(1)))
    }
}

fn figure(json: &Json) -> Option<Figure> {
    let pair = |name: &str| match json.get(name).map(Json::elements) {
        Some([one, other]) => Some((number(one)?, number(other)?)),
        _ => None,
    };
    let rounds: Option<Vec<u64>> = json.get("rounds")?.elements().iter().map(number).collect();
    Some(Figure {
        name: json.get("name")?.as_str()?.to_owned(),
        rounds: rounds?,
        allocations: pair("allocations"),
        verdicts: pair("verdicts"),
        bytes: json.get("bytes").and_then(number),
        memory: json.get("memory").and_then(number),
    })
}

/// Returns an unsigned integer of a JSON text.
pub(crate) fn number(json: &Json) -> Option<u64> {
    match json {
        Json::Number(number) => number.as_u64(),
        _ => None,
    }
}

fn percentile(values: &[u64], percent: usize) -> u64 {
    let mut sorted = values.to_vec();
    sorted.sort_unstable();
    sorted
        .get(sorted.len().saturating_sub(1) * percent / 100)
        .copied()
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figure(rounds: &[u64]) -> Figure {
        Figure {
            name: "it".to_owned(),
            rounds: rounds.to_vec(),
            allocations: None,
            verdicts: None,
            bytes: None,
            memory: None,
        }
    }

    #[test]
    fn ignores_one_slow_round() {
        let (candidate, base) = (
            figure(&[30, 31, 900, 29, 30]),
            figure(&[100, 100, 3000, 100, 100]),
        );
        assert_eq!(
            (
                candidate.median(),
                candidate.ratio(&base),
                base.difference(&candidate)
            ),
            (30, 300, 70)
        );
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
        let run = Run::read("Rust", text).unwrap();
        assert_eq!(
            run.faults(),
            ["Rust: b has 1 wrong verdicts", "Rust: c has not run"]
        );
        assert_eq!(run.figure("d").and_then(Figure::allocations), Some(125));
        assert!(
            Run::read("Rust", b"{}").is_err() && Run::read("Rust", b"Segmentation fault").is_err()
        );
    }
}
