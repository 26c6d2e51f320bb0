//! Checks redaction: no planted secret survives, the rest is unchanged, and a second redaction
//! changes nothing.

use crate::bytes::Bytes;
use crate::names::{CardName, member_name, pair_name};
use payspec::Engine;
use payspec::card::{card_info, passes_luhn};
use payspec_tests::call;
use payspec_tests::escapes::ESCAPES;
use payspec_tests::json::Json;
use payspec_tests::leak;
use payspec_tests::planted_secrets::{CARDS, CODES, DISGUISES, PlantedSecret};
use payspec_tests::{seeds, tree};
use std::sync::LazyLock;

static ENGINE: LazyLock<Engine> = LazyLock::new(|| {
    call::engine(Some(r#"{"limits":{"body_bytes":1000000,"depth":64}}"#)).expect("the policy")
});

/// Input: three bytes for the kind, position, and escaping of the secret, then the body.
pub(crate) fn run(bytes: &[u8]) {
    let mut bytes = Bytes(bytes);
    let (kind, position, flags) = (bytes.next(), bytes.next(), bytes.next());
    let body = bytes.0;
    let Some(before) = redacted(body) else { return };
    let (disguise, card) = (
        DISGUISES[usize::from(kind) % DISGUISES.len()],
        CARDS[usize::from(kind / 16) % CARDS.len()],
    );
    let plant = PlantedSecret {
        disguise,
        card,
        code: CODES[usize::from(kind / 128)],
        escaped: flags & 1 == 1,
        escape: ESCAPES[usize::from(flags / 2) % ESCAPES.len()],
    };
    let pointers = tree::pointers(&before);
    let position = usize::from(position) % pointers.len();
    let Some(planted) = plant.put(&before, &pointers, position) else {
        return;
    };
    // If the body contains the digits already, a hit would not be a leak; `redacted` checks all
    // other digits.
    if leak::shows(&before.compact(), plant.secret()) {
        return;
    }
    if redacted(&planted).is_some() {
        let result = leak::of_call(
            &ENGINE,
            "redact",
            &[Some(&planted)],
            (0, &pointers[position]),
            plant.secret(),
        );
        assert_eq!(result, Ok(()), "{disguise:?} at {:?}", pointers[position]);
    }
}

pub(crate) fn seeds() -> Vec<Vec<u8>> {
    let inputs = seeds::calls()
        .into_iter()
        .flat_map(|seed| seed.inputs)
        .flatten();
    let bodies: Vec<Vec<u8>> = inputs
        .filter(|input| input.first() == Some(&b'{'))
        .collect();
    // A different head for each body, so that the seeds cover every disguise.
    let head =
        |at: usize| [at % 256, at / 7 % 256, at % 3].map(|byte| u8::try_from(byte).unwrap_or(0));
    bodies
        .into_iter()
        .enumerate()
        .map(|(at, body)| [head(at).as_slice(), &body].concat())
        .collect()
}

/// Redacts the body, checks the result, and returns it as JSON, or `None` if the body is not a JSON
/// object.
fn redacted(body: &[u8]) -> Option<Json> {
    let text = match ENGINE.redact(body) {
        Ok(text) => text,
        Err(report) => {
            assert!(!report.0.is_valid());
            return None;
        }
    };
    assert_eq!(
        ENGINE.redact(text.as_bytes()).ok().as_deref(),
        Some(text.as_str()),
        "redacted twice"
    );
    // serde_json rejects numbers outside the range of f64.
    let after = Json::parse(text.as_bytes()).ok()?;
    check_masks(&after);
    // A decimal fraction and a number with an exponent are no card numbers.
    let is_whole = |number: &&str| {
        let (_, fraction) = number.split_once('.').unwrap_or((number, ""));
        fraction.bytes().all(|digit| digit == b'0') && !number.contains(['e', 'E'])
    };
    numbers(&text)
        .filter(is_whole)
        .for_each(|number| assert!(!contains_card_number(number), "the number {number}"));
    if let Ok(before) = Json::parse(body) {
        same(&before, &after);
        let mut known = Vec::new();
        collect_known_pans(&before, &mut known);
        known
            .iter()
            .for_each(|number| check_not_repeated(&after, number));
    }
    Some(after)
}

/// Checks that no string or name contains a card number and that every security code is masked.
fn check_masks(json: &Json) {
    match json {
        Json::Object(members) => {
            let pair = pair_name(members);
            for (name, value) in members {
                assert_eq!(ENGINE.redact_text(name), *name, "the name {name:?}");
                // UUIDs are masked under no name.
                let is_hidden = value
                    .as_str()
                    .is_some_and(|text| text == "***" || is_uuid(text));
                assert!(
                    member_name(name, pair) != Some(CardName::SecurityCode) || is_hidden,
                    "a security code: {}",
                    value.compact()
                );
                check_masks(value);
            }
        }
        Json::Array(elements) => elements.iter().for_each(check_masks),
        Json::String(text) => assert_eq!(ENGINE.redact_text(text), *text, "the text {text:?}"),
        // Numbers are checked in the text, because an f64 may print other digits than were written.
        Json::Number(_) | Json::Null | Json::Bool(_) => {}
    }
}

/// Collects the digits of every value that is declared as a card number.
fn collect_known_pans(json: &Json, known: &mut Vec<String>) {
    match json {
        Json::Object(members) => {
            let pair = pair_name(members);
            for (name, value) in members {
                match member_name(name, pair) {
                    Some(CardName::CardNumber) => collect_declared(value, known),
                    // The value has the digits of a card number, and nothing else.
                    Some(CardName::PossibleNumber)
                        if value
                            .as_str()
                            .is_some_and(|text| text.bytes().all(|byte| byte.is_ascii_digit())) =>
                    {
                        collect_declared(value, known);
                    }
                    _ => collect_known_pans(value, known),
                }
            }
        }
        Json::Array(elements) => elements
            .iter()
            .for_each(|element| collect_known_pans(element, known)),
        Json::String(_) | Json::Number(_) | Json::Null | Json::Bool(_) => {}
    }
}

/// Collects the digits of each string in such a value.
fn collect_declared(json: &Json, known: &mut Vec<String>) {
    match json {
        Json::Object(members) => members
            .iter()
            .for_each(|(_, value)| collect_declared(value, known)),
        Json::Array(elements) => elements
            .iter()
            .for_each(|element| collect_declared(element, known)),
        Json::String(text) => {
            let digits: String = text.chars().filter(char::is_ascii_digit).collect();
            known.extend((12..=19).contains(&digits.len()).then_some(digits));
        }
        // `Json` does not keep the text of a number.
        Json::Number(_) | Json::Null | Json::Bool(_) => {}
    }
}

/// Checks that no string or name repeats a card number that the body declares.
fn check_not_repeated(json: &Json, number: &str) {
    match json {
        Json::Object(members) => {
            for (name, value) in members {
                assert!(
                    !name.contains(number),
                    "the name {name:?} repeats a card number"
                );
                if name != "uid" || !value.as_str().is_some_and(is_uuid) {
                    check_not_repeated(value, number);
                }
            }
        }
        Json::Array(elements) => elements
            .iter()
            .for_each(|element| check_not_repeated(element, number)),
        Json::String(text) => assert!(
            !text.contains(number),
            "the text {text:?} repeats a card number"
        ),
        Json::Number(_) | Json::Null | Json::Bool(_) => {}
    }
}

/// Returns the numbers of a JSON text as written: the parts outside quotes.
fn numbers(text: &str) -> impl Iterator<Item = &str> {
    let mut escaped = false;
    let mut quotes = 0_usize;
    text.split(move |character: char| {
        let quote = character == '"' && !escaped;
        escaped = character == '\\' && !escaped;
        quotes += usize::from(quote);
        quote || quotes % 2 == 1 || !matches!(character, '0'..='9' | '+' | '-' | '.' | 'e' | 'E')
    })
}

/// Returns true for 8-4-4-4-12 hexadecimal digits.
fn is_uuid(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    parts.iter().map(|part| part.len()).eq([8, 4, 4, 4, 12])
        && parts.concat().bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Applies the definition of a card number, 14 to 19 digits, at every position: quadratic, and shares
/// no code with the finder.
fn contains_card_number(text: &str) -> bool {
    let bytes = text.as_bytes();
    let digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let begins = |at: &usize| digit(*at) && !(*at > 0 && digit(*at - 1));
    (0..bytes.len()).filter(begins).any(|start| {
        let (mut at, mut digits) = (start, Vec::new());
        while digits.len() < 20 && digit(at) {
            digits.push(bytes[at]);
            at += 1;
            if !digit(at) {
                let info = card_info(str::from_utf8(&digits).expect("digits"));
                let has_length = info
                    .lengths
                    .iter()
                    .any(|length| usize::from(*length) == digits.len());
                if digits.len() >= 14 && info.scheme.is_some() && has_length && passes_luhn(&digits)
                {
                    return true;
                }
                at += usize::from(matches!(bytes.get(at), Some(b' ' | b'-')));
            }
        }
        false
    })
}

/// Checks that only masked values changed: the same members in the same order, the same values or
/// asterisks.
fn same(before: &Json, after: &Json) {
    match (before, after) {
        (Json::Object(before), Json::Object(after)) => {
            assert_eq!(before.len(), after.len());
            let pair = pair_name(before);
            for ((old_name, old), (new_name, new)) in before.iter().zip(after) {
                assert!(
                    old_name == new_name || is_masked(new_name),
                    "{old_name:?} became {new_name:?}"
                );
                // Any value of these members is masked as a whole.
                if member_name(old_name, pair).is_none() {
                    same(old, new);
                }
            }
        }
        (Json::Array(before), Json::Array(after)) => {
            assert_eq!(before.len(), after.len());
            before
                .iter()
                .zip(after)
                .for_each(|(old, new)| same(old, new));
        }
        // In a string that is masked as a text, a value under a name becomes shorter or longer. The
        // mask of one or two digits has no star, but may have quotes that the digits had not.
        (old, Json::String(new))
            if (old.as_str().is_some() || is_masked(new))
                && *new == ENGINE.redact_text(&text_of(old)) => {}
        // Others keep their length and every character except digits.
        (old, Json::String(new)) if is_masked(new) => {
            let old = text_of(old);
            let kept = |(old, new): (char, char)| old == new || new == '*' && old.is_numeric();
            assert!(
                old.chars().count() == new.chars().count() || old.parse::<f64>().is_ok(),
                "{old:?} became {new:?}"
            );
            assert!(
                old.chars().zip(new.chars()).all(kept) || old.parse::<f64>().is_ok(),
                "{old:?} became {new:?}"
            );
        }
        (old, new) => assert_eq!(old.compact(), new.compact()),
    }
}

/// Returns the content of a string, and any other value as it is written.
fn text_of(value: &Json) -> String {
    value
        .as_str()
        .map_or_else(|| value.compact(), str::to_owned)
}

fn is_masked(text: &str) -> bool {
    text.contains('*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_card_numbers_with_the_reference() {
        for text in [
            "4539578763621486",
            "x4539 5787-6362 1486y",
            "1 4539578763621486",
            "é 6304219447607087665",
            "30569309025904",
        ] {
            assert!(contains_card_number(text), "{text}");
        }
        for text in [
            "",
            "4539578763621487",
            "14539578763621486",
            "4539  578763621486",
            "453957******1486",
            "453957876362148",
            "4222222222222",
        ] {
            assert!(!contains_card_number(text), "{text}");
        }
    }
}
