//! Masks card numbers in any text, for example a log line, and the values after names of card data.
//!
//! There are two linear passes. The first replaces the value after each name of card data. The second masks card numbers by
//! their form. The output of one pass never matches the other or a second redaction, so redacting twice changes nothing.

use alloc::vec::Vec;
use core::ops::Range;

use super::redact::SensitiveField;
use crate::card::finder::{is_text_pan, mask_pan};
use crate::card::pan::MaskedPan;
use crate::card::scheme::{MAX_PAN_DIGITS, MIN_PAN_DIGITS};
use crate::input::parse_uuid;

/// The length of a UUID in characters.
const UUID_LENGTH: usize = 36;
/// The number of digits of most card numbers. Groups of digits after a name are one value until they have this many.
const ENOUGH_DIGITS: usize = 16;

/// Appends the text with card numbers and security codes masked.
pub(crate) fn redact_text(text: &str, out: &mut Vec<u8>) {
    let source = Source(text);
    // Memory is reserved before the first byte is written, since a growing buffer leaves its old bytes in memory.
    let mut length = text.len();
    source.replacements(&mut |replaced| length = length.saturating_add(replaced.added()));
    out.reserve(length);
    let start = out.len();
    let mut copied = 0;
    source.replacements(&mut |replaced| {
        out.extend_from_slice(source.slice(copied..replaced.range.start).as_bytes());
        out.extend_from_slice(replaced.quote.as_bytes());
        out.extend_from_slice(replaced.value.as_str().as_bytes());
        out.extend_from_slice(replaced.quote.as_bytes());
        copied = replaced.range.end;
    });
    out.extend_from_slice(source.slice(copied..text.len()).as_bytes());
    let written = out.get_mut(start..).unwrap_or_default();
    for number in Source(core::str::from_utf8(written).unwrap_or_default()).card_numbers() {
        mask_pan(written, &number);
    }
}

/// A value after a name of card data, and its replacement.
struct Replacement<'t> {
    range: Range<usize>,
    /// The quote around the replacement: that of the name if the value has none, so that JSON stays valid.
    quote: &'t str,
    value: MaskedPan,
}

impl Replacement<'_> {
    /// Returns the number of bytes by which the text grows.
    fn added(&self) -> usize {
        let new = self.value.as_str().len().saturating_add(self.quote.len().saturating_mul(2));
        new.saturating_sub(self.range.len())
    }
}

/// An opening or closing quote, with the backslashes that escape it.
#[derive(Clone, Copy)]
struct Quote {
    mark: u8,
    backslashes: usize,
    end: usize,
}

/// The kind of the character before the cursor, which decides whether a card number may begin here.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    /// A letter, or the point of a decimal fraction: no card number begins here.
    Joined,
    Digit,
    /// A star that may belong to a masked number. No card number begins here: otherwise masking one would uncover another.
    MaskStar,
    /// A single separator after a digit or such a star.
    Separator,
    Other,
}

/// The text to search. Positions are byte offsets of characters.
#[derive(Clone, Copy)]
struct Source<'t>(&'t str);

impl<'t> Source<'t> {
    /// Returns the byte at a position, or 0 after the end.
    fn byte(self, at: usize) -> u8 {
        self.0.as_bytes().get(at).copied().unwrap_or(0)
    }

    fn char(self, at: usize) -> Option<char> {
        self.0.get(at..)?.chars().next()
    }

