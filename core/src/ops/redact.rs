//! Makes a body safe to log: masks card data in its members and texts, and keeps every other byte.

use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::ops::Range;

use crate::card::document::{CardDocument, Part};
use crate::card::known::KnownPans;
use crate::card::mask::STARS;
use crate::card::text::TextMask;
use crate::json::writer::{escape, into_text};
use crate::json::{JsonStr, Token, Tokens};
use crate::util::bug::{or_bug, report_bug};

/// Appends `body`, which is valid JSON, with its card data masked.
///
/// Unmasked numbers are never written, since a growing buffer leaves its old bytes in memory.
pub(crate) fn redact(body: &str, out: &mut Vec<u8>) {
    let document = CardDocument::read(body);
    let mask = TextMask::complete_and_known(document.known_pans());
    let mut parts = document.parts();
    let mut copy = ReplacingCopy::new(body, out);
    for (part, range) in parts.by_ref() {
        match part {
            Part::Declared(name, value) => {
                if let Some(masked) = name.mask_json(value) {
                    copy.replace(range, masked.as_str());
                }
            }
            Part::Text(text) => copy.mask_string(range, text, mask),
            Part::Number(digits) => copy.mask(range, digits, mask),
        }
    }
    if parts.is_failed() {
        copy.replace_rest();
    } else {
        copy.finish();
    }
}

/// Returns valid JSON with the known PANs in its texts masked. A number that contains one becomes a
/// string.
pub(crate) fn mask_known_pans<'a>(json: &'a str, known_pans: &KnownPans) -> Cow<'a, str> {
    let mask = TextMask::known(known_pans);
    let mut out = Vec::new();
    let mut copy = ReplacingCopy::new(json, &mut out);
    let mut tokens = Tokens::new(json);
    for (token, range) in tokens.by_ref() {
        match token {
            Token::Name(text) | Token::String(text) => copy.mask_string(range, text, mask),
            Token::Number(digits) => copy.mask(range, digits, mask),
            Token::ObjectStart | Token::ObjectEnd => {}
        }
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

/// Copies a JSON text, except for the values and names that are replaced.
struct ReplacingCopy<'t, 'o> {
    text: &'t str,
    /// The number of bytes that are copied or replaced.
    copied: usize,
    out: &'o mut Vec<u8>,
}

impl<'t, 'o> ReplacingCopy<'t, 'o> {
    fn new(text: &'t str, out: &'o mut Vec<u8>) -> Self {
        ReplacingCopy {
            text,
            copied: 0,
            out,
        }
    }

    /// Masks the card data in a string with escapes.
    fn mask_string(&mut self, range: Range<usize>, text: JsonStr<'_>, mask: TextMask<'_>) {
        text.with_decoded(|text| self.mask(range, text, mask));
    }

    /// Masks the card data in a text.
    fn mask(&mut self, range: Range<usize>, text: &str, mask: TextMask<'_>) {
        if let Some(masked) = mask.mask(text) {
            self.replace(range, masked.as_str());
        }
    }

    /// Replaces a range of the text by a string.
    fn replace(&mut self, range: Range<usize>, content: &str) {
        self.out
            .extend_from_slice(or_bug(self.text.get(self.copied..range.start), STARS).as_bytes());
        self.out.push(b'"');
        escape(content, self.out);
        self.out.push(b'"');
        self.copied = range.end;
    }

    /// Copies the rest of the text.
    fn finish(self) {
        self.out
            .extend_from_slice(or_bug(self.text.get(self.copied..), STARS).as_bytes());
    }

    /// Replaces the rest of the text by stars. It could not be read, which is a bug.
    fn replace_rest(self) {
        report_bug();
        self.out.extend_from_slice(STARS.as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use alloc::format;
    use alloc::string::String;

    use super::*;
    use crate::util::bug::with_bug;

    fn redacted(body: &str) -> String {
        let mut out = Vec::new();
        redact(body, &mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn masks_known_card_numbers_before_their_member() {
        for name in ["card_number", "card_numbe\\u0072", "Card-Number", "pan"] {
            for shift in 0..70 {
                let text = "x".repeat(shift);
                let of = |number: &str| format!(r#"{{"a":"{text} {number}","{name}":"{number}"}}"#);
                assert_eq!(redacted(&of("500000000009")), of("500*****0009"));
            }
        }
    }

    #[test]
    fn masks_members_and_texts() {
        for (body, expected) in [
            (
                r#"{"log":"{\"cvv\":\"123\",\"pan\":500000000009}\n"}"#,
                r#"{"log":"{\"cvv\":\"***\",\"pan\":\"500*****0009\"}\n"}"#,
            ),
            (
                r#"{"log":"{\"log\":\"{\\\"cvv\\\":123}\"}"}"#,
                r#"{"log":"{\"log\":\"{\\\"cvv\\\":\\\"***\\\"}\"}"}"#,
            ),
            (
                r#"{"cid":"0b6ea6a6-4c5e-4b7e-9d0f-6a1f0c7b2e11","cvv":"41111111-1111-4008-8abc-aaaaaaaaaaaa"}"#,
                r#"{"cid":"0b6ea6a6-4c5e-4b7e-9d0f-6a1f0c7b2e11","cvv":"41111111-1111-4008-8abc-aaaaaaaaaaaa"}"#,
            ),
            (
                r#"{"cid":123,"pan":{"cvv":1,"a":"4111111111111111"}}"#,
                r#"{"cid":"***","pan":{"cvv":"***","a":"411111******1111"}}"#,
            ),
            (
                r#"[{"name":"cvv","value":"123"},{"value":[1],"name":"card_number"},{"name":"x"},{"value":2}]"#,
                r#"[{"name":"cvv","value":"***"},{"value":"******","name":"card_number"},{"name":"x"},{"value":2}]"#,
            ),
            // Both values and both names of an object count.
            (
                r#"[{"name":"cvv","value":"987x","value":"123"},{"name":"cvv","name":"x","value":"123"}]"#,
                r#"[{"name":"cvv","value":"***","value":"***"},{"name":"cvv","name":"x","value":"***"}]"#,
            ),
            (
                r#"{"\u0061":"\/","b":4111111111111111.0}"#,
                r#"{"\u0061":"\/","b":"411111******1111.0"}"#,
            ),
        ] {
            assert_eq!(redacted(body), expected, "{body}");
            assert_eq!(redacted(expected), expected);
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
                r#"{"pan":"500*****0009","a":"500*****0009"******"#,
            ),
        ] {
            assert_eq!(with_bug(|| redacted(body)), expected, "{body}");
        }
    }

    #[test]
    fn masks_long_runs_if_a_card_number_cannot_be_read() {
        let document = with_bug(|| CardDocument::read(r#"{"card_number":"500000000009"#));
        assert_eq!(
            mask_known_pans(r#"{"a":"600000000007"}"#, document.known_pans()),
            r#"{"a":"600*****0007"}"#
        );
        assert_eq!(
            with_bug(|| mask_known_pans(r#"{"a":"6"#, document.known_pans())),
            "{}"
        );
    }

    #[test]
    fn copies_stars_for_ranges_outside_the_text() {
        let mut out = Vec::new();
        with_bug(|| {
            let mut copy = ReplacingCopy::new("я41", &mut out);
            copy.replace(1..2, "*");
            copy.replace(9..9, "*");
            copy.finish();
        });
        // The text before each replacement and the rest.
        assert_eq!(out, *b"******\"*\"******\"*\"******");
    }
}
