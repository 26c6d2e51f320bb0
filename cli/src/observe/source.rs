//! The bytes of a recording, with their position and a limit for one exchange.

use std::cell::Cell;
use std::io::{self, Read};
use std::rc::Rc;

/// The bytes that are read at once.
const BLOCK: usize = 256 * 1024;
/// The bytes that one exchange may take in memory.
pub(super) const LARGEST_EXCHANGE: u64 = 4 << 20;
/// The message of an exchange over this limit.
pub(super) const TOO_LARGE: &str = "an exchange of the interface is larger than 4 MiB";

/// How many bytes may still be read into memory; `None` while values are skipped.
#[derive(Clone, Debug, Default)]
pub(super) struct Budget(Rc<Cell<Option<u64>>>);

impl Budget {
    /// Begins an exchange.
    pub(super) fn begin(&self) {
        self.0.set(Some(LARGEST_EXCHANGE));
    }

    /// Runs `skip`, which reads values without keeping them.
    pub(super) fn without<T>(&self, skip: impl FnOnce() -> T) -> T {
        let left = self.0.replace(None);
        let skipped = skip();
        self.0.set(left);
        skipped
    }
}

/// A reader that counts lines.
///
/// serde_json reads byte by byte, so lines and the budget are counted once for each block.
pub(super) struct Source<R> {
    inner: R,
    budget: Budget,
    block: Vec<u8>,
    /// The part of the block that is not read yet.
    next: usize,
    end: usize,
    /// The line feeds before the block.
    lines: u64,
}

impl<R: Read> Source<R> {
    pub(super) fn new(inner: R, budget: Budget) -> Self {
        Source {
            inner,
            budget,
            block: vec![0; BLOCK],
            next: 0,
            end: 0,
            lines: 0,
        }
    }

    /// Returns the number of the current line.
    pub(super) fn line(&self) -> u64 {
        self.lines + line_feeds(&self.block[..self.next]) + 1
    }

    /// Skips whitespace and a byte order mark, and returns the next byte without taking it.
    pub(super) fn peek(&mut self) -> io::Result<Option<u8>> {
        loop {
            if self.next == self.end && !self.fill()? {
                return Ok(None);
            }
            let rest = &self.block[self.next..self.end];
            match rest {
                // No JSON text begins with the first byte of a byte order mark.
                _ if rest.starts_with("\u{feff}".as_bytes()) => self.next += 3,
                [byte, ..] if byte.is_ascii_whitespace() => self.next += 1,
                _ => return Ok(rest.first().copied()),
            }
        }
    }

    /// Reads the next block. Returns false at the end.
    #[cold]
    fn fill(&mut self) -> io::Result<bool> {
        self.lines += line_feeds(&self.block[..self.end]);
        (self.next, self.end) = (0, 0);
        self.end = self.inner.read(&mut self.block)?;
        if let Some(left) = self.budget.0.get() {
            let left = left
                .checked_sub(self.end as u64)
                .ok_or_else(|| io::Error::other(TOO_LARGE))?;
            self.budget.0.set(Some(left));
        }
        Ok(self.end > 0)
    }
}

fn line_feeds(bytes: &[u8]) -> u64 {
    memchr::memchr_iter(b'\n', bytes).count() as u64
}

impl<R: Read> Read for Source<R> {
    #[inline]
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.next == self.end && !self.fill()? {
            return Ok(0);
        }
        let read = out.len().min(self.end - self.next);
        out[..read].copy_from_slice(&self.block[self.next..self.next + read]);
        self.next += read;
        Ok(read)
    }
}
