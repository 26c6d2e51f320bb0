//! The names of card data, classified a second time: by their words.

use payspec_tests::json::Json;

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum CardName {
    CardNumber,
    SecurityCode,
    /// A card number if the value has the digits of one.
    PossibleNumber,
    /// A security code if the value is three or four digits.
    PossibleCode,
}

const CARD_NUMBERS: [&str; 6] = [
    "cardnumber",
    "cardno",
    "ccnumber",
    "ccnum",
    "creditcardnumber",
    "primaryaccountnumber",
];
const SECURITY_CODES: [&str; 11] = [
    "securitycode",
    "cvv",
    "cvv2",
    "cvc",
    "cvc2",
    "cvn",
    "cvn2",
    "cvp2",
    "cav2",
    "cvd",
    "verificationvalue",
];
const POSSIBLE_CODES: [&str; 4] = ["cid", "csc", "cav", "cve"];
/// The security codes that may be the first or the last words of a longer name.
const WORDS: [&str; 6] = ["cvv", "cvv2", "cvc", "cvc2", "csc", "securitycode"];

/// The longest name that the library reads as a whole, in bytes.
pub(crate) const MAX_LENGTH: usize = 64;

/// Classifies a name of at most [`MAX_LENGTH`] bytes.
pub(crate) fn card_name(name: &str) -> Option<CardName> {
    exact(&words(name).concat())
        .or_else(|| has_code_word(name).then_some(CardName::SecurityCode))
        .or_else(|| exact(&words(name.rsplit(['.', '[']).next()?).concat()))
}

/// Returns what the member `name` gives to the member `value` beside it, as in HAR.
pub(crate) fn pair_name(members: &[(String, Json)]) -> Option<CardName> {
    let mut names = members
        .iter()
        .filter(|(name, _)| name.eq_ignore_ascii_case("name"));
    names.find_map(|(_, value)| card_name(value.as_str()?))
}

/// Returns what the name of a member stands for, in an object with a pair or not.
pub(crate) fn member_name(name: &str, pair: Option<CardName>) -> Option<CardName> {
    card_name(name).or_else(|| pair.filter(|_| name.eq_ignore_ascii_case("value")))
}

fn exact(letters: &str) -> Option<CardName> {
    match letters {
        "pan" => Some(CardName::PossibleNumber),
        _ if CARD_NUMBERS.contains(&letters) => Some(CardName::CardNumber),
        _ if POSSIBLE_CODES.contains(&letters) => Some(CardName::PossibleCode),
        _ if SECURITY_CODES.contains(&letters) || letters == "cardverificationvalue" => {
            Some(CardName::SecurityCode)
        }
        _ => None,
    }
}

/// Checks if a name begins or ends with the words of a security code. A word that ends with a number
/// ends there: `cvv2code`.
fn has_code_word(name: &str) -> bool {
    let words = words(name);
    let is_code = |words: &[String]| WORDS.contains(&words.concat().as_str());
    let begins_with_number = WORDS.iter().filter(|word| word.ends_with('2')).any(|word| {
        let rest = words.concat();
        let rest = rest.strip_prefix(word);
        rest.is_some_and(|rest| rest.starts_with(|next: char| next.is_ascii_alphabetic()))
    });
    begins_with_number
        || (1..=words.len()).any(|count| is_code(&words[..count]))
        || (0..words.len()).any(|from| is_code(&words[from..]))
}

/// Returns the words of a name in lower case. They begin after separators, and with capital letters.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let characters: Vec<char> = name.chars().collect();
    for (at, character) in characters.iter().enumerate() {
        let before = at.checked_sub(1).map(|before| characters[before]);
        let next = characters.get(at + 1);
        let follows_capital = before.is_some_and(|before| before.is_ascii_uppercase());
        let is_separator = matches!(character, '_' | '-' | '.' | ' ' | '[' | ']');
        if is_separator
            || character.is_ascii_uppercase()
                && (!follows_capital || next.is_some_and(char::is_ascii_lowercase))
        {
            words.push(String::new());
        }
        if !is_separator && let Some(word) = words.last_mut() {
            word.push(character.to_ascii_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use CardName::{CardNumber, PossibleCode, PossibleNumber, SecurityCode};

    #[test]
    fn classifies_names() {
        for (name, expected) in [
            ("card_number", Some(CardNumber)),
            ("Card-Number", Some(CardNumber)),
            ("payment.cardNumber", Some(CardNumber)),
            ("card[pan]", Some(PossibleNumber)),
            ("cid", Some(PossibleCode)),
            ("card_cvv", Some(SecurityCode)),
            ("CVVCode", Some(SecurityCode)),
            ("cvv2code", Some(SecurityCode)),
            ("security_code_syntax", Some(SecurityCode)),
            ("my_card_number", None),
            ("cardcvv", None),
            ("span", None),
            ("", None),
        ] {
            assert_eq!(card_name(name), expected, "{name}");
        }
    }
}
