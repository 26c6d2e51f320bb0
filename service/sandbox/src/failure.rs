//! The error that ends a command.

use std::io;
use std::path::Path;

use anstream::eprintln;
use anstyle::{AnsiColor, Style};

/// The style of the word `error`.
const ERROR: Style = AnsiColor::Red.on_default().bold();

/// The reason why a command has ended early. It contains no value of a body.
#[derive(Debug)]
pub enum Failure {
    /// A message of one line.
    Message(String),
    /// Standard output cannot be written.
    Output(io::Error),
}

impl Failure {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Failure::Message(message.into())
    }

    /// Returns the failure to start threads, or to protect the memory.
    pub(crate) fn starting(error: &io::Error) -> Self {
        Failure::new(format!("cannot start: {error}"))
    }

    /// Returns the failure to read an input.
    pub(crate) fn reading(name: &str, error: &io::Error) -> Self {
        Failure::new(format!("cannot read {name}: {}", reason(error)))
    }

    /// Returns the failure to write a file.
    pub(crate) fn writing(path: &Path, error: &io::Error) -> Self {
        let path = path.display();
        Failure::new(format!("cannot write {path}: {}", reason(error)))
    }

    /// Prints the message to standard error.
    pub(crate) fn print(&self) {
        if let Failure::Message(message) = self {
            eprintln!("{ERROR}error{ERROR:#}: {message}");
        }
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Failure::Output(error)
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
