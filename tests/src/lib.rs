//! Shared code of the conformance tests: vectors, matcher, seeds.

pub mod allocations;
pub mod batch;
pub mod c;
pub mod call;
pub mod debug;
pub mod escapes;
pub mod flat;
pub mod leak;
pub mod matcher;
pub mod near_json;
pub mod pieces;
pub mod planted_secrets;
pub mod rational;
pub mod reader;
pub mod seeds;
pub mod tree;
pub mod vector;
pub mod worst_case;

pub use payspec_support::{abi, cargo, json, markdown, root, test_names};
