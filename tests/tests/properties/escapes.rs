//! Card data in every escape, in texts that may be escaped again: no output shows it, equal masks
//! have equal fingerprints, and every operation finds the card numbers.

use super::agreement::searches;
use payspec::Engine;
use payspec::card::passes_luhn;
use payspec_tests::call;
use payspec_tests::escapes::{COLORS, ESCAPES, in_contexts};
use payspec_tests::json::Json;
use payspec_tests::leak::shows;
use payspec_tests::planted_secrets::{CARDS, CODES, card_texts, code_texts, colored, member_texts};

/// Returns the texts with a card number.
fn with_card(card: &str) -> Vec<String> {
    let colored = COLORS.map(|start| colored("card ", card, start));
    let escaped = ESCAPES.iter().flat_map(|escape| card_texts(escape, card));
    escaped.chain(colored).collect()
}

/// Returns the texts with a security code and its name.
fn with_code(code: &str) -> Vec<String> {
    let colored = COLORS.map(|start| colored("cvv=", code, start));
    let escaped = ESCAPES.iter().flat_map(|escape| code_texts(escape, code));
    escaped.chain(colored).collect()
}

/// Returns the members that redaction masks because of their names only.
fn with_hidden_card(card: &str) -> Vec<String> {
    let escapes = ESCAPES.iter().filter(|escape| !escape.writes_digits);
    escapes
        .flat_map(|escape| member_texts(escape, card))
        .collect()
}

/// Returns the texts of secrets, in every context.
fn all(
    secrets: &'static [&'static str],
    texts: impl Fn(&str) -> Vec<String>,
) -> impl Iterator<Item = (&'static str, String)> {
    secrets.iter().flat_map(move |secret| {
        let texts = texts(secret).into_iter();
        let texts = texts.flat_map(|text| in_contexts(&text));
        texts.map(move |text| (*secret, text))
    })
}

/// Returns a body with a text.
fn body(text: &str) -> String {
    let text = Json::String(text.to_owned());
    Json::Object(vec![("log".to_owned(), text)]).compact()
}

/// Fails with the first problems, and their number.
fn assert_none(problems: &[String]) {
    let first = &problems[..problems.len().min(20)];
    let (count, lines) = (problems.len(), first.join("\n"));
    assert!(problems.is_empty(), "{count} problems:\n{lines}");
}

#[test]
fn redaction_hides_secrets_in_every_escape() {
    let engine = Engine::default();
    let mut problems = Vec::new();
    let cards = all(&CARDS, with_card).chain(all(&CARDS, with_hidden_card));
    let all: Vec<_> = cards.chain(all(&CODES, with_code)).collect();
    assert!(all.len() > 4_000, "only {} texts", all.len());
    for (secret, text) in all {
        assert!(shows(&text, secret), "{text:?} has no secret to find");
        let body = body(&text);
        let redacted = engine.redact(body.as_bytes()).expect("a body");
        for (input, output) in [
            (&text, engine.redact_text(&text)),
            (&body, engine.redact_text(&body)),
            (&body, redacted),
        ] {
            if shows(&output, secret) {
                problems.push(format!("{input} became {output}"));
            }
        }
    }
    assert_none(&problems);
}

#[test]
fn operations_find_card_numbers_in_every_escape() {
    let mut problems = Vec::new();
    for (card, text) in all(&CARDS, with_card) {
        for search in searches(&text) {
            let answer = String::from_utf8_lossy(&search.answer.text);
            if !search.finds_number || shows(&answer, card) {
                problems.push(format!("{} of {text} is {answer}", search.operation));
            }
        }
    }
    assert_none(&problems);
}

/// Returns a valid card number with the same mask.
fn with_the_same_mask(card: &str) -> String {
    let (first, rest) = card.split_at(6);
    let (hidden, last) = rest.split_at(rest.len() - 4);
    let width = hidden.len();
    let others = (0..1000).map(|middle| format!("{first}{middle:0width$}{last}"));
    let mut others = others.filter(|other| other != card && passes_luhn(other.as_bytes()));
    others.next().expect("a number")
}

/// The canonical form, which is hashed, has masks instead of card data.
#[test]
fn fingerprints_depend_on_masks_in_every_escape() {
    let engine = Engine::default();
    let fingerprint = |text: &str| {
        let body = body(text);
        let answer = call::answer(&engine, "fingerprint_request", &[Some(body.as_bytes())]);
        assert_eq!(answer.returns, 0, "{body}");
        answer.text
    };
    let other_cards = CARDS.map(with_the_same_mask);
    let cards = CARDS.iter().zip(&other_cards);
    let cards = cards.flat_map(|(card, other)| {
        [with_card, with_hidden_card].map(|texts| (texts(card), texts(other)))
    });
    let codes = CODES.iter().zip(["9417", "Yp3~"]);
    let codes = codes.map(|(code, other)| (with_code(code), with_code(other)));
    let mut problems = Vec::new();
    for (texts, others) in cards.chain(codes) {
        for (text, other) in texts.iter().zip(&others) {
            for (text, other) in in_contexts(text).iter().zip(&in_contexts(other)) {
                if fingerprint(text) != fingerprint(other) {
                    problems.push(format!("{text} and {other}"));
                }
            }
        }
    }
    assert_none(&problems);
    assert_ne!(fingerprint(CARDS[0]), fingerprint(CARDS[2]));
}
