//! Redacts the lines of a block.

use payspec::Engine;

use super::counts::Counts;
use crate::input::{Block, lines_inclusive};

/// How lines are redacted.
pub(super) struct Lines<'e> {
    pub(super) engine: &'e Engine,
    pub(super) is_text: bool,
    pub(super) is_lossy: bool,
    pub(super) has_counts: bool,
}

/// The redacted lines of a block.
#[derive(Default)]
pub(super) struct Written {
    pub(super) text: Vec<u8>,
    pub(super) counts: Counts,
    /// The number of a line that is not UTF-8. No line after it is written.
    pub(super) invalid_line: Option<u64>,
}

impl Lines<'_> {
    pub(super) fn redact(&self, block: &Block, written: &mut Written) {
        written.text.clear();
        written.counts = Counts::default();
        written.invalid_line = None;
        let is_valid = str::from_utf8(block.bytes()).is_ok();
        for (number, line) in (block.first_line..).zip(lines_inclusive(block.bytes())) {
            let start = written.text.len();
            if !is_valid && !self.is_lossy && str::from_utf8(line).is_err() {
                written.invalid_line = Some(number);
                return;
            }
            self.line(line, &mut written.text);
            if self.has_counts {
                written.counts.add_difference(line, &written.text[start..]);
            }
        }
    }

    fn line(&self, line: &[u8], out: &mut Vec<u8>) {
        let start = out.len();
        if !self.is_text && line.trim_ascii_start().starts_with(b"{") {
            if self.engine.redact_into(line, out).is_ok() {
                return;
            }
            out.truncate(start);
        }
        self.engine.redact_text_into(&String::from_utf8_lossy(line), out);
    }
}
