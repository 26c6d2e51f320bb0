//! Text for people: titles, paragraphs, and terms, wrapped to the width of the terminal.

use anstyle::{AnsiColor, Style};

use crate::output::{is_colored, width};

/// Longer lines are harder to read.
const WIDEST: usize = 100;
/// The width of the column of terms.
const TERM: usize = 12;

/// A page of text.
pub(crate) struct Page {
    out: Vec<u8>,
    title: Style,
    term: Style,
    width: usize,
}

impl Page {
    pub(crate) fn new() -> Self {
        let (title, term) = match is_colored() {
            true => (AnsiColor::Green.on_default().bold(), Style::new().bold()),
            false => (Style::new(), Style::new()),
        };
        Page {
            out: Vec::new(),
            title,
            term,
            width: width().min(WIDEST),
        }
    }

    pub(crate) fn bytes(self) -> Vec<u8> {
        self.out
    }

    /// Appends a line in the style of titles.
    pub(crate) fn title(&mut self, text: &str) {
        let title = self.title;
        self.line(&format!("{title}{text}{title:#}"));
    }

    pub(crate) fn line(&mut self, text: &str) {
        self.out.extend_from_slice(text.as_bytes());
        self.out.push(b'\n');
    }

    /// Appends a paragraph, wrapped.
    pub(crate) fn paragraph(&mut self, text: &str) {
        for line in wrap(text, self.width) {
            self.line(&line);
        }
    }

    /// Appends a term and its text, wrapped beside it.
    pub(crate) fn term(&mut self, term: &str, text: &str) {
        self.columns(term, TERM, text);
    }

    /// Appends two columns, the first of which has the given width.
    pub(crate) fn columns(&mut self, first: &str, first_width: usize, text: &str) {
        let style = self.term;
        // In a narrow terminal the text is below its term.
        if self.width < first_width + 24 {
            self.line(&format!("{style}{first}{style:#}"));
            for line in wrap(text, self.width.saturating_sub(2)) {
                self.line(&format!("  {line}"));
            }
            return;
        }
        let mut term = first;
        for line in wrap(text, self.width - first_width) {
            let space = first_width.saturating_sub(term.chars().count());
            self.line(&format!("{style}{term}{style:#}{:space$}{line}", ""));
            term = "";
        }
    }

    /// Appends text that is formatted already, indented by two spaces.
    pub(crate) fn block(&mut self, text: &[u8]) {
        for line in String::from_utf8_lossy(text).trim_end().lines() {
            let indent = if line.is_empty() { "" } else { "  " };
            self.line(&format!("{indent}{line}"));
        }
    }
}

/// Splits a text into lines at spaces.
fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let line = lines.last().map_or("", String::as_str);
        if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > width {
            lines.push(String::new());
        }
        if let Some(line) = lines.last_mut() {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
    }
    lines
}
