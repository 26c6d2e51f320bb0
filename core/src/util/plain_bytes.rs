//! Tests of the bytes of a text, without vector code, for builds that must be small.

/// Returns the bytes as text after one UTF-8 check.
pub(crate) fn utf8(bytes: &[u8]) -> Result<&str, core::str::Utf8Error> {
    core::str::from_utf8(bytes)
}

/// Checks if all bytes are ASCII digits. Returns true for an empty slice.
pub(crate) fn all_digits(bytes: &[u8]) -> bool {
    bytes.iter().all(u8::is_ascii_digit)
}

/// Checks if any byte is an ASCII digit.
pub(crate) fn has_digit(bytes: &[u8]) -> bool {
    bytes.iter().any(u8::is_ascii_digit)
}

/// Checks if the bytes may contain a control character, which is always possible.
pub(crate) fn may_have_control(_bytes: &[u8]) -> bool {
    true
}
