//! Masks card data in any text, for example a log line.

use alloc::vec::Vec;

use crate::card::mask::Masked;
use crate::card::text::TextMask;

/// Appends the text with card numbers and security codes masked.
pub(crate) fn redact_text(text: &str, out: &mut Vec<u8>) {
    let masked = TextMask::COMPLETE.mask(text);
    let redacted = masked.as_ref().map_or(text, Masked::as_str);
    out.extend_from_slice(redacted.as_bytes());
}
