//! No answer, error, or Debug output contains a planted card number or security code.

use super::config;
use super::mutation::mutation;
use payspec::Engine;
use payspec_tests::call;
use payspec_tests::escapes::ESCAPES;
use payspec_tests::json::Json;
use payspec_tests::leak::{self, shows};
use payspec_tests::planted_secrets::{CARDS, CODES, DISGUISES, PlantedSecret};
use payspec_tests::seeds::{self, Seed};
use payspec_tests::tree;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use std::collections::BTreeMap;
use std::sync::LazyLock;

static SEEDS: LazyLock<Vec<Seed>> = LazyLock::new(seeds::calls);

/// The forms of a secret that are planted at a location: all would take minutes. The seeds of an
/// operation have most locations in common, so each location gets each form.
const FORMS_AT_A_LOCATION: usize = DISGUISES.len() / 3;

/// Plants secrets at each location of each seed, in forms that take turns.
#[test]
fn are_not_in_answers_at_any_path() {
    let mut problems = BTreeMap::new();
    let mut number = 0;
    let mut forms_of = BTreeMap::new();
    for seed in SEEDS.iter() {
        for (which, input) in seed.inputs.iter().enumerate() {
            let Some(json) = input.as_ref().and_then(|text| Json::parse(text).ok()) else {
                continue;
            };
            let pointers = tree::pointers(&json);
            let turns = pointers.iter().enumerate().flat_map(|(index, pointer)| {
                let location = (&seed.operation, which, pointer.clone());
                let forms = forms_of.entry(location).or_insert(DISGUISES.iter().cycle());
                let turn: Vec<_> = forms.take(FORMS_AT_A_LOCATION).collect();
                turn.into_iter().map(move |form| (index, *form))
            });
            for (index, disguise) in turns {
                let (card, code) = (CARDS[number % CARDS.len()], CODES[number % CODES.len()]);
                let plant = PlantedSecret {
                    disguise,
                    card,
                    code,
                    escaped: number % 3 == 0,
                    escape: ESCAPES[number % ESCAPES.len()],
                };
                let Some(text) = plant.put(&json, &pointers, index) else {
                    continue;
                };
                number += 1;
                if let Err(problem) = check(seed, which, text, &pointers[index], plant.secret()) {
                    let key = format!("{} {} {disguise:?}", seed.operation, pointers[index]);
                    problems.entry(key).or_insert(problem);
                }
            }
        }
    }
    let lines: Vec<String> = problems
        .iter()
        .map(|(key, problem)| format!("{key}: {problem}"))
        .collect();
    assert!(
        lines.is_empty(),
        "{} kinds of locations leak a secret:\n{}",
        lines.len(),
        lines.join("\n")
    );
    assert!(number > 100_000, "only {number} secrets were planted");
}

fn plant() -> impl Strategy<Value = PlantedSecret> {
    (
        select(&DISGUISES[..]),
        select(&CARDS[..]),
        select(&CODES[..]),
        any::<bool>(),
        select(&ESCAPES[..]),
    )
        .prop_map(|(disguise, card, code, escaped, escape)| PlantedSecret {
            disguise,
            card,
            code,
            escaped,
            escape,
        })
}

proptest! {
    #![proptest_config(config(40_000))]

    #[test]
    fn are_not_in_answers_to_invalid_inputs(
        (seed, which, index) in any::<(Index, Index, Index)>(),
        changes in vec(mutation(), 1..4),
        plant in plant(),
    ) {
        let seed = seed.get(&SEEDS);
        prop_assume!(!seed.inputs.is_empty());
        let which = which.index(seed.inputs.len());
        let changed = changes.iter().fold(seed.inputs[which].clone(), |input, change| change.apply(input));
        if let Some(json) = changed.and_then(|text| Json::parse(&text).ok()) {
            let pointers = tree::pointers(&json);
            let index = index.index(pointers.len());
            if let Some(text) = plant.put(&json, &pointers, index) {
                let result = check(seed, which, text, &pointers[index], plant.secret());
                prop_assert!(result.is_ok(), "{:?}", result);
            }
        }
    }
}

fn check(
    seed: &Seed,
    which: usize,
    text: Vec<u8>,
    pointer: &str,
    secret: &str,
) -> Result<(), String> {
    let Ok(engine) = call::engine(seed.policy.as_deref()) else {
        return Ok(());
    };
    let mut inputs: Vec<Option<&[u8]>> = seed.inputs.iter().map(Option::as_deref).collect();
    inputs[which] = Some(&text);
    leak::of_call(&engine, &seed.operation, &inputs, (which, pointer), secret)
}

#[test]
fn tables_do_not_contain_a_planted_secret() {
    for operation in ["rules", "decisions", "openapi", "states"] {
        let text =
            String::from_utf8(call::answer(&Engine::default(), operation, &[]).text).unwrap();
        for secret in CODES.iter().chain(&CARDS) {
            assert!(
                !shows(&text, secret),
                "{operation} contains {secret}, which was not planted"
            );
        }
    }
}

#[test]
fn are_not_in_payments_with_known_card_numbers() {
    let card = CARDS[0];
    let grouped = format!("{} {} {}", &card[..4], &card[4..8], &card[8..]);
    let body = format!(
        r#"{{"payment_type":"pay_in","mode":"ACQUIRING","cur":"RUB","amount":"1.00","subtype":"bank_card","host2host":true,
        "merchant_id":"m {grouped}","redirect_url":"https://shop.example/{card}","pay_in_details":{{"card":{{"card_number":"{card}"}}}}}}"#
    );
    let context = format!(
        r#"{{"uid":"6fa459ea-ee8a-3ca4-894e-db77e160355e","now":"2026-05-15T10:00:00Z","authorization":"checked_by_caller","form":"x{card}","refusal":null}}"#
    );
    let engine = Engine::default();
    let answer = call::answer(
        &engine,
        "create_payment",
        &[Some(body.as_bytes()), Some(context.as_bytes())],
    );
    let text = String::from_utf8(answer.text).unwrap();
    assert_eq!(answer.returns, 0, "{text}");
    assert!(text.contains("******"), "{text}");
    assert!(
        !shows(text.split(",\"warnings\"").next().unwrap(), card),
        "{text}"
    );
}

#[test]
fn keeps_the_key_out_of_debug_output() {
    let key = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";
    let engine = Engine::from_json(&format!(r#"{{"fingerprint_key":"{key}"}}"#)).unwrap();
    let text = format!("{:?}", (&engine, engine.policy())).to_lowercase();
    for form in [key, "17, 34, 51", "11, 22, 33", "0x11"] {
        assert!(!text.contains(form), "{text}");
    }
}
