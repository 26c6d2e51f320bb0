//! The clock. Every contender runs in every round, so that what slows the machine slows all of them alike.

use crate::corpus;
use payspec_tests::allocations;
use serde::Serialize;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// How long, and how often.
#[derive(Clone, Copy)]
pub struct Clock {
    /// Rounds that are measured; an odd number, so that a median is one of them.
    rounds: usize,
    /// How long one contender runs in one round.
    slice: Duration,
}

impl Clock {
    /// For bodies whose every call takes as long as many calls on a small one.
    pub fn with_fewer_rounds(self) -> Clock {
        Clock { rounds: self.rounds.min(61), ..self }
    }
}

/// For figures.
pub const LONG: Clock = Clock { rounds: 301, slice: Duration::from_micros(1500) };
/// To see that all of them run.
pub const SHORT: Clock = Clock { rounds: 3, slice: Duration::from_micros(50) };

/// The work on one body: whether it is accepted.
pub type Work<'a> = Box<dyn FnMut(&[u8]) -> bool + 'a>;

/// What a contender must say of bodies, before its time counts.
#[derive(Clone, Copy, PartialEq)]
pub enum Judges {
    /// It tells the valid bodies of the corpus from the invalid ones.
    Corpus,
    /// It accepts those that it is given, or refuses them; it knows no rules.
    Own {
        /// Which of the two.
        accepts: bool,
    },
}

/// Something that works on bodies.
pub struct Contender<'a> {
    /// The name in the table.
    pub name: String,
    /// What it works on.
    pub bodies: Vec<&'a [u8]>,
    /// What it must say.
    pub judges: Judges,
    /// What it does.
    pub work: Work<'a>,
}

/// What was measured of one contender, as it is printed. Integers throughout.
#[derive(Serialize)]
pub struct Figure {
    /// The contender's name.
    pub name: String,
    /// Picoseconds for a body, one entry for each round.
    pub rounds: Vec<u64>,
    /// Allocations for all bodies together, and the number of bodies.
    pub allocations: (u64, u64),
    /// How many bodies it judged rightly, and how many wrongly.
    pub verdicts: (u64, u64),
}

/// Runs them all, round by round; each round starts with another one.
pub fn measure(clock: Clock, contenders: Vec<Contender<'_>>) -> Vec<Figure> {
    let mut figures: Vec<Figure> = Vec::with_capacity(contenders.len());
    let mut running: Vec<Round<'_>> = Vec::with_capacity(contenders.len());
    for mut contender in contenders {
        let verdicts = verdicts(&mut contender);
        let mut round = Round::new(clock, contender);
        figures.push(round.figure(verdicts));
        running.push(round);
    }
    let number = running.len();
    for round in 0..clock.rounds {
        for turn in 0..number {
            let index = (round + turn) % number;
            figures[index].rounds.push(running[index].take());
        }
    }
    figures
}

/// How many bodies it judges rightly, and how many wrongly: one that says yes to everything would be fast.
pub fn verdicts(contender: &mut Contender<'_>) -> (u64, u64) {
    let bodies: Vec<(&[u8], bool)> = match contender.judges {
        Judges::Corpus => {
            let of = |bodies, valid| corpus::bytes(bodies).into_iter().map(move |body| (body, valid));
            of(corpus::VALID, true).chain(of(corpus::INVALID, false)).collect()
        }
        Judges::Own { accepts } => contender.bodies.iter().map(|body| (*body, accepts)).collect(),
    };
    let right = bodies.iter().filter(|(body, valid)| (contender.work)(body) == *valid).count();
    (right as u64, (bodies.len() - right) as u64)
}

/// A contender and how many passes over its bodies fill a slice.
pub struct Round<'a> {
    contender: Contender<'a>,
    passes: u32,
}

impl<'a> Round<'a> {
    /// Finds out; the passes made for it also warm caches and buffers.
    pub fn new(clock: Clock, contender: Contender<'a>) -> Self {
        let mut round = Round { contender, passes: 1 };
        while round.time(round.passes) < clock.slice {
            round.passes *= 2;
        }
        round
    }

    /// Picoseconds for a body, in one slice.
    pub fn take(&mut self) -> u64 {
        let nanoseconds = self.time(self.passes).as_nanos() as u64;
        nanoseconds * 1000 / (u64::from(self.passes) * self.contender.bodies.len() as u64)
    }

    fn time(&mut self, passes: u32) -> Duration {
        let start = Instant::now();
        for _ in 0..passes {
            for body in &self.contender.bodies {
                black_box((self.contender.work)(black_box(body)));
            }
        }
        start.elapsed()
    }

    fn figure(&mut self, verdicts: (u64, u64)) -> Figure {
        let bodies = self.contender.bodies.len() as u64;
        let allocations = allocations::during(|| {
            self.time(1);
        });
        Figure { name: self.contender.name.clone(), rounds: Vec::new(), allocations: (allocations, bodies), verdicts }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contender(judges: Judges, work: Work<'_>) -> Contender<'_> {
        Contender { name: "it".to_owned(), bodies: vec![b"{}", b"[]"], judges, work }
    }

    #[test]
    fn every_contender_runs_in_every_round() {
        let yes = contender(Judges::Own { accepts: true }, Box::new(|_| true));
        let no = contender(Judges::Own { accepts: true }, Box::new(|body| body == b"{}"));
        let figures = measure(SHORT, vec![yes, no]);
        assert!(figures.iter().all(|figure| figure.rounds.len() == SHORT.rounds && figure.allocations.1 == 2));
        assert_eq!((figures[0].verdicts, figures[1].verdicts), ((2, 0), (1, 1)));
    }

    #[test]
    fn who_says_yes_to_everything_is_found_out() {
        let mut contender = contender(Judges::Corpus, Box::new(|_| true));
        assert_eq!(verdicts(&mut contender), (8, 7));
    }
}
