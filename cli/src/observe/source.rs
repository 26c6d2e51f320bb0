//! The bytes of a recording, with their position and a limit for one exchange.

use std::cell::Cell;
use std::io::{self, BufRead, BufReader, Read};
use std::rc::Rc;

/// The bytes that one exchange may take in memory.
pub(super) const LARGEST_EXCHANGE: u64 = 32 << 20;
/// The message of an exchange over this limit.
pub(super) const TOO_LARGE: &str = "an exchange of the interface is larger than 32 MiB";

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
pub(super) struct Source<R> {
    inner: BufReader<R>,
    budget: Budget,
    pub(super) line: u64,
}

impl<R: Read> Source<R> {
    pub(super) fn new(inner: R, budget: Budget) -> Self {
        Source {
            inner: BufReader::with_capacity(256 * 1024, inner),
            budget,
            line: 1,
        }
    }

    /// Skips whitespace and a byte order mark, and returns the next byte without taking it.
    pub(super) fn peek(&mut self) -> io::Result<Option<u8>> {
        loop {
            let buffer = self.inner.fill_buf()?;
            let Some(&byte) = buffer.first() else {
                return Ok(None);
            };
            let skipped = match byte {
                // The first byte of a byte order mark, with which no JSON text begins.
                0xEF if buffer.starts_with("\u{feff}".as_bytes()) => 3,
                byte if byte.is_ascii_whitespace() => 1,
                _ => return Ok(Some(byte)),
            };
            self.line += u64::from(byte == b'\n');
            self.inner.consume(skipped);
        }
    }
}

impl<R: Read> Read for Source<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(out)?;
        let bytes = out.get(..read).unwrap_or_default();
        self.line += bytes.iter().filter(|byte| **byte == b'\n').count() as u64;
        if let Some(left) = self.budget.0.get() {
            let left = left
                .checked_sub(read as u64)
                .ok_or_else(|| io::Error::other(TOO_LARGE))?;
            self.budget.0.set(Some(left));
        }
        Ok(read)
    }
}
