//! The kinds of the bytes in a URI.

/// The kinds of a byte, one bit each. The kinds of several bytes are the union of their bits.
pub(super) const OTHER: u8 = 1;
pub(super) const PERCENT: u8 = 1 << 1;
pub(super) const BRACKET: u8 = 1 << 2;
pub(super) const HASH: u8 = 1 << 3;
pub(super) const AT: u8 = 1 << 4;
pub(super) const COLON: u8 = 1 << 5;
pub(super) const SCHEME: u8 = 1 << 6;
/// The end of the authority.
pub(super) const END: u8 = 1 << 7;

/// The characters of RFC 3986, section 2. Characters without a kind, `SCHEME`, and `END` are
/// allowed anywhere after the scheme.
#[expect(
    clippy::as_conversions,
    clippy::indexing_slicing,
    reason = "evaluated by the compiler"
)]
static KINDS: [u8; 256] = {
    let mut kinds = [0; 256];
    let mut byte = 0;
    while byte < kinds.len() {
        kinds[byte] = match byte as u8 {
            b'%' => PERCENT,
            b'[' | b']' => BRACKET,
            b'#' => HASH | END,
            b'@' => AT,
            b':' => COLON,
            b'+' | b'-' | b'.' | b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' => SCHEME,
            b'/' | b'?' => END,
            b'_' | b'~' | b'!' | b'$' | b'&' | b'\'' | b'(' | b')' | b'*' | b',' | b';' | b'=' => 0,
            _ => OTHER,
        };
        byte += 1;
    }
    kinds
};

/// Returns the kinds of a byte.
#[expect(
    clippy::indexing_slicing,
    reason = "the table has an entry for every byte"
)]
pub(super) fn kind(byte: u8) -> u8 {
    KINDS[usize::from(byte)]
}

/// Returns the kinds of the bytes of a text.
pub(super) fn kinds_of(text: &str) -> u8 {
    text.bytes().fold(0, |kinds, byte| kinds | kind(byte))
}
