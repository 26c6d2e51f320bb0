//! Runs every operation on bytes: one bounded and repeatable answer, without secrets.

use crate::bytes::Bytes;
use payspec::Engine;
use payspec::operations::{OPERATIONS, Operation};
use payspec_tests::call::{self, Answer};
use payspec_tests::escapes::ESCAPES;
use payspec_tests::json::Json;
use payspec_tests::leak;
use payspec_tests::planted_secrets::{CARDS, CODES, DISGUISES, PlantedSecret};
use payspec_tests::{seeds, tree};

/// Policies that an input selects by index; the index after the last one selects a policy in the
/// input.
const POLICIES: [Option<&str>; 7] = [
    None,
    Some(
        r#"{"limits":{"body_bytes":1000000,"depth":1000000,"violations":100000,"text_chars":100000,"description_chars":100000}}"#,
    ),
    Some(
        r#"{"limits":{"violations":1,"depth":3,"body_bytes":1000},"required":["/merchant_id","/pay_in_details/card/card_holder"]}"#,
    ),
    Some(
        r#"{"fingerprint_key":"0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b","invalid_request_status":400,"transitions":"conventional"}"#,
    ),
    Some(
        r#"{"severity":{"duplicate_member":"off","unknown_member":"off","card_number_in_text":"error","card_number_checksum":"off","amount_scale":"warning","uri_syntax":"off"}}"#,
    ),
    Some(
        r#"{"crypto":{"scale":18,"rounding":"up","max_quote_age_ms":0},"currencies":["RUB","JPY"],"urls":{"schemes":["https"]},"idempotency":{"window_ms":0}}"#,
    ),
    Some(
        r#"{"severity":{"missing":"off","unsupported_value":"warning","currency_unknown":"off","amount_syntax":"off","legacy_member":"error"},"transitions":[["idle","routed"],["routed","completed"]]}"#,
    ),
];

/// Input: one byte each for the operation, the policy, the present inputs, and the kind and
/// position of the planted secret; then the policy and the inputs, separated by 0xFF.
pub(crate) fn run(bytes: &[u8]) {
    let mut bytes = Bytes(bytes);
    let [operation, policy, flags, kind, position] = [(); 5].map(|()| bytes.next());
    let operation = &OPERATIONS[usize::from(operation) % OPERATIONS.len()];
    let from_input = bytes.part().map(String::from_utf8_lossy);
    let policy = match POLICIES.get(usize::from(policy) % (POLICIES.len() + 1)) {
        Some(known) => *known,
        None => from_input.as_deref(),
    };
    let parts: Vec<&[u8]> = operation
        .inputs
        .iter()
        .map(|_| bytes.part().unwrap_or_default())
        .collect();
    let inputs: Vec<Option<&[u8]>> = parts
        .iter()
        .enumerate()
        .map(|(at, part)| (flags >> at & 1 == 0).then_some(*part))
        .collect();
    let engine = match call::engine(policy) {
        Ok(engine) => engine,
        Err(error) => {
            return well_formed(
                "engine_new",
                &Answer::from(error),
                policy.map_or(0, str::len),
            );
        }
    };
    check(&engine, operation, &inputs);
    let which = usize::from(flags >> 4) % inputs.len().max(1);
    if let Some(Some(input)) = inputs.get(which) {
        plant(
            &engine,
            operation,
            &inputs,
            which,
            input,
            [kind, position, flags],
        );
    }
}

pub(crate) fn seeds() -> Vec<Vec<u8>> {
    let of = |(at, seed): (usize, seeds::Seed)| {
        let byte = |number: usize| u8::try_from(number % 256).unwrap_or(0);
        let operation = OPERATIONS
            .iter()
            .position(|operation| operation.name == seed.operation)?;
        let policy = if seed.policy.is_some() {
            POLICIES.len()
        } else {
            at % POLICIES.len()
        };
        let flags: usize = seed
            .inputs
            .iter()
            .enumerate()
            .map(|(at, input)| usize::from(input.is_none()) << at)
            .sum();
        let mut out = vec![
            byte(operation),
            byte(policy),
            byte(flags | (at % 2) << 4),
            byte(at),
            byte(at / 3),
        ];
        out.extend(seed.policy.unwrap_or_default().bytes());
        for input in &seed.inputs {
            out.push(0xFF);
            out.extend(input.as_deref().unwrap_or_default());
        }
        Some(out)
    };
    seeds::calls()
        .into_iter()
        .enumerate()
        .filter_map(of)
        .collect()
}

