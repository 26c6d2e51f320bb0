//! The end of the commands that serve until they are interrupted.

use payspec_gateway::system;

use crate::failure::Failure;

/// Returns a future that ends at Ctrl-C, or when a supervisor ends the process. It is called before
/// the message that the process is ready.
pub(crate) fn interrupted() -> Result<impl Future<Output = ()>, Failure> {
    system::interrupted().map_err(|error| Failure::new(format!("signals: {error}")))
}
