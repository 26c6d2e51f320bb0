//! Makes a body safe to log: masks card numbers and security codes, and keeps every other byte.

use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::ops::Range;

use crate::card::known::KnownPans;
use crate::card::masked::Masked;
use crate::card::pan::MaskedPan;
use crate::json::writer::{escape, into_text};
use crate::json::{JsonStr, Token, Tokens, Value};
use crate::types::uuid::parse_uuid;
use crate::util::bug::or_bug;

/// Appends `body`, which is valid JSON, with card numbers and security codes masked.
pub(crate) fn redact(body: &str, out: &mut Vec<u8>) {
    // Card numbers are collected first, because a text may repeat a number before its member.
    // Unmasked numbers are never written, since a growing buffer leaves its old bytes in memory.
    let mut known_pans = KnownPans::default();
    collect(body, &mut known_pans);
    let mut tokens = Tokens::new(body);
    let mut copy = ReplacingCopy::new(body, out);
    // True if the next token is the value of a member `uid`.
    let mut is_uid = false;
    while let Some((token, range)) = tokens.next() {
        let was_uid = core::mem::take(&mut is_uid);
        match token {
            Token::Name(name) => {
                is_uid = name.is("uid");
                copy.mask(range, token, |text| known_pans.mask_text(text));
                let Some(field) = SensitiveField::named(name) else {
                    continue;
                };
                let Some((value, range)) = tokens.value() else {
                    continue;
                };
                if let Some(replacement) = field.replacement(value) {
                    copy.replace(range, "\"", replacement.as_str());
                }
            }
            // One UUID in some thousands contains digits that form a card number. The service
            // generates the UUID, and a log line without it does not identify its payment.
            Token::String(text)
                if was_uid && text.with_decoded(|text| parse_uuid(text).is_some()) => {}
            _ => copy.mask(range, token, |text| known_pans.mask_text(text)),
        }
    }
    copy.finish();
}

/// Returns valid JSON with the known PANs in its texts masked. A number that contains one becomes a
/// string.
pub(crate) fn mask_known_pans<'a>(json: &'a str, known_pans: &KnownPans) -> Cow<'a, str> {
    let mut out = Vec::new();
    let mut copy = ReplacingCopy::new(json, &mut out);
    for (token, range) in Tokens::new(json) {
        copy.mask(range, token, |text| known_pans.mask(text));
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

    /// Masks the text of a token.
    fn mask(
        &mut self,
        range: Range<usize>,
        token: Token<'_>,
        mask: impl FnOnce(&str) -> Option<Masked>,
    ) {
        let masked = match token {
            Token::Name(text) | Token::String(text) => text.with_decoded(mask),
            Token::Number(digits) => mask(digits),
        };
        if let Some(masked) = masked {
            self.replace(range, "\"", masked.as_str());
        }
    }

    /// Replaces a range of the text by a string in quotes.
    pub(super) fn replace(&mut self, range: Range<usize>, quote: &str, content: &str) {
        self.out
            .extend_from_slice(or_bug(self.text.get(self.copied..range.start), "").as_bytes());
        self.out.extend_from_slice(quote.as_bytes());
        escape(content, self.out);
        self.out.extend_from_slice(quote.as_bytes());
        self.copied = range.end;
    }

    pub(super) fn finish(self) {
        self.out
            .extend_from_slice(or_bug(self.text.get(self.copied..), "").as_bytes());
    }
}

/// Collects the card numbers that the body declares, in one pass over its tokens.
///
/// A literal search would miss names that are spelled differently.
pub(super) fn collect(body: &str, known_pans: &mut KnownPans) {
    let mut tokens = Tokens::new(body);
    while let Some((token, _)) = tokens.next() {
        if !matches!(token, Token::Name(name) if SensitiveField::named(name) == Some(SensitiveField::CardNumber))
        {
            continue;
        }
        let Some((_, range)) = tokens.value() else {
            continue;
        };
        // Every string and number of the value counts as a card number.
        for (token, _) in Tokens::new(or_bug(body.get(range), "")) {
            match token {
                Token::String(text) => known_pans.collect(text.chars()),
                Token::Number(digits) => known_pans.collect(digits.chars()),
                Token::Name(_) => {}
            }
        }
    }
}

/// A member that holds card data, at any depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SensitiveField {
    CardNumber,
    SecurityCode,
}

/// The names of sensitive members, normalized.
const CARD_NUMBER_NAMES: [&str; 2] = ["cardnumber", "pan"];
const SECURITY_CODE_NAMES: [&str; 7] = ["securitycode", "cvv", "cvc", "cvv2", "cvc2", "csc", "cid"];
/// The length of the longest sensitive name.
const LONGEST_NAME: usize = "securitycode".len();
/// The last characters of the names.
const LAST_CHARACTERS: &[u8] = b"rnevc2d";

impl SensitiveField {
    /// Classifies the name of a member after decoding its escapes.
    pub(crate) fn named(name: JsonStr<'_>) -> Option<Self> {
        name.plain().map_or_else(
            || Self::spelled(name.chars()),
            |plain| Self::spelled(plain.chars()),
        )
    }

