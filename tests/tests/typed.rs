//! The typed Rust API: it refuses what the JSON form refuses, and says the same in every way of saying it.

#[path = "typed/answers.rs"]
mod answers;
#[path = "typed/carried.rs"]
mod carried;
#[path = "typed/contexts.rs"]
mod contexts;
#[path = "typed/own_payments.rs"]
mod own_payments;
#[path = "typed/policy.rs"]
mod policy;
#[path = "typed/requests.rs"]
mod requests;
#[path = "typed/serde.rs"]
mod serde;

use payspec_tests::call;
use payspec_tests::vector::{self, Vector};

/// The vectors of an operation whose policy is sound, with their engines.
fn vectors(operation: &str) -> Vec<(Vector, payspec::Engine)> {
    let files = vector::load().unwrap().into_iter().filter(|file| file.operation == operation);
    let vectors: Vec<_> = files
        .flat_map(|file| file.vectors)
        .filter_map(|vector| call::engine(vector.policy.as_deref()).ok().map(|engine| (vector, engine)))
        .collect();
    assert!(!vectors.is_empty(), "{operation} has no vectors");
    vectors
}
