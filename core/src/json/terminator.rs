//! The bytes that a JSON string contains only as escapes: the quote, the backslash, and control
//! characters. They end plain text for the reader, and the writer escapes them.

use wide::u8x16;

use crate::util::bytes::{position, within};

/// Returns all ones for each terminator.
#[inline(always)]
pub(super) fn terminators(bytes: u8x16) -> u8x16 {
    let quotes = bytes.simd_eq(u8x16::splat(b'"'));
    let backslashes = bytes.simd_eq(u8x16::splat(b'\\'));
    within::<0, 0x1F>(bytes) | quotes | backslashes
}

/// Returns the position of the first terminator.
pub(super) fn first_terminator(bytes: &[u8]) -> Option<usize> {
    position(bytes, terminators)
}

/// The oracle of tests.
#[cfg(test)]
pub(super) fn is_terminator(byte: u8) -> bool {
    matches!(byte, b'"' | b'\\' | 0..0x20)
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use super::{first_terminator, is_terminator};

    #[test]
    fn finds_every_byte_at_every_position() {
        for byte in 0..=u8::MAX {
            for length in 0..40 {
                for at in 0..length {
                    let mut bytes = vec![b'a'; length];
                    bytes[at] = byte;
                    let expected = is_terminator(byte).then_some(at);
                    assert_eq!(first_terminator(&bytes), expected, "{byte} of {length}");
                }
            }
        }
        assert_eq!(
            first_terminator(b"more than eight \"\\ and more than sixteen"),
            Some(16)
        );
    }
}
