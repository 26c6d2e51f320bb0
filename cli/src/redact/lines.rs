//! Redacts the lines of a block.

use std::borrow::Cow;

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
        // One check of the whole block takes less time than one of each line.
        let valid = str::from_utf8(block.bytes()).ok();
        let mut at = 0;
        let mut number = block.first_line;
        while let Some(rest) = block.bytes().get(at..).filter(|rest| !rest.is_empty()) {
            let (lines, length) = group(rest);
            let line = rest.get(..length).unwrap_or(rest);
            let start = written.text.len();
            let text = match valid.and_then(|valid| valid.get(at..at + length)) {
                Some(text) => Cow::Borrowed(text),
                None => String::from_utf8_lossy(line),
            };
            if valid.is_none() && !self.is_lossy {
                let invalid = lines_inclusive(line).position(|line| str::from_utf8(line).is_err());
                if let Some(index) = invalid {
                    written.invalid_line = Some(number + index as u64);
                    return;
                }
            }
            self.text(&text, &mut written.text);
            if self.has_counts {
                written.counts.add_difference(line, &written.text[start..]);
            }
            number += lines;
            at += length;
        }
    }

    /// Redacts a line, or lines that belong together.
    fn text(&self, text: &str, out: &mut Vec<u8>) {
        let start = out.len();
        if !self.is_text && text.trim_ascii_start().starts_with('{') {
            if self.engine.redact_into(text.as_bytes(), out).is_ok() {
                return;
            }
            out.truncate(start);
        }
        self.engine.redact_text_into(text, out);
    }
}

/// Returns whether the value of a member may follow on the next line, as in JSON over several
/// lines.
pub(super) fn is_open(line: &[u8]) -> bool {
    matches!(
        line.trim_ascii_end().last(),
        Some(b':' | b'=' | b'{' | b'[' | b'(')
    )
}

/// Returns the number of lines at the beginning that belong together, and their length.
fn group(text: &[u8]) -> (u64, usize) {
    let (mut lines, mut length) = (0, 0);
    for line in lines_inclusive(text) {
        lines += 1;
        length += line.len();
        if !is_open(line) {
            break;
        }
    }
    (lines, length)
}
