//! The masks of values under the names of card data.

use zeroize::Zeroize;

use super::digits::{digit, is_separator};
use super::names::CardName;
use crate::card::mask::STARS;
use crate::card::pan::MaskedPan;
use crate::card::syntax::{MAX_PAN_DIGITS, MIN_PAN_DIGITS};
use crate::json::Value;
use crate::types::uuid::parse_uuid;

/// The number of characters of a value that are compared. A UUID and every card number in groups
/// are shorter.
const MAX_CONTENT: usize = 40;

impl CardName {
    /// Returns the mask of a JSON value under this name, or `None` if the value is kept.
    pub(crate) fn mask_json(self, value: Value<'_>) -> Option<MaskedPan> {
        match (self, value) {
            (_, Value::String(text)) => text.with_decoded(|text| self.mask_text(text.chars())),
            (_, Value::Number(number)) => self.mask_text(number.chars()),
            (CardName::SecurityCode, _) => Some(MaskedPan::stars(3)),
            (CardName::CardNumber, Value::Null | Value::Absent) => None,
            // The value is not a card number, but is declared as one.
            (CardName::CardNumber, _) => Some(MaskedPan::stars(STARS.len())),
            (CardName::PossibleNumber | CardName::PossibleCode, _) => None,
        }
    }

    /// Returns the mask of a text under this name, or `None` if the text is kept: if it is masked
    /// already, if it is a UUID, or if it does not fit a name with other meanings.
    pub(crate) fn mask_text(self, text: impl Iterator<Item = char>) -> Option<MaskedPan> {
        let mut content = Content::default();
        content.read(text);
        if content.is_uuid() {
            return None;
        }
        match self {
            CardName::SecurityCode => (content.ascii() != b"***").then(|| MaskedPan::stars(3)),
            CardName::PossibleCode => content.is_code().then(|| MaskedPan::stars(3)),
            CardName::CardNumber => (!content.is_masked()).then(|| content.mask()),
            CardName::PossibleNumber => content.is_number().then(|| content.mask()),
        }
    }

    /// Checks if a value under this name is an unmasked card number.
    pub(crate) fn is_unmasked_number(self, text: impl Iterator<Item = char>) -> bool {
        let mut content = Content::default();
        content.read(text);
        match self {
            CardName::CardNumber => !content.is_uuid() && content.longest >= MIN_PAN_DIGITS,
            CardName::PossibleNumber => content.is_number(),
            CardName::SecurityCode | CardName::PossibleCode => false,
        }
    }
}

/// A value, of which the beginning is kept. It is wiped on drop, since it may be a card number.
struct Content {
    /// The first characters, with digits of all scripts in ASCII, and `?` for others.
    ascii: [u8; MAX_CONTENT],
    /// The number of characters.
    length: usize,
    digits: usize,
    /// The number of digits in the longest series of groups.
    longest: usize,
    /// Set if there are only digits, and groups of digits with one separator or two spaces between
    /// them.
    is_numeric: bool,
}

impl Default for Content {
    fn default() -> Self {
        Content {
            ascii: [0; MAX_CONTENT],
            length: 0,
            digits: 0,
            longest: 0,
            is_numeric: true,
        }
    }
}

impl Drop for Content {
    fn drop(&mut self) {
        self.ascii.zeroize();
    }
}

impl Content {
    /// Reads a value into this one, which is empty. A value that is returned could leave a copy.
    fn read(&mut self, text: impl Iterator<Item = char>) {
        let (mut before, mut last) = (' ', ' ');
        // The number of digits in the current series of groups.
        let mut series = 0_usize;
        for character in text {
            let value = digit(character);
            let is_digit = usize::from(value.is_some());
            self.digits = self.digits.saturating_add(is_digit);
            let follows_digit = digit(last).is_some();
            let follows_space = last == ' ' && character == ' ' && digit(before).is_some();
            let separates = is_separator(character) && (follows_digit || follows_space);
            let continues = value.is_some() || separates;
            series = if continues {
                series.saturating_add(is_digit)
            } else {
                0
            };
            self.longest = self.longest.max(series);
            self.is_numeric &= continues;
            (before, last) = (last, character);
            if let Some(target) = self.ascii.get_mut(self.length) {
                *target = match value {
                    Some(value) => value | b'0',
                    None => u8::try_from(character).unwrap_or(b'?'),
                };
            }
            self.length = self.length.saturating_add(1);
        }
        self.is_numeric &= digit(last).is_some();
    }

    /// Returns the characters, or nothing if there are too many.
    fn ascii(&self) -> &[u8] {
        self.ascii.get(..self.length).unwrap_or_default()
    }

    fn is_uuid(&self) -> bool {
        core::str::from_utf8(self.ascii()).is_ok_and(|text| parse_uuid(text).is_some())
    }

    /// Checks if the value has the digits of a card number, in groups or not.
    fn is_number(&self) -> bool {
        self.is_numeric && (MIN_PAN_DIGITS..=MAX_PAN_DIGITS).contains(&self.digits)
    }

