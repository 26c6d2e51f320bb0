//! Names of card data, and the masks of the values under them.

use super::mask::STARS;
use super::pan::MaskedPan;
use crate::json::{JsonStr, Value};

/// A member that holds card data, at any depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SensitiveField {
    CardNumber,
    SecurityCode,
}

/// The names of card data, in lower case and without separators.
const NAMES: [(&str, SensitiveField); 9] = [
    ("cardnumber", SensitiveField::CardNumber),
    ("pan", SensitiveField::CardNumber),
    ("securitycode", SensitiveField::SecurityCode),
    ("cvv", SensitiveField::SecurityCode),
    ("cvc", SensitiveField::SecurityCode),
    ("cvv2", SensitiveField::SecurityCode),
    ("cvc2", SensitiveField::SecurityCode),
    ("csc", SensitiveField::SecurityCode),
    ("cid", SensitiveField::SecurityCode),
];

impl SensitiveField {
    /// Classifies the name of a member after decoding its escapes.
    pub(crate) fn from_name(name: JsonStr<'_>) -> Option<Self> {
        match name.plain() {
            Some(plain) => Self::from_chars(plain.chars()),
            None => Self::from_chars(name.chars()),
        }
    }

    /// Classifies a name, ignoring case, `_`, and `-`.
    pub(crate) fn from_chars(name: impl Iterator<Item = char> + Clone) -> Option<Self> {
        let normalized = name
            .filter(|character| !matches!(character, '_' | '-'))
            .map(|character| character.to_ascii_lowercase());
        NAMES
            .iter()
            .find(|(name, _)| normalized.clone().eq(name.chars()))
            .map(|(_, field)| *field)
    }

    /// Checks if a text may end with a name, ignoring case, `_`, and `-`. The characters before the
    /// name are not checked.
    pub(crate) fn may_end(text: &[u8]) -> bool {
        let mut backwards = text
            .iter()
            .rev()
            .filter(|byte| !matches!(byte, b'_' | b'-'))
            .map(u8::to_ascii_lowercase);
        let Some(last) = backwards.next() else {
            return false;
        };
        NAMES.iter().any(|(name, _)| match name.as_bytes() {
            [start @ .., end] if *end == last => {
                let mut backwards = backwards.clone();
                start
                    .iter()
                    .rev()
                    .all(|byte| backwards.next() == Some(*byte))
            }
            _ => false,
        })
    }

    /// Returns the replacement of a value in ASCII, or `None` if the value is kept.
    pub(crate) fn replacement(self, value: Value<'_>) -> Option<MaskedPan> {
        match (self, value) {
            (SensitiveField::SecurityCode, _) => Some(MaskedPan::stars(3)),
            (SensitiveField::CardNumber, Value::Null | Value::Absent) => None,
            (SensitiveField::CardNumber, Value::String(text)) => {
                text.with_decoded(|text| self.text_replacement(text))
            }
            (SensitiveField::CardNumber, Value::Number(digits)) => Some(mask_declared(digits)),
            // The value is not a card number, but is declared as one.
            (SensitiveField::CardNumber, _) => Some(MaskedPan::stars(STARS.len())),
        }
    }

    /// Returns the replacement of the text of a value, or `None` if the text is already masked.
    pub(crate) fn text_replacement(self, text: &str) -> Option<MaskedPan> {
        match self {
            SensitiveField::SecurityCode => (text != "***").then(|| MaskedPan::stars(3)),
            SensitiveField::CardNumber => (!is_masked(text)).then(|| mask_declared(text)),
        }
    }
}

/// Checks if a text is already masked: up to six digits, stars, and up to four digits.
///
/// Masked texts are kept, so that a second redaction changes nothing.
fn is_masked(text: &str) -> bool {
    let is_digit = |character: char| character.is_ascii_digit();
    let rest = text.trim_start_matches(is_digit);
    let stars = rest.trim_end_matches(is_digit);
    let removed = |whole: &str, part: &str| whole.len().saturating_sub(part.len());
    removed(text, rest) <= 6
        && removed(rest, stars) <= 4
        && !stars.is_empty()
        && stars.bytes().all(|byte| byte == b'*')
}

/// Returns the mask of a value that is declared as a card number. The mask of an empty value does
/// not reveal that it is empty.
fn mask_declared(digits: &str) -> MaskedPan {
    if digits.is_empty() {
        MaskedPan::stars(STARS.len())
    } else {
        MaskedPan::from_digits(digits)
    }
}

#[cfg(test)]
mod tests {
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
            assert_eq!(SensitiveField::from_chars(spaced), Some(field), "{name}");
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
                SensitiveField::from_name(JsonStr::new(name, name.contains('\\'))),
                expected,
                "{name}"
            );
        }
    }

    #[test]
    fn keeps_masked_texts() {
        for (text, is_kept) in [
            ("411111******1111", true),
            ("******", true),
            ("41*", true),
            ("*1111", true),
            ("4111111******1111", false),
            ("411111******11111", false),
            ("411111", false),
            ("411111*** ***1111", false),
            ("", false),
        ] {
            let replacement = SensitiveField::CardNumber.text_replacement(text);
            assert_eq!(replacement.is_none(), is_kept, "{text}");
        }
    }

    #[test]
    fn replaces_values() {
        use SensitiveField::{CardNumber, SecurityCode};
        for (field, value, expected) in [
            (CardNumber, Value::Null, None),
            (
                CardNumber,
                Value::Number("4111111111111111"),
                Some("411111******1111"),
            ),
            (CardNumber, Value::Number("-4111"), Some("******")),
            (CardNumber, Value::Bool(true), Some("******")),
            (CardNumber, Value::Object("{}"), Some("******")),
            (
                CardNumber,
                Value::String(JsonStr::new("", false)),
                Some("******"),
            ),
            (
                CardNumber,
                Value::String(JsonStr::new("4\\u0031", true)),
                Some("41"),
            ),
            (SecurityCode, Value::Null, Some("***")),
            (SecurityCode, Value::Number("123"), Some("***")),
            (
                SecurityCode,
                Value::String(JsonStr::new("1234", false)),
                Some("***"),
            ),
        ] {
            let replacement = field.replacement(value);
            assert_eq!(replacement.as_ref().map(MaskedPan::as_str), expected);
        }
    }
}
