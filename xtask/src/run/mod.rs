//! Commands that run a service or show results.

pub(crate) mod load;
pub(crate) mod sandbox;
pub(crate) mod serve;
