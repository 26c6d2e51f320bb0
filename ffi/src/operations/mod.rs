//! The operations: one exported function for each entry of the core's table, all with the same
//! three-line body.

// The order is that of the header; the blank lines keep rustfmt from sorting.
pub mod requests;

pub mod payments;

pub mod access;

pub mod webhooks;

pub mod legacy;

pub mod tables;
