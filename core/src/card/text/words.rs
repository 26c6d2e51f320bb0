//! The words of a text that may be names.

use core::ops::Range;

use super::names::CardName;

/// The maximum number of words of a name with spaces: `credit card number`.
const MAX_WORDS: usize = 3;

/// The last words of names with spaces.
const LAST_WORDS: [&[u8]; 5] = [b"number", b"no", b"num", b"code", b"value"];

/// The last words before a position, as long as little is between them.
#[derive(Default)]
pub(super) struct Words {
    /// The words, the last one at the end.
    ranges: [Range<usize>; MAX_WORDS],
    count: usize,
    /// The number of characters after the last word.
    gap: usize,
}

impl Words {
    /// Reads a character after a word. `card number`, `card[number]`, and `card["number"]` are one
    /// name.
    pub(super) fn separate(&mut self, character: char) {
        self.gap = self.gap.saturating_add(1);
        let joins = match self.gap {
            1 => matches!(character, ' ' | '.' | '['),
            2 => matches!(character, ' ' | '"' | '\''),
            _ => false,
        };
        if !joins {
            self.count = 0;
        }
    }

    /// Reads a word.
    pub(super) fn push(&mut self, word: Range<usize>) {
        self.ranges.rotate_left(1);
        let [.., last] = &mut self.ranges;
        *last = word;
        self.count = self.count.saturating_add(1).min(MAX_WORDS);
        self.gap = 0;
    }

    /// Returns what the last word stands for, or the last words together.
    pub(super) fn name(&self, text: &[u8]) -> Option<CardName> {
        let word = |range: &Range<usize>| text.get(range.clone()).unwrap_or_default();
        let words = self.ranges.each_ref().map(word);
        let [.., before, last] = words;
        let name = CardName::from_name(last);
        let is_last_word = || {
            LAST_WORDS
                .iter()
                .any(|known| last.eq_ignore_ascii_case(known))
        };
        if name.is_some() || self.count < 2 || !is_last_word() {
            return name;
        }
        let together = (2..=self.count).find_map(|count| {
            let first = MAX_WORDS.saturating_sub(count);
            CardName::from_words(words.get(first..)?)
        });
        // In `CVV code failed: yes`, the value is not a security code.
        let is_code = CardName::from_name(before) == Some(CardName::SecurityCode);
        together.or_else(|| is_code.then_some(CardName::PossibleCode))
    }
}

/// Checks if a byte is a part of a word.
#[inline]
pub(super) fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}

/// Returns the end of the word at a position. A point within it belongs to it.
pub(super) fn word_end(text: &[u8], start: usize) -> usize {
    let mut rest = text.get(start..).unwrap_or_default();
    while let [b'.', next, ..] | [next, ..] = rest
        && is_word_byte(*next)
    {
        rest = rest.get(1..).unwrap_or_default();
    }
    text.len().saturating_sub(rest.len())
}
