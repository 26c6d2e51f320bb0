//! Fuzz targets, one file each. A target takes any bytes and panics if the library violates a
//! documented property. `tests/fuzz/libfuzzer` runs it on the fuzzer's bytes, `tests/replay.rs` on
//! the kept corpus and mutations of it.

mod amount;
mod batch;
mod bytes;
mod c;
mod card_data;
pub mod corpus;
mod legacy;
mod locate;
mod names;
mod operations;
mod reader;
mod redact;
mod redact_text;
mod webhooks;

/// A fuzz target.
#[derive(Debug)]
pub struct Target {
    /// Names the binary and the file of the corpus too.
    pub name: &'static str,
    /// The property that it checks, in a few words.
    pub about: &'static str,
    /// Runs one input.
    pub run: fn(&[u8]),
    /// Returns the initial inputs, from the vectors and the examples.
    pub seeds: fn() -> Vec<Vec<u8>>,
    /// The maximum length of an input.
    pub longest: usize,
}

/// Every target.
pub static TARGETS: [Target; 11] = [
    Target {
        name: "operations",
        about: "every operation on bytes: no panic, one bounded and repeatable answer without secrets",
        run: operations::run,
        seeds: operations::seeds,
        longest: 4096,
    },
    Target {
        name: "reader",
        about: "the reader accepts the same JSON as serde_json and reads the same strings",
        run: reader::run,
        seeds: reader::seeds,
        longest: 2048,
    },
    Target {
        name: "amount",
        about: "amounts are parsed, printed, added, and converted like big fractions",
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
        about: "a payment, request, or balance migrated to the legacy API and back is unchanged",
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
    Target {
        name: "webhooks",
        about: "a signed webhook is verified and no other one; keys are the same quoted and plain",
        run: webhooks::run,
        seeds: webhooks::seeds,
        longest: 1024,
    },
    Target {
        name: "redact_text",
        about: "no planted card number survives the redaction of a text, and a second redaction changes nothing",
        run: redact_text::run,
        seeds: redact_text::seeds,
        longest: 512,
    },
    Target {
        name: "card_data",
        about: "texts of names, wrappers, escapes, and digits: no card number is left, nothing else changes",
        run: card_data::run,
        seeds: card_data::seeds,
        longest: 64,
    },
    Target {
        name: "locate",
        about: "every value is located where serde_json reads the same value",
        run: locate::run,
        seeds: locate::seeds,
        longest: 1024,
    },
    Target {
        name: "batch",
        about: "a batch in Rust and in C has the verdicts and the answers of single calls",
        run: batch::run,
        seeds: batch::seeds,
        longest: 2048,
    },
];

/// Returns the target of that name.
pub fn target(name: &str) -> Option<&'static Target> {
    TARGETS.iter().find(|target| target.name == name)
}

/// Runs one input on the target of that name.
///
/// # Panics
/// Panics if the property is violated or the name is unknown.
pub fn run(name: &str, bytes: &[u8]) {
    (target(name).expect("a target").run)(bytes);
}
