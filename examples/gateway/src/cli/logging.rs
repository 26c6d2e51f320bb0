//! Logs: text for people, JSON for machines, both to the error stream.

use std::io::IsTerminal;

use tracing_subscriber::EnvFilter;

use super::failure::Failure;
use super::settings::Settings;

/// Starts logging.
pub(super) fn start(settings: &Settings) -> Result<(), Failure> {
    let filter = settings.log.as_deref().unwrap_or("info");
    let filter = EnvFilter::try_new(filter).map_err(|error| Failure::new(format!("log: {error}")))?;
    let terminal = std::io::stderr().is_terminal();
    let logs = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).with_ansi(terminal);
    match settings.log_format.as_deref().unwrap_or("text") {
        "text" => logs.init(),
        "json" => logs.json().flatten_event(true).init(),
        _ => return Err(Failure::new("log-format: text or json")),
    }
    Ok(())
}
