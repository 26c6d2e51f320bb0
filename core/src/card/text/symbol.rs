//! A text as symbols: its characters, after all escapes are decoded.
//!
//! The grammar of card data reads symbols only, so every escape is allowed everywhere around names,
//! separators, and values.

use super::escapes::{decode, may_begin_escape};
use crate::util::bug::or_bug;

/// A byte that no text contains. It fills the place of a digit of several bytes that became a star,
/// and is read as one more star.
pub(super) const FILLER: u8 = 0xFF;

/// The bytes that are a symbol by themselves.
#[expect(
    clippy::indexing_slicing,
    clippy::as_conversions,
    reason = "evaluated at compile time"
)]
static IS_PLAIN: [bool; 256] = {
    let mut plain = [false; 256];
    let mut byte = 0_u8;
    while byte < 0x80 {
        plain[byte as usize] = !may_begin_escape(byte);
        byte = byte.saturating_add(1);
    }
    plain
};

/// A character of a text, and the end of its bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Symbol {
    pub(super) character: char,
    pub(super) end: usize,
}

impl Symbol {
    /// Reads the symbol at a position.
    #[inline]
    fn at(text: &[u8], at: usize) -> Option<Self> {
        let first = *text.get(at)?;
        if IS_PLAIN.get(usize::from(first)).copied().unwrap_or(false) {
            return Some(Symbol {
                character: char::from(first),
                end: at.saturating_add(1),
            });
        }
        Some(Symbol::of_several_bytes(text, at, first))
    }

    /// Reads a symbol that may have several bytes.
    #[inline(never)]
    fn of_several_bytes(text: &[u8], at: usize, first: u8) -> Self {
        let mut end = at.saturating_add(1);
        match first {
            FILLER => Symbol {
                character: '*',
                end,
            },
            0..=0x7F => {
                let mut character = char::from(first);
                // The result of an escape may begin another one.
                while let Some((next, used)) =
                    decode(character, text.get(end..).unwrap_or_default())
                {
                    character = next;
                    end = end.saturating_add(used);
                }
                Symbol { character, end }
            }
            _ => {
                let length = match first {
                    0xF0.. => 4,
                    0xE0.. => 3,
                    _ => 2,
                };
                let end = at.saturating_add(length);
                let encoded = text.get(at..end);
                let text = encoded.and_then(|bytes| core::str::from_utf8(bytes).ok());
                let character = text.and_then(|text| text.chars().next());
                Symbol {
                    character: or_bug(character, char::REPLACEMENT_CHARACTER),
                    end,
                }
            }
        }
    }
}

/// A position in a text.
///
/// The symbol there is decoded once, however many forms are tried on it.
#[derive(Clone, Copy)]
pub(super) struct Cursor<'t> {
    pub(super) text: &'t [u8],
    at: usize,
    symbol: Option<Symbol>,
}

impl<'t> Cursor<'t> {
    #[inline]
    pub(super) fn new(text: &'t [u8], at: usize) -> Self {
        Cursor {
            text,
            at,
            symbol: Symbol::at(text, at),
        }
    }

    /// Returns the number of bytes before the cursor.
    #[inline]
    pub(super) fn at(&self) -> usize {
        self.at
    }

    #[inline]
    pub(super) fn move_to(&mut self, at: usize) {
        *self = Cursor::new(self.text, at);
    }

    /// Returns the next symbol without moving.
    #[inline]
    pub(super) fn symbol(&self) -> Option<Symbol> {
        self.symbol
    }

    /// Moves past bytes that begin neither a digit nor an escape, so that each is a character or a
    /// part of one. Returns them.
    pub(super) fn skip_words(&mut self) -> &'t [u8] {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let begins_other = |byte: &u8| begins_digit(*byte) || may_begin_escape(*byte);
        let length = rest.iter().position(begins_other).unwrap_or(rest.len());
        self.move_to(self.at.saturating_add(length));
        rest.get(..length).unwrap_or_default()
    }

    /// Returns the next character without moving.
    #[inline]
    pub(super) fn peek(&self) -> Option<char> {
        self.symbol().map(|symbol| symbol.character)
    }

    /// Moves past the next symbol if its character passes.
    #[inline]
    pub(super) fn accept(&mut self, passes: impl Fn(char) -> bool) -> bool {
        let Some(symbol) = self.symbol().filter(|symbol| passes(symbol.character)) else {
            return false;
        };
        self.move_to(symbol.end);
        true
    }

    /// Moves past an expected character. Returns `None` if another one follows.
    pub(super) fn accept_char(&mut self, expected: char) -> Option<()> {
        self.accept(|character| character == expected).then_some(())
    }

    /// Moves past all symbols that pass. Returns whether there is one.
    #[inline]
    pub(super) fn accept_all(&mut self, passes: impl Fn(char) -> bool) -> bool {
        let start = self.at;
        while self.accept(&passes) {}
        self.at > start
    }
}

