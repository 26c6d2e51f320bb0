//! Checks texts of names, separators, wrappers, escapes, and digits: redaction leaves no card
//! number, changes nothing the second time, only removes characters, and is the same in a body.

use payspec::Engine;
use payspec::card::{Scheme, passes_luhn};
use payspec_tests::json::Json;
use payspec_tests::pieces::PIECES;
use std::sync::LazyLock;

static ENGINE: LazyLock<Engine> = LazyLock::new(Engine::default);

/// Input: a piece for each byte.
pub(crate) fn run(bytes: &[u8]) {
    let piece = |byte: &u8| PIECES.get(usize::from(*byte) % PIECES.len()).copied();
    let text: String = bytes.iter().filter_map(piece).collect();
    let redacted = ENGINE.redact_text(&text);
    assert_eq!(
        ENGINE.redact_text(&redacted),
        redacted,
        "redacted twice: {text:?}"
    );
    assert!(
        !contains_card_number(&redacted),
        "{text:?} became {redacted:?}"
    );
    assert!(
        is_part(&redacted, &text),
        "characters of {redacted:?} are not in {text:?}"
    );
    let body = Json::Object(vec![("log".to_owned(), Json::String(text))]);
    let answer = ENGINE.redact(body.compact().as_bytes());
    let expected = Json::Object(vec![("log".to_owned(), Json::String(redacted))]);
    let answer = answer.expect("the body is JSON");
    assert_eq!(
        Json::parse(answer.as_bytes()).map(|found| found.compact()),
        Ok(expected.compact()),
        "a text in a body"
    );
}

/// Returns each piece alone, and after a name with a separator.
pub(crate) fn seeds() -> Vec<Vec<u8>> {
    let index = |piece: &str| PIECES.iter().position(|other| *other == piece);
    let (name, separator) = (index("cvv"), index(": "));
    (0..PIECES.len())
        .flat_map(|piece| [vec![Some(piece)], vec![name, separator, Some(piece)]])
        .map(|pieces| {
            pieces
                .into_iter()
                .flatten()
                .filter_map(|at| u8::try_from(at).ok())
                .collect()
        })
        .collect()
}

/// Returns true if the text has a run of ASCII digits that is a card number and is surrounded by
/// white space or the ends of the text.
fn contains_card_number(text: &str) -> bool {
    text.split_ascii_whitespace().any(|word| {
        let digits = word.as_bytes();
        (14..=19).contains(&digits.len())
            && digits.iter().all(u8::is_ascii_digit)
            && Scheme::from_digits(digits).is_some_and(|scheme| scheme.has_length(digits.len()))
            && passes_luhn(digits)
    })
}

/// Returns true if the redacted text without its stars is a part of the text, in order. A value
/// that had no quotes may have those of its name, and the digits of a mask are those of ASCII.
fn is_part(redacted: &str, text: &str) -> bool {
    const QUOTES: [&str; 5] = ["\\u0022", "\\x22", "%22", "&quot;", "&#34;"];
    let letters = |text: &str| {
        let text = QUOTES
            .iter()
            .fold(text.to_owned(), |text, quote| text.replace(quote, ""));
        text.replace('\u{ff14}', "4")
    };
    let text = letters(text);
    let mut rest = text.chars();
    letters(redacted)
        .chars()
        .filter(|character| character.is_alphanumeric())
        .all(|character| rest.any(|other| other == character))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checks_card_numbers_and_parts() {
        assert!(contains_card_number("a 4539578763621486\n"));
        for text in [
            "4539578763621487",
            "x4539578763621486",
            "453957******1486",
            "4539",
        ] {
            assert!(!contains_card_number(text), "{text}");
        }
        assert!(is_part("cvv: ***, 1", "cvv: 123, 1"));
        assert!(!is_part("cvv: ***4, 1", "cvv: 123, 1"));
    }
}
