//! Masks card numbers in any text, for example a log line, and the values after names of card data.
//!
//! There are two linear passes. The first replaces the value after each name of card data. The
//! second masks card numbers by their form. The output of one pass never matches the other or a
//! second redaction, so redacting twice changes nothing.
//!
//! Most texts contain neither. A prefilter skips each pass for them: a log without card data takes
//! a tenth of the time.

use alloc::vec::Vec;
use core::ops::Range;

use super::redact::{ReplacingCopy, SensitiveField};
use crate::card::finder::{group_end, next_group, number_end};
use crate::card::mask::{mask_pan, may_contain_pan};
use crate::card::pan::MaskedPan;
use crate::card::scheme::{MAX_PAN_DIGITS, MIN_PAN_DIGITS};
use crate::types::uuid::parse_uuid;
use crate::util::bytes::next_name_separator;

/// The length of a UUID in characters.
const UUID_LENGTH: usize = 36;
/// The number of digits of most card numbers. Groups of digits after a name are one value until
/// they have this many.
const ENOUGH_DIGITS: usize = 16;

/// Appends the text with card numbers and security codes masked.
pub(crate) fn redact_text(text: &str, out: &mut Vec<u8>) {
    let start = out.len();
    if may_name_card_data(text.as_bytes()) {
        replace_values(text, out);
    } else {
        out.extend_from_slice(text.as_bytes());
    }
    let written = out.get_mut(start..).unwrap_or_default();
    if may_contain_pan(written) {
        for number in Source(core::str::from_utf8(written).unwrap_or_default()).card_numbers() {
            mask_pan(written, &number);
        }
    }
}

/// Appends the text with the value after each name of card data replaced.
fn replace_values(text: &str, out: &mut Vec<u8>) {
    let source = Source(text);
    // Memory is reserved before the first byte is written, since a growing buffer leaves its old
    // bytes in memory.
    let written = |replaced: Replacement<'_>| {
        replaced
            .quote
            .len()
            .saturating_mul(2)
            .saturating_add(MAX_PAN_DIGITS)
    };
    out.reserve(
        source
            .replacements()
            .map(written)
            .fold(text.len(), usize::saturating_add),
    );
    let mut copy = ReplacingCopy::new(text, out);
    for Replacement {
        range,
        quote,
        value,
    } in source.replacements()
    {
        copy.replace(range, quote, value.as_str());
    }
    copy.finish();
}

/// Checks if a name of card data may be before a `:` or `=`. This is the prefilter of the first
/// pass.
///
/// Between them, only quotes, backslashes, closing brackets, and whitespace are possible.
fn may_name_card_data(text: &[u8]) -> bool {
    let mut from = 0;
    while let Some(separator) = next_name_separator(text, from) {
        let mut before = text.get(..separator).unwrap_or_default();
        while let [rest @ .., b'%', b'5', b'D' | b'd']
        | [
            rest @ ..,
            b' ' | b'\t' | b'\r' | b'\n' | b'"' | b'\'' | b'\\' | b']',
        ] = before
        {
            before = rest;
        }
        if SensitiveField::may_end(before) {
            return true;
        }
        from = separator.saturating_add(1);
    }
    false
}

/// A value after a name of card data, and its replacement.
struct Replacement<'t> {
    range: Range<usize>,
    /// The quote around the replacement: that of the name if the value has none, so that JSON stays
    /// valid.
    quote: &'t str,
    value: MaskedPan,
}

/// A byte with the backslashes before it, which may escape it.
#[derive(Clone, Copy)]
struct Escaped {
    byte: u8,
    backslashes: usize,
    at: usize,
}

