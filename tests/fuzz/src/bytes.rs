//! A cursor over the fuzzer's bytes.

/// The unread rest of an input.
pub(crate) struct Bytes<'b>(pub(crate) &'b [u8]);

impl<'b> Bytes<'b> {
    /// Returns the next byte, or 0 after the end.
    pub(crate) fn next(&mut self) -> u8 {
        match self.0.split_first() {
            Some((byte, rest)) => {
                self.0 = rest;
                *byte
            }
            None => 0,
        }
    }

    /// Returns the bytes up to the next 0xFF, which never occurs in UTF-8, or `None` after the last
    /// part.
    pub(crate) fn part(&mut self) -> Option<&'b [u8]> {
        if self.0.is_empty() {
            return None;
        }
        let end = self
            .0
            .iter()
            .position(|byte| *byte == 0xFF)
            .unwrap_or(self.0.len());
        let (part, rest) = self.0.split_at(end);
        self.0 = rest.get(1..).unwrap_or_default();
        Some(part)
    }
}
