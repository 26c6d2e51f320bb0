//! Every operation with any inputs: no panic, exactly one JSON object, the same bytes on
//! repetition.

use super::config;
use super::mutation::{Mutation, mutation};
use payspec::operations::OPERATIONS;
use payspec_tests::call::{self, Answer};
use payspec_tests::json::Json;
use payspec_tests::seeds::{self, Seed};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use std::sync::LazyLock;

static SEEDS: LazyLock<Vec<Seed>> = LazyLock::new(seeds::calls);

proptest! {
    #![proptest_config(config(3000))]

    #[test]
    fn answers_random_bytes(inputs in vec(proptest::option::of(vec(any::<u8>(), 0..200)), 2)) {
        for operation in OPERATIONS {
            let inputs: Vec<Option<&[u8]>> = inputs.iter().take(operation.inputs.len()).map(Option::as_deref).collect();
            check(operation.name, None, &inputs)?;
        }
    }
}

proptest! {
    #![proptest_config(config(40_000))]

    #[test]
    fn answers_mutated_inputs(seed in any::<Index>(), changes in vec((any::<Index>(), mutation()), 0..4)) {
        let seed = seed.get(&SEEDS);
        let mut inputs = seed.inputs.clone();
        let mut policy = seed.policy.clone();
        for (which, change) in changes {
            // The policy is an additional input if present.
            let number = inputs.len() + usize::from(policy.is_some());
            match which.index(number.max(1)) {
                index if index < inputs.len() => inputs[index] = change.apply(inputs[index].take()),
                _ => policy = changed(policy, &change),
            }
        }
        let inputs: Vec<Option<&[u8]>> = inputs.iter().map(Option::as_deref).collect();
        check(&seed.operation, policy.as_deref(), &inputs)?;
    }
}

/// Whitespace around a JSON text has no effect. Compares accepted inputs only: whitespace moves the
/// position of an error.
#[test]
fn ignores_whitespace_around_an_input() {
    let mut compared = 0;
    for seed in SEEDS.iter().filter(|seed| {
        ![
            "redact",
            "redact_text",
            "locate",
            "sign_webhook",
            "verify_webhook",
        ]
        .contains(&&*seed.operation)
    }) {
        let operation = payspec::operations::operation(&seed.operation).unwrap();
        let Ok(engine) = call::engine(seed.policy.as_deref()) else {
            continue;
        };
        let answer = |inputs: &[Option<Vec<u8>>]| {
            let inputs: Vec<Option<&[u8]>> = inputs.iter().map(Option::as_deref).collect();
            call::answer(&engine, &seed.operation, &inputs)
        };
        let plain = answer(&seed.inputs);
        let mut padded = seed.inputs.clone();
        for (input, declared) in padded.iter_mut().zip(operation.inputs) {
            if let Some(text) = input
                .as_mut()
                .filter(|_| ["body", "context", "request"].contains(&declared.name))
            {
                *text = [b" \t\r\n", text.as_slice(), b"\n "].concat();
            }
        }
        let padded = answer(&padded);
        if plain.returns == 0 && !String::from_utf8_lossy(&padded.text).contains("body_too_large") {
            assert_eq!(padded, plain, "{} of {:?}", seed.operation, seed.inputs);
            compared += 1;
        }
    }
    assert!(compared > 800, "{compared} vectors were accepted");
}

fn changed(policy: Option<String>, change: &Mutation) -> Option<String> {
    let bytes = change.apply(policy.map(String::into_bytes))?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

fn check(
    operation: &str,
    policy: Option<&str>,
    inputs: &[Option<&[u8]>],
) -> Result<(), TestCaseError> {
    let engine = match call::engine(policy) {
        Ok(engine) => engine,
        Err(error) => return one_object(operation, &Answer::from(error)),
    };
    let answer = call::answer(&engine, operation, inputs);
    one_object(operation, &answer)?;
    prop_assert_eq!(
        call::verdict(&engine, operation, inputs),
        answer.returns,
        "{} without a buffer",
        operation
    );
    prop_assert_eq!(
        call::answer(&engine, operation, inputs),
        answer,
        "{} a second time",
        operation
    );
    Ok(())
}

/// Checks that the answer is one object, and an error exactly if the number is negative.
fn one_object(operation: &str, answer: &Answer) -> Result<(), TestCaseError> {
    // The answer is the text itself.
    if operation == "redact_text" && answer.returns == 0 {
        return Ok(());
    }
    let json = match Json::parse(&answer.text) {
        Ok(json) => json,
        Err(error) => return Err(TestCaseError::fail(format!("{operation}: {error}"))),
    };
    prop_assert!(
        matches!(json, Json::Object(_)),
        "{} does not answer an object",
        operation
    );
    let is_error = json.get("error").is_some() && json.members().len() == 1;
    match answer.returns {
        0 | 1 => {
            prop_assert!(
                !is_error || operation == "redact",
                "{} returns {} with an error",
                operation,
                answer.returns
            )
        }
        -5 | -4 | -2 | -1 => prop_assert!(
            is_error,
            "{} returns {} without an error",
            operation,
            answer.returns
        ),
        other => prop_assert!(false, "{} returns {}", operation, other),
    }
    Ok(())
}
