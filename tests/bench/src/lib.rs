//! Measures payspec and other libraries in Rust and through the C API, and the program `payspec`.
//! `cargo xtask bench` runs it and prints a table of the results.

pub mod baseline;
pub mod c;
pub mod candidates;
pub mod cli;
pub mod corpus;
pub mod growth;
pub mod harness;
pub mod rules;
pub mod schema;
pub mod worst_case;
pub mod worst_inputs;