    fn slice(self, range: Range<usize>) -> &'t str {
        self.0.get(range).unwrap_or("")
    }

    fn len(self) -> usize {
        self.0.len()
    }

    fn is_digit(self, at: usize) -> bool {
        self.byte(at).is_ascii_digit()
    }

    fn is_alphanumeric(self, at: usize) -> bool {
        self.char(at).is_some_and(char::is_alphanumeric)
    }

    /// Returns the position after the character at `at`.
    fn after(self, at: usize) -> usize {
        at.saturating_add(self.char(at).map_or(1, char::len_utf8))
    }

    /// Returns the first position from `at` on whose byte does not pass.
    fn skip(self, mut at: usize, passes: impl Fn(u8) -> bool) -> usize {
        while at < self.len() && passes(self.byte(at)) {
            at = at.saturating_add(1);
        }
        at
    }

    fn digits_end(self, at: usize) -> usize {
        self.skip(at, |byte| byte.is_ascii_digit())
    }

    /// Returns the end of a terminal control sequence or a string escape at `at`, if there is one.
    ///
    /// The letter in it is not part of the word after it.
    fn escape_end(self, at: usize) -> Option<usize> {
        match self.byte(at) {
            b'\\' => {
                let letter = self.skip(at, |byte| byte == b'\\');
                let digits = letter.saturating_add(1)..letter.saturating_add(5);
                Some(match self.byte(letter) {
                    b'b' | b'f' | b'n' | b'r' | b't' => digits.start,
                    b'u' if digits.clone().all(|at| self.byte(at).is_ascii_hexdigit()) => digits.end,
                    _ => letter,
                })
            }
            0x1B if self.byte(at.saturating_add(1)) == b'[' => {
                let last = self.skip(at.saturating_add(2), |byte| matches!(byte, b'0'..=b'9' | b';'));
                Some(if self.byte(last).is_ascii_alphabetic() { last.saturating_add(1) } else { last })
            }
            _ => None,
        }
    }

    /// Returns the end of a percent-encoded byte at `at`, if there is one.
    fn percent_end(self, at: usize) -> Option<usize> {
        let digit = |offset| self.byte(at.saturating_add(offset)).is_ascii_hexdigit();
        (self.byte(at) == b'%' && digit(1) && digit(2)).then(|| at.saturating_add(3))
    }

    /// Calls `found` with the replacement of each value that follows a name of card data, in order.
    fn replacements(self, found: &mut dyn FnMut(&Replacement<'t>)) {
        let mut at = 0;
        while at < self.len() {
            if let Some(end) = self.escape_end(at).or_else(|| self.percent_end(at)) {
                at = end;
                continue;
            }
            let end = self.name_end(at);
            if end == at {
                at = self.after(at);
                continue;
            }
            let field = SensitiveField::spelled(self.slice(at..end).chars());
            at = match field.and_then(|field| self.value(field, end)) {
                Some((end, replaced)) => {
                    if let Some(replaced) = replaced {
                        found(&replaced);
                    }
                    end
                }
                None => end,
            };
        }
    }

    fn name_end(self, mut at: usize) -> usize {
        while matches!(self.byte(at), b'_' | b'-') || self.is_alphanumeric(at) {
            at = self.after(at);
        }
        at
    }

    /// Returns the end of the value after a name that ends at `at`, and its replacement if it is not already masked.
    fn value(self, field: SensitiveField, mut at: usize) -> Option<(usize, Option<Replacement<'t>>)> {
        let name_end = at;
        let name_quote = self.quote(at);
        at = name_quote.map_or(at, |quote| quote.end);
        let enclosing = self.slice(name_end..at);
        // Forms encode nested fields as `card[cvv]=123`.
        at = match self.byte(at) {
            b']' => at.saturating_add(1),
            b'%' if self.slice(at..at.saturating_add(3)).eq_ignore_ascii_case("%5d") => at.saturating_add(3),
            _ => at,
        };
        // Only in JSON, whose names are quoted, the value may be on the next line.
        let is_space = |byte| matches!(byte, b' ' | b'\t') || name_quote.is_some() && matches!(byte, b'\n' | b'\r');
        at = self.skip(at, is_space);
        let separator = at;
        at = self.skip(at, |byte| matches!(byte, b':' | b'='));
        if at == separator {
            return None;
        }
        // Ruby and PHP write `=>`.
        at = self.skip(at, |byte| byte == b'>');
        at = self.skip(at, |byte| is_space(byte) || matches!(byte, b'(' | b'<'));
        let (range, enclosing) = match self.quote(at) {
            Some(quote) if name_quote.is_none() && self.ends_string(quote.end) => return Some((at, None)),
            Some(quote) => (self.quoted(quote), ""),
            None if matches!(self.byte(at), b'{' | b'[') => {
                let end = self.container_end(at, name_quote);
                (at..self.token_end(end), enclosing)
            }
            None => (self.token(field, at), enclosing),
        };
        let end = range.end;
        let content = self.slice(range.clone());
        // An unquoted empty value or a null does not contain a card number.
        let is_absent = content.is_empty() && self.quote(at).is_none();
        let is_null = content == "null" && field == SensitiveField::CardNumber && self.quote(at).is_none();
        let masked = if is_absent || is_null { None } else { field.text_replacement(content) };
        Some((end, masked.map(|value| Replacement { range, quote: enclosing, value })))
    }

    /// Returns the quote at `at`, if there is one. Backslashes may escape it.
    fn quote(self, at: usize) -> Option<Quote> {
        let mark = self.skip(at, |byte| byte == b'\\');
        let backslashes = mark.saturating_sub(at);
        matches!(self.byte(mark), b'"' | b'\'').then(|| Quote {
            mark: self.byte(mark),
            backslashes,
            end: mark.saturating_add(1),
        })
    }

    /// Returns whether a quote that ends at `at` closes a string in which the name is the last word.
    fn ends_string(self, at: usize) -> bool {
        at >= self.len() || matches!(self.byte(at), b',' | b'}' | b']' | b':' | b' ' | b'\t' | b'\r' | b'\n')
    }

    /// Returns the content between an opening quote and the closing one or the end of the line.
    fn quoted(self, open: Quote) -> Range<usize> {
        let mut backslashes = 0_usize;
        let mut at = open.end;
        while at < self.len() {
            let byte = self.byte(at);
            // A string in double quotes also ends one in single quotes within it.
            let is_quote = byte == open.mark || byte == b'"';
            match (open.backslashes, backslashes) {
                (0, escapes) if is_quote && escapes.is_multiple_of(2) => return open.end..at,
                (most, escapes) if is_quote && most > 0 && escapes <= most => {
                    return open.end..at.saturating_sub(escapes);
                }
                _ => {}
            }
            if matches!(byte, b'\n' | b'\r') {
                break;
            }
            backslashes = if byte == b'\\' { backslashes.saturating_add(1) } else { 0 };
            at = at.saturating_add(1);
        }
        open.end..at
    }

    /// Returns the end of the object or array at `at`, whose strings are quoted like the name before it.
    ///
    /// An unclosed one ends with the line, or with the text if the name is quoted as in JSON.
    fn container_end(self, mut at: usize, name_quote: Option<Quote>) -> usize {
        let backslashes = name_quote.map_or(0, |quote| quote.backslashes);
        let mut depth = 0_usize;
        while at < self.len() {
            match self.byte(at) {
                b'{' | b'[' => depth = depth.saturating_add(1),
                b'}' | b']' => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        return at.saturating_add(1);
                    }
                }
                b'"' => {
                    let quote = Quote { mark: b'"', backslashes, end: at.saturating_add(1) };
                    let content = self.quoted(quote);
                    // Continues at the closing quote, after its backslashes.
                    at = self.skip(content.end, |byte| byte == b'\\');
                    if self.byte(at) != b'"' {
                        continue;
                    }
                }
                b'\n' | b'\r' if name_quote.is_none() => break,
                _ => {}
            }
            at = at.saturating_add(1);
        }
        at
    }

    /// Returns the unquoted value at `at`.
    fn token(self, field: SensitiveField, at: usize) -> Range<usize> {
        let end = self.token_end(at);
        let groups_end = match field {
            SensitiveField::CardNumber => self.groups_end(at),
            SensitiveField::SecurityCode => at,
        };
        at..if groups_end > end { self.token_end(groups_end) } else { end }
    }

    /// Returns the end of the word at `at`, without the punctuation of the sentence.
    fn token_end(self, at: usize) -> usize {
        let mut end = at;
        let mut next = at;
        while let Some(character) = self.char(next) {
            let is_end = match character {
                ',' | ';' | '&' | '#' | '|' | '"' | '\'' | ')' | ']' | '}' | '<' | '>' => true,
                // An escaped quote or line break.
                '\\' => {
                    let escaped = self.skip(next, |byte| byte == b'\\');
                    matches!(self.byte(escaped), b'"' | b'\'' | b'n' | b'r' | b't')
                }
                _ => character.is_whitespace() || character.is_control(),
            };
            if is_end {
                break;
            }
            next = match character {
                '\\' => self.skip(next, |byte| byte == b'\\'),
                _ => self.after(next),
            };
            if !matches!(character, '.' | ':' | '!' | '?') {
                end = next;
            }
        }
        end
    }

    /// Returns the end of the groups of digits at `at` if they may be one card number, otherwise `at`.
    fn groups_end(self, at: usize) -> usize {
        let (mut end, mut next, mut digits) = (at, at, 0_usize);
        while digits < ENOUGH_DIGITS && self.is_digit(next) {
            let group_end = self.digits_end(next);
            digits = digits.saturating_add(group_end.saturating_sub(next));
            if digits > MAX_PAN_DIGITS || self.is_alphanumeric(group_end) || self.byte(group_end) == b'*' {
                digits = digits.saturating_sub(group_end.saturating_sub(next));
                break;
            }
            end = group_end;
            if !is_separator(self.byte(group_end)) {
                break;
            }
            next = group_end.saturating_add(1);
        }
        if digits >= MIN_PAN_DIGITS { end } else { at }
    }

    /// Returns the card numbers in the text. They may overlap: all are masked, since each may be the real one.
    fn card_numbers(self) -> Vec<Range<usize>> {
        let mut found = Vec::new();
        let mut at = 0;
        let mut before = Before::Other;
        while at < self.len() {
            if let Some(end) = self.escape_end(at) {
                (at, before) = (end, Before::Other);
                continue;
            }
            let is_start = matches!(before, Before::Other | Before::Separator);
            if is_start && self.is_uuid(at) {
                (at, before) = (at.saturating_add(UUID_LENGTH), Before::Joined);
                continue;
            }
            let byte = self.byte(at);
            (at, before) = match byte {
                b'0'..=b'9' => {
                    if is_start {
                        found.extend(self.card_number(at));
                    }
                    (self.digits_end(at), Before::Digit)
                }
                b'%' => {
                    // The digits of the percent-encoded byte may also be text after a percent sign.
                    found.extend(self.percent_end(at).and_then(|start| self.card_number(start)));
                    (at.saturating_add(1), Before::Other)
                }
                b'.' if before == Before::Digit && self.is_digit(at.saturating_add(1)) => {
                    (at.saturating_add(1), Before::Joined)
                }
                b'*' if matches!(before, Before::Digit | Before::MaskStar | Before::Separator) => {
                    (at.saturating_add(1), Before::MaskStar)
                }
                b' ' | b'-' if matches!(before, Before::Digit | Before::MaskStar) => {
                    (at.saturating_add(1), Before::Separator)
                }
                _ if self.is_alphanumeric(at) => (self.after(at), Before::Joined),
                _ => (self.after(at), Before::Other),
            };
        }
        found
    }

    /// Returns the longest card number that begins at `at`.
    fn card_number(self, at: usize) -> Option<Range<usize>> {
        let mut digits = [0; MAX_PAN_DIGITS];
        let (mut count, mut next, mut longest) = (0_usize, at, None);
        while self.is_digit(next) && !self.is_uuid(next) {
            let mut end = next;
            while self.is_digit(end) {
                let Some(slot) = digits.get_mut(count) else { return longest };
                *slot = self.byte(end);
                count = count.saturating_add(1);
                end = end.saturating_add(1);
            }
            if digits.get(..count).is_some_and(is_text_pan) && self.ends_number(end) {
                longest = Some(at..end);
            }
            if !is_separator(self.byte(end)) {
                break;
            }
            next = end.saturating_add(1);
        }
        longest
    }

    /// Returns whether a card number may end at `at`: no letter, decimal fraction, or masked digit follows.
    fn ends_number(self, at: usize) -> bool {
        match self.byte(at) {
            b'.' => !self.is_digit(at.saturating_add(1)),
            b'*' => {
                let mut next = at;
                while self.byte(next) == b'*'
                    || is_separator(self.byte(next)) && matches!(self.byte(next.saturating_add(1)), b'*' | b'0'..=b'9')
                {
                    next = next.saturating_add(1);
                }
                !self.is_digit(next)
            }
            _ => !self.is_alphanumeric(at),
        }
    }

    /// Returns whether a UUID begins at `at` and no letter or digit follows it.
    fn is_uuid(self, at: usize) -> bool {
        let end = at.saturating_add(UUID_LENGTH);
        self.byte(at.saturating_add(8)) == b'-'
            && parse_uuid(self.slice(at..end)).is_some()
            && !self.is_alphanumeric(end)
    }
}

