//! The targets P1 to P16, and those of the command line: what is compared, the required ratio, and
//! the stretch goal.

use super::figures::{Figure, Run};

/// A performance target.
pub(crate) struct Target {
    pub(crate) number: &'static str,
    pub(crate) what: &'static str,
    measure: Measure,
    /// The required value and the stretch goal, in thousandths, picoseconds, or bytes depending on
    /// the measure.
    required: u64,
    stretch: u64,
}

enum Measure {
    /// The time of a candidate divided by that of another one.
    Ratio {
        side: &'static str,
        of: &'static str,
        base: &'static str,
    },
    /// The time of a candidate minus that of another one.
    Difference {
        side: &'static str,
        of: &'static str,
        base: &'static str,
    },
    Allocations {
        of: &'static str,
    },
    /// The largest ratio of times for a body that is sixteen times as large, over all kinds of
    /// bodies.
    Growth,
    /// The processor time of a command for a byte, in thousandths of a picosecond.
    PerByte {
        of: &'static str,
    },
    /// The time of a command divided by the longer of two times: that of a throughput in MB/s, and
    /// a part of that of the fastest of other commands.
    Throughput {
        of: &'static str,
        others: &'static [&'static str],
        part: u64,
        rate: u64,
    },
    /// The largest resident set of all runs that measure memory, in KiB.
    Memory,
    /// The size of the file that a page loads for an entry of the npm package, compressed with
    /// `gzip` or `brotli`.
    Size {
        entry: &'static str,
        encoding: &'static str,
    },
}

/// The sides, as named in tables.
pub(crate) const RUST: &str = "Rust";
pub(crate) const LARGE: &str = "Rust, large bodies";
pub(crate) const C: &str = "C";
pub(crate) const NODE: &str = "Node.js";
pub(crate) const PYTHON: &str = "Python";
pub(crate) const CLI: &str = "Command line";

/// Prefixes and suffixes of the names that are compared for growth.
const WORST: &str = "worst body, ";
const SMALL: &str = ": n";
const SIXTEENFOLD: &str = ": 16 n";

const BASELINE: &str = "serde_json, typed, no rules";

const fn ratio(
    number: &'static str,
    what: &'static str,
    side: &'static str,
    of: &'static str,
    base: &'static str,
    required: u64,
    stretch: u64,
) -> Target {
    Target {
        number,
        what,
        measure: Measure::Ratio { side, of, base },
        required,
        stretch,
    }
}

