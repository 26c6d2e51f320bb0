//! Masks card data in any text, for example a log line.

use alloc::vec::Vec;

use crate::card::text::TextMask;

/// Appends the text with card numbers and security codes masked.
pub(crate) fn redact_text(text: &str, out: &mut Vec<u8>) {
    TextMask::COMPLETE.write(text, out);
}
