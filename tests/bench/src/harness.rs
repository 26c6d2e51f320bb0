//! Measures time. Every candidate runs in every round, so that a busy machine affects all of them.

use crate::corpus;
use payspec_tests::allocations;
use serde::Serialize;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// The number and the length of measurements.
#[derive(Clone, Copy)]
pub struct Clock {
    /// The number of rounds. It is odd, so that the median is one of them.
    rounds: usize,
    /// The time of one candidate in one round.
    slice: Duration,
}

impl Clock {
    /// Returns true if the times are meaningless.
    pub fn is_short(self) -> bool {
        self.rounds == SHORT.rounds
    }

    /// Returns a clock with at most so many rounds, for calls that take long. The number is odd.
    pub fn with_at_most(self, rounds: usize) -> Clock {
        Clock {
            rounds: self.rounds.min(rounds),
            ..self
        }
    }
}

/// The clock for results.
pub const LONG: Clock = Clock {
    rounds: 301,
    slice: Duration::from_micros(1500),
};
/// The clock that only checks that all candidates run.
pub const SHORT: Clock = Clock {
    rounds: 3,
    slice: Duration::from_micros(50),
};

/// The work on one body. Returns true if it is accepted.
pub type Work<'a> = Box<dyn FnMut(&[u8]) -> bool + 'a>;

/// The expected verdicts of a candidate, which are checked before its time is measured.
#[derive(Clone, Copy, PartialEq)]
pub enum Expected {
    /// The valid bodies of the corpus are accepted, and the invalid ones rejected.
    Corpus,
    /// All its bodies have the same verdict.
    All {
        /// True if they are accepted.
        accepts: bool,
    },
}

/// A function on bodies that is measured.
pub struct Candidate<'a> {
    /// The name in the table.
    pub name: String,
    /// The bodies that are measured.
    pub bodies: Vec<&'a [u8]>,
    /// The expected verdicts.
    pub expected: Expected,
    /// The function.
    pub work: Work<'a>,
}

/// The measurements of one candidate. All numbers are integers.
#[derive(Serialize)]
pub struct Figure {
    /// The name of the candidate.
    pub name: String,
    /// Picoseconds per body, one entry for each round.
    pub rounds: Vec<u64>,
    /// Allocations for all bodies, and the number of bodies.
    pub allocations: (u64, u64),
    /// The numbers of right and wrong verdicts.
    pub verdicts: (u64, u64),
    /// Bytes of 1000 bodies.
    pub bytes: u64,
}

/// Runs all candidates round by round. Each round starts with another one.
pub fn measure(clock: Clock, candidates: Vec<Candidate<'_>>) -> Vec<Figure> {
    let mut figures: Vec<Figure> = Vec::with_capacity(candidates.len());
    let mut running: Vec<Round<'_>> = Vec::with_capacity(candidates.len());
    for mut candidate in candidates {
        let verdicts = verdicts(&mut candidate);
        let mut round = Round::new(clock, candidate);
        figures.push(round.figure(verdicts));
        running.push(round);
    }
    let number = running.len();
    for round in 0..clock.rounds {
        for turn in 0..number {
            let index = (round + turn) % number;
            figures[index].rounds.push(running[index].measure());
        }
    }
    figures
}

/// Counts right and wrong verdicts: a candidate that accepts everything would be fast.
pub fn verdicts(candidate: &mut Candidate<'_>) -> (u64, u64) {
    let bodies: Vec<(&[u8], bool)> = match candidate.expected {
        Expected::Corpus => {
            let of = |bodies, valid| {
                corpus::bytes(bodies)
                    .into_iter()
                    .map(move |body| (body, valid))
            };
            of(corpus::VALID, true)
                .chain(of(corpus::INVALID, false))
                .collect()
        }
        Expected::All { accepts } => candidate
            .bodies
            .iter()
            .map(|body| (*body, accepts))
            .collect(),
    };
    let right = bodies
        .iter()
        .filter(|(body, valid)| (candidate.work)(body) == *valid)
        .count();
    (right as u64, (bodies.len() - right) as u64)
}

/// A candidate, and the number of passes over its bodies in a slice.
pub struct Round<'a> {
    candidate: Candidate<'a>,
    passes: u32,
}

impl<'a> Round<'a> {
    /// Finds the number of passes, which also warms caches and buffers.
    pub fn new(clock: Clock, candidate: Candidate<'a>) -> Self {
        let mut round = Round {
            candidate,
            passes: 1,
        };
        while round.time(round.passes) < clock.slice {
            round.passes *= 2;
        }
        round
    }

    /// Measures one slice in picoseconds per body.
    pub fn measure(&mut self) -> u64 {
        let nanoseconds = self.time(self.passes).as_nanos() as u64;
        nanoseconds * 1000 / (u64::from(self.passes) * self.candidate.bodies.len() as u64)
    }

    fn time(&mut self, passes: u32) -> Duration {
        let start = Instant::now();
        for _ in 0..passes {
            for body in &self.candidate.bodies {
                black_box((self.candidate.work)(black_box(body)));
            }
        }
        start.elapsed()
    }

    fn figure(&mut self, verdicts: (u64, u64)) -> Figure {
        let bodies = self.candidate.bodies.len() as u64;
        let bytes: usize = self.candidate.bodies.iter().map(|body| body.len()).sum();
        let allocations = allocations::during(|| {
            self.time(1);
        });
        Figure {
            name: self.candidate.name.clone(),
            rounds: Vec::new(),
            allocations: (allocations, bodies),
            verdicts,
            bytes: bytes as u64 * 1000 / bodies.max(1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidate(expected: Expected, work: Work<'_>) -> Candidate<'_> {
        Candidate {
            name: "it".to_owned(),
            bodies: vec![b"{}", b"[]"],
            expected,
            work,
        }
    }

    #[test]
    fn runs_every_candidate_in_every_round() {
        let right = candidate(Expected::All { accepts: true }, Box::new(|_| true));
        let wrong = candidate(
            Expected::All { accepts: true },
            Box::new(|body| body == b"{}"),
        );
        let figures = measure(SHORT, vec![right, wrong]);
        assert!(
            figures
                .iter()
                .all(|figure| figure.rounds.len() == SHORT.rounds && figure.allocations.1 == 2)
        );
        assert_eq!((figures[0].verdicts, figures[1].verdicts), ((2, 0), (1, 1)));
    }

    #[test]
    fn counts_wrong_verdicts() {
        let mut candidate = candidate(Expected::Corpus, Box::new(|_| true));
        assert_eq!(verdicts(&mut candidate), (8, 7));
    }
}
