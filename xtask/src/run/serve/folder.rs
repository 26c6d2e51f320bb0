//! The folder of the service.

use crate::support::process::target;
use std::path::PathBuf;

/// Returns the folder of database, page, and log.
pub(super) fn folder() -> PathBuf {
    target().join("gateway")
}
