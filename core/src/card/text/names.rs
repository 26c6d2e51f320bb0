//! The names of card data.
//!
//! Names are compared by their letters and digits, without case, so `card_number`, `Card-Number`,
//! and `cardNumber` are one name.

use crate::json::JsonStr;

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CardName {
    /// A card number. The value is masked in any form.
    CardNumber,
    /// A security code. The value is hidden in any form.
    SecurityCode,
    /// A card number only if the value has the digits of one, since the name has other meanings.
    PossibleNumber,
    /// A security code only if the value is three or four digits.
    PossibleCode,
}

use CardName::{CardNumber, PossibleCode, PossibleNumber, SecurityCode};

/// All names, in lower case and without separators.
pub(super) const NAMES: [(&str, CardName); 23] = [
    ("cardnumber", CardNumber),
    ("cardno", CardNumber),
    ("ccnumber", CardNumber),
    ("ccnum", CardNumber),
    ("creditcardnumber", CardNumber),
    ("primaryaccountnumber", CardNumber),
    ("pan", PossibleNumber),
    ("securitycode", SecurityCode),
    ("cvv", SecurityCode),
    ("cvv2", SecurityCode),
    ("cvc", SecurityCode),
    ("cvc2", SecurityCode),
    ("cvn", SecurityCode),
    ("cvn2", SecurityCode),
    ("cvp2", SecurityCode),
    ("cav2", SecurityCode),
    ("cvd", SecurityCode),
    ("verificationvalue", SecurityCode),
    ("cardverificationvalue", SecurityCode),
    ("cid", PossibleCode),
    ("csc", PossibleCode),
    ("cav", PossibleCode),
    ("cve", PossibleCode),
];

/// The maximum number of letters of a name.
const MAX_LETTERS: usize = 24;

/// The names of security codes that may also be the first or the last word of a longer name, as in
/// `card_cvv` and `cvvCode`.
const WORDS: [&str; 6] = ["cvv", "cvv2", "cvc", "cvc2", "csc", "securitycode"];

impl CardName {
    /// Classifies the name of a member, after decoding its escapes.
    pub(crate) fn from_member(name: JsonStr<'_>) -> Option<Self> {
        match name.plain() {
            Some(plain) => Self::from_name(plain.as_bytes()),
            None => name.with_decoded(|name| Self::from_name(name.as_bytes())),
        }
    }

    /// Classifies a name. After a path, as in `card[cvv]` and `payment.card_number`, its last part
    /// counts as well.
    pub(crate) fn from_name(name: &[u8]) -> Option<Self> {
        if !may_be_name(name) {
            return None;
        }
        let last_part = || {
            let mut parts = name.rsplit(|byte| matches!(byte, b'.' | b'['));
            parts.next().filter(|part| part.len() < name.len())
        };
        Self::from_words(&[name])
            .or_else(|| has_code_word(name).then_some(SecurityCode))
            .or_else(|| Self::from_words(&[last_part()?]))
    }

    /// Checks if the name has other meanings too.
    pub(crate) fn is_possible(self) -> bool {
        matches!(self, PossibleNumber | PossibleCode)
    }

    /// Classifies a name of several words by all their letters.
    pub(super) fn from_words(words: &[&[u8]]) -> Option<Self> {
        let mut name = [0; MAX_LETTERS];
        let mut length = 0_usize;
        for word in words {
            for letter in letters(word) {
                *name.get_mut(length)? = letter;
                length = length.saturating_add(1);
            }
        }
        let name = name.get(..length)?;
        let mut names = NAMES.iter();
        // The last letter rejects most names of the same length without a call.
        let last = name.last();
        let known = names.find(|(known, _)| {
            let known = known.as_bytes();
            known.len() == length && known.last() == last && known == name
        });
        known.map(|(_, class)| *class)
    }
}

/// The part of a name and a value that are the values of two members, `name` and `value`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PairMember {
    Name,
    Value,
}

