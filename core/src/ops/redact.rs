//! Makes a body safe to log: masks card numbers and security codes, and keeps every other byte.

use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::ops::Range;

use crate::card::known::KnownPans;
use crate::card::mask::STARS;
use crate::card::scanner::PanScanner;
use crate::card::sensitive::SensitiveField;
use crate::json::writer::{escape, into_text};
use crate::json::{Token, Tokens};
use crate::types::uuid::parse_uuid;
use crate::util::bug::{or_bug, report_bug};

/// Appends `body`, which is valid JSON, with card numbers and security codes masked.
pub(crate) fn redact(body: &str, out: &mut Vec<u8>) {
    // Card numbers are collected first, because a text may repeat a number before its member.
    // Unmasked numbers are never written, since a growing buffer leaves its old bytes in memory.
    let mut known_pans = KnownPans::default();
    collect(body, &mut known_pans);
    let scanner = PanScanner::text_and_known(&known_pans);
    let mut tokens = Tokens::new(body);
    let mut copy = ReplacingCopy::new(body, out);
    // True if the next token is the value of a member `uid`.
    let mut is_uid = false;
    while let Some((token, range)) = tokens.next() {
        let was_uid = core::mem::take(&mut is_uid);
        match token {
            Token::Name(name) => {
                is_uid = name.is("uid");
                copy.replace_numbers(range, token, scanner);
                let Some(field) = SensitiveField::from_name(name) else {
                    continue;
                };
                // Without a value, which is a bug, the loop ends.
                let Some((value, range)) = tokens.value() else {
                    break;
                };
                if let Some(replacement) = field.replacement(value) {
                    copy.replace(range, "\"", replacement.as_str());
                }
            }
            // One UUID in some thousands contains digits that form a card number. The service
            // generates the UUID, and a log line without it does not identify its payment.
            Token::String(text)
                if was_uid && text.with_decoded(|text| parse_uuid(text).is_some()) => {}
            _ => copy.replace_numbers(range, token, scanner),
        }
    }
    if tokens.is_failed() {
        copy.replace_rest();
    } else {
        copy.finish();
    }
}

/// Returns valid JSON with the known PANs in its texts masked. A number that contains one becomes a
/// string.
pub(crate) fn mask_known_pans<'a>(json: &'a str, known_pans: &KnownPans) -> Cow<'a, str> {
    let scanner = PanScanner::known(known_pans);
    let mut out = Vec::new();
    let mut copy = ReplacingCopy::new(json, &mut out);
    let mut tokens = Tokens::new(json);
    for (token, range) in tokens.by_ref() {
        copy.replace_numbers(range, token, scanner);
    }
    if tokens.is_failed() {
        report_bug();
        return Cow::Borrowed("{}");
    }
    if copy.copied == 0 {
        return Cow::Borrowed(json);
    }
    copy.finish();
    Cow::Owned(into_text(out))
}

/// Copies a text, except for the ranges that are replaced.
pub(super) struct ReplacingCopy<'t, 'o> {
    text: &'t str,
    /// The number of bytes that are copied or replaced.
    copied: usize,
    out: &'o mut Vec<u8>,
}

impl<'t, 'o> ReplacingCopy<'t, 'o> {
    pub(super) fn new(text: &'t str, out: &'o mut Vec<u8>) -> Self {
        ReplacingCopy {
            text,
            copied: 0,
            out,
        }
    }

    /// Masks the card numbers in the text of a token.
    fn replace_numbers(&mut self, range: Range<usize>, token: Token<'_>, scanner: PanScanner<'_>) {
        let masked = match token {
            Token::Name(text) | Token::String(text) => text.with_decoded(|text| scanner.mask(text)),
            Token::Number(digits) => scanner.mask(digits),
        };
        if let Some(masked) = masked {
            self.replace(range, "\"", masked.as_str());
        }
    }

