//! Positions in texts.

/// Returns line and column of a byte offset, both from 1. The column counts characters.
pub(crate) fn line_and_column(bytes: &[u8], at: usize) -> (usize, usize) {
    let before = bytes.get(..at).unwrap_or(bytes);
    let line_start = before
        .iter()
        .rposition(|byte| *byte == b'\n')
        .map_or(0, |at| at.saturating_add(1));
    let lines = before.iter().filter(|byte| **byte == b'\n').count();
    // Every character has exactly one byte that is not a continuation byte.
    let characters = before
        .iter()
        .skip(line_start)
        .filter(|byte| **byte & 0xC0 != 0x80)
        .count();
    (lines.saturating_add(1), characters.saturating_add(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_lines_and_characters() {
        for (text, at, expected) in [
            ("", 0, (1, 1)),
            ("{\"a\":1}", 5, (1, 6)),
            ("{\n \"я\": 1\n}", 8, (2, 6)),
            ("{\r\n}", 3, (2, 1)),
            ("\n\n", 2, (3, 1)),
            ("ab", 9, (1, 3)),
        ] {
            assert_eq!(line_and_column(text.as_bytes(), at), expected, "{text:?}");
        }
    }
}