/// All targets in order.
pub(crate) const TARGETS: [Target; 28] = [
    ratio(
        "P1",
        "verdict, all rules ÷ serde_json typed without rules",
        RUST,
        "payspec, verdict: valid",
        BASELINE,
        500,
        380,
    ),
    ratio(
        "P2",
        "full report ÷ jsonschema, parse and all errors: valid",
        RUST,
        "payspec, report: valid",
        "jsonschema, parse + all errors: valid",
        220,
        160,
    ),
    ratio(
        "P2",
        "full report ÷ jsonschema, parse and all errors: invalid",
        RUST,
        "payspec, report: invalid",
        "jsonschema, parse + all errors: invalid",
        250,
        160,
    ),
    ratio(
        "P2m",
        "full report ÷ jsonschema's macro, parse and all errors: valid",
        RUST,
        "payspec, report: valid",
        "jsonschema macro, parse + all errors: valid",
        600,
        400,
    ),
    ratio(
        "P2m",
        "full report ÷ jsonschema's macro, parse and all errors: invalid",
        RUST,
        "payspec, report: invalid",
        "jsonschema macro, parse + all errors: invalid",
        600,
        400,
    ),
    Target {
        number: "P3",
        what: "allocations of a verdict, valid body",
        measure: Measure::Allocations {
            of: "payspec, verdict: valid",
        },
        required: 0,
        stretch: 0,
    },
    Target {
        number: "P3",
        what: "allocations of a report into a buffer that fits, valid body",
        measure: Measure::Allocations {
            of: "payspec, report: valid",
        },
        required: 0,
        stretch: 0,
    },
    ratio(
        "P4",
        "create_payment, P2P ÷ serde_json typed, the same bodies",
        RUST,
        "payspec, create_payment, P2P",
        "serde_json, typed, no rules: P2P",
        3000,
        2000,
    ),
    ratio(
        "P5",
        "create_payment, CRYPTO ÷ serde_json typed, the same body",
        RUST,
        "payspec, create_payment, CRYPTO",
        "serde_json, typed, no rules: CRYPTO",
        4000,
        2700,
    ),
    Target {
        number: "P6",
        what: "C: report minus verdict",
        measure: Measure::Difference {
            side: C,
            of: "C: report, warm buffer",
            base: "C: verdict (out is NULL)",
        },
        required: 50_000,
        stretch: 25_000,
    },
    ratio(
        "P7",
        "Node.js: string to JSON string ÷ (JSON.parse + ajv, all errors)",
        NODE,
        "payspec, string → JSON string: valid",
        "JSON.parse + ajv, all errors: valid",
        450,
        300,
    ),
    ratio(
        "P8",
        "verdict in WebAssembly ÷ native verdict",
        NODE,
        "payspec, verdict of bytes: valid",
        "payspec, native verdict: valid",
        2500,
        1500,
    ),
    Target {
        number: "P9",
        what: "npm payspec/checkout, gzip",
        measure: Measure::Size {
            entry: "payspec/checkout",
            encoding: "gzip",
        },
        required: 49_152,
        stretch: 36_864,
    },
    Target {
        number: "P9c",
        what: "npm payspec/card, gzip",
        measure: Measure::Size {
            entry: "payspec/card",
            encoding: "gzip",
        },
        required: 4_096,
        stretch: 3_072,
    },
    Target {
        number: "P10",
        what: "npm payspec, all operations, brotli",
        measure: Measure::Size {
            entry: "payspec",
            encoding: "brotli",
        },
        required: 140_000,
        stretch: 110_000,
    },
    ratio(
        "P11",
        "Python: bytes to report bytes ÷ pydantic validate_json",
        PYTHON,
        "payspec, bytes → report bytes: valid",
        "pydantic, validate_json: valid",
        350,
        250,
    ),
    large(
        "1 MB of ASCII text: verdict ÷ serde_json typed",
        "1 MB of ASCII text: payspec, verdict",
        "1 MB of ASCII text: serde_json, typed",
        600,
        450,
    ),
    large(
        "1 MB of Cyrillic text: the same",
        "1 MB of Cyrillic text: payspec, verdict",
        "1 MB of Cyrillic text: serde_json, typed",
        300,
        200,
    ),
    large(
        "10,000 unknown members: the same",
        "10,000 unknown members: payspec, verdict",
        "10,000 unknown members: serde_json, typed",
        1000,
        550,
    ),
    large(
        "1.2 MB of escapes: the same",
        "1.2 MB of escapes: payspec, verdict",
        "1.2 MB of escapes: serde_json, typed",
        700,
        500,
    ),
    Target {
        number: "P13",
        what: "the worst body: time for 16 n bytes ÷ time for n bytes",
        measure: Measure::Growth,
        required: 20_000,
        stretch: 17_000,
    },
    ratio(
        "P16",
        "payspec validate --jsonl, one core ÷ native verdict",
        CLI,
        VALIDATE,
        "native: verdict",
        1500,
        1200,
    ),
    Target {
        number: "CLI",
        what: "payspec validate --jsonl ÷ the time of 300 MB/s, or of 5 times the fastest other command",
        measure: Measure::Throughput {
            of: VALIDATE,
            others: &[
                "jq -c .",
                "jsonschema (Rust), parse + all errors",
                "ajv validate, one array",
            ],
            part: 5,
            rate: 300,
        },
        required: 1000,
        stretch: 500,
    },
    ratio(
        "CLI",
        "payspec validate, elapsed time of --jobs 2 ÷ that of --jobs 1",
        CLI,
        "payspec validate --jobs 2, elapsed",
        "payspec validate --jobs 1, elapsed",
        600,
        550,
    ),
    Target {
        number: "CLI",
        what: "payspec redact --text, lines without digits (2 ns a byte is 500 MB/s)",
        measure: Measure::PerByte { of: REDACT },
        required: 2_000_000,
        stretch: 1_000_000,
    },
    ratio(
        "CLI",
        "payspec redact --text ÷ sed -E, the same lines",
        CLI,
        REDACT,
        "sed -E, lines without digits",
        1000,
        500,
    ),
    ratio(
        "CLI",
        "payspec migrate ÷ native upgrade_request",
        CLI,
        "payspec migrate",
        "native: upgrade_request",
        1500,
        1200,
    ),
    Target {
        number: "CLI",
        what: "the largest resident set of validate, redact, and migrate",
        measure: Measure::Memory,
        required: 50 * 1024,
        stretch: 20 * 1024,
    },
];

const VALIDATE: &str = "payspec validate --jsonl";
const REDACT: &str = "payspec redact --text, lines without digits";

const fn large(
    what: &'static str,
    of: &'static str,
    base: &'static str,
    required: u64,
    stretch: u64,
) -> Target {
    ratio("P12", what, LARGE, of, base, required, stretch)
}

/// Returns the baselines of the targets of a side.
pub(crate) fn bases(side: &str) -> impl Iterator<Item = &'static str> {
    TARGETS
        .iter()
        .filter_map(move |target| match target.measure {
            Measure::Ratio { side: of, base, .. } | Measure::Difference { side: of, base, .. } => {
                (of == side).then_some(base)
            }
            _ => None,
        })
}

