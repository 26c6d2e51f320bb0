//! Commands that run something for a person to look at.

pub(crate) mod demo;
pub(crate) mod load;
pub(crate) mod serve;
