//! Reads lines in blocks of whole lines, in constant memory.

use std::io::{self, ErrorKind, Read};

use memchr::{memchr, memchr_iter, memrchr};

/// The number of bytes that are read at once. A block of this size stays in the cache of a core.
const BLOCK: usize = 256 * 1024;

/// The treatment of a line that is longer than its limit.
#[derive(Clone, Copy, Debug)]
pub(crate) enum LongLines {
    /// Only the first `limit + 1` bytes are kept, since the engine reports every longer body in the
    /// same way.
    Cut { limit: usize },
    /// Reading fails.
    Fail { limit: usize },
}

/// Some lines of an input.
#[derive(Default)]
pub(crate) struct Block {
    /// The first `length` bytes are the lines.
    buffer: Vec<u8>,
    length: usize,
    /// The number of the first line, from 1.
    pub(crate) first_line: u64,
    /// The offset after the block in the input.
    pub(crate) end: u64,
}

impl Block {
    pub(crate) fn bytes(&self) -> &[u8] {
        self.buffer.get(..self.length).unwrap_or_default()
    }

    /// Returns the offset of the first byte in the input.
    pub(crate) fn start(&self) -> u64 {
        self.end - self.length as u64
    }

    /// Returns the lines that contain more than whitespace, with their numbers.
    pub(crate) fn lines(&self) -> impl Iterator<Item = (u64, &[u8])> {
        (self.first_line..)
            .zip(lines_inclusive(self.bytes()))
            .map(|(number, line)| (number, line.strip_suffix(b"\n").unwrap_or(line)))
            .map(|(number, line)| (number, line.strip_suffix(b"\r").unwrap_or(line)))
            .filter(|(_, line)| {
                !line.first().is_none_or(u8::is_ascii_whitespace) || !line.trim_ascii().is_empty()
            })
    }
}

/// Splits after line feeds.
pub(crate) fn lines_inclusive(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut ends = memchr_iter(b'\n', bytes);
    let mut start = 0;
    std::iter::from_fn(move || {
        let end = ends.next().map_or(bytes.len(), |at| at + 1);
        let line = bytes.get(start..end).filter(|line| !line.is_empty());
        start = end;
        line
    })
}

/// The blocks of an input, in order.
pub(crate) struct Blocks<R> {
    reader: R,
    long_lines: LongLines,
    /// Bytes after the last line of the block before.
    rest: Vec<u8>,
    next_line: u64,
    offset: u64,
    is_at_end: bool,
    /// Returns whether a line belongs to the next one, so that a block does not end with it.
    is_open: fn(&[u8]) -> bool,
}

impl<R: Read> Blocks<R> {
    pub(crate) fn new(reader: R, long_lines: LongLines) -> Self {
        let rest = Vec::new();
        Blocks {
            reader,
            long_lines,
            rest,
            next_line: 1,
            offset: 0,
            is_at_end: false,
            is_open: |_| false,
        }
    }

    /// Keeps lines in the same block as the line after them.
    pub(crate) fn joining(self, is_open: fn(&[u8]) -> bool) -> Self {
        Blocks { is_open, ..self }
    }

    /// Continues an input whose first lines have been read.
    pub(crate) fn starting_at(self, line: u64, offset: u64) -> Self {
        Blocks {
            next_line: line,
            offset,
            ..self
        }
    }

    /// Fills the block with the next lines. Returns `false` at the end of the input.
    pub(crate) fn next_into(&mut self, block: &mut Block) -> io::Result<bool> {
        block.first_line = self.next_line;
        block.length = self.rest.len();
        if block.buffer.len() < block.length + BLOCK {
            block.buffer.resize(block.length + BLOCK, 0);
        }
        block.buffer[..block.length].copy_from_slice(&self.rest);
        self.rest.clear();
        loop {
            let limit = match self.long_lines {
                LongLines::Cut { limit } | LongLines::Fail { limit } => limit,
            };
            if self.is_at_end {
                self.finish(block);
                return Ok(block.length > 0);
            }
            if block.buffer.len() < block.length + BLOCK {
                block.buffer.resize(block.length + BLOCK, 0);
            }
            let read = read(&mut self.reader, &mut block.buffer[block.length..])?;
            self.offset += read as u64;
            self.is_at_end = read == 0;
            let end = block.length + read;
            if let Some(after) = self.last_line(&block.buffer[..end], block.length) {
                self.rest.extend_from_slice(&block.buffer[after..end]);
                block.length = after;
                self.finish(block);
                return Ok(true);
            }
            block.length = end;
            if block.length > limit {
                if let LongLines::Fail { .. } = self.long_lines {
                    return Err(io::Error::other(format!(
                        "line {} is longer than {limit} bytes",
                        self.next_line
                    )));
                }
                block.length = limit + 1;
                self.skip_line(block)?;
                self.finish(block);
                return Ok(true);
            }
        }
    }

