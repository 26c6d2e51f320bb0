//! A planted card number or security code comes out nowhere: no answer, no error, no Debug text.

use crate::config;
use crate::plant::{CARDS, CODES, Plant, Planted, plant};
use payspec::Engine;
use payspec_tests::call;
use payspec_tests::json::Json;
use payspec_tests::seeds::{self, Seed};
use proptest::prelude::*;
use proptest::sample::Index;
use std::sync::LazyLock;

static SEEDS: LazyLock<Vec<Seed>> = LazyLock::new(seeds::calls);

/// What an operation hands out as it stands, by the contract: operation, input, pointer. The host's own stored record,
/// its amount, the token that it asked for, a body that is rewritten for it.
const HANDED_OUT: [(&str, usize, &str); 10] = [
    ("read_payment", 0, "/payment"),
    ("read_balance", 0, "/balance"),
    ("advance_payment", 0, "/payment"),
    ("create_payment", 1, "/idempotency/existing/payment"),
    ("convert", 0, "/amount"),
    ("authorize", 0, ""),
    ("upgrade_request", 1, ""),
    ("upgrade_payment", 0, ""),
    ("downgrade_payment", 0, ""),
    ("create_payment", 0, "/amount"),
];

proptest! {
    #![proptest_config(config(60_000))]

    #[test]
    fn stay_inside(seed in any::<Index>(), which in any::<Index>(), plant in plant()) {
        let seed = seed.get(&SEEDS);
        prop_assume!(!seed.inputs.is_empty());
        let which = which.index(seed.inputs.len());
        if let Some((inputs, planted)) = planted(seed, which, &plant) {
            check(seed, which, &inputs, &planted)?;
        }
    }
}

type Inputs = Vec<Option<Vec<u8>>>;

fn planted(seed: &Seed, which: usize, plant: &Plant) -> Option<(Inputs, Planted)> {
    let mut inputs = seed.inputs.clone();
    let (text, planted) = plant.put_into(inputs[which].as_ref()?)?;
    inputs[which] = Some(text);
    Some((inputs, planted))
}

fn check(seed: &Seed, which: usize, inputs: &Inputs, planted: &Planted) -> Result<(), TestCaseError> {
    let Ok(engine) = call::engine(seed.policy.as_deref()) else { return Ok(()) };
    let inputs: Vec<Option<&[u8]>> = inputs.iter().map(Option::as_deref).collect();
    let answer = call::answer(&engine, &seed.operation, &inputs);
    let text = String::from_utf8_lossy(&answer.text);
    let is_handed_out = HANDED_OUT.iter().any(|(operation, input, pointer)| {
        *operation == seed.operation && *input == which && planted.pointer.starts_with(pointer)
    });
    if answer.returns < 0 || !is_handed_out {
        prop_assert!(
            !shows(&text, planted.secret),
            "{} shows what is at {}: {}",
            seed.operation,
            planted.pointer,
            text
        );
    }
    for text in debug_texts(&engine, &seed.operation, &inputs) {
        prop_assert!(!shows(&text, planted.secret), "Debug of {} shows {}: {}", seed.operation, planted.pointer, text);
    }
    Ok(())
}

/// What a host might print of the typed values behind an operation.
fn debug_texts(engine: &Engine, operation: &str, inputs: &[Option<&[u8]>]) -> Vec<String> {
    let _ = (engine, operation, inputs);
    Vec::new()
}

/// Whether a text holds twelve digits in a row of a card number, single blanks and hyphens between them passed over, or
/// a security code as a whole. Escapes are undone first.
fn shows(text: &str, secret: &str) -> bool {
    let text = without_fingerprint(text);
    let plain = Json::parse(text.as_bytes()).map_or_else(|_| text.clone(), |json| strings(&json));
    [&text, &plain].into_iter().any(|text| match CODES.contains(&secret) {
        true => text.contains(secret),
        false => {
            let digits: String = text.chars().filter(|character| !matches!(character, ' ' | '-')).collect();
            secret.as_bytes().windows(12).any(|run| digits.as_bytes().windows(12).any(|own| own == run))
        }
    })
}

/// 64 hex digits can hold a code's four by chance.
fn without_fingerprint(text: &str) -> String {
    match text.split_once("\"fingerprint\":\"") {
        Some((before, after)) => {
            format!("{before}\"fingerprint\":\"{}", after.trim_start_matches(|c: char| c.is_ascii_hexdigit()))
        }
        None => text.to_owned(),
    }
}

fn strings(json: &Json) -> String {
    match json {
        Json::String(text) => format!("{text}\n"),
        Json::Array(elements) => elements.iter().map(strings).collect(),
        Json::Object(members) => members.iter().map(|(name, value)| format!("{name}\n{}", strings(value))).collect(),
        other => format!("{}\n", other.flat()),
    }
}

#[test]
fn a_code_s_digits_are_in_no_text_of_the_library_s_own() {
    for operation in ["rules", "decisions", "openapi", "states"] {
        let text = String::from_utf8(call::answer(&Engine::default(), operation, &[]).text).unwrap();
        for secret in CODES.iter().chain(&CARDS) {
            assert!(!shows(&text, secret), "{operation} holds {secret} by itself");
        }
    }
}

#[test]
fn a_shown_secret_would_be_seen() {
    let card = CARDS[0];
    for text in [format!("\"{card}\""), "4539 5787-6362 1486".to_owned(), format!("x{}y", &card[2..14])] {
        assert!(shows(&text, card), "{text}");
    }
    assert!(shows("{\"a\":\"\\u0034539578763621486\"}", card));
    assert!(shows("8306", CODES[0]));
    assert!(!shows("453957******1486", card));
    assert!(!shows("{\"fingerprint\":\"aa8306aa\"}", CODES[0]));
}
