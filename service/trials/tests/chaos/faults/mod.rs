//! The faults, in one table.

use std::pin::Pin;

use crate::checks::Outcome;
use crate::seed::Seed;
use crate::world::Kind::{self, Postgres, Sqlite};

mod clock;
mod database;
mod descriptors;
mod disk;
mod hostile;
mod log;
mod receivers;
mod signals;
mod silent;
mod slow;

/// How much of a fault.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Scale {
    /// Connections that send nothing, and the seconds after which the gateway closes them.
    pub(crate) silent: (usize, u64),
    /// Connections of each kind that are slow.
    pub(crate) slow: usize,
    /// How often it is repeated.
    pub(crate) rounds: usize,
}

impl Scale {
    pub(crate) const SHORT: Self = Self {
        silent: (2_000, 3),
        slow: 40,
        rounds: 1,
    };
    pub(crate) const LONG: Self = Self {
        silent: (10_000, 30),
        slow: 100,
        rounds: 2,
    };
}

type Run = fn(Kind, Scale, &mut Seed) -> Pin<Box<dyn Future<Output = Outcome> + Send + '_>>;

pub(crate) struct Fault {
    pub(crate) name: &'static str,
    /// The databases under which it makes a difference.
    pub(crate) kinds: &'static [Kind],
    pub(crate) run: Run,
}

const BOTH: &[Kind] = &[Sqlite, Postgres];

macro_rules! faults {
    ($($name:literal $kinds:expr => $run:path,)*) => {
        &[$(Fault { name: $name, kinds: $kinds, run: |kind, scale, seed| Box::pin($run(kind, scale, seed)) }),*]
    };
}

pub(crate) const FAULTS: &[Fault] = faults! {
    "full disk" BOTH => disk::full,
    "closed log" &[Sqlite] => log::closed,
    "full log" &[Sqlite] => log::full,
    "log not read" &[Sqlite] => log::not_read,
    "more connections than descriptors" &[Sqlite] => descriptors::crowd,
    "no descriptors" &[Sqlite] => descriptors::none,
    "silent connections" &[Sqlite] => silent::run,
    "slow readers and writers" &[Sqlite] => slow::run,
    "SIGTERM" BOTH => signals::terminate,
    "SIGKILL" BOTH => signals::kill,
    "clock steps" &[Sqlite] => clock::steps,
    "hanging and lying receivers" &[Sqlite] => receivers::run,
    "database restart" &[Postgres] => database::restart,
};

pub(crate) fn named(name: &str) -> &'static Fault {
    FAULTS
        .iter()
        .find(|fault| fault.name == name)
        .unwrap_or_else(|| panic!("no fault is named {name}"))
}
