//! Memory that reading and validation need beyond the body. Only unusual bodies need any.

use super::string::JsonStr;

/// Memory for one body.
pub(crate) trait Scratch {
    /// Stores a word after all others.
    fn push_word(&mut self, word: u64);
    /// Removes and returns the last word.
    fn pop_word(&mut self) -> u64;
    /// Calls `read` with the characters of a string and returns its result. Decoded characters are wiped.
    fn decoded<R: Default>(&mut self, text: JsonStr<'_>, read: impl FnOnce(&str) -> R) -> R;
    /// Calls `read` with `count` zeros.
    fn numbers<R>(&mut self, count: usize, read: impl FnOnce(&mut [u64]) -> R) -> R;
}

/// The stack and, for unusual bodies, the heap.
#[cfg(feature = "alloc")]
#[derive(Default)]
pub(crate) struct Heap {
    words: alloc::vec::Vec<u64>,
}

#[cfg(feature = "alloc")]
impl Scratch for Heap {
    fn push_word(&mut self, word: u64) {
        self.words.push(word);
    }

    fn pop_word(&mut self) -> u64 {
        self.words.pop().unwrap_or(0)
    }

    #[inline]
    fn decoded<R: Default>(&mut self, text: JsonStr<'_>, read: impl FnOnce(&str) -> R) -> R {
        text.with_decoded(read)
    }

    fn numbers<R>(&mut self, count: usize, read: impl FnOnce(&mut [u64]) -> R) -> R {
        let mut numbers: crate::util::inline_vec::InlineVec<u64, 64> = core::iter::repeat_n(0, count).collect();
        read(&mut numbers)
    }
}

/// Memory of the caller.
#[cfg(not(feature = "alloc"))]
pub(crate) struct Slice<'m> {
    /// One bit for each byte of the body.
    pub(crate) words: &'m mut [u64],
    pub(crate) used: usize,
    /// Two zeros for each unknown member.
    pub(crate) numbers: &'m mut [u64],
    /// The length of the body, and [`MAX_UTF8`](super::string::MAX_UTF8) more.
    pub(crate) characters: &'m mut [u8],
}

#[cfg(not(feature = "alloc"))]
impl Scratch for Slice<'_> {
    fn push_word(&mut self, word: u64) {
        if let Some(target) = self.words.get_mut(self.used) {
            *target = word;
        }
        self.used = self.used.wrapping_add(1);
    }

    fn pop_word(&mut self) -> u64 {
        self.used = self.used.wrapping_sub(1);
        self.words.get(self.used).copied().unwrap_or(0)
    }

    fn decoded<R: Default>(&mut self, text: JsonStr<'_>, read: impl FnOnce(&str) -> R) -> R {
        // The caller wipes its memory after the call.
        read(text.plain().unwrap_or_else(|| text.decode_into(self.characters)))
    }

    fn numbers<R>(&mut self, count: usize, read: impl FnOnce(&mut [u64]) -> R) -> R {
        read(self.numbers.get_mut(..count).unwrap_or_default())
    }
}
