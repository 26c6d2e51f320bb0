//! Tests and counts of the bytes of a text, sixteen at once.
//!
//! With tests of single bytes, 1 MB of ASCII text takes 1.4 times as long as in serde_json instead of
//! half as long.

use wide::bytemuck::cast;
use wide::{i8x16, u8x16};

/// The number of bytes of a long text that are tested at once.
const LONG: usize = 64;

/// Returns the bytes as text after one UTF-8 check. With the feature `simd`, the check uses vector
/// instructions.
pub(crate) fn utf8(bytes: &[u8]) -> Result<&str, core::str::Utf8Error> {
    #[cfg(feature = "simd")]
    if let Ok(text) = simdutf8::basic::from_utf8(bytes) {
        return Ok(text);
    }
    // Unlike simdutf8, this error contains the position.
    core::str::from_utf8(bytes)
}

/// Checks if all bytes are ASCII digits. Returns true for an empty slice.
pub(crate) fn all_digits(bytes: &[u8]) -> bool {
    all(bytes, within::<b'0', b'9'>)
}

/// Returns the number of zero bits below the lowest set bit, or 64 if no bit is set.
#[expect(clippy::as_conversions, reason = "at most 64")]
#[inline(always)]
pub(crate) fn distance(bits: u64) -> usize {
    bits.trailing_zeros() as usize
}

/// Returns the position of the first byte for which `test` returns all ones.
#[inline(always)]
pub(crate) fn position(bytes: &[u8], test: impl Fn(u8x16) -> u8x16) -> Option<usize> {
    let (blocks, rest) = bytes.as_chunks::<16>();
    let has_none = |block: &&[u8; 16]| !test(u8x16::new(**block)).any();
    let skipped = blocks.iter().take_while(has_none).count();
    let rest = blocks.get(skipped).map_or(rest, |block| block.as_slice());
    if all(rest, |block| !test(block)) {
        return None;
    }
    let mut rest = rest.iter();
    let offset = rest.position(|byte| test(u8x16::splat(*byte)).any())?;
    skipped.checked_mul(16)?.checked_add(offset)
}

/// Returns one bit for each of at most 64 bytes, the first one lowest: set if `test` returns all ones.
#[inline(always)]
pub(crate) fn bits(bytes: &[u8], test: impl Fn(u8x16) -> u8x16) -> u64 {
    let of = |block: [u8; 16]| u64::from(test(u8x16::new(block)).to_bitmask());
    let (blocks, rest) = bytes.as_chunks();
    // The rest is filled with zeros, whose bits are removed.
    let mut last = [0; 16];
    last.iter_mut()
        .zip(rest)
        .for_each(|(target, byte)| *target = *byte);
    let kept = u32::try_from(rest.len()).map_or(0, |length| !u64::MAX.unbounded_shl(length));
    let last = of(last) & kept;
    blocks
        .iter()
        .rev()
        .fold(last, |bits, block| bits << 16 | of(*block))
}

/// Checks if the bytes may contain a control character. It may report other characters, but none in
/// Cyrillic.
pub(crate) fn may_have_control(bytes: &[u8]) -> bool {
    // The bytes C2 and E2, which differ in one bit, begin the control characters outside ASCII.
    let is_harmless = |bytes: u8x16| {
        let lead = (bytes | u8x16::splat(0x20)).simd_eq(u8x16::splat(0xE2));
        !(within::<0, 0x1F>(bytes) | bytes.simd_eq(u8x16::splat(0x7F)) | lead)
    };
    // Printable ASCII needs three instructions per block.
    !all(bytes, within::<b' ', b'~'>) && !all(bytes, is_harmless)
}

/// Checks if `test` returns all ones for every byte.
#[inline(always)]
pub(crate) fn all(bytes: &[u8], test: impl Fn(u8x16) -> u8x16) -> bool {
    // Many texts have this length: without the test, a verdict takes 1 % more instructions. The
    // halves overlap.
    if let (..=16, Some(first), Some(last)) = (
        bytes.len(),
        bytes.first_chunk::<8>(),
        bytes.last_chunk::<8>(),
    ) {
        return test(u8x16::new(cast([*first, *last]))).all();
    }
    let (long, rest) = bytes.as_chunks::<LONG>();
    long.iter().all(|block| all_of(block, &test)) && all_of(rest, &test)
}

