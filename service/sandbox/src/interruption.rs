//! The end of the commands that serve until they are interrupted.

use payspec_gateway::system;

use crate::failure::Failure;

/// Waits for Ctrl-C, or until a supervisor ends the process.
pub(crate) async fn interrupted() -> Result<(), Failure> {
    let interrupted = system::interrupted().await;
    interrupted.map_err(|error| Failure::new(format!("signals: {error}")))
}
