//! The values after names of card data.

use core::ops::Range;

use super::source::{Escaped, Source, is_line_break};
use crate::card::mask::STARS;
use crate::card::pan::MaskedPan;
use crate::card::sensitive::SensitiveField;
use crate::card::syntax::{MAX_PAN_DIGITS, MIN_PAN_DIGITS, group_end, next_group};
use crate::util::bug::{or_bug, report_bug};

/// The number of digits of most card numbers. Groups of digits after a name are one value until
/// they have this many.
const ENOUGH_DIGITS: usize = 16;

/// A value after a name of card data, and its replacement.
pub(super) struct Replacement<'t> {
    pub(super) range: Range<usize>,
    /// The quote around the replacement: that of the name if the value has none, so that JSON stays
    /// valid.
    pub(super) quote: &'t str,
    pub(super) value: MaskedPan,
}

impl<'t> Source<'t> {
    /// Returns the replacement of each value that follows a name of card data, in order.
    pub(super) fn replacements(self) -> impl Iterator<Item = Replacement<'t>> {
        let mut at = 0;
        core::iter::from_fn(move || self.next_replacement(&mut at))
    }

    /// Returns the next replacement from `at` on, and moves `at` after its value.
    fn next_replacement(self, at: &mut usize) -> Option<Replacement<'t>> {
        while *at < self.0.len() {
            if let Some(end) = self.escape_end(*at).or_else(|| self.percent_end(*at)) {
                *at = end;
                continue;
            }
            let name_end = self.name_end(*at);
            let Some(name) = self.0.get(*at..name_end) else {
                // Positions are those of characters, so this is a bug. The rest is masked.
                report_bug();
                let start = core::mem::replace(at, self.0.len());
                return Some(self.rest(start));
            };
            let Some(field) = SensitiveField::from_chars(name.chars()) else {
                // A character that is not part of a name is skipped.
                *at = name_end.max(self.after(*at));
                continue;
            };
            let (end, found) = self.value(field, name_end);
            *at = end;
            if found.is_some() {
                return found;
            }
        }
        None
    }

    /// Returns the replacement of the text from `start` on by stars.
    fn rest(self, start: usize) -> Replacement<'t> {
        Replacement {
            range: start..self.0.len(),
            quote: "",
            value: MaskedPan::stars(STARS.len()),
        }
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
        let end = range.end;
        // Both ends are those of characters. If they were not, which is a bug, the value is masked.
        let content = or_bug(self.0.get(range.clone()), "?");
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::util::bug::with_bug;

    #[test]
    fn masks_the_rest_if_a_position_is_within_a_character() {
        let source = Source("яcvv=123");
        let (mut at, text) = (1, source.0);
        let replacement = with_bug(|| source.next_replacement(&mut at)).unwrap();
        assert_eq!((replacement.range, at), (1..text.len(), text.len()));
        assert_eq!(replacement.value.as_str(), STARS);
    }

    #[test]
    fn finds_the_value_after_a_name() {
        for (text, value) in [
            ("cvv=123", Some("123")),
            ("cvv: 123 ", Some("123")),
            ("card[cvv]=123&a=1", Some("123")),
            ("\"cvv\":\n123}", Some("123")),
            ("'cvv' => '123'", Some("123")),
            ("{\\\"cvv\\\":\\\"123\\\"}", Some("123")),
            (
                "pan: 4111 1111 1111 1111 12/27",
                Some("4111 1111 1111 1111"),
            ),
            ("pan={\"a\":[1]} b", Some("{\"a\":[1]}")),
            ("cvv=***", None),
            ("pan=null", None),
            ("cvv 123", None),
            ("japan=123", None),
        ] {
            let found = Source(text).replacements().next();
            let range = found.map(|replacement| replacement.range);
            assert_eq!(range.and_then(|range| text.get(range)), value, "{text}");
        }
    }
}
