//! The text that is searched, read by position.

use core::ops::Range;

use crate::util::bug::or_bug;

/// A byte with the backslashes before it, which may escape it.
#[derive(Clone, Copy)]
pub(super) struct Escaped {
    pub(super) byte: u8,
    pub(super) backslashes: usize,
    pub(super) at: usize,
}

impl Escaped {
    /// Returns the position after the byte.
    pub(super) fn end(self) -> usize {
        self.at.saturating_add(1)
    }
}

/// The text to search. Positions are byte offsets of characters.
#[derive(Clone, Copy)]
pub(super) struct Source<'t>(pub(super) &'t str);

impl<'t> Source<'t> {
    /// Returns the byte at a position, or 0 after the end.
    pub(super) fn byte(self, at: usize) -> u8 {
        self.0.as_bytes().get(at).copied().unwrap_or(0)
    }

    /// Returns the character at a position, if it is not after the end.
    pub(super) fn char(self, at: usize) -> Option<char> {
        if at >= self.0.len() {
            return None;
        }
        // Positions are those of characters. Within one, which is a bug, a character is returned
        // that belongs to no word, so that a card number may begin or end here.
        let first = self.0.get(at..).and_then(|rest| rest.chars().next());
        Some(or_bug(first, char::REPLACEMENT_CHARACTER))
    }

    /// Returns the characters in a range, or nothing if it is not within the text.
    pub(super) fn slice(self, range: Range<usize>) -> &'t str {
        self.0.get(range).unwrap_or("")
    }

    pub(super) fn is_digit(self, at: usize) -> bool {
        self.byte(at).is_ascii_digit()
    }

    pub(super) fn is_alphanumeric(self, at: usize) -> bool {
        self.char(at).is_some_and(char::is_alphanumeric)
    }

    /// Returns the position after the character at `at`.
    pub(super) fn after(self, at: usize) -> usize {
        let next = at.saturating_add(1);
        (next..self.0.len())
            .find(|position| self.0.is_char_boundary(*position))
            .unwrap_or(next.max(self.0.len()))
    }

    /// Returns the first position from `at` on whose byte does not pass.
    pub(super) fn skip(self, at: usize, passes: impl Fn(u8) -> bool) -> usize {
        (at..self.0.len())
            .find(|at| !passes(self.byte(*at)))
            .unwrap_or(self.0.len())
    }

    /// Returns the next byte from `at` on that is not a backslash, or 0 at the end.
    pub(super) fn escaped(self, at: usize) -> Escaped {
        let end = self.skip(at, |byte| byte == b'\\');
        Escaped {
            byte: self.byte(end),
            backslashes: end.saturating_sub(at),
            at: end,
        }
    }

    /// Returns the end of a terminal control sequence or a string escape at `at`, if there is one.
    ///
    /// The letter in it is not part of the word after it.
    pub(super) fn escape_end(self, at: usize) -> Option<usize> {
        match self.byte(at) {
            b'\\' => {
                let Escaped { byte, at, .. } = self.escaped(at);
                let digits = at.saturating_add(1)..at.saturating_add(5);
                Some(match byte {
                    b'b' | b'f' | b'n' | b'r' | b't' => digits.start,
                    b'u' if digits.clone().all(|at| self.byte(at).is_ascii_hexdigit()) => {
                        digits.end
                    }
                    _ => at,
                })
            }
            0x1B if self.byte(at.saturating_add(1)) == b'[' => {
                let last = self.skip(at.saturating_add(2), |byte| {
                    matches!(byte, b'0'..=b'9' | b';')
                });
                Some(if self.byte(last).is_ascii_alphabetic() {
                    last.saturating_add(1)
                } else {
                    last
                })
            }
            _ => None,
        }
    }

    /// Returns the end of a percent-encoded byte at `at`, if there is one.
    pub(super) fn percent_end(self, at: usize) -> Option<usize> {
        let digit = |offset| self.byte(at.saturating_add(offset)).is_ascii_hexdigit();
        (self.byte(at) == b'%' && digit(1) && digit(2)).then(|| at.saturating_add(3))
    }
}

pub(super) fn is_line_break(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::util::bug::with_bug;

    #[test]
    fn returns_to_the_next_character() {
        let source = Source("я1€");
        assert_eq!(
            (source.char(0), source.char(2), source.char(6)),
            (Some('я'), Some('1'), None)
        );
        assert_eq!(
            with_bug(|| source.char(1)),
            Some(char::REPLACEMENT_CHARACTER)
        );
        let after = [0, 1, 2, 3, 4, 5, 6].map(|at| source.after(at));
        assert_eq!(after, [2, 2, 3, 6, 6, 6, 7]);
    }

    #[test]
    fn skips_escapes() {
        for (text, end) in [
            ("\\n4", Some(2)),
            ("\\u00414", Some(6)),
            ("\\u00g", Some(1)),
            ("\u{1b}[31;1m4", Some(7)),
            ("x", None),
        ] {
            assert_eq!(Source(text).escape_end(0), end, "{text}");
        }
        assert_eq!(Source("%204").percent_end(0), Some(3));
        assert_eq!(Source("%2x4").percent_end(0), None);
    }
}