fn is_separator(byte: u8) -> bool {
    matches!(byte, b' ' | b'-')
}

#[cfg(test)]
mod tests {
    use alloc::string::String;

    use super::*;

    fn redacted(text: &str) -> String {
        let mut out = Vec::new();
        redact_text(text, &mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn redacting_twice_changes_nothing() {
        let pieces = [
            "cvv",
            "pan",
            "=",
            ":",
            " ",
            "\"",
            "\\",
            "'",
            "{",
            "}",
            "[",
            "]",
            ",",
            "4111111111111111",
            "4111",
            "1111",
            "-",
            "*",
            "123",
            ".",
            "\n",
            "4222222222222",
            "x",
            "%20",
            "\\n",
            "(",
            "11111111-1111-1111-1111-111111111111",
            "null",
            "&",
            "я",
            ">",
            "378282246310005",
            "5",
            "***",
        ];
        let mut state = 7_u64;
        let mut random = |below: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            usize::try_from(state >> 33).unwrap() % below
        };
        for _ in 0..200_000 {
            let text: String = (0..random(14)).map(|_| pieces[random(pieces.len())]).collect();
            let once = redacted(&text);
            assert_eq!(redacted(&once), once, "{text}");
        }
    }

    #[test]
    fn keeps_the_bytes_before_the_text() {
        for text in ["", "\"cvv\":1", "\"cvv\":1,\"pan\":[]", "pan=4111111111111111 4111111111111111"] {
            let mut out = b"4111111111111111 ".to_vec();
            redact_text(text, &mut out);
            assert!(out.starts_with(b"4111111111111111 "), "the bytes before are unchanged");
        }
    }
}
