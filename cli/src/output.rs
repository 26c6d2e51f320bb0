//! Standard output: colors, the width of the terminal, and buffered bytes.

use std::io::{self, IsTerminal, StdoutLock, Write};

use anstream::{AutoStream, ColorChoice};
use clap::ValueEnum;

use crate::json_text;

/// When to use colors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// In a terminal, unless NO_COLOR is set
    #[default]
    Auto,
    Always,
    Never,
}

/// The width of an output that is not a terminal.
const WIDTH: usize = 100;

/// Sets the choice for all output of the program.
pub(crate) fn set_color(color: Color) {
    match color {
        Color::Auto => ColorChoice::Auto,
        Color::Always => ColorChoice::Always,
        Color::Never => ColorChoice::Never,
    }
    .write_global();
}

/// Returns whether standard output shows colors.
pub(crate) fn is_colored() -> bool {
    match AutoStream::choice(&io::stdout()) {
        ColorChoice::Always | ColorChoice::AlwaysAnsi => true,
        ColorChoice::Auto | ColorChoice::Never => false,
    }
}

/// Returns the number of columns: that of COLUMNS or of the terminal.
pub(crate) fn width() -> usize {
    let variable = std::env::var("COLUMNS")
        .ok()
        .and_then(|text| text.parse().ok());
    let terminal = || terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
    variable
        .or_else(|| io::stdout().is_terminal().then(terminal).flatten())
        .unwrap_or(WIDTH)
        .max(20)
}

/// Returns JSON for people: over several lines, in colors if standard output shows them.
pub(crate) fn pretty_json(json: &[u8]) -> Vec<u8> {
    let mut text = Vec::new();
    match is_colored() {
        true => json_text::expand_colored(json, &mut text),
        false => json_text::expand(json, &mut text),
    }
    text
}

/// Standard output without the line buffer of the standard library.
pub(crate) struct Output(io::BufWriter<StdoutLock<'static>>);

impl Output {
    pub(crate) fn new() -> Self {
        Output(io::BufWriter::with_capacity(64 * 1024, io::stdout().lock()))
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}
