//! The clock. Every contender runs in every round, so that what slows the machine slows all of them alike.

use crate::allocations;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// Rounds that are measured; an odd number, so that a median is one of them.
const ROUNDS: usize = 301;
/// How long one contender runs in one round.
const SLICE: Duration = Duration::from_micros(1500);

/// The work on one body; its result is only looked at so that the compiler cannot leave it out.
pub type Work<'a> = Box<dyn FnMut(&[u8]) -> usize + 'a>;

/// Something that works on bodies.
pub struct Contender<'a> {
    /// The name in the table.
    pub name: &'static str,
    /// What it works on.
    pub bodies: Vec<&'static [u8]>,
    /// What it does.
    pub work: Work<'a>,
}

/// What was measured of one contender. Integers throughout: picoseconds, thousandths.
pub struct Figure {
    /// The contender's name.
    pub name: &'static str,
    /// Picoseconds for a body, one entry for each round.
    pub rounds: Vec<u64>,
    /// Allocations for all bodies together, and the number of bodies.
    pub allocations: (u64, u64),
}

impl Figure {
    /// The median, in picoseconds for a body.
    pub fn median(&self) -> u64 {
        percentile(self.rounds.clone(), 50)
    }

    /// How far the rounds lie apart: 10th to 90th percentile, in per cent of the median.
    pub fn spread(&self) -> u64 {
        let width = percentile(self.rounds.clone(), 90) - percentile(self.rounds.clone(), 10);
        width * 100 / self.median().max(1)
    }

    /// The median of the ratios to another contender in the same round, in thousandths.
    pub fn ratio(&self, other: &Figure) -> u64 {
        percentile(self.rounds.iter().zip(&other.rounds).map(|(own, base)| own * 1000 / base.max(&1)).collect(), 50)
    }
}

fn percentile(mut values: Vec<u64>, percent: usize) -> u64 {
    values.sort_unstable();
    values[(values.len() - 1) * percent / 100]
}

/// Runs them all, round by round; each round starts with another one.
pub fn measure(mut contenders: Vec<Contender<'_>>) -> Vec<Figure> {
    let passes: Vec<u32> = contenders.iter_mut().map(calibrate).collect();
    let mut figures: Vec<Figure> = contenders.iter_mut().map(count_allocations).collect();
    let number = contenders.len();
    for round in 0..ROUNDS {
        for turn in 0..number {
            let index = (round + turn) % number;
            let contender = &mut contenders[index];
            let nanoseconds = time(contender, passes[index]).as_nanos() as u64;
            let bodies = u64::from(passes[index]) * contender.bodies.len() as u64;
            figures[index].rounds.push(nanoseconds * 1000 / bodies);
        }
    }
    figures
}

/// How many passes over its bodies fill one slice. The passes made here also warm caches and buffers.
fn calibrate(contender: &mut Contender<'_>) -> u32 {
    let mut passes = 1;
    while time(contender, passes) < SLICE {
        passes *= 2;
    }
    passes
}

fn time(contender: &mut Contender<'_>, passes: u32) -> Duration {
    let start = Instant::now();
    for _ in 0..passes {
        for body in &contender.bodies {
            black_box((contender.work)(black_box(body)));
        }
    }
    start.elapsed()
}

fn count_allocations(contender: &mut Contender<'_>) -> Figure {
    let bodies = contender.bodies.len() as u64;
    let count = allocations::during(|| {
        time(contender, 1);
    });
    Figure { name: contender.name, rounds: Vec::with_capacity(ROUNDS), allocations: (count, bodies) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figure(rounds: &[u64]) -> Figure {
        Figure { name: "", rounds: rounds.to_vec(), allocations: (0, 1) }
    }

    #[test]
    fn one_slow_round_moves_neither_median_nor_ratio() {
        let (own, base) = (figure(&[30, 31, 900, 29, 30]), figure(&[100, 100, 3000, 100, 100]));
        assert_eq!((own.median(), own.ratio(&base)), (30, 300));
    }

    #[test]
    fn the_spread_is_that_of_the_middle_rounds() {
        assert_eq!(figure(&[90, 95, 100, 105, 110]).spread(), 15);
    }
}