impl PairMember {
    /// Returns the part that a member with this name has.
    pub(crate) fn from_name(name: &[u8]) -> Option<Self> {
        if name.eq_ignore_ascii_case(b"name") {
            Some(PairMember::Name)
        } else if name.eq_ignore_ascii_case(b"value") {
            Some(PairMember::Value)
        } else {
            None
        }
    }
}

/// Checks a name by its first and last letters, which reject most words of a text before they are
/// compared with all names.
fn may_be_name(name: &[u8]) -> bool {
    let mut last = letters(name).rev().peekable();
    last.next_if_eq(&b'2');
    // A security code may be the first word of any name.
    three(last).is_some_and(|[third, second, first]| is_ending([first, second, third]))
        || three(letters(name))
            .is_some_and(|first| matches!(&first, b"cvv" | b"cvc" | b"csc" | b"sec"))
}

/// Returns the next three letters.
fn three(mut letters: impl Iterator<Item = u8>) -> Option<[u8; 3]> {
    Some([letters.next()?, letters.next()?, letters.next()?])
}

/// Checks if a name ends with three letters, without the `2` of some names.
pub(super) fn is_ending(letters: [u8; 3]) -> bool {
    matches!(
        &letters,
        b"ber"
            | b"dno"
            | b"num"
            | b"pan"
            | b"ode"
            | b"lue"
            | b"cvv"
            | b"cvc"
            | b"cvn"
            | b"cvp"
            | b"cvd"
            | b"cve"
            | b"cav"
            | b"cid"
            | b"csc"
    )
}

/// Checks if a name begins or ends with the word of a security code.
fn has_code_word(name: &[u8]) -> bool {
    let is_letter = |byte: &&u8| !is_separator(**byte);
    let begins = name.iter().find(is_letter).map(u8::to_ascii_lowercase);
    let ends = name.iter().rfind(is_letter).map(u8::to_ascii_lowercase);
    WORDS.iter().any(|word| {
        let word_bytes = word.as_bytes();
        begins == word_bytes.first().copied() && begins_with_word(name, word)
            || ends == word_bytes.last().copied() && ends_with_word(name, word)
    })
}

/// Checks if a name begins with a word, after which another word begins.
fn begins_with_word(name: &[u8], word: &str) -> bool {
    let mut rest = name;
    let mut last = b' ';
    for expected in word.bytes() {
        let Some((letter, following)) = next_letter(rest) else {
            return false;
        };
        if letter.to_ascii_lowercase() != expected {
            return false;
        }
        (last, rest) = (letter, following);
    }
    match rest {
        [] => true,
        [next, after @ ..] => {
            let ends_with_number = last == b'2' && next.is_ascii_alphabetic();
            ends_with_number || is_word_start(Some(last), *next, after.first().copied())
        }
    }
}

/// Returns the first letter of a name after separators, and the rest.
fn next_letter(name: &[u8]) -> Option<(u8, &[u8])> {
    let at = name.iter().position(|byte| !is_separator(*byte))?;
    let (letter, rest) = name.get(at..)?.split_first()?;
    Some((*letter, rest))
}

/// Checks if a name ends with a word, before which another word ends.
fn ends_with_word(name: &[u8], word: &str) -> bool {
    let mut head = name;
    let (mut first, mut second) = (b' ', None);
    for expected in word.bytes().rev() {
        let Some(at) = head.iter().rposition(|byte| !is_separator(*byte)) else {
            return false;
        };
        let letter = head.get(at).copied().unwrap_or_default();
        if letter.to_ascii_lowercase() != expected {
            return false;
        }
        second = Some(first);
        first = letter;
        head = head.get(..at).unwrap_or_default();
    }
    head.is_empty() || is_word_start(head.last().copied(), first, second)
}

