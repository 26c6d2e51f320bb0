//! Bytes that rules read by position, so that the build for pages needs no slices, which take twice the code.
#![cfg_attr(feature = "fast", expect(unreachable_pub, reason = "public in the build for pages"))]

use super::bytes;

/// Memory with bytes at positions: a slice or, in the build for pages, the memory of the module.
pub trait Memory: Copy {
    /// Returns the byte at a position. Outside of the memory, it returns any byte.
    fn byte(self, at: usize) -> u8;

    /// Returns bytes as a slice, if the memory is one. The methods of slices are faster.
    #[inline(always)]
    fn slice(&self, _at: usize, _end: usize) -> Option<&[u8]> {
        None
    }

    /// Returns the memory of a text alone, and its place in it. The compiler then omits checks.
    #[inline(always)]
    fn rebased(self, at: usize, end: usize) -> (Self, usize, usize) {
        (self, at, end)
    }
}

impl Memory for &[u8] {
    #[inline]
    fn byte(self, at: usize) -> u8 {
        self.get(at).copied().unwrap_or(0)
    }

    #[inline(always)]
    fn slice(&self, at: usize, end: usize) -> Option<&[u8]> {
        Some(self.get(at..end).unwrap_or_default())
    }

    #[inline(always)]
    fn rebased(self, at: usize, end: usize) -> (Self, usize, usize) {
        let bytes = self.get(at..end).unwrap_or_default();
        (bytes, 0, bytes.len())
    }
}

/// The bytes at a place.
#[derive(Clone, Copy)]
pub struct Text<M> {
    /// The memory.
    pub memory: M,
    /// The position of the first byte.
    pub at: usize,
    /// The position after the last byte.
    pub end: usize,
}

impl<'a> From<&'a [u8]> for Text<&'a [u8]> {
    fn from(bytes: &'a [u8]) -> Self {
        Text { memory: bytes, at: 0, end: bytes.len() }
    }
}

impl<M: Memory> Text<M> {
    /// Returns the number of bytes.
    pub(crate) fn len(self) -> usize {
        self.end.wrapping_sub(self.at)
    }

    #[inline(always)]
    pub(crate) fn rebased(self) -> Self {
        let (memory, at, end) = self.memory.rebased(self.at, self.end);
        Text { memory, at, end }
    }

    #[inline(always)]
    /// Returns the bytes as a slice, if the memory is one.
    pub(crate) fn slice(&self) -> Option<&[u8]> {
        self.memory.slice(self.at, self.end)
    }

    /// Returns the part from `at` to `end`.
    pub fn part(self, at: usize, end: usize) -> Self {
        Text { at, end, ..self }
    }

    /// Returns the position of the first byte that fails a test, or the end.
    #[inline]
    pub fn skip(self, mut test: impl FnMut(u8) -> bool) -> usize {
        if let Some(bytes) = self.slice() {
            return self.at.wrapping_add(bytes.iter().position(|byte| !test(*byte)).unwrap_or(bytes.len()));
        }
        let mut at = self.at;
        while at < self.end && test(self.memory.byte(at)) {
            at = at.wrapping_add(1);
        }
        at
    }

    /// Returns the position after the last byte that fails a test, or the start.
    #[inline]
    pub fn skip_back(self, mut test: impl FnMut(u8) -> bool) -> usize {
        if let Some(bytes) = self.slice() {
            return bytes
                .iter()
                .rposition(|byte| !test(*byte))
                .map_or(self.at, |at| self.at.wrapping_add(at).wrapping_add(1));
        }
        let mut end = self.end;
        while end > self.at && test(self.memory.byte(end.wrapping_sub(1))) {
            end = end.wrapping_sub(1);
        }
        end
    }

    /// Returns the position of a byte, or the end.
    #[cfg_attr(not(feature = "fast"), inline(never))]
    pub fn find(self, byte: u8) -> usize {
        self.skip(|other| other != byte)
    }

    /// Checks if all bytes are ASCII digits.
    #[cfg_attr(not(feature = "fast"), inline(never))]
    pub fn all_digits(self) -> bool {
        self.slice().map_or_else(|| self.skip(|byte| byte.is_ascii_digit()) == self.end, bytes::all_digits)
    }

    /// Returns the union of the bits of all bytes.
    pub fn union(self, bits: impl Fn(u8) -> u8) -> u8 {
        let Some(bytes) = self.slice() else {
            return (self.at..self.end).fold(0, |union, at| union | bits(self.memory.byte(at)));
        };
        let any = |bytes: &[u8]| bytes.iter().fold(0, |union, byte| union | bits(*byte));
        // The compiler unrolls the loop over a word.
        let (words, rest) = bytes.as_chunks::<8>();
        words.iter().fold(any(rest), |union, word| union | any(word))
    }

    /// Checks if the text begins with a word.
    pub fn starts_with(self, word: &[u8]) -> bool {
        match self.slice() {
            Some(bytes) => bytes.starts_with(word),
            None => {
                self.len() >= word.len() && word.iter().zip(self.at..).all(|(byte, at)| self.memory.byte(at) == *byte)
            }
        }
    }

    /// Checks if the text equals a word.
    #[cfg_attr(feature = "fast", inline(always))]
    #[cfg_attr(not(feature = "fast"), inline(never))]
    pub fn is(self, word: &[u8]) -> bool {
        self.len() == word.len() && self.starts_with(word)
    }

    /// Checks if the text equals another one, in any ASCII case.
    #[cfg_attr(not(feature = "fast"), inline(never))]
    pub fn is_ignoring_case(self, other: Text<impl Memory>) -> bool {
        if let (Some(bytes), Some(other)) = (self.slice(), other.slice()) {
            return bytes.eq_ignore_ascii_case(other);
        }
        let is_same = |(at, other_at)| self.memory.byte(at).eq_ignore_ascii_case(&other.memory.byte(other_at));
        self.len() == other.len() && (self.at..self.end).zip(other.at..).all(is_same)
    }

    /// Removes and returns the text before the next zero byte, or the rest.
    pub fn take(&mut self) -> Self {
        let end = self.find(0);
        let taken = self.part(self.at, end);
        self.at = end.wrapping_add(1);
        taken
    }
}
