//! The extent of a value after the name of card data.

use core::ops::Range;

use super::digits::{Separator, digit, skip_digits};
use super::link::{Link, NameEnd};
use super::names::CardName;
use super::number::number_at;
use super::quote::Quote;
use super::symbol::Cursor;
use super::wrapper::{Wrappers, is_space};
use crate::card::syntax::{MAX_PAN_DIGITS, MIN_PAN_DIGITS};

/// The number of digits of most card numbers. Groups of digits after a name, without quotes, are one
/// value until they have this many.
const ENOUGH_DIGITS: usize = 16;

/// A value in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Found {
    /// The characters without quotes and wrappers.
    pub(super) range: Range<usize>,
    /// Set if the value is in no quotes and no wrapper, so that its mask may need quotes.
    pub(super) is_bare: bool,
    pub(super) is_quoted: bool,
}

impl Found {
    /// Reads the value of a name at the cursor. Names with other meanings have only digits.
    pub(super) fn under(
        name: CardName,
        cursor: Cursor<'_>,
        end: &NameEnd<'_>,
        wrappers: &mut Wrappers,
    ) -> Option<Self> {
        match name {
            CardName::PossibleNumber => Self::digits(cursor, end, true, wrappers),
            CardName::PossibleCode => Self::digits(cursor, end, false, wrappers),
            CardName::CardNumber | CardName::SecurityCode => Self::read(cursor, end, wrappers),
        }
    }

    /// Reads the value at the cursor, after a name.
    fn read(mut cursor: Cursor<'_>, name: &NameEnd<'_>, wrappers: &mut Wrappers) -> Option<Self> {
        let is_element = name.link == Link::Element;
        if is_element {
            cursor.accept_all(is_space);
        }
        let is_wrapped = wrappers.skip(&mut cursor, is_element);
        let start = cursor.at();
        if is_element {
            return Some(until_markup(cursor));
        }
        if let Some(quote) = Quote::read(&mut cursor) {
            let is_string_end = name.quote.is_none() && !is_wrapped && follows_string(cursor);
            return (!is_string_end).then(|| quoted(cursor, quote));
        }
        let is_container = !is_wrapped && matches!(cursor.peek(), Some('{' | '['));
        if is_container {
            skip_container(&mut cursor, name);
        } else {
            skip_groups(&mut cursor);
        }
        skip_word(&mut cursor);
        Some(Found {
            range: start..cursor.at(),
            is_bare: !is_wrapped,
            is_quoted: false,
        })
    }
}

impl Found {
    /// Checks if there is nothing to hide: no value, or a null instead of a card number.
    pub(super) fn is_absent(&self, name: CardName, text: &[u8]) -> bool {
        let value = text.get(self.range.clone()).unwrap_or_default();
        let is_null = name == CardName::CardNumber && value == b"null";
        !self.is_quoted && (value.is_empty() || is_null)
    }

    /// Reads the value at the cursor if it is digits: one group, or several as in a card number.
    ///
    /// The time to find out that there are others is short.
    fn digits(
        mut cursor: Cursor<'_>,
        name: &NameEnd<'_>,
        has_groups: bool,
        wrappers: &mut Wrappers,
    ) -> Option<Self> {
        let is_element = name.link == Link::Element;
        if is_element {
            cursor.accept_all(is_space);
        }
        let is_wrapped = wrappers.skip(&mut cursor, is_element);
        let quote = Quote::read(&mut cursor);
        let is_quoted = quote.is_some();
        let start = cursor.at();
        cursor.peek().and_then(digit)?;
        if has_groups && (is_quoted || is_element) {
            skip_all_groups(&mut cursor, MAX_PAN_DIGITS);
        } else if has_groups {
            skip_groups(&mut cursor);
        }
        if cursor.at() == start {
            skip_digits(&mut cursor);
        }
        let is_first_group = !has_groups && begins_number(cursor, start);
        let is_whole = if let Some(quote) = quote {
            quote.encloses_digits_before(cursor) || cursor.peek().is_none() || is_line_break(cursor)
        } else if is_element {
            ends_element(cursor)
        } else {
            ends_word(cursor)
        };
        (is_whole && !is_first_group).then_some(Found {
            range: start..cursor.at(),
            is_bare: !is_element && !is_wrapped && !is_quoted,
            is_quoted,
        })
    }