    /// Replaces a range of the text by a string in quotes.
    pub(super) fn replace(&mut self, range: Range<usize>, quote: &str, content: &str) {
        self.out
            .extend_from_slice(or_bug(self.text.get(self.copied..range.start), STARS).as_bytes());
        self.out.extend_from_slice(quote.as_bytes());
        escape(content, self.out);
        self.out.extend_from_slice(quote.as_bytes());
        self.copied = range.end;
    }

    /// Copies the rest of the text.
    pub(super) fn finish(self) {
        self.out
            .extend_from_slice(or_bug(self.text.get(self.copied..), STARS).as_bytes());
    }

    /// Replaces the rest of the text by stars. It could not be read, which is a bug.
    fn replace_rest(self) {
        report_bug();
        self.out.extend_from_slice(STARS.as_bytes());
    }
}

/// Collects the card numbers that the body declares, in one pass over its tokens.
///
/// A literal search would miss names that are spelled differently.
pub(super) fn collect(body: &str, known_pans: &mut KnownPans) {
    let mut tokens = Tokens::new(body);
    while let Some((token, _)) = tokens.next() {
        let Token::Name(name) = token else {
            continue;
        };
        if SensitiveField::from_name(name) != Some(SensitiveField::CardNumber) {
            continue;
        }
        let Some((_, range)) = tokens.value() else {
            break;
        };
        // Without the value, which is a bug, every string and number of the body counts.
        collect_all(or_bug(body.get(range), body), known_pans);
    }
    if tokens.is_failed() {
        report_bug();
        known_pans.collect_unread();
    }
}

/// Collects every string and number of a value as a card number.
fn collect_all(value: &str, known_pans: &mut KnownPans) {
    for (token, _) in Tokens::new(value) {
        match token {
            Token::String(text) => known_pans.collect(text.chars()),
            Token::Number(digits) => known_pans.collect(digits.chars()),
            Token::Name(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::format;
    use alloc::string::String;

    use super::*;
    use crate::util::bug::with_bug;

    #[test]
    fn masks_known_card_numbers_before_their_member() {
        for name in ["card_number", "card_numbe\\u0072", "Card-Number", "pan"] {
            for shift in 0..70 {
                let text = "x".repeat(shift);
                let of = |number: &str| format!(r#"{{"a":"{text} {number}","{name}":"{number}"}}"#);
                let mut out = Vec::new();
                redact(&of("500000000009"), &mut out);
                assert_eq!(String::from_utf8(out).unwrap(), of("500000**0009"));
            }
        }
    }

    #[test]
    fn masks_the_rest_of_an_invalid_body() {
        for (body, expected) in [
            (r#"{"a":1,"cvv":"#, "******"),
            (
                r#"{"cvv":"123","b":"4111111111111111"#,
                r#"{"cvv":"***"******"#,
            ),
            (
                r#"{"pan":"500000000009","a":500000000009,"cvv":}"#,
                r#"{"pan":"500000**0009","a":"500000**0009"******"#,
            ),
        ] {
            let mut out = Vec::new();
            with_bug(|| redact(body, &mut out));
            assert_eq!(String::from_utf8(out).unwrap(), expected, "{body}");
        }
    }

    #[test]
    fn masks_long_runs_if_a_card_number_cannot_be_read() {
        let mut known_pans = KnownPans::default();
        with_bug(|| collect(r#"{"pan":"500000000009"#, &mut known_pans));
        assert_eq!(
            mask_known_pans(r#"{"a":"600000000007"}"#, &known_pans),
            r#"{"a":"600000**0007"}"#
        );
        assert_eq!(
            with_bug(|| mask_known_pans(r#"{"a":"6"#, &known_pans)),
            "{}"
        );
    }

    #[test]
    fn copies_stars_for_ranges_outside_the_text() {
        let mut out = Vec::new();
        with_bug(|| {
            let mut copy = ReplacingCopy::new("я41", &mut out);
            copy.replace(1..2, "", "*");
            copy.replace(9..9, "", "*");
            copy.finish();
        });
        // The text before each replacement and the rest.
        assert_eq!(out, [b'*'; 6 + 1 + 6 + 1 + 6]);
    }
}