fn check(engine: &Engine, operation: &Operation, inputs: &[Option<&[u8]>]) {
    let name = operation.name;
    let answer = call::answer(engine, name, inputs);
    well_formed(
        name,
        &answer,
        inputs.iter().flatten().map(|input| input.len()).sum(),
    );
    assert_eq!(
        call::verdict(engine, name, inputs),
        answer.returns,
        "{name} without a buffer"
    );
    assert_eq!(
        call::answer(engine, name, inputs),
        answer,
        "{name} a second time"
    );
}

/// Checks that the answer is one JSON object, is an error if the return code is negative, and has a
/// bounded length.
fn well_formed(name: &str, answer: &Answer, input_bytes: usize) {
    let text = String::from_utf8_lossy(&answer.text);
    if name == "redact_text" && answer.returns == 0 {
        // The answer is the text itself.
        return assert!(
            answer.text.len() <= 10 + 4 * input_bytes,
            "{name} answers {input_bytes} bytes with {text}"
        );
    }
    assert!(
        matches!(answer.returns, -5 | -4 | -2 | -1 | 0 | 1),
        "{name} returns {}",
        answer.returns
    );
    // serde_json rejects numbers outside the range of f64, which an unchanged payment may contain.
    match serde_json::from_str::<Json>(&text) {
        Ok(json) => {
            assert!(matches!(json, Json::Object(_)), "{name} answers {text}");
            let is_error = json.get("error").is_some() && json.members().len() == 1;
            assert!(
                is_error || answer.returns >= 0,
                "{name} returns {} with {text}",
                answer.returns
            );
            assert!(
                !is_error || answer.returns < 0 || name == "redact",
                "{name} accepts with {text}"
            );
        }
        Err(error) => {
            let beyond = ["number out of range", "recursion limit"];
            assert!(
                beyond
                    .iter()
                    .any(|bound| error.to_string().starts_with(bound)),
                "{name}: {error} in {text}"
            );
        }
    }
    let fixed = if answer.returns < 0 { 2_000 } else { 200_000 };
    let bound = fixed + 64 * input_bytes;
    assert!(
        answer.text.len() <= bound,
        "{name} answers {input_bytes} bytes with {}",
        answer.text.len()
    );
}

/// Plants a secret in an input and searches all outputs for it.
fn plant(
    engine: &Engine,
    operation: &Operation,
    inputs: &[Option<&[u8]>],
    which: usize,
    input: &[u8],
    [kind, position, flags]: [u8; 3],
) {
    let Ok(json) = Json::parse(input) else { return };
    let plant = PlantedSecret {
        disguise: DISGUISES[usize::from(kind) % DISGUISES.len()],
        card: CARDS[usize::from(kind / 16) % CARDS.len()],
        code: CODES[usize::from(kind / 128)],
        escaped: flags & 8 != 0,
        escape: ESCAPES[(usize::from(kind) + usize::from(position)) % ESCAPES.len()],
    };
    let pointers = tree::pointers(&json);
    let position = usize::from(position) % pointers.len();
    let Some(text) = plant.put(&json, &pointers, position) else {
        return;
    };
    // If the inputs contain the digits already, a hit would not be a leak.
    let all = inputs
        .iter()
        .flatten()
        .map(|input| String::from_utf8_lossy(input).into_owned())
        .collect::<String>();
    if leak::shows(&all, plant.secret()) || leak::shows(&json.compact(), plant.secret()) {
        return;
    }
    let mut inputs = inputs.to_vec();
    inputs[which] = Some(&text);
    let result = leak::of_call(
        engine,
        operation.name,
        &inputs,
        (which, &pointers[position]),
        plant.secret(),
    );
    assert_eq!(result, Ok(()), "{} of {:?}", operation.name, plant.disguise);
}
