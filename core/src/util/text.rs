//! Texts that rules read by position, so that the build for pages needs no slices, which take twice
//! the code.

use super::bytes;

/// The bytes of a text at positions: a slice or, in the build for pages, a place in the memory of
/// the module. A part of a text has positions of its own.
pub trait Text: Copy {
    /// Set if the text is a slice, and not in the memory of a page. Shortcuts that only save time
    /// are omitted otherwise, and so are rules that a page cannot break.
    const IS_SLICE: bool = false;

    /// Returns the position of the first byte.
    fn start(self) -> usize;

    /// Returns the position after the last byte.
    fn end(self) -> usize;

    /// Returns the byte at a position. Outside of the text, it returns any byte.
    fn byte(self, at: usize) -> u8;

    /// Returns a part.
    fn part(self, start: usize, end: usize) -> Self;

    /// Returns a part as a slice, if the text is one. The methods of slices are faster.
    fn slice(&self, _start: usize, _end: usize) -> Option<&[u8]> {
        None
    }

    /// Returns all bytes as a slice, if the text is one.
    fn bytes(&self) -> Option<&[u8]> {
        None
    }

    /// Returns the number of bytes.
    fn len(self) -> usize {
        self.end().wrapping_sub(self.start())
    }

    /// Checks if the text has no bytes.
    fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// Returns the position of the first byte in a part that fails a test, or the end of the part.
    #[inline(always)]
    fn skip(self, start: usize, end: usize, mut test: impl FnMut(u8) -> bool) -> usize {
        if let Some(bytes) = self.slice(start, end) {
            return bytes
                .iter()
                .position(|byte| !test(*byte))
                .map_or(end, |at| start.wrapping_add(at));
        }
        let mut at = start;
        while at < end && test(self.byte(at)) {
            at = at.wrapping_add(1);
        }
        at
    }

    /// Returns the position after the last byte in a part that fails a test, or the start of the
    /// part.
    #[inline(always)]
    fn skip_back(self, start: usize, end: usize, mut test: impl FnMut(u8) -> bool) -> usize {
        if let Some(bytes) = self.slice(start, end) {
            let last = bytes.iter().rposition(|byte| !test(*byte));
            return last.map_or(start, |at| start.wrapping_add(at).wrapping_add(1));
        }
        let mut at = end;
        while at > start && test(self.byte(at.wrapping_sub(1))) {
            at = at.wrapping_sub(1);
        }
        at
    }

    /// Returns the position of a byte in a part, or the end of the part.
    #[inline]
    fn find(self, start: usize, end: usize, byte: u8) -> usize {
        self.skip(start, end, |other| other != byte)
    }

    /// Returns the position of the first byte in a part that is not an ASCII digit, or the end of
    /// the part.
    #[inline]
    fn skip_digits(self, start: usize, end: usize) -> usize {
        self.skip(start, end, |byte| byte.is_ascii_digit())
    }

    /// Checks if all bytes of a part are ASCII digits.
    #[inline]
    fn all_digits(self, start: usize, end: usize) -> bool {
        match self.slice(start, end) {
            Some(bytes) => bytes::all_digits(bytes),
            None => self.skip_digits(start, end) == end,
        }
    }

    /// Returns the union of the bits of all bytes in a part.
    #[inline]
    fn union(self, start: usize, end: usize, bits: impl Fn(u8) -> u8) -> u8 {
        let Some(bytes) = self.slice(start, end) else {
            return (start..end).fold(0, |union, at| union | bits(self.byte(at)));
        };
        let any = |bytes: &[u8]| bytes.iter().fold(0, |union, byte| union | bits(*byte));
        // The compiler unrolls the loop over a word.
        let (words, rest) = bytes.as_chunks::<8>();
        words
            .iter()
            .fold(any(rest), |union, word| union | any(word))
    }

    /// Checks if the text begins with a word.
    #[inline]
    fn starts_with(self, word: &[u8]) -> bool {
        match self.bytes() {
            Some(bytes) => bytes.starts_with(word),
            None => {
                self.len() >= word.len()
                    && word
                        .iter()
                        .zip(self.start()..)
                        .all(|(byte, at)| self.byte(at) == *byte)
            }
        }
    }

    /// Checks if the text equals a word.
    #[inline]
    fn is(self, word: &[u8]) -> bool {
        self.len() == word.len() && self.starts_with(word)
    }

    /// Checks if the text equals another one, in any ASCII case.
    #[inline]
    fn is_ignoring_case(self, other: impl Text) -> bool {
        if let (Some(bytes), Some(other)) = (self.bytes(), other.bytes()) {
            return bytes == other || bytes.eq_ignore_ascii_case(other);
        }
        let is_same = |(at, other_at)| self.byte(at).eq_ignore_ascii_case(&other.byte(other_at));
        self.len() == other.len() && (self.start()..self.end()).zip(other.start()..).all(is_same)
    }
}

impl Text for &[u8] {
    const IS_SLICE: bool = true;

    fn start(self) -> usize {
        0
    }

    fn end(self) -> usize {
        <[u8]>::len(self)
    }

    fn byte(self, at: usize) -> u8 {
        self.get(at).copied().unwrap_or(0)
    }

    fn part(self, start: usize, end: usize) -> Self {
        self.get(start..end).unwrap_or_default()
    }

    fn slice(&self, start: usize, end: usize) -> Option<&[u8]> {
        Some(self.part(start, end))
    }

    fn bytes(&self) -> Option<&[u8]> {
        Some(self)
    }
}
