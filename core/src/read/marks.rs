//! Which bytes end plain text: quotes, backslashes and control characters, found for 64 bytes at once.
//!
//! A string then ends at the next set bit. To look for it byte by byte, or word by word, costs a mispredicted branch for
//! every string; this costs none, and each byte is looked at once.

use zeroize::Zeroize;

/// The bytes that end plain text, in the 64 bytes round the last place that was asked for.
#[derive(Clone, Copy)]
pub(super) struct Marks {
    /// The first byte of the block, a multiple of 64.
    base: usize,
    /// One bit for each byte, the first one lowest. Behind the end of the text all bits are set.
    bits: u64,
}

const BLOCK: usize = 64;

impl Marks {
    pub(super) fn new(text: &[u8]) -> Self {
        Marks { base: 0, bits: block(text, 0) }
    }

    /// The first byte from `at` on that ends plain text; the text's length if none does.
    #[inline(always)]
    pub(super) fn next(&mut self, text: &[u8], at: usize) -> usize {
        let offset = at.wrapping_sub(self.base);
        if offset < BLOCK {
            let rest = self.bits >> offset;
            if rest != 0 {
                return at.wrapping_add(gap(rest));
            }
        }
        self.next_block(text, at)
    }

    #[inline(always)]
    fn next_block(&mut self, text: &[u8], at: usize) -> usize {
        let mut from = at;
        // Of the block in hand nothing is left.
        if at & !(BLOCK - 1) == self.base {
            from = self.base.wrapping_add(BLOCK);
        }
        loop {
            self.base = from & !(BLOCK - 1);
            self.bits = block(text, self.base);
            let rest = self.bits >> (from & (BLOCK - 1));
            if rest != 0 {
                return from.wrapping_add(gap(rest));
            }
            from = plain_blocks(text, self.base.wrapping_add(BLOCK));
        }
    }
}

/// Behind the whole blocks from `base` on that hold no mark: where long text goes on, nobody asks for the places.
#[inline(never)]
fn plain_blocks(text: &[u8], base: usize) -> usize {
    let (blocks, _) = text.get(base..).unwrap_or_default().as_chunks::<BLOCK>();
    let is_plain = |block: &&[u8; BLOCK]| {
        if cfg!(target_family = "wasm") {
            return marks(block) == 0;
        }
        !block.iter().fold(false, |marked, byte| marked | is_mark(*byte))
    };
    let plain = blocks.iter().take_while(is_plain).count();
    base.wrapping_add(plain.wrapping_mul(BLOCK))
}

#[inline]
fn is_mark(byte: u8) -> bool {
    (byte == b'"') | (byte == b'\\') | (byte < 0x20)
}

/// How many places the lowest bit is away.
#[expect(clippy::as_conversions, reason = "at most 64")]
#[inline(always)]
fn gap(bits: u64) -> usize {
    bits.trailing_zeros() as usize
}

/// The marks of the 64 bytes from `base` on.
#[inline(never)]
fn block(text: &[u8], base: usize) -> u64 {
    let rest = text.get(base..).unwrap_or_default();
    match rest.first_chunk() {
        Some(block) => marks(block),
        None => last_block(text, rest),
    }
}

/// The same for what is left of a text. Behind its end all is marked.
#[inline(never)]
fn last_block(text: &[u8], rest: &[u8]) -> u64 {
    let Some(last) = text.last_chunk() else {
        // Zeros are control characters: marked.
        let mut last = [0; BLOCK];
        if let Some(place) = last.get_mut(..rest.len()) {
            place.copy_from_slice(rest);
        }
        let bits = marks(&last);
        // A whole body: what of it is a card number stays nowhere.
        last.zeroize();
        return bits;
    };
    let left = u32::try_from(rest.len()).unwrap_or(0);
    marks(last).wrapping_shr(u64::BITS.wrapping_sub(left)) | u64::MAX.wrapping_shl(left)
}

/// Byte by byte, in a form that compilers turn into vector instructions.
#[cfg(any(test, not(target_family = "wasm")))]
#[inline]
fn marks_by_vector(block: &[u8; BLOCK]) -> u64 {
    const PLACES: [u8; BLOCK] = *[[1, 2, 4, 8, 16, 32, 64, 128_u8]; 8].as_flattened().first_chunk().unwrap();
    let mut marked = [0; BLOCK];
    for ((mark, byte), place) in marked.iter_mut().zip(block).zip(&PLACES) {
        *mark = if is_mark(*byte) { *place } else { 0 };
    }
    let (words, _) = marked.as_chunks::<8>();
    // The eight bytes of a word have a bit each of their own, so their sum is all of them; it ends up in the top byte.
    words.iter().rev().fold(0, |bits, word| bits << 8 | u64::from_le_bytes(*word).wrapping_mul(ONES) >> 56)
}

/// The same without vector instructions: eight bytes in a word, no carry from one to the next.
#[cfg(any(test, target_family = "wasm"))]
fn marks_by_word(block: &[u8; BLOCK]) -> u64 {
    const LOW: u64 = ONES * 0x7F;
    const TOP: u64 = ONES * 0x80;
    // The top bit of a byte is clear where the sum did not reach it and the byte had none: where the byte was zero.
    let not_zero = |word: u64| (word & LOW).wrapping_add(LOW) | word;
    let (words, _) = block.as_chunks::<8>();
    words.iter().rev().fold(0, |bits, word| {
        let word = u64::from_le_bytes(*word);
        let not_control = (word & LOW).wrapping_add(ONES * 0x60) | word;
        let plain = not_zero(word ^ (ONES * 0x22)) & not_zero(word ^ (ONES * 0x5C)) & not_control;
        // The eight top bits, gathered into one byte.
        let marked = (!plain & TOP) >> 7;
        bits << 8 | marked.wrapping_mul(0x0102_0408_1020_4080) >> 56
    })
}

/// 1 in every byte.
const ONES: u64 = u64::MAX / 255;

#[cfg(not(target_family = "wasm"))]
use marks_by_vector as marks;
#[cfg(target_family = "wasm")]
use marks_by_word as marks;

#[cfg(test)]
mod tests {
    use super::{BLOCK, Marks, is_mark, marks_by_vector, marks_by_word};

    #[test]
    fn what_is_a_mark() {
        for byte in 0..=u8::MAX {
            assert_eq!(is_mark(byte), matches!(byte, b'"' | b'\\' | 0..0x20), "{byte}");
        }
    }

    #[test]
    fn every_byte_at_every_place() {
        for byte in 0..=u8::MAX {
            for neighbour in [b'a', 0, 0x1F, 0x20, 0x22, 0x5C, 0x7F, 0x80, 0xFF] {
                for place in 0..BLOCK {
                    let mut block = [neighbour; BLOCK];
                    block[place] = byte;
                    let expected = block.iter().rev().fold(0, |bits, byte| bits << 1 | u64::from(is_mark(*byte)));
                    assert_eq!(marks_by_vector(&block), expected, "{byte} among {neighbour} at {place}");
                    assert_eq!(marks_by_word(&block), expected, "{byte} among {neighbour} at {place}");
                }
            }
        }
    }

    #[test]
    fn the_next_mark_across_blocks() {
        for len in [0, 1, 63, 64, 65, 127, 128, 300] {
            for marked in 0..=len {
                let mut text = [b'a'; 300];
                if let Some(place) = text.get_mut(marked) {
                    *place = b'"';
                }
                let text = &text[..len];
                for from in 0..=len {
                    let expected = if from <= marked { marked } else { len };
                    assert_eq!(Marks::new(text).next(text, from), expected, "{len} {marked} {from}");
                }
            }
        }
    }
}
