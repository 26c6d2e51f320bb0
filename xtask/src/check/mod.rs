//! Commands that check the sources and the libraries.

pub(crate) mod api;
pub(crate) mod bulk;
pub(crate) mod chaos;
pub(crate) mod clients;
pub(crate) mod coverage;
pub(crate) mod deny;
pub(crate) mod failover;
mod features;
pub(crate) mod fuzz;
pub(crate) mod model;
pub(crate) mod msrv;
pub(crate) mod mutants;
mod pins;