    /// Classifies a name, ignoring case, `_`, and `-`.
    pub(crate) fn spelled(name: impl Iterator<Item = char>) -> Option<Self> {
        let mut normalized = [0; LONGEST_NAME];
        let mut length = 0_usize;
        for character in name.filter(|character| !matches!(character, '_' | '-')) {
            // A longer name, or one with another character, is not sensitive.
            let byte = u8::try_from(character)
                .ok()
                .filter(u8::is_ascii_alphanumeric)?;
            *normalized.get_mut(length)? = byte.to_ascii_lowercase();
            length = length.saturating_add(1);
        }
        let normalized = normalized.get(..length)?;
        let is_name = |name: &&str| name.as_bytes() == normalized;
        if CARD_NUMBER_NAMES.iter().any(is_name) {
            return Some(SensitiveField::CardNumber);
        }
        SECURITY_CODE_NAMES
            .iter()
            .any(is_name)
            .then_some(SensitiveField::SecurityCode)
    }

    /// Checks if a text may end with a name, ignoring case, `_`, and `-`. The characters before the
    /// name are not checked.
    pub(crate) fn may_end(text: &[u8]) -> bool {
        let characters = || {
            text.iter()
                .rev()
                .filter(|byte| !matches!(byte, b'_' | b'-'))
                .map(u8::to_ascii_lowercase)
        };
        // Most words end with another character.
        let is_last = |last: u8| LAST_CHARACTERS.contains(&last);
        let ends_with = |name: &str| {
            let mut characters = characters();
            name.bytes()
                .rev()
                .all(|byte| characters.next() == Some(byte))
        };
        characters().next().is_some_and(is_last)
            && CARD_NUMBER_NAMES
                .iter()
                .chain(&SECURITY_CODE_NAMES)
                .any(|name| ends_with(name))
    }

    /// Returns the replacement of a value in ASCII, or `None` if the value is kept.
    pub(crate) fn replacement(self, value: Value<'_>) -> Option<MaskedPan> {
        match (self, value) {
            (SensitiveField::SecurityCode, _) => Some(MaskedPan::stars(3)),
            (SensitiveField::CardNumber, Value::Null | Value::Absent) => None,
            (SensitiveField::CardNumber, Value::String(text)) => {
                text.with_decoded(|text| self.text_replacement(text))
            }
            (SensitiveField::CardNumber, Value::Number(digits)) => Some(mask(digits)),
            // The value is not a card number, but is declared as one.
            (SensitiveField::CardNumber, _) => Some(mask("?")),
        }
    }

    /// Returns the replacement of the text of a value, or `None` if the text is already masked.
    pub(crate) fn text_replacement(self, text: &str) -> Option<MaskedPan> {
        match self {
            SensitiveField::SecurityCode => (text != "***").then(|| MaskedPan::stars(3)),
            SensitiveField::CardNumber => (!is_masked(text)).then(|| mask(text)),
        }
    }
}

/// Returns whether a text is already masked: up to six digits, stars, and up to four digits.
///
/// Masked texts are kept, so that a second redaction changes nothing.
fn is_masked(text: &str) -> bool {
    let digit = |character: char| character.is_ascii_digit();
    let rest = text.trim_start_matches(digit);
    let stars = rest.trim_end_matches(digit);
    let removed = |whole: &str, part: &str| whole.len().saturating_sub(part.len());
    removed(text, rest) <= 6
        && removed(rest, stars) <= 4
        && !stars.is_empty()
        && stars.bytes().all(|byte| byte == b'*')
}

/// Returns the mask of a value that is declared as a card number. The mask of an empty value does
/// not reveal that it is empty.
fn mask(digits: &str) -> MaskedPan {
    MaskedPan::of(if digits.is_empty() { "?" } else { digits })
}

#[cfg(test)]
mod tests {
    use alloc::format;
    use alloc::string::String;

    use super::*;

    #[test]
    fn compares_names_without_case_and_separators() {
        use SensitiveField::{CardNumber, SecurityCode};
        let pans = ["cardnumber", "pan"].map(|name| (name, CardNumber));
        let codes = ["securitycode", "cvv", "cvc", "cvv2", "cvc2", "csc", "cid"]
            .map(|name| (name, SecurityCode));
        for (name, field) in pans.into_iter().chain(codes) {
            assert!(SensitiveField::may_end(name.as_bytes()), "{name}");
            let spaced = name
                .chars()
                .flat_map(|character| ['_', character.to_ascii_uppercase(), '-']);
            assert_eq!(SensitiveField::spelled(spaced), Some(field), "{name}");
        }
        for (name, expected) in [
            ("card_number", Some(CardNumber)),
            ("Card-Number", Some(CardNumber)),
            ("card\\u005fnumber", Some(CardNumber)),
            ("PAN", Some(CardNumber)),
            ("securityCode", Some(SecurityCode)),
            ("CVC2", Some(SecurityCode)),
            ("\\u0063vv", Some(SecurityCode)),
            ("", None),
            ("_", None),
            ("cvv ", None),
            ("cvv3", None),
            ("span", None),
            ("card_numbers", None),
            ("security_code_length", None),
            ("ϲvv", None),
        ] {
            assert_eq!(
                SensitiveField::named(JsonStr::new(name, name.contains('\\'))),
                expected,
                "{name}"
            );
        }
    }

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
}