/// The kind of the character before the cursor, which decides whether a card number may begin here.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    /// A letter, or the point of a decimal fraction: no card number begins here.
    Joined,
    Digit,
    /// A star that may belong to a masked number. No card number begins here: otherwise masking one
    /// would uncover another.
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
    fn skip(self, at: usize, passes: impl Fn(u8) -> bool) -> usize {
        (at..self.0.len())
            .find(|at| !passes(self.byte(*at)))
            .unwrap_or(self.0.len())
    }

    /// Returns the next byte from `at` on that is not a backslash, or 0 at the end.
    fn escaped(self, at: usize) -> Escaped {
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
    fn escape_end(self, at: usize) -> Option<usize> {
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
    fn percent_end(self, at: usize) -> Option<usize> {
        let digit = |offset| self.byte(at.saturating_add(offset)).is_ascii_hexdigit();
        (self.byte(at) == b'%' && digit(1) && digit(2)).then(|| at.saturating_add(3))
    }

    /// Returns the replacement of each value that follows a name of card data, in order.
    fn replacements(self) -> impl Iterator<Item = Replacement<'t>> {
        let mut at = 0;
        core::iter::from_fn(move || {
            let mut found = None;
            while found.is_none() && at < self.0.len() {
                if let Some(end) = self.escape_end(at).or_else(|| self.percent_end(at)) {
                    at = end;
                    continue;
                }
                let name = at..self.name_end(at);
                match SensitiveField::spelled(self.slice(name.clone()).chars()) {
                    Some(field) => (at, found) = self.value(field, name.end),
                    // A character that is not part of a name is skipped.
                    None => at = name.end.max(self.after(at)),
                }
            }
            found
        })
    }

    fn name_end(self, mut at: usize) -> usize {
        while matches!(self.byte(at), b'_' | b'-') || self.is_alphanumeric(at) {
            at = self.after(at);
        }
        at
    }

    /// Returns the end of the value after a name that ends at `name_end`, and its replacement if it
    /// is not already masked.
    fn value(self, field: SensitiveField, name_end: usize) -> (usize, Option<Replacement<'t>>) {
        let name_quote = self.quote(name_end);
        let mut at = name_quote.map_or(name_end, Escaped::end);
        let enclosing = self.slice(name_end..at);
        // Forms encode nested fields as `card[cvv]=123`.
        let bracket = ["]", "%5D", "%5d"]
            .into_iter()
            .find(|bracket| self.slice(at..at.saturating_add(bracket.len())) == *bracket);
        at = at.saturating_add(bracket.map_or(0, str::len));
        // Only in JSON, whose names are quoted, the value may be on the next line.
        let is_space =
            |byte| matches!(byte, b' ' | b'\t') || name_quote.is_some() && is_line_break(byte);
        let separator = self.skip(at, is_space);
        at = self.skip(separator, |byte| matches!(byte, b':' | b'='));
        if at == separator {
            return (name_end, None);
        }
        // Ruby and PHP write `=>`.
        at = self.skip(at, |byte| byte == b'>');
        at = self.skip(at, |byte| is_space(byte) || matches!(byte, b'(' | b'<'));
        let value_quote = self.quote(at);
        let (range, quote) = match value_quote {
            Some(quote) if name_quote.is_none() && self.ends_string(quote.end()) => {
                return (at, None);
            }
            Some(quote) => (self.quoted(quote), ""),
            None => (at..self.unquoted_end(field, at, name_quote), enclosing),
        };
        let (end, content) = (range.end, self.slice(range.clone()));
        // An unquoted empty value or a null does not contain a card number.
        let is_absent =
            content.is_empty() || content == "null" && field == SensitiveField::CardNumber;
        let masked = if is_absent && value_quote.is_none() {
            None
        } else {
            field.text_replacement(content)
        };
        (
            end,
            masked.map(|value| Replacement {
                range,
                quote,
                value,
            }),
        )
    }

    /// Returns the quote at `at`, if there is one. Backslashes may escape it.
    fn quote(self, at: usize) -> Option<Escaped> {
        Some(self.escaped(at)).filter(|escaped| matches!(escaped.byte, b'"' | b'\''))
    }

    /// Returns whether a quote that ends at `at` closes a string in which the name is the last
    /// word.
    fn ends_string(self, at: usize) -> bool {
        at >= self.0.len()
            || matches!(
                self.byte(at),
                b',' | b'}' | b']' | b':' | b' ' | b'\t' | b'\r' | b'\n'
            )
    }

    /// Returns the content between an opening quote and the closing one or the end of the line.
    fn quoted(self, open: Escaped) -> Range<usize> {
        let mut next = self.escaped(open.end());
        loop {
            let Escaped {
                byte,
                backslashes,
                at,
            } = next;
            // A string in double quotes also ends one in single quotes within it.
            let is_quote = byte == open.byte || byte == b'"';
            if is_quote && open.backslashes > 0 && backslashes <= open.backslashes {
                return open.end()..at.saturating_sub(backslashes);
            }
            let is_closing = is_quote && open.backslashes == 0 && backslashes.is_multiple_of(2);
            if is_closing || is_line_break(byte) || at >= self.0.len() {
                return open.end()..at;
            }
            next = self.escaped(next.end());
        }
    }

    /// Returns the end of the unquoted value at `at`: an object, an array, or a word.
    fn unquoted_end(self, field: SensitiveField, at: usize, name_quote: Option<Escaped>) -> usize {
        let end = match self.byte(at) {
            b'{' | b'[' => self.container_end(at, name_quote),
            _ if field == SensitiveField::CardNumber => self.token_end(at).max(self.groups_end(at)),
            _ => at,
        };
        self.token_end(end)
    }

    /// Returns the end of the object or array at `at`, whose strings are quoted like the name
    /// before it.
    ///
    /// An unclosed one ends with the line, or with the text if the name is quoted as in JSON.
    fn container_end(self, mut at: usize, name_quote: Option<Escaped>) -> usize {
        let backslashes = name_quote.map_or(0, |quote| quote.backslashes);
        let mut depth = 0_usize;
        while at < self.0.len() {
            match self.byte(at) {
                b'{' | b'[' => depth = depth.saturating_add(1),
                b'}' | b']' => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        return at.saturating_add(1);
                    }
                }
                b'"' => {
                    // Continues at the closing quote, after its backslashes.
                    at = self
                        .escaped(
                            self.quoted(Escaped {
                                byte: b'"',
                                backslashes,
                                at,
                            })
                            .end,
                        )
                        .at;
                    if self.byte(at) != b'"' {
                        continue;
                    }
                }
                byte if is_line_break(byte) && name_quote.is_none() => break,
                _ => {}
            }
            at = at.saturating_add(1);
        }
        at
    }

    /// Returns the end of the word at `at`, without the punctuation of the sentence.
    fn token_end(self, at: usize) -> usize {
        let (mut end, mut next) = (at, at);
        while let Some(character) = self.char(next) {
            let after = match character {
                ',' | ';' | '&' | '#' | '|' | '"' | '\'' | ')' | ']' | '}' | '<' | '>' => break,
                '\\' => {
                    let Escaped { byte, at, .. } = self.escaped(next);
                    // An escaped quote or line break.
                    if matches!(byte, b'"' | b'\'' | b'n' | b'r' | b't') {
                        break;
                    }
                    at
                }
                _ if character.is_whitespace() || character.is_control() => break,
                _ => self.after(next),
            };
            next = after;
            if !matches!(character, '.' | ':' | '!' | '?') {
                end = next;
            }
        }
        end
    }

    /// Returns the end of the groups of digits at `at` if they may be one card number, otherwise
    /// `at`.
    fn groups_end(self, at: usize) -> usize {
        let bytes = self.0.as_bytes();
        let (mut end, mut digits) = (at, 0_usize);
        let mut next = Some(at).filter(|at| self.is_digit(*at));
        while let Some(start) = next.filter(|_| digits < ENOUGH_DIGITS) {
            let after = group_end(bytes, start);
            let sum = digits.saturating_add(after.saturating_sub(start));
            if sum > MAX_PAN_DIGITS || self.is_alphanumeric(after) || self.byte(after) == b'*' {
                break;
            }
            (end, digits, next) = (after, sum, next_group(bytes, after));
        }
        if digits >= MIN_PAN_DIGITS { end } else { at }
    }

    /// Returns the card numbers in the text. They may overlap: all are masked, since each may be
    /// the real one.
    fn card_numbers(self) -> Vec<Range<usize>> {
        let mut found = Vec::new();
        let mut at = 0;
        let mut before = Before::Other;
        while at < self.0.len() {
            if let Some(end) = self.escape_end(at) {
                (at, before) = (end, Before::Other);
                continue;
            }
            let is_start = matches!(before, Before::Other | Before::Separator);
            if is_start && self.is_uuid(at) {
                (at, before) = (at.saturating_add(UUID_LENGTH), Before::Joined);
                continue;
            }
            let start = match self.byte(at) {
                // The digits of a percent-encoded byte may also be text after a percent sign.
                b'%' => self.percent_end(at),
                _ => Some(at).filter(|_| is_start),
            };
            found.extend(start.and_then(|start| self.card_number(start)));
            let is_digit = self.is_digit(at);
            before = match self.byte(at) {
                _ if is_digit => Before::Digit,
                b'.' if before == Before::Digit && self.is_digit(at.saturating_add(1)) => {
                    Before::Joined
                }
                b'*' if matches!(before, Before::Digit | Before::MaskStar | Before::Separator) => {
                    Before::MaskStar
                }
                b' ' | b'-' if matches!(before, Before::Digit | Before::MaskStar) => {
                    Before::Separator
                }
                _ if self.is_alphanumeric(at) => Before::Joined,
                _ => Before::Other,
            };
            at = if is_digit {
                group_end(self.0.as_bytes(), at)
            } else {
                self.after(at)
            };
        }
        found
    }

    /// Returns the longest card number that begins at `at`.
    fn card_number(self, at: usize) -> Option<Range<usize>> {
        let is_group = |start: &usize| self.is_digit(*start) && !self.is_uuid(*start);
        let start = Some(at).filter(is_group)?;
        Some(
            start..number_end(self.0.as_bytes(), start, is_group, |end| {
                self.ends_number(end)
            })?,
        )
    }

    /// Returns whether a card number may end at `at`: no letter, decimal fraction, or masked digit
    /// follows.
    fn ends_number(self, at: usize) -> bool {
        let is_masked = |at: usize| match self.byte(at) {
            b' ' | b'-' => matches!(self.byte(at.saturating_add(1)), b'*' | b'0'..=b'9'),
            byte => byte == b'*',
        };
        match self.byte(at) {
            b'.' => !self.is_digit(at.saturating_add(1)),
            b'*' => !(at..self.0.len())
                .find(|at| !is_masked(*at))
                .is_some_and(|end| self.is_digit(end)),
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

impl Escaped {
    /// Returns the position after the byte.
    fn end(self) -> usize {
        self.at.saturating_add(1)
    }
}

fn is_line_break(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
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

    /// Calls `check` with texts that are similar to card data.
    fn random_texts(mut check: impl FnMut(&str)) {
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
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            usize::try_from(state >> 33)
                .unwrap()
                .checked_rem(below)
                .unwrap()
        };
        for _ in 0..200_000 {
            let text: String = (0..random(14))
                .map(|_| pieces[random(pieces.len())])
                .collect();
            check(&text);
        }
    }

    #[test]
    fn redacting_twice_changes_nothing() {
        random_texts(|text| {
            let once = redacted(text);
            assert_eq!(redacted(&once), once, "{text}");
        });
    }

    #[test]
    fn prefilters_miss_nothing() {
        let (mut skipped, mut changed) = (0_u32, 0_u32);
        random_texts(|text| {
            let mut replaced = Vec::new();
            replace_values(text, &mut replaced);
            let is_named = may_name_card_data(text.as_bytes());
            assert!(is_named || replaced == text.as_bytes(), "{text}");
            let has_number = !Source(text).card_numbers().is_empty();
            assert!(may_contain_pan(text.as_bytes()) || !has_number, "{text}");
            skipped += u32::from(!is_named && !may_contain_pan(text.as_bytes()));
            changed += u32::from(redacted(text) != *text);
        });
        assert!(skipped > 1000 && changed > 1000, "{skipped} {changed}");
        for name in [
            "card_number",
            "Security-Code",
            "x pan",
            "_cid_",
            "cvc2\\\"",
            "cvv\" ",
            "cvv%5D",
            "card[cvv]",
            "pan\"\r\n\t",
        ] {
            for separator in [":", "=", "=>", "::"] {
                for length in 0..80 {
                    let text = alloc::format!("{}{name}{separator}123 ", "= :x".repeat(length));
                    assert!(may_name_card_data(text.as_bytes()), "{text}");
                }
            }
        }
        for text in [
            "japan",
            "panel: 1",
            "cvv 123",
            "a=cvv",
            "cvv",
            "scan me: no",
            "12-34-56-78-90-12 .3",
            "1234567890123456",
        ] {
            let is_number = text.starts_with("1234567890123456");
            assert_eq!(
                (
                    may_name_card_data(text.as_bytes()),
                    may_contain_pan(text.as_bytes())
                ),
                (false, is_number),
                "{text}"
            );
        }
    }

    #[test]
    fn keeps_the_bytes_before_the_text() {
        for text in [
            "",
            "\"cvv\":1",
            "\"cvv\":1,\"pan\":[]",
            "pan=4111111111111111 4111111111111111",
        ] {
            let mut out = b"4111111111111111 ".to_vec();
            redact_text(text, &mut out);
            assert!(
                out.starts_with(b"4111111111111111 "),
                "the bytes before are unchanged"
            );
        }
    }
}
