//! The operations: one export for each line of the core's table, each the same three lines.

// The order is that of the header; the blank lines keep rustfmt from sorting.
pub mod requests;

pub mod payments;

pub mod access;

pub mod webhooks;

pub mod legacy;

pub mod tables;
