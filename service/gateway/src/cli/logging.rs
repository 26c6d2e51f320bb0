//! Logs: text for people, JSON for machines, both to the error stream.
//!
//! A log that cannot be written must not affect an answer. A thread of its own writes the lines. While
//! it waits for a slow reader, lines beyond a bound are dropped. A failed write is not reported,
//! because there is no other place to report it.

use std::fmt;
use std::io::IsTerminal;

use tracing::span::Record;
use tracing_appender::non_blocking::{NonBlocking, NonBlockingBuilder, WorkerGuard};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::field::RecordFields;
use tracing_subscriber::fmt::FormattedFields;
use tracing_subscriber::fmt::format::{FormatFields, JsonFields, Writer};

use super::failure::Failure;
use super::settings::Settings;

/// The default filter. sqlx repeats notices of the server.
const FILTER: &str = "info,sqlx=warn";
/// The most lines that wait for the thread.
const WAITING: usize = 16 * 1024;

/// Starts logging. Waiting lines are written when the guard is dropped, if the stream takes them.
pub(super) fn start(settings: &Settings) -> Result<WorkerGuard, Failure> {
    let filter = settings.log.as_deref().unwrap_or(FILTER);
    let filter =
        EnvFilter::try_new(filter).map_err(|_| Failure::new("log: not a filter of tracing"))?;
    let terminal = std::io::stderr().is_terminal();
    let (writer, guard) = writer();
    let logs = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(writer)
        .with_ansi(terminal)
        // It would write to the same stream, and panic if that fails.
        .log_internal_errors(false);
    match settings.log_format.as_deref().unwrap_or("text") {
        "text" => logs.init(),
        "json" => logs
            .json()
            .flatten_event(true)
            .with_span_list(false)
            .fmt_fields(Fields::default())
            .init(),
        _ => return Err(Failure::new("log-format: text or json")),
    }
    // The usual hook writes to the error stream itself, and waits for its reader. A message may
    // contain values of a client.
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string);
        tracing::error!(place, "a panic");
    }));
    Ok(guard)
}

/// The fields of a span as a JSON object. [`JsonFields`] would parse and write all of them again to
/// add one, for each request.
#[derive(Default)]
struct Fields(JsonFields);

impl<'w> FormatFields<'w> for Fields {
    fn format_fields<R: RecordFields>(&self, writer: Writer<'w>, fields: R) -> fmt::Result {
        self.0.format_fields(writer, fields)
    }

    fn add_fields(
        &self,
        current: &'w mut FormattedFields<Self>,
        fields: &Record<'_>,
    ) -> fmt::Result {
        let mut added = String::new();
        self.0.format_fields(Writer::new(&mut added), fields)?;
        // A field is recorded once, so the objects have no name in common.
        match (current.fields.strip_suffix('}'), added.strip_prefix('{')) {
            (Some(start), Some(end)) if start != "{" && end != "}" => {
                current.fields = format!("{start},{end}")
            }
            (_, Some(end)) if end != "}" => current.fields = added,
            _ => {}
        }
        Ok(())
    }
}

fn writer() -> (NonBlocking, WorkerGuard) {
    NonBlockingBuilder::default()
        .buffered_lines_limit(WAITING)
        .lossy(true)
        .thread_name("log")
        .finish(std::io::stderr())
}
