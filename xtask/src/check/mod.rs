//! Commands that check the sources and the libraries.

mod advisories;
pub(crate) mod api;
pub(crate) mod bulk;
pub(crate) mod clients;
pub(crate) mod coverage;
pub(crate) mod deny;
mod features;
pub(crate) mod fuzz;
pub(crate) mod model;
pub(crate) mod msrv;
pub(crate) mod mutants;
pub(crate) mod trials;
pub(crate) mod workflows;