    /// Checks if the value is a security code.
    fn is_code(&self) -> bool {
        matches!(self.length, 3 | 4) && self.digits == self.length
    }

    /// Checks if the value is already masked: up to six digits, stars, and up to four digits.
    ///
    /// Masked values are kept, so that a second redaction changes nothing.
    fn is_masked(&self) -> bool {
        let digits_first = self.ascii().iter().take_while(|byte| byte.is_ascii_digit());
        let first = digits_first.count();
        let rest = self.ascii().get(first..).unwrap_or_default();
        let digits_last = rest.iter().rev().take_while(|byte| byte.is_ascii_digit());
        let last = digits_last.count();
        let stars = rest
            .get(..rest.len().saturating_sub(last))
            .unwrap_or_default();
        first <= 6 && last <= 4 && !stars.is_empty() && stars.iter().all(|byte| *byte == b'*')
    }

    /// Returns the mask of a value that is declared as a card number. The mask of an empty value
    /// does not reveal that it is empty.
    fn mask(&self) -> MaskedPan {
        match self.ascii() {
            [] => MaskedPan::stars(STARS.len()),
            text => MaskedPan::from_digits(text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::JsonStr;
    use CardName::{CardNumber, PossibleCode, PossibleNumber, SecurityCode};

    const UUID: &str = "41111111-1111-4008-8abc-aaaaaaaaaaaa";

    fn mask(name: CardName, text: &str) -> Option<MaskedPan> {
        name.mask_text(text.chars())
    }

    #[test]
    fn masks_texts() {
        for (name, text, expected) in [
            (CardNumber, "500000000009", Some("500*****0009")),
            (CardNumber, "５０００００００００09", Some("500*****0009")),
            (CardNumber, "4111 1111 1111 1111", Some("******")),
            (CardNumber, "41", Some("41")),
            (CardNumber, "4111", Some("41**")),
            (CardNumber, "token", Some("******")),
            (CardNumber, "", Some("******")),
            (CardNumber, &"4".repeat(50), Some("******")),
            (CardNumber, UUID, None),
            (PossibleNumber, "500000000009", Some("500*****0009")),
            (PossibleNumber, "5000 0000 0009", Some("******")),
            (PossibleNumber, "50000000000", None),
            (PossibleNumber, "Peter", None),
            (SecurityCode, "123", Some("***")),
            (SecurityCode, "none", Some("***")),
            (SecurityCode, "", Some("***")),
            (SecurityCode, "***", None),
            (SecurityCode, UUID, None),
            (PossibleCode, "123", Some("***")),
            (PossibleCode, "1234", Some("***")),
            (PossibleCode, "12", None),
            (PossibleCode, "12345", None),
            (PossibleCode, "12a", None),
        ] {
            let masked = mask(name, text);
            assert_eq!(masked.as_ref().map(MaskedPan::as_str), expected, "{text}");
        }
    }

    #[test]
    fn keeps_masked_texts() {
        for (text, is_kept) in [
            ("411111******1111", true),
            ("500*****0009", true),
            ("******", true),
            ("41*", true),
            ("*1111", true),
            ("4111111******1111", false),
            ("411111******11111", false),
            ("411111", false),
            ("411111*** ***1111", false),
        ] {
            assert_eq!(mask(CardNumber, text).is_none(), is_kept, "{text}");
        }
    }

    #[test]
    fn masks_json_values() {
        let text = |raw| Value::String(JsonStr::new(raw, true));
        for (name, value, expected) in [
            (CardNumber, Value::Null, None),
            (
                CardNumber,
                Value::Number("4111111111111111"),
                Some("411111******1111"),
            ),
            (CardNumber, Value::Number("-4111"), Some("******")),
            (CardNumber, Value::Bool(true), Some("******")),
            (CardNumber, Value::Object("{}"), Some("******")),
            (CardNumber, text("4\\u00311"), Some("41*")),
            (SecurityCode, Value::Null, Some("***")),
            (SecurityCode, Value::Number("123"), Some("***")),
            (PossibleCode, Value::Number("123"), Some("***")),
            (PossibleCode, Value::Object("{}"), None),
            (PossibleNumber, Value::Array("[]"), None),
        ] {
            let masked = name.mask_json(value);
            assert_eq!(masked.as_ref().map(MaskedPan::as_str), expected);
        }
    }

    #[test]
    fn counts_unmasked_digits() {
        for (name, text, expected) in [
            (CardNumber, "500000000009", true),
            (CardNumber, "card 5000 0000 0009", true),
            (CardNumber, "500000,000009", false),
            (CardNumber, "411111******1111", false),
            (CardNumber, UUID, false),
            (PossibleNumber, "500000000009", true),
            (PossibleNumber, "card 500000000009", false),
            (SecurityCode, "500000000009", false),
        ] {
            assert_eq!(name.is_unmasked_number(text.chars()), expected, "{text}");
        }
    }
}
