//! What the figures in Rust and from C are made of: the bodies, the contenders and the clock. `cargo xtask bench` runs
//! them and makes a table of what they print.

pub mod c;
pub mod contenders;
pub mod corpus;
pub mod floor;
pub mod growth;
pub mod harness;
pub mod rules;
pub mod schema;
pub mod worst;
