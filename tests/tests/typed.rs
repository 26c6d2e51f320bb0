//! The typed Rust API: it rejects what the JSON form rejects, and all its forms of output are
//! equal.

#[path = "typed/answers.rs"]
mod answers;
#[path = "typed/contexts.rs"]
mod contexts;
#[path = "typed/created_payments.rs"]
mod created_payments;
#[path = "typed/migration.rs"]
mod migration;
#[path = "typed/policy.rs"]
mod policy;
#[path = "typed/requests.rs"]
mod requests;
#[path = "typed/serde.rs"]
mod serde;

use payspec_tests::call;
use payspec_tests::vector::{self, Vector};

/// Returns the vectors of an operation whose policy is valid, with their engines.
fn vectors(operation: &str) -> Vec<(Vector, payspec::Engine)> {
    let files = vector::load()
        .unwrap()
        .into_iter()
        .filter(|file| file.operation == operation);
    let vectors: Vec<_> = files
        .flat_map(|file| file.vectors)
        .filter_map(|vector| {
            call::engine(vector.policy.as_deref())
                .ok()
                .map(|engine| (vector, engine))
        })
        .collect();
    assert!(!vectors.is_empty(), "{operation} has no vectors");
    vectors
}