impl Iterator for Cursor<'_> {
    type Item = Symbol;

    /// Returns the next symbol and moves past it.
    #[inline]
    fn next(&mut self) -> Option<Symbol> {
        let symbol = self.symbol()?;
        self.move_to(symbol.end);
        Some(symbol)
    }
}

/// Checks if a byte begins a digit in one of the scripts that write card numbers.
pub(super) fn begins_digit(byte: u8) -> bool {
    matches!(byte, b'0'..=b'9' | 0xD9 | 0xDB | 0xEF)
}

#[cfg(test)]
mod tests {
    use super::super::escapes::COLOR;
    use super::*;
    use alloc::string::String;

    /// Returns the characters of a text.
    fn decoded(text: &str) -> String {
        Cursor::new(text.as_bytes(), 0)
            .map(|symbol| symbol.character)
            .collect()
    }

    #[test]
    fn decodes_every_spelling_of_a_quote() {
        for spelling in [
            "\"",
            "\\\"",
            "\\\\\\\"",
            "\\u0022",
            "\\\\u0022",
            "\\u{22}",
            "\\U00000022",
            "\\x22",
            "\\\\x22",
            "\\x{22}",
            "\\042",
            "%22",
            "%2522",
            "%252522",
            "%u0022",
            "&quot;",
            "&amp;quot;",
            "&#34;",
            "&#034;",
            "&#x22;",
            "&#X22;",
            "&amp;#34;",
            "\\u0026quot;",
            "%26quot;",
            "\\u002522",
            "\\u005c\"",
            "%5Cu%7B22%7D",
            "%5c%5cx%257b22%257d",
        ] {
            assert_eq!(decoded(spelling), "\"", "{spelling}");
        }
    }

    #[test]
    fn decodes_every_spelling_of_a_color() {
        for escape in [
            "\u{1B}",
            "\\u001b",
            "\\u001B",
            "\\\\u001b",
            "\\x1b",
            "\\x1B",
            "\\033",
            "#033",
            "\\e",
            "\\E",
            "^[",
            "%1B",
            "&#27;",
            "&#x1b;",
            "\\u{1b}",
            "\\27",
            "%5Ce",
            "%5E%5B",
        ] {
            for parameters in [
                "m",
                "0m",
                "1;31m",
                "38;2;255;255;255m",
                "38:5:1m",
                "?25h",
                "K",
            ] {
                for bracket in ["[", "%5B", "%255b"] {
                    let text = alloc::format!("{escape}{bracket}{parameters}4");
                    assert_eq!(decoded(&text), alloc::format!("{COLOR}4"), "{text}");
                }
            }
        }
    }

    #[test]
    fn decodes_characters_and_keeps_other_texts() {
        for (text, expected) in [
            ("a\\nb\\tc\\rd", "a\nb\tc\rd"),
            ("%20%C2%A0%E2%80%AF", " \u{A0}\u{202F}"),
            ("\\xc2\\xa0\\u00a0&nbsp;", "\u{A0}\u{A0}\u{A0}"),
            (
                "\\xa0%A0%25C2%25A0\\\\xc2\\\\xa0",
                "\u{A0}\u{A0}\u{A0}\u{A0}",
            ),
            ("%5C%5Cn%255C%255Cn%25255C%255C%5Cn", "\n\n\n"),
            ("%26%2358%3B%26%252358%253B%26gt%3B", "::>"),
            ("% 62 %(41 %9792 %&91", "% 62 %(41 %9792 %&91"),
            ("卡\\u5361%E5%8D%A1", "卡卡卡"),
            ("%B4111 100%41 %zz % %", "%B4111 100%41 %zz % %"),
            ("\\d \\u12 & &x; &#; #1 ^ \\", "\\d \\u12 & &x; &#; #1 ^ \\"),
            ("#012x#040", "\nx#040"),
            ("\\ud83d", "\u{FFFD}"),
            ("\u{1B}[1", "\u{1B}[1"),
        ] {
            assert_eq!(decoded(text), expected, "{text}");
        }
    }

    #[test]
    fn reads_fillers_as_stars() {
        let text = [b'*', FILLER, FILLER, b'1'];
        let symbols = Cursor::new(&text, 0).map(|symbol| symbol.character);
        assert!(symbols.eq(['*', '*', '*', '1']));
    }
}
