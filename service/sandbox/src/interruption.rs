//! The end of the commands that serve until they are interrupted.

use tokio::signal::unix::{SignalKind, signal};

use crate::failure::Failure;

/// Waits for Ctrl-C or SIGTERM.
pub(crate) async fn interrupted() -> Result<(), Failure> {
    let failed = |error: std::io::Error| Failure::new(format!("signals: {error}"));
    let mut terminate = signal(SignalKind::terminate()).map_err(failed)?;
    tokio::select! {
        pressed = tokio::signal::ctrl_c() => pressed.map_err(failed)?,
        _ = terminate.recv() => {}
    }
    Ok(())
}
