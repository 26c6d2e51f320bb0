//! The exit statuses, and the error that ends a command.

use std::fmt;
use std::io::{self, ErrorKind};
use std::path::Path;
use std::process::ExitCode;

use anstream::eprintln;
use anstyle::{AnsiColor, Style};
use payspec::operations::Verdict;

/// The style of the word `error`.
const ERROR: Style = AnsiColor::Red.on_default().bold();

/// The exit status of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Status {
    /// Every body is valid, or the operation accepts its inputs.
    Accepted,
    /// A body is not valid, or the operation rejects its inputs.
    Rejected,
    /// The command line, an input, or an output is at fault.
    Failed,
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> Self {
        ExitCode::from(match status {
            Status::Accepted => 0,
            Status::Rejected => 1,
            Status::Failed => 2,
        })
    }
}

impl From<Verdict> for Status {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Accepted => Status::Accepted,
            Verdict::Rejected => Status::Rejected,
        }
    }
}

/// The reason why a command has ended early. It contains no value of a body.
#[derive(Debug)]
pub(crate) enum Failure {
    /// A message of one line.
    Message(String),
    /// The program that read the output has closed it.
    ClosedPipe,
}

impl Failure {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Failure::Message(message.into())
    }

    /// Returns the failure to read an input.
    pub(crate) fn reading(name: &str, error: &io::Error) -> Self {
        Failure::new(format!("cannot read {name}: {}", reason(error)))
    }

    /// Returns the failure to write a file.
    pub(crate) fn writing(path: &Path, error: &io::Error) -> Self {
        Failure::new(format!(
            "cannot write {}: {}",
            path.display(),
            reason(error)
        ))
    }

    /// Prints the message to standard error.
    pub(crate) fn print(&self) {
        if let Failure::Message(message) = self {
            eprintln!("{ERROR}error{ERROR:#}: {message}");
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Failure::Message(message) => message,
            Failure::ClosedPipe => "the output is closed",
        })
    }
}

/// Failures of standard output.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            ErrorKind::BrokenPipe => Failure::ClosedPipe,
            _ => Failure::new(format!("cannot write the output: {}", reason(&error))),
        }
    }
}

/// Returns the text of an error of the system without its number, in lower case.
pub(crate) fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    let text = text.split(" (os error").next().unwrap_or(&text);
    let mut characters = text.chars();
    characters
        .next()
        .map(|first| first.to_lowercase().chain(characters).collect())
        .unwrap_or_default()
}
