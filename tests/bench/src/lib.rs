//! Measures payspec and other libraries in Rust and through the C API. `cargo xtask bench` runs the program and prints a
//! table of its results.

pub mod baseline;
pub mod c;
pub mod candidates;
pub mod corpus;
pub mod growth;
pub mod harness;
pub mod rules;
pub mod schema;
pub mod worst_case;
