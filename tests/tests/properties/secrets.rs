//! A planted card number or security code comes out nowhere: no answer, no error, no Debug text.

use crate::config;
use crate::debug::debug_texts;
use crate::mutation::mutation;
use crate::plant::{CARDS, CODES, DISGUISES, Plant, plant};
use payspec::Engine;
use payspec_tests::call;
use payspec_tests::json::Json;
use payspec_tests::seeds::{self, Seed};
use payspec_tests::tree;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use std::collections::BTreeMap;
use std::sync::LazyLock;

static SEEDS: LazyLock<Vec<Seed>> = LazyLock::new(seeds::calls);

/// What an operation that accepts hands out as it stands, by the contract: operation, input, pointer. The host's own
/// stored record and what it adds to it, the token that it asked for, a body that is rewritten for it.
///
/// D27: ids and addresses are repeated as they came, unless they hold the payment's own card number.
const HANDED_OUT: [(&str, usize, &str); 16] = [
    ("create_payment", 0, "/merchant_id"),
    ("create_payment", 0, "/redirect_url"),
    ("create_payment", 1, "/merchant_id"),
    ("read_payment", 0, "/payment"),
    ("read_balance", 0, "/balance"),
    ("advance_payment", 0, "/payment"),
    ("advance_payment", 0, "/fail_by"),
    ("advance_payment", 0, "/fail_code"),
    ("advance_payment", 0, "/receipts"),
    ("create_payment", 1, "/idempotency/existing/payment"),
    ("create_payment", 1, "/url"),
    ("create_payment", 1, "/form"),
    ("authorize", 0, ""),
    ("upgrade_request", 1, ""),
    ("upgrade_payment", 0, ""),
    ("downgrade_payment", 0, ""),
];

/// Each secret in each disguise at each place of each input that once made sense.
#[test]
fn stay_inside_at_every_place() {
    let mut problems = BTreeMap::new();
    let mut number = 0;
    for seed in SEEDS.iter() {
        for (which, input) in seed.inputs.iter().enumerate() {
            let Some(json) = input.as_ref().and_then(|text| Json::parse(text).ok()) else { continue };
            let pointers = tree::pointers(&json);
            for (place, disguise) in (0..pointers.len()).flat_map(|place| DISGUISES.map(|disguise| (place, disguise))) {
                let (card, code) = (CARDS[number % CARDS.len()], CODES[number % CODES.len()]);
                let plant = Plant { disguise, card, code, escaped: number % 3 == 0 };
                let Some(text) = plant.put(&json, &pointers, place) else { continue };
                number += 1;
                if let Err(problem) = check(seed, which, text, &pointers[place], plant.secret()) {
                    let key = format!("{} {} {disguise:?}", seed.operation, pointers[place]);
                    problems.entry(key).or_insert(problem);
                }
            }
        }
    }
    let lines: Vec<String> = problems.iter().map(|(key, problem)| format!("{key}: {problem}")).collect();
    assert!(lines.is_empty(), "{} kinds of places show a secret:\n{}", lines.len(), lines.join("\n"));
    assert!(number > 100_000, "only {number} secrets were planted");
}

proptest! {
    #![proptest_config(config(40_000))]

    #[test]
    fn stay_inside_where_inputs_are_broken_as_well(
        (seed, which, place) in any::<(Index, Index, Index)>(),
        changes in vec(mutation(), 1..4),
        plant in plant(),
    ) {
        let seed = seed.get(&SEEDS);
        prop_assume!(!seed.inputs.is_empty());
        let which = which.index(seed.inputs.len());
        let changed = changes.iter().fold(seed.inputs[which].clone(), |input, change| change.apply(input));
        if let Some(json) = changed.and_then(|text| Json::parse(&text).ok()) {
            let pointers = tree::pointers(&json);
            let place = place.index(pointers.len());
            if let Some(text) = plant.put(&json, &pointers, place) {
                let result = check(seed, which, text, &pointers[place], plant.secret());
                prop_assert!(result.is_ok(), "{:?}", result);
            }
        }
    }
}

fn check(seed: &Seed, which: usize, text: Vec<u8>, pointer: &str, secret: &str) -> Result<(), String> {
    let Ok(engine) = call::engine(seed.policy.as_deref()) else { return Ok(()) };
    let mut inputs: Vec<Option<&[u8]>> = seed.inputs.iter().map(Option::as_deref).collect();
    inputs[which] = Some(&text);
    let answer = call::answer(&engine, &seed.operation, &inputs);
    let is_handed_out = answer.returns == 0
        && HANDED_OUT
            .iter()
            .any(|(operation, input, of)| *operation == seed.operation && *input == which && pointer.starts_with(of));
    let text = String::from_utf8_lossy(&answer.text);
    if !is_handed_out && shows(&text, secret) {
        return Err(format!("the answer shows what is at {pointer}: {text}"));
    }
    match debug_texts(&engine, &seed.operation, &inputs).into_iter().find(|text| shows(text, secret)) {
        Some(text) => Err(format!("Debug shows what is at {pointer}: {text}")),
        None => Ok(()),
    }
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

#[test]
fn a_payment_never_repeats_its_own_card_number() {
    let card = CARDS[0];
    let grouped = format!("{} {} {}", &card[..4], &card[4..8], &card[8..]);
    let body = format!(
        r#"{{"payment_type":"pay_in","mode":"ACQUIRING","cur":"RUB","amount":"1.00","subtype":"bank_card","host2host":true,
        "merchant_id":"m {grouped}","redirect_url":"https://shop.example/{card}","pay_in_details":{{"card":{{"card_number":"{card}"}}}}}}"#
    );
    let context = format!(
        r#"{{"uid":"6fa459ea-ee8a-3ca4-894e-db77e160355e","now":"2026-05-15T10:00:00Z","form":"x{card}","refusal":null}}"#
    );
    let engine = Engine::default();
    let answer = call::answer(&engine, "create_payment", &[Some(body.as_bytes()), Some(context.as_bytes())]);
    let text = String::from_utf8(answer.text).unwrap();
    assert_eq!(answer.returns, 0, "{text}");
    assert!(text.contains("******"), "{text}");
    assert!(!shows(text.split(",\"warnings\"").next().unwrap(), card), "{text}");
}
