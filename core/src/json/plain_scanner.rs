//! The scanner without vector code, for builds that must be small.

/// Finds the terminators of strings: quotes, backslashes, and control characters.
#[derive(Clone, Copy)]
pub(super) struct StringScanner;

impl StringScanner {
    pub(super) fn new(_text: &[u8]) -> Self {
        StringScanner
    }

    /// Returns the position of the first terminator from `at` on, or the end of the text.
    pub(super) fn next(&mut self, text: &[u8], at: usize) -> usize {
        let rest = text.get(at..).unwrap_or_default();
        let plain = rest.iter().take_while(|byte| **byte >= b' ' && !matches!(byte, b'"' | b'\\')).count();
        at.saturating_add(plain)
    }
}
