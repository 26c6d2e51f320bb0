//! Commands that build what is installed or published.

pub(crate) mod cli;
pub(crate) mod cross;
pub(crate) mod header;
pub(crate) mod install;
pub(crate) mod npm;