    /// Reads the security code that follows a name after a space alone: three or four digits that
    /// are not the first group of a card number.
    pub(super) fn code_after_space(mut cursor: Cursor<'_>) -> Option<Self> {
        Quote::read(&mut cursor);
        let start = cursor.at();
        let count = skip_digits(&mut cursor);
        let is_code = || ends_word(cursor) && !begins_number(cursor, start);
        (matches!(count, 3 | 4) && is_code()).then_some(Found {
            range: start..cursor.at(),
            is_bare: false,
            is_quoted: false,
        })
    }
}

/// Checks if the digits from `start` to the cursor are the first group of a card number, masked or
/// not.
fn begins_number(cursor: Cursor<'_>, start: usize) -> bool {
    number_at(cursor.text, start).is_some() || precedes_mask(cursor)
}

/// Checks if a group with stars follows, as in a masked number.
fn precedes_mask(mut cursor: Cursor<'_>) -> bool {
    Separator::read(&mut cursor).is_some() && {
        skip_digits(&mut cursor);
        cursor.peek() == Some('*')
    }
}

/// Reads the text of an element.
fn until_markup(mut cursor: Cursor<'_>) -> Found {
    let (start, mut end) = (cursor.at(), cursor.at());
    while let Some(symbol) = cursor.next() {
        match symbol.character {
            '<' => break,
            // The end of a CDATA section.
            ']' if ends_section(cursor) => break,
            space if is_space(space) => {}
            _ => end = symbol.end,
        }
    }
    Found {
        range: start..end,
        is_bare: false,
        is_quoted: false,
    }
}

/// Checks if `]>` follows, after a `]`.
fn ends_section(mut cursor: Cursor<'_>) -> bool {
    cursor.accept(|next| next == ']') && cursor.peek() == Some('>')
}

/// Checks if the text of an element ends at the cursor.
fn ends_element(mut cursor: Cursor<'_>) -> bool {
    cursor.accept_all(is_space);
    matches!(cursor.peek(), None | Some('<' | ']'))
}

/// Checks if a quote before the cursor ends a string whose last word is the name.
fn follows_string(mut cursor: Cursor<'_>) -> bool {
    cursor.accept_all(|next| next == ' ');
    match cursor.peek() {
        Some(next) => matches!(next, ',' | '}' | ']' | ':' | '\n' | '\r'),
        None => true,
    }
}

/// Reads a string after its opening quote, up to its end, or to the end of the line.
fn quoted(mut cursor: Cursor<'_>, open: Quote<'_>) -> Found {
    let start = cursor.at();
    while let Some(symbol) = cursor.symbol() {
        if is_line_break(cursor) || open.is_closed_at(cursor) {
            break;
        }
        cursor.move_to(symbol.end);
    }
    Found {
        range: start..cursor.at(),
        is_bare: false,
        is_quoted: true,
    }
}

/// Checks if a line ends here, not only in an escape.
fn is_line_break(cursor: Cursor<'_>) -> bool {
    matches!(cursor.text.get(cursor.at()), Some(b'\n' | b'\r'))
}