    /// Returns the end of the last line that is complete and not open. Lines that end before `read`
    /// are open.
    fn last_line(&self, bytes: &[u8], read: usize) -> Option<usize> {
        let mut end = memrchr(b'\n', &bytes[read..]).map(|at| read + at)?;
        loop {
            let start = memrchr(b'\n', &bytes[..end]).map_or(0, |at| at + 1);
            if !(self.is_open)(&bytes[start..end]) {
                return Some(end + 1);
            }
            end = start.checked_sub(1)?;
        }
    }

    /// Skips the rest of a line, and ends the line in the block.
    fn skip_line(&mut self, block: &mut Block) -> io::Result<()> {
        let mut skipped = vec![0; BLOCK];
        loop {
            let read = read(&mut self.reader, &mut skipped)?;
            self.offset += read as u64;
            if read == 0 {
                self.is_at_end = true;
                return Ok(());
            }
            if let Some(at) = memchr(b'\n', &skipped[..read]) {
                self.rest.extend_from_slice(&skipped[at + 1..read]);
                block.buffer[block.length] = b'\n';
                block.length += 1;
                return Ok(());
            }
        }
    }

    fn finish(&mut self, block: &mut Block) {
        self.next_line += memchr_iter(b'\n', block.bytes()).count() as u64;
        block.end = self.offset - self.rest.len() as u64;
    }
}

fn read(reader: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    loop {
        match reader.read(buffer) {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            result => return result,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns few bytes at once, as a pipe does.
    struct Slow<'b>(&'b [u8], usize);

    impl Read for Slow<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let length = self.1.min(self.0.len()).min(buffer.len());
            let (now, later) = self.0.split_at(length);
            buffer[..length].copy_from_slice(now);
            self.0 = later;
            Ok(length)
        }
    }

    fn read_all(
        text: &[u8],
        at_once: usize,
        long_lines: LongLines,
    ) -> io::Result<Vec<(u64, Vec<u8>)>> {
        let mut blocks = Blocks::new(Slow(text, at_once), long_lines);
        let mut block = Block::default();
        let mut all = Vec::new();
        let mut end = 0;
        while blocks.next_into(&mut block)? {
            all.extend(block.lines().map(|(number, line)| (number, line.to_vec())));
            assert!(block.end > end);
            assert!(matches!(long_lines, LongLines::Cut { .. }) || block.start() == end);
            end = block.end;
        }
        assert_eq!(end, text.len() as u64);
        Ok(all)
    }

    #[test]
    fn reads_every_line_with_its_number() {
        let text = b"{\"a\":1}\n\n  \r\n{}\r\nx\n last";
        let expected: Vec<(u64, Vec<u8>)> = [(1, "{\"a\":1}"), (4, "{}"), (5, "x"), (6, " last")]
            .map(|(n, line)| (n, line.into()))
            .into();
        for at_once in 1..30 {
            assert_eq!(
                read_all(text, at_once, LongLines::Cut { limit: 10 }).unwrap(),
                expected
            );
        }
    }

    #[test]
    fn keeps_open_lines_with_the_next_one() {
        let text = b"a\nb:\n\"c\":\nd\ne:\n";
        for at_once in 1..20 {
            let limit = LongLines::Fail { limit: 100 };
            let mut blocks =
                Blocks::new(Slow(text, at_once), limit).joining(|line| line.ends_with(b":"));
            let mut block = Block::default();
            let mut all = Vec::new();
            while blocks.next_into(&mut block).unwrap() {
                all.extend_from_slice(block.bytes());
                assert!(
                    !block.bytes().ends_with(b":\n") || all.len() == text.len(),
                    "{at_once}"
                );
            }
            assert_eq!(all, text);
        }
    }

    #[test]
    fn cuts_or_rejects_long_lines() {
        let text = [b"a\n".as_slice(), &[b'x'; 3 * BLOCK], b"\nb\n"].concat();
        for at_once in [1000, BLOCK, 2 * BLOCK] {
            let lines = read_all(&text, at_once, LongLines::Cut { limit: 50 }).unwrap();
            let lengths: Vec<_> = lines
                .iter()
                .map(|(number, line)| (*number, line.len()))
                .collect();
            // A line that fits into the first block with the one before is not cut before its end.
            assert_eq!((lengths[0], lengths[2]), ((1, 1), (3, 1)));
            assert!(
                lengths[1].0 == 2 && lengths[1].1 > 50 && lengths[1].1 <= 2 * BLOCK,
                "{lengths:?}"
            );
            let error = read_all(&text, at_once, LongLines::Fail { limit: 50 }).unwrap_err();
            assert_eq!(error.to_string(), "line 2 is longer than 50 bytes");
        }
    }
}