#[inline(always)]
fn all_of(bytes: &[u8], test: impl Fn(u8x16) -> u8x16) -> bool {
    let (blocks, rest) = bytes.as_chunks();
    let result = blocks.iter().fold(u8x16::splat(u8::MAX), |all, block| {
        all & test(u8x16::new(*block))
    });
    // The last block overlaps the one before, or repeats bytes of a short slice.
    let last = match (
        rest,
        bytes.last_chunk::<16>(),
        bytes.first_chunk::<8>(),
        bytes.last_chunk::<8>(),
    ) {
        ([], ..) => return result.all(),
        (_, Some(last), ..) => *last,
        (_, None, Some(first), Some(last)) => cast([*first, *last]),
        ([first, ..], ..) => {
            let mut block = [*first; 16];
            block
                .iter_mut()
                .zip(bytes)
                .for_each(|(target, byte)| *target = *byte);
            block
        }
    };
    (result & test(u8x16::new(last))).all()
}

/// Returns all ones for each byte from `FIRST` to `LAST`.
#[expect(
    clippy::arithmetic_side_effects,
    reason = "each byte of a vector wraps by itself, here on purpose"
)]
#[inline(always)]
pub(crate) fn within<const FIRST: u8, const LAST: u8>(bytes: u8x16) -> u8x16 {
    const {
        assert!(
            FIRST <= LAST && LAST - FIRST < u8::MAX,
            "no range, or one that contains every byte"
        )
    };
    below_signed(
        bytes - u8x16::splat(FIRST ^ SIGN),
        (LAST - FIRST + 1) ^ SIGN,
    )
}

/// Maps unsigned bytes to signed bytes in the same order (exclusive or).
const SIGN: u8 = 0x80;

/// Returns all ones for each byte that is less than `end`, both compared as signed bytes.
///
/// The caller applies [`SIGN`] to the operands. LLVM would turn `byte ^ SIGN` into an unsigned
/// comparison, for which SSE has no instruction and V8 needs four.
#[inline(always)]
fn below_signed(bytes: u8x16, end: u8) -> u8x16 {
    let bytes: i8x16 = cast(bytes);
    cast(bytes.simd_lt(i8x16::splat(end.cast_signed())))
}

#[cfg(test)]
mod tests {
    use alloc::string::String;
    use alloc::vec;

    use super::*;

    #[test]
    fn accepts_digits_only() {
        for length in 0..40 {
            let digits: String = "0918273645".chars().cycle().take(length).collect();
            assert!(all_digits(digits.as_bytes()), "{digits}");
            for at in 0..length {
                for bad in [b'/', b':', b'a', b' ', 0, 0x7F, 0x80, 0xB0, 0xB9, 0xFF] {
                    let mut bytes = digits.clone().into_bytes();
                    bytes[at] = bad;
                    assert!(!all_digits(&bytes), "{bad:#x} at {at} of {length}");
                }
            }
        }
    }

    #[test]
    fn has_one_bit_for_each_byte() {
        for length in 0..=64 {
            for at in 0..length {
                let mut bytes = vec![b'a'; length];
                bytes[at] = b'7';
                assert_eq!(
                    bits(&bytes, within::<b'0', b'9'>),
                    1 << at,
                    "{at} of {length}"
                );
                let others = bits(&bytes, |block| !within::<b'0', b'9'>(block));
                let expected = u32::try_from(length - 1).unwrap();
                assert_eq!(others.count_ones(), expected, "{at} of {length}");
            }
        }
    }

    #[test]
    fn finds_the_ends_of_a_range_in_every_lane() {
        for byte in 0..=u8::MAX {
            for length in 1..40 {
                for at in 0..length {
                    let mut bytes = vec![b'a'; length];
                    bytes[at] = byte;
                    assert_eq!(
                        all(&bytes, within::<b' ', b'~'>),
                        (b' '..=b'~').contains(&byte),
                        "{byte}"
                    );
                    assert_eq!(all(&bytes, within::<0, b'a'>), byte <= b'a', "{byte}");
                }
            }
        }
    }
}
