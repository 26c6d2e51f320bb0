//! For any input: no panic, one JSON object as the output, the same bytes on repetition, and no
//! secret of the body. All operations find the same card numbers in a text.

#[path = "properties/advance.rs"]
mod advance;
#[path = "properties/agreement.rs"]
mod agreement;
#[path = "properties/escapes.rs"]
mod escapes;
#[path = "properties/mutation.rs"]
mod mutation;
#[path = "properties/secrets.rs"]
mod secrets;
#[path = "properties/shape.rs"]
mod shape;

use proptest::test_runner::{Config, RngSeed};

/// Returns a configuration with the same cases in every run, so that results are reproducible.
fn config(cases: u32) -> Config {
    Config {
        cases,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(20_261_120),
        ..Config::default()
    }
}
