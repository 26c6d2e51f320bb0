//! Checks redaction of texts: no planted card number survives, and a second redaction changes
//! nothing.

use payspec::Engine;
use payspec_tests::planted_secrets::CARDS;
use payspec_tests::seeds;
use std::sync::LazyLock;

static ENGINE: LazyLock<Engine> = LazyLock::new(Engine::default);

/// Input: one byte for the position and one for the card, then the text.
pub(crate) fn run(bytes: &[u8]) {
    let [position, kind, text @ ..] = bytes else {
        return;
    };
    let Ok(text) = str::from_utf8(text) else {
        return;
    };
    redacted(text);
    let at = (0..=text.len())
        .filter(|at| text.is_char_boundary(*at))
        .nth(usize::from(*position))
        .unwrap_or(text.len());
    let (before, after) = text.split_at(at);
    let card = CARDS[usize::from(*kind) % CARDS.len()];
    let after_mask = before.trim_end_matches([' ', '-']).ends_with('*');
    // Redaction leaves a number that another number's mask may reach, and one inside a text that
    // contains it already.
    if !after_mask && !text.contains(card) {
        let planted = redacted(&format!("{before} {card} {after}"));
        assert!(!planted.contains(card), "{planted}");
    }
}

pub(crate) fn seeds() -> Vec<Vec<u8>> {
    let inputs = seeds::calls()
        .into_iter()
        .filter(|seed| matches!(seed.operation.as_str(), "redact" | "redact_text"));
    let texts = inputs.flat_map(|seed| seed.inputs).flatten();
    let head = |at: usize| [at % 256, at % 4].map(|byte| u8::try_from(byte).unwrap_or(0));
    texts
        .enumerate()
        .map(|(at, text)| [head(at).as_slice(), &text].concat())
        .collect()
}

/// Redacts the text and checks the result.
fn redacted(text: &str) -> String {
    let once = ENGINE.redact_text(text);
    assert_eq!(ENGINE.redact_text(&once), once, "redacted twice: {text:?}");
    assert!(
        once.len() <= 4 * text.len() + 10,
        "{text:?} became {once:?}"
    );
    // Digits of every script that writes card numbers, and the separators after names.
    let may_change = |character: char| matches!(character, '0'..='9' | '０'..='９' | '٠'..='٩' | '۰'..='۹' | ':' | '=' | '>');
    if !text.contains(may_change) {
        assert_eq!(once, text);
    }
    once
}
