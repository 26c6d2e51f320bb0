//! Finds the bytes that end plain text (quotes, backslashes, control characters) in 64 bytes at
//! once.
//!
//! A string then ends at the next set bit. With a search byte by byte, a verdict takes 0.49 of the
//! time of serde_json instead of 0.37, and 1 MB of ASCII text 4.0 of it instead of 0.43.

use wide::u8x16;
use zeroize::Zeroize;

use super::terminator::terminators;
use crate::util::bytes::distance;

/// The terminators in the block of 64 bytes around the last position.
#[derive(Clone, Copy)]
pub(super) struct StringScanner {
    /// The offset of the block's first byte, a multiple of 64.
    base: usize,
    /// One bit for each byte, the first one lowest. All bits after the end of the text are set.
    bits: u64,
}

const BLOCK: usize = 64;

impl StringScanner {
    pub(super) fn new(text: &[u8]) -> Self {
        StringScanner {
            base: 0,
            bits: terminator_mask(text, 0),
        }
    }

    /// Returns the offset of the first terminator from `at` on, or the length of the text.
    #[inline(always)]
    pub(super) fn next(&mut self, text: &[u8], at: usize) -> usize {
        let offset = at.wrapping_sub(self.base);
        if offset < BLOCK {
            let rest = self.bits >> offset;
            if rest != 0 {
                return at.wrapping_add(distance(rest));
            }
        }
        self.next_block(text, at)
    }

    #[inline(always)]
    fn next_block(&mut self, text: &[u8], at: usize) -> usize {
        let mut from = at;
        // The current block contains no terminator after `at`.
        if at & !(BLOCK - 1) == self.base {
            from = self.base.wrapping_add(BLOCK);
        }
        loop {
            self.base = from & !(BLOCK - 1);
            self.bits = terminator_mask(text, self.base);
            let rest = self.bits >> (from & (BLOCK - 1));
            if rest != 0 {
                return from.wrapping_add(distance(rest));
            }
            from = skip_plain_blocks(text, self.base.wrapping_add(BLOCK));
        }
    }
}

/// Returns the offset after the full blocks from `base` on that contain no terminator. Long text
/// needs no exact positions, so each block takes one test.
#[inline(never)]
fn skip_plain_blocks(text: &[u8], base: usize) -> usize {
    let (blocks, _) = text.get(base..).unwrap_or_default().as_chunks::<BLOCK>();
    let plain = blocks
        .iter()
        .take_while(|block| !contains_terminator(block))
        .count();
    base.wrapping_add(plain.wrapping_mul(BLOCK))
}

/// Checks if a block contains a terminator.
#[inline(always)]
fn contains_terminator(block: &[u8; BLOCK]) -> bool {
    let found = lanes(block).fold(u8x16::ZERO, |found, lane| found | lane);
    found.any()
}

/// Returns the terminators in the 64 bytes from `base` on.
#[inline(never)]
fn terminator_mask(text: &[u8], base: usize) -> u64 {
    let rest = text.get(base..).unwrap_or_default();
    match rest.first_chunk() {
        Some(block) => block_mask(block),
        None => last_block(text, rest),
    }
}

/// Returns the terminators in the last bytes of a text. All bits after the end are set.
#[inline(never)]
fn last_block(text: &[u8], rest: &[u8]) -> u64 {
    let Some(last) = text.last_chunk() else {
        // The padding of zeros counts as terminators, because zeros are control characters.
        let mut last = [0; BLOCK];
        if let Some(start) = last.get_mut(..rest.len()) {
            start.copy_from_slice(rest);
        }
        let bits = block_mask(&last);
        // The text may contain card data.
        last.zeroize();
        return bits;
    };
    let left = u32::try_from(rest.len()).unwrap_or(0);
    block_mask(last).wrapping_shr(u64::BITS.wrapping_sub(left)) | u64::MAX.wrapping_shl(left)
}

/// Returns one bit for each byte of a block.
#[inline(always)]
fn block_mask(block: &[u8; BLOCK]) -> u64 {
    let mut bits = 0;
    for lane in lanes(block).rev() {
        bits = bits << 16 | u64::from(lane.to_bitmask());
    }
    bits
}

/// Returns the block in vectors, with all ones for each terminator.
#[inline(always)]
fn lanes(block: &[u8; BLOCK]) -> impl DoubleEndedIterator<Item = u8x16> {
    let (lanes, _) = block.as_chunks::<16>();
    lanes.iter().map(|lane| terminators(u8x16::new(*lane)))
}

#[cfg(test)]
mod tests {
    use super::{BLOCK, StringScanner, block_mask, contains_terminator};
    use crate::json::terminator::is_terminator;

    #[test]
    fn finds_every_byte_at_every_position() {
        for byte in 0..=u8::MAX {
            for neighbour in [b'a', 0, 0x1F, 0x20, 0x22, 0x5C, 0x7F, 0x80, 0xFF] {
                for position in 0..BLOCK {
                    let mut block = [neighbour; BLOCK];
                    block[position] = byte;
                    let expected = block
                        .iter()
                        .rev()
                        .fold(0, |bits, byte| bits << 1 | u64::from(is_terminator(*byte)));
                    assert_eq!(
                        block_mask(&block),
                        expected,
                        "{byte} among {neighbour} at {position}"
                    );
                    assert_eq!(
                        contains_terminator(&block),
                        expected != 0,
                        "{byte} among {neighbour} at {position}"
                    );
                }
            }
        }
    }

    #[test]
    fn finds_terminators_at_the_same_lane_of_two_vectors() {
        for (one, other) in [
            (b'"', b'"'),
            (b'\\', b'\\'),
            (b'"', b'\\'),
            (b'\\', b'"'),
            (b'"', 0),
            (0, b'\\'),
            (0, 0),
        ] {
            for (first, second) in [(3, 19), (3, 35), (19, 51), (40, 56)] {
                let mut block = [b'a'; BLOCK];
                (block[first], block[second]) = (one, other);
                assert!(contains_terminator(&block), "{one} {other}");
                assert_eq!(block_mask(&block), 1 << first | 1 << second);
            }
        }
    }

    #[test]
    fn finds_the_next_terminator_across_blocks() {
        for len in [0, 1, 63, 64, 65, 127, 128, 300] {
            for marked in 0..=len {
                let mut text = [b'a'; 300];
                if let Some(position) = text.get_mut(marked) {
                    *position = b'"';
                }
                let text = &text[..len];
                for from in 0..=len {
                    let expected = if from <= marked { marked } else { len };
                    assert_eq!(
                        StringScanner::new(text).next(text, from),
                        expected,
                        "{len} {marked} {from}"
                    );
                }
            }
        }
    }
}
