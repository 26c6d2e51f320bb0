//! The sandbox and the engine that the tools work on.

use std::sync::Arc;

use payspec::Engine;
use payspec_sandbox::sandbox::Local;

/// The sandbox and the engine of a server.
#[derive(Clone)]
pub(super) struct Workbench {
    pub(super) sandbox: Arc<Local>,
    pub(super) engine: Engine,
}
