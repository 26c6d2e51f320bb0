//! What the fuzzer looks for, one file for each target. A target takes any bytes and panics where the library breaks its
//! word; `tests/fuzz/libfuzzer` hands it the fuzzer's bytes, `tests/replay.rs` the corpus and some changes of it.

mod amount;
mod bytes;
mod c;
mod legacy;
mod operations;
mod reader;
mod redact;

/// One target.
#[derive(Debug)]
pub struct Target {
    /// Its name: that of its binary and of its folder in the corpus.
    pub name: &'static str,
    /// What must hold, in a few words.
    pub about: &'static str,
    /// Tries one input.
    pub run: fn(&[u8]),
    /// Inputs to begin with, from the vectors and the examples.
    pub seeds: fn() -> Vec<Vec<u8>>,
    /// The longest input that is worth its time.
    pub longest: usize,
}

/// Every target.
pub static TARGETS: [Target; 6] = [
    Target {
        name: "operations",
        about: "every operation by bytes: no panic, one bounded answer, the same each time, no secret in it",
        run: operations::run,
        seeds: operations::seeds,
        longest: 4096,
    },
    Target {
        name: "reader",
        about: "the reader takes for JSON what serde_json does, and reads the same texts from it",
        run: reader::run,
        seeds: reader::seeds,
        longest: 2048,
    },
    Target {
        name: "amount",
        about: "amounts are read, printed, added and converted as big fractions are",
        run: amount::run,
        seeds: amount::seeds,
        longest: 160,
    },
    Target {
        name: "c",
        about: "C calls in any order that the header allows, with the core's answers",
        run: c::run,
        seeds: c::seeds,
        longest: 4096,
    },
    Target {
        name: "legacy",
        about: "a payment comes back from the earlier interface as it was",
        run: legacy::run,
        seeds: legacy::seeds,
        longest: 2048,
    },
    Target {
        name: "redact",
        about: "no planted secret survives redaction, and nothing else changes",
        run: redact::run,
        seeds: redact::seeds,
        longest: 2048,
    },
];

/// The target of that name.
pub fn target(name: &str) -> Option<&'static Target> {
    TARGETS.iter().find(|target| target.name == name)
}

/// Tries one input with the target of that name.
///
/// # Panics
/// Where the library breaks its word, or there is no such target.
pub fn run(name: &str, bytes: &[u8]) {
    (target(name).expect("a target").run)(bytes);
}
