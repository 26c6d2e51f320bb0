//! The operations: one export for each line of the core's table.

mod access;
mod legacy;
mod payments;
mod requests;
mod tables;
