//! The table that `cargo bench` prints, and the targets: which are reached and which are not.

use crate::contenders::names::*;
use crate::harness::Figure;
use std::fmt::{self, Display};

/// A floor that varies more than this between rounds tells of a busy machine.
const NOISY: u64 = 15;

/// One ratio that must be reached.
struct Target {
    number: &'static str,
    what: &'static str,
    of: &'static str,
    base: &'static str,
    /// In thousandths: must be, should be.
    bounds: (u64, u64),
}

const TARGETS: [Target; 5] = [
    Target { number: "P1", what: "verdict ÷ floor, valid", of: VERDICT_VALID, base: FLOOR, bounds: (500, 380) },
    Target {
        number: "P2",
        what: "report ÷ jsonschema, valid",
        of: REPORT_VALID,
        base: SCHEMA_VALID,
        bounds: (220, 160),
    },
    Target {
        number: "P2",
        what: "report ÷ jsonschema, invalid",
        of: REPORT_INVALID,
        base: SCHEMA_INVALID,
        bounds: (250, 160),
    },
    Target { number: "P4", what: "create_payment P2P ÷ floor", of: CREATE_P2P, base: FLOOR, bounds: (3000, 2000) },
    Target {
        number: "P5",
        what: "create_payment CRYPTO ÷ floor",
        of: CREATE_CRYPTO,
        base: FLOOR,
        bounds: (4000, 2700),
    },
];

/// Contenders that must not touch the heap (P3).
const WITHOUT_HEAP: [&str; 2] = [VERDICT_VALID, REPORT_VALID];

/// The figures of one run.
pub struct Table(pub Vec<Figure>);

impl Table {
    fn figure(&self, name: &str) -> &Figure {
        self.0.iter().find(|figure| figure.name == name).expect("every target names a contender")
    }

    fn write_figures(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let floor = self.figure(FLOOR);
        writeln!(
            out,
            "{:<46} {:>9} {:>7} {:>8} {:>12}",
            "a body, median of all rounds", "ns", "± %", "× floor", "allocations"
        )?;
        for figure in &self.0 {
            let (count, bodies) = figure.allocations;
            let (nanoseconds, spread) = (figure.median() / 1000, figure.spread().div_ceil(2));
            let (ratio, allocations) = (Thousandths(figure.ratio(floor)), Thousandths(count * 1000 / bodies));
            writeln!(out, "{:<46} {nanoseconds:>9} {spread:>7} {ratio:>8} {allocations:>12}", figure.name)?;
        }
        if floor.spread() > NOISY {
            writeln!(
                out,
                "\nThe floor itself varied by {} % between rounds: this machine is busy. Run again when it is not.",
                floor.spread()
            )?;
        }
        Ok(())
    }

    fn write_targets(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(out, "{:<46} {:>9} {:>7} {:>8}", "target", "measured", "must", "should")?;
        for Target { number, what, of, base, bounds: (must, should) } in &TARGETS {
            let ratio = self.figure(of).ratio(self.figure(base));
            let (word, left) = (word(ratio, *must, *should), format!("{number}  {what}"));
            writeln!(
                out,
                "{left:<46} {:>9} {:>7} {:>8}   {word}",
                Thousandths(ratio),
                Thousandths(*must),
                Thousandths(*should)
            )?;
        }
        for name in WITHOUT_HEAP {
            let (count, bodies) = self.figure(name).allocations;
            let left = format!("P3  allocations: {}", name.trim_start_matches("payspec, "));
            writeln!(
                out,
                "{left:<46} {:>9} {:>7} {:>8}   {}",
                Thousandths(count * 1000 / bodies),
                0,
                0,
                word(count, 0, 0)
            )?;
        }
        Ok(())
    }
}

impl Display for Table {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_figures(out)?;
        writeln!(out)?;
        self.write_targets(out)
    }
}

fn word(value: u64, must: u64, should: u64) -> &'static str {
    if value > must {
        "NOT REACHED"
    } else if value > should {
        "reached"
    } else {
        "reached, stretch too"
    }
}

/// A number of thousandths, shown with two digits.
struct Thousandths(u64);

impl Display for Thousandths {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hundredths = (self.0 + 5) / 10;
        out.pad(&format!("{}.{:02}", hundredths / 100, hundredths % 100))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousandths_are_rounded_and_padded() {
        assert_eq!(format!("{:>6}|{}", Thousandths(1995), Thousandths(44)), "  2.00|0.04");
    }

    #[test]
    fn a_bound_itself_is_reached() {
        assert_eq!(
            [word(500, 500, 380), word(380, 500, 380), word(501, 500, 380)],
            ["reached", "reached, stretch too", "NOT REACHED"]
        );
    }
}