/// Checks if a word begins with `letter`, by separators and by case: `card_cvv`, `cardCvv`,
/// `CARDCvv`.
fn is_word_start(before: Option<u8>, letter: u8, after: Option<u8>) -> bool {
    let is_upper_before = before.is_some_and(|byte| byte.is_ascii_uppercase());
    is_separator(letter)
        || before.is_some_and(is_separator)
        || letter.is_ascii_uppercase()
            && (!is_upper_before || after.is_some_and(|byte| byte.is_ascii_lowercase()))
}

/// Returns the letters of a name in lower case, without separators.
fn letters(name: &[u8]) -> impl DoubleEndedIterator<Item = u8> + Clone {
    name.iter()
        .filter(|byte| !is_separator(**byte))
        .map(u8::to_ascii_lowercase)
}

/// Checks if a byte separates the words of a name.
pub(super) fn is_separator(byte: u8) -> bool {
    matches!(byte, b'_' | b'-' | b'.' | b' ' | b'[' | b']')
}

#[cfg(test)]
mod tests {
    use alloc::format;

    use super::*;

    #[test]
    fn compares_names_without_case_and_separators() {
        for (name, class) in NAMES {
            assert_eq!(CardName::from_name(name.as_bytes()), Some(class), "{name}");
            let spaced: alloc::string::String = name
                .chars()
                .flat_map(|letter| [letter.to_ascii_uppercase(), '_', ' '])
                .collect();
            assert_eq!(
                CardName::from_name(spaced.as_bytes()),
                Some(class),
                "{spaced}"
            );
        }
    }

    #[test]
    fn knows_the_endings_of_all_names() {
        for (name, _) in NAMES {
            let stem = name.trim_end_matches('2').as_bytes();
            assert!(is_ending(*stem.last_chunk().unwrap()), "{name}");
        }
        for word in WORDS {
            assert!(may_be_name(word.as_bytes()) && may_be_name(format!("{word}_x").as_bytes()));
        }
    }

    #[test]
    fn recognizes_security_codes_as_words() {
        for name in [
            "card_cvv",
            "cvvCode",
            "cc-csc",
            "cardCvv",
            "cardCVV",
            "CVVCode",
            "CARDCvv",
            "cvv_code",
            "card.cvv",
            "card[cvv]",
            "card_cvv2",
            "cvcCheck",
            "cvv2code",
            "cardSecurityCode",
            "card_security_code",
            "security_code_value",
            "securityCodeHash",
            "Card Security Code",
            "--cvv",
            &format!("security_{}code", "[".repeat(100)),
        ] {
            let class = CardName::from_name(name.as_bytes());
            assert_eq!(class, Some(SecurityCode), "{name}");
        }
        for name in [
            "cardcvv",
            "cvvcode",
            "CARDCVV",
            "cvvs",
            "cvv3",
            "discsc",
            "insecuritycode",
            "cvx",
            "securitycodes",
            "",
            "_",
            "ϲvv",
            "cvv!",
            "4cvv",
        ] {
            assert_eq!(CardName::from_name(name.as_bytes()), None, "{name}");
        }
    }

    #[test]
    fn recognizes_the_last_part_of_a_path() {
        for (name, class) in [
            ("payment.card_number", Some(CardNumber)),
            ("payment[pan]", Some(PossibleNumber)),
            ("card[number]", Some(CardNumber)),
            ("order[cid]", Some(PossibleCode)),
            ("my_card_number", None),
            ("card_numbers", None),
            ("span", None),
            ("company", None),
        ] {
            assert_eq!(CardName::from_name(name.as_bytes()), class, "{name}");
        }
    }

    #[test]
    fn decodes_the_names_of_members() {
        for (name, class) in [
            ("card\\u005fnumber", Some(CardNumber)),
            ("\\u0063_v-v", Some(SecurityCode)),
            ("\\u0063vx", None),
        ] {
            assert_eq!(
                CardName::from_member(JsonStr::new(name, true)),
                class,
                "{name}"
            );
        }
    }
}