/// Moves past an object or array.
///
/// An unclosed one ends with the line, or with the text if the name is enclosed as in JSON, or with
/// the string that contains it.
fn skip_container(cursor: &mut Cursor<'_>, name: &NameEnd<'_>) {
    let mut depth = 0_usize;
    let mut open: Option<Quote<'_>> = None;
    while let Some(symbol) = cursor.symbol() {
        let mut after = *cursor;
        if let Some(quote) = Quote::read(&mut after) {
            if name.quote.is_some_and(|inner| quote.is_outside(inner)) {
                return;
            }
            match open {
                Some(begin) if quote.closes(begin) => open = None,
                None if is_double_quote(*cursor) => open = Some(quote),
                _ => {}
            }
            *cursor = after;
            continue;
        } else if is_line_break(*cursor) && !name.is_enclosed {
            return;
        } else if open.is_none() {
            match symbol.character {
                '{' | '[' => depth = depth.saturating_add(1),
                '}' | ']' => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
        cursor.move_to(symbol.end);
        if depth == 0 {
            return;
        }
    }
}

/// Checks if a double quote is at the cursor, after any backslashes.
fn is_double_quote(mut cursor: Cursor<'_>) -> bool {
    cursor.accept_all(|next| next == '\\');
    cursor.peek() == Some('"')
}

/// Moves past the card number at the cursor, or past groups of digits that may be one.
fn skip_groups(cursor: &mut Cursor<'_>) {
    match number_at(cursor.text, cursor.at()) {
        Some(number) => cursor.move_to(number.range.end),
        None => skip_all_groups(cursor, ENOUGH_DIGITS),
    }
}

/// Moves past groups of digits, if they may be one card number. After `enough` digits, no group
/// belongs to it.
fn skip_all_groups(cursor: &mut Cursor<'_>, enough: usize) {
    let mut ahead = *cursor;
    let mut count = skip_digits(&mut ahead);
    let mut end = ahead;
    while count < enough && Separator::read(&mut ahead).is_some() {
        let digits = count.saturating_add(skip_digits(&mut ahead));
        let is_joined = |next: char| next == '*' || next.is_alphanumeric();
        if digits > MAX_PAN_DIGITS || ahead.peek().is_some_and(is_joined) {
            break;
        }
        (end, count) = (ahead, digits);
    }
    if count >= MIN_PAN_DIGITS {
        *cursor = end;
    }
}

/// Moves past a word, without the punctuation of the sentence.
fn skip_word(cursor: &mut Cursor<'_>) {
    let mut ahead = *cursor;
    while let Some(symbol) = ahead.next() {
        match symbol.character {
            other if is_after_word(other) => return,
            other if is_punctuation(other) => {}
            _ => *cursor = ahead,
        }
    }
}

/// Checks if a word ends at the cursor, with or without punctuation after it.
fn ends_word(mut cursor: Cursor<'_>) -> bool {
    cursor.accept_all(is_punctuation);
    cursor.peek().is_none_or(is_after_word)
}

fn is_punctuation(character: char) -> bool {
    matches!(character, '.' | ':' | '!' | '?')
}

/// Checks if a character is in no word.
fn is_after_word(character: char) -> bool {
    match character {
        ',' | ';' | '&' | '#' | '|' | '"' | '\'' | '`' | ')' | ']' | '}' | '<' | '>' | '\\' => true,
        ascii if ascii.is_ascii() => ascii.is_ascii_whitespace() || ascii.is_ascii_control(),
        other => !other.is_alphanumeric(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the value after `cvv`, and whether it is bare.
    fn value(after: &str) -> Option<(&str, bool)> {
        let mut cursor = Cursor::new(after.as_bytes(), 0);
        let end = NameEnd::read(&mut cursor, [' ', '<'])?;
        let found = Found::read(cursor, &end, &mut Wrappers::default())?;
        Some((after.get(found.range)?, found.is_bare))
    }

    #[test]
    fn reads_values_of_every_form() {
        for (after, expected) in [
            ("=123 x", "123"),
            ("=123&x", "123"),
            ("=123%26x", "123"),
            ("=123\\nx", "123"),
            ("=123\\u0026x", "123"),
            (": 123. Yes", "123"),
            (": 1.5e3, x", "1.5e3"),
            (":\u{1B}[31m123\u{1B}[0m", "123"),
            (": 4111 1111 1111 1111 12/27", "4111 1111 1111 1111"),
            (": 6304 2194 4760 7087 665 1", "6304 2194 4760 7087 665"),
            (": 5000-0000-0009-2 x", "5000-0000-0009-2"),
            ("={\"a\":[\"}\",1]} b", "{\"a\":[\"}\",1]}"),
            ("=[1,2] b", "[1,2]"),
            ("={\"a\":1\nb", "{\"a\":1"),
            ("=[\\&quot;1\\&quot;]&b", "[\\&quot;1\\&quot;]"),
        ] {
            assert_eq!(value(after), Some((expected, true)), "{after}");
        }
        for (after, expected) in [
            ("=\"1 2\"", "1 2"),
            ("\\\":\\\"1\\\\\\\"2\\\",", "1\\\\\\\"2"),
            ("%5C%22:%5C%221%5C%22", "1"),
            ("='12\nx", "12"),
            ("\\\":\\\"12\",", "12"),
            ("=Some(\"123\")", "123"),
            ("=(123)", "123"),
            (">123</", "123"),
            ("> 1 2 </", "1 2"),
            ("><![CDATA[123]]></", "123"),
            ("></", ""),
        ] {
            assert_eq!(value(after), Some((expected, false)), "{after}");
        }
        for after in [":\",\"a\":1", ": \"}", ":\" }"] {
            assert_eq!(value(after), None, "{after}");
        }
    }
}
