//! Compares the TypeScript types of the npm package with the core's tables: every union and every
//! member, in order.
//!
//! The types are read as text. `wasm/tests/types.test.mjs` checks that they compile, and that every
//! answer has the type of its operation.

#[path = "npm_types/listed_values.rs"]
mod listed_values;
#[path = "npm_types/members.rs"]
mod members;
#[path = "npm_types/operations.rs"]
mod operations;
#[path = "npm_types/policy.rs"]
mod policy;
#[path = "npm_types/read.rs"]
mod read;

use payspec::Engine;
use payspec_tests::call;
use payspec_tests::json::Json;

/// Returns the answer of an operation without inputs.
fn table(operation: &str) -> Json {
    Json::parse(&call::answer(&Engine::default(), operation, &[]).text).expect("JSON")
}

/// Returns the names of an object's members, in order.
fn names(object: &Json) -> Vec<&str> {
    object
        .members()
        .iter()
        .map(|(name, _)| name.as_str())
        .collect()
}
