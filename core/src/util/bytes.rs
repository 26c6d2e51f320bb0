//! Tests of bytes that several rules share.

/// The number of bytes that are tested at once.
const BLOCK: usize = 16;

/// Returns the bytes as text after one UTF-8 check. With the feature `simd`, the check uses vector instructions.
pub(crate) fn utf8(bytes: &[u8]) -> Result<&str, core::str::Utf8Error> {
    #[cfg(feature = "simd")]
    {
        if let Ok(text) = simdutf8::basic::from_utf8(bytes) {
            return Ok(text);
        }
    }
    // Unlike simdutf8, this error contains the position.
    core::str::from_utf8(bytes)
}

/// Checks if the test holds for every byte. It must be without branches, so that the compiler turns the loop over a
/// block into vector instructions.
#[inline(always)]
pub(crate) fn all(bytes: &[u8], test: impl Fn(u8) -> bool + Copy) -> bool {
    /// The result of the test for a block of constant size.
    #[inline(always)]
    fn of<const N: usize>(block: &[u8; N], test: impl Fn(u8) -> bool) -> bool {
        block.iter().fold(true, |all, byte| all & test(*byte))
    }
    // The last block overlaps the one before, which does not change the result.
    match (bytes.last_chunk::<BLOCK>(), bytes.first_chunk::<8>(), bytes.last_chunk::<8>()) {
        (Some(last), ..) => of(last, test) && bytes.as_chunks().0.iter().all(|block: &[u8; BLOCK]| of(block, test)),
        (None, Some(first), Some(last)) => of(first, test) & of(last, test),
        _ => bytes.iter().all(|byte| test(*byte)),
    }
}

/// Checks if all bytes are ASCII digits. Returns true for an empty slice.
pub(crate) fn all_digits(bytes: &[u8]) -> bool {
    all(bytes, |byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use alloc::string::String;

    use super::*;

    #[test]
    fn digits_only() {
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
}
