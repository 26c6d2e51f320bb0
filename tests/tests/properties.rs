//! Whatever comes in: no panic, one JSON object out, the same bytes twice, and no secret of the body anywhere.

#[path = "properties/advance.rs"]
mod advance;
#[path = "properties/mutation.rs"]
mod mutation;
#[path = "properties/secrets.rs"]
mod secrets;
#[path = "properties/shape.rs"]
mod shape;

use proptest::test_runner::{Config, RngSeed};

/// The same cases in every run, so that a commit passes or fails and does not do both.
fn config(cases: u32) -> Config {
    Config { cases, failure_persistence: None, rng_seed: RngSeed::Fixed(20_261_120), ..Config::default() }
}