/// The sizes of an entry of the npm package.
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
        match self.measure {
            Measure::Ratio { side: measured, .. } | Measure::Difference { side: measured, .. } => {
                measured == side
            }
            Measure::Allocations { .. } => side == RUST,
            Measure::Growth => side == LARGE,
            Measure::PerByte { .. } | Measure::Throughput { .. } | Measure::Memory => side == CLI,
            Measure::Size { .. } => false,
        }
    }

    /// Returns the measured value; `None` if a candidate has not run.
    pub(crate) fn measured(&self, runs: &[Run], sizes: &[Size]) -> Option<u64> {
        let figure =
            |side: &str, name: &str| runs.iter().find(|run| run.side == side)?.figure(name);
        match self.measure {
            Measure::Ratio { side, of, base } => Some(figure(side, of)?.ratio(figure(side, base)?)),
            Measure::Difference { side, of, base } => {
                Some(figure(side, of)?.difference(figure(side, base)?))
            }
            Measure::Allocations { of } => figure(RUST, of)?.allocations(),
            Measure::Growth => runs
                .iter()
                .find(|run| run.side == LARGE)
                .and_then(worst)
                .map(|(_, growth)| growth),
            Measure::PerByte { of } => figure(CLI, of)?.per_byte(),
            Measure::Throughput {
                of,
                others,
                part,
                rate,
            } => {
                let others: Option<Vec<u64>> = others
                    .iter()
                    .map(|name| figure(CLI, name)?.per_byte())
                    .collect();
                let fastest = others?.into_iter().min()?;
                Some(
                    figure(CLI, of)?.per_byte()? * 1000
                        / (1_000_000_000 / rate).max(fastest / part).max(1),
                )
            }
            Measure::Memory => {
                let run = runs.iter().find(|run| run.side == CLI)?;
                run.figures.iter().filter_map(Figure::memory).max()
            }
            Measure::Size { entry, encoding } => sizes
                .iter()
                .find(|size| size.entry == entry && size.encoding == encoding)
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
            Measure::Ratio { .. } | Measure::Growth | Measure::Throughput { .. }
                if value > self.required && hundredths(value) == hundredths(self.required) =>
            {
                format!("{}.{:03}", value / 1000, value % 1000)
            }
            Measure::Ratio { .. } | Measure::Growth | Measure::Throughput { .. } => {
                hundredths(value)
            }
            Measure::PerByte { .. } => format!("{} ns a byte", hundredths(value / 1000)),
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

    #[test]
    fn meets_a_target_with_an_equal_value() {
        let first = &TARGETS[0];
        assert_eq!(
            [500, 380, 501].map(|value| first.result(value)),
            [
                TargetResult::Met,
                TargetResult::Stretch,
                TargetResult::NotMet
            ]
        );
    }

    #[test]
    fn rounds_values_and_names_their_units() {
        assert_eq!(
            [hundredths(1995), hundredths(44), tenths(34_850)],
            ["2.00", "0.04", "34.9"]
        );
        let sizes: Vec<String> = TARGETS
            .iter()
            .filter(|target| target.number == "P9")
            .map(Target::required)
            .collect();
        assert_eq!(sizes, ["48.00 KB"]);
        let memory: Vec<String> = TARGETS
            .iter()
            .filter(|target| matches!(target.measure, Measure::Memory))
            .map(Target::required)
            .collect();
        assert_eq!(memory, ["50.0 MiB"]);
        let ascii = TARGETS
            .iter()
            .find(|target| target.number == "P12")
            .unwrap();
        assert_eq!(
            [600, 601, 599, 610].map(|ratio| ascii.show(ratio)),
            ["0.60", "0.601", "0.60", "0.61"]
        );
    }

    #[test]
    fn compares_a_throughput_with_the_lower_bound() {
        let target = TARGETS
            .iter()
            .find(|target| matches!(target.measure, Measure::Throughput { .. }))
            .unwrap();
        let value = |jq: u64, of: u64| {
            let figure = |name: &str, ns: u64| {
                format!(
                    r#"{{"name":"{name}","rounds":[{}],"bytes":400000,"memory":{ns}}}"#,
                    ns * 1000
                )
            };
            let others = [
                "jsonschema (Rust), parse + all errors",
                "ajv validate, one array",
            ]
            .map(|name| figure(name, 100_000));
            let text = [figure("jq -c .", jq), figure(VALIDATE, of)]
                .into_iter()
                .chain(others)
                .collect::<Vec<_>>()
                .join(",");
            let run = Run::read(CLI, format!(r#"{{"figures":[{text}]}}"#).as_bytes()).unwrap();
            assert_eq!(
                run.figure("jq -c .").and_then(Figure::throughput),
                Some(400_000 / jq)
            );
            target.measured(&[run], &[])
        };
        // 100 MB/s: five times as much is over 300 MB/s.
        assert_eq!(
            [value(4000, 1334), value(4000, 667)],
            [Some(1000), Some(500)]
        );
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
