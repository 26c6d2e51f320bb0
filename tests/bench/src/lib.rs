//! What the figures are made of: the bodies, the contenders, the clock and the table. `cargo bench` prints them.

pub mod allocations;
pub mod contenders;
pub mod corpus;
pub mod floor;
pub mod harness;
pub mod schema;
pub mod table;
