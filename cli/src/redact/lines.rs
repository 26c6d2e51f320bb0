//! Redacts the lines of a block.

use std::borrow::Cow;
use std::fmt;

use memchr::{memchr_iter, memrchr};
use payspec::Engine;

use super::counts::Counts;
use super::encoding::alternating_nuls;
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
    /// The first place that is not written.
    pub(super) refused: Option<Refused>,
}

/// A place that cannot be redacted. No line from it on is written.
pub(super) struct Refused {
    reason: Reason,
    line: u64,
    /// The offset in the input.
    offset: u64,
}

enum Reason {
    NotUtf8,
    AlternatingNuls,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Refused { line, offset, .. } = self;
        match self.reason {
            Reason::NotUtf8 => write!(
                f,
                "the byte at offset {offset}, in line {line}, is not UTF-8; --encoding names \
                 another encoding, and --lossy replaces such bytes"
            ),
            Reason::AlternatingNuls => write!(
                f,
                "from offset {offset} on, in line {line}, NUL bytes alternate with others, as in \
                 UTF-16; --encoding names the encoding of an input"
            ),
        }
    }
}

impl Lines<'_> {
    pub(super) fn redact(&self, block: &Block, written: &mut Written) {
        written.text.clear();
        written.counts = Counts::default();
        written.refused = self.refused(block);
        let length = match &written.refused {
            Some(refused) => line_start(block, refused.offset),
            None => block.bytes().len(),
        };
        let mut rest = block.bytes().get(..length).unwrap_or_default();
        // One check of the whole block takes less time than one of each line.
        let mut valid = str::from_utf8(rest).ok();
        while !rest.is_empty() {
            let (line, after) = rest.split_at(group(rest));
            let text = match valid.and_then(|valid| valid.split_at_checked(line.len())) {
                Some((text, after)) => {
                    valid = Some(after);
                    Cow::Borrowed(text)
                }
                None => String::from_utf8_lossy(line),
            };
            let start = written.text.len();
            self.text(&text, &mut written.text);
            if self.has_counts {
                written.counts.add_difference(line, &written.text[start..]);
            }
            rest = after;
        }
    }

    /// Returns the first place of a block that cannot be redacted.
    fn refused(&self, block: &Block) -> Option<Refused> {
        let bytes = block.bytes();
        let not_utf8 = str::from_utf8(bytes)
            .err()
            .filter(|_| !self.is_lossy)
            .map(|error| (error.valid_up_to(), Reason::NotUtf8));
        let nuls = alternating_nuls(bytes).map(|at| (at, Reason::AlternatingNuls));
        let (at, reason) = not_utf8.into_iter().chain(nuls).min_by_key(|(at, _)| *at)?;
        let before = bytes.get(..at).unwrap_or_default();
        Some(Refused {
            reason,
            line: block.first_line + memchr_iter(b'\n', before).count() as u64,
            offset: block.start() + at as u64,
        })
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

/// Returns the length of the lines of a block before the one with an offset.
fn line_start(block: &Block, offset: u64) -> usize {
    let at = usize::try_from(offset.saturating_sub(block.start())).unwrap_or(usize::MAX);
    let before = block.bytes().get(..at).unwrap_or_default();
    memrchr(b'\n', before).map_or(0, |end| end + 1)
}

/// Returns the length of the lines at the beginning that belong together.
fn group(text: &[u8]) -> usize {
    let mut length = 0;
    for line in lines_inclusive(text) {
        length += line.len();
        if !is_open(line) {
            break;
        }
    }
    length
}
