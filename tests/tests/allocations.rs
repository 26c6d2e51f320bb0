//! §11 of the C interface: a call with valid inputs allocates nothing if its buffer is large enough. Counts the allocations
//! of every accepted vector.

use payspec_tests::allocations::{Counting, during};
use payspec_tests::{call, vector};
use std::collections::BTreeSet;

#[global_allocator]
static COUNTING: Counting = Counting;

/// Vectors that need more memory than the buffers on the stack.
const LARGER: [(&str, &str); 10] = [
    ("advance_payment/verbatim/members not touched", "more than four unknown members of a payment"),
    ("create_payment/idempotency/key: quotes and backslash", "a key with escapes is copied from the context"),
    ("create_payment/review/the other variant's card number", "a text in which the card number is masked"),
    ("create_payment/review/a card number in groups, its rule off", "a card number collected from groups, and masked"),
    (
        "create_payment/review/the payment's own number beside an order number",
        "a text in which the card number is masked",
    ),
    ("create_payment/shape/escapes of the body", "texts with escapes that the payment contains"),
    ("validate_request/limits/default limit of 64", "64 violations"),
    ("validate_request/limits/default limit of 64 exactly", "64 violations"),
    ("validate_request/unknown_members/in every object", "more than four violations"),
    ("validate_request/text_empty/every free text of a pay-in", "more than four violations"),
];

/// Operations that may allocate: they decode secrets, unescape keys, or write signatures.
const ALLOCATING: [&str; 3] = ["idempotency_key", "sign_webhook", "verify_webhook"];

#[test]
fn what_is_accepted_allocates_nothing() {
    let mut counted = BTreeSet::new();
    let mut allocating = Vec::new();
    for file in vector::load().unwrap() {
        let operation = payspec::operations::operation(&file.operation).unwrap();
        // A list in a context allocates. Only validate_request promises not to.
        let list = "create_payment/allowed_merchant_ids/";
        for vector in file.vectors.iter().filter(|vector| vector.returns == 0 && !vector.name.starts_with(list)) {
            let engine = call::engine(vector.policy.as_deref()).unwrap();
            let inputs = vector.arguments(&file.operation);
            // The first call makes the buffer large enough.
            let mut answer = Vec::new();
            let _ = operation.call(&engine, &inputs, Some(&mut answer));
            let reported = during(|| drop(operation.call(&engine, &inputs, Some(&mut answer))));
            let verdict = during(|| drop(operation.call(&engine, &inputs, None)));
            counted.insert(file.operation.clone());
            if reported + verdict > 0 && !ALLOCATING.contains(&file.operation.as_str()) {
                allocating.push((vector.name.clone(), reported, verdict));
            }
        }
    }
    let unknown = allocating.iter().filter(|(name, ..)| LARGER.iter().all(|(larger, _)| larger != name));
    let unknown: Vec<String> =
        unknown.map(|(name, reported, verdict)| format!("{name}: {reported}, without a buffer {verdict}")).collect();
    assert!(unknown.is_empty(), "allocations:\n{}", unknown.join("\n"));
    // The counter works, and no exception is obsolete.
    for (name, why) in LARGER {
        assert!(allocating.iter().any(|(larger, ..)| larger == name), "{name} allocates no more: {why}");
    }
    assert_eq!(counted.len(), payspec::operations::OPERATIONS.len(), "an operation has no vector that is accepted");
}

#[test]
fn a_fingerprint_of_64_values_allocates_nothing() {
    let engine = payspec::Engine::default();
    let body = |members: usize| {
        let members: Vec<String> = (0..members).map(|number| format!(r#""{number}":{number}"#)).collect();
        format!("{{{}}}", members.join(","))
    };
    // The object itself is the first of the values.
    let allocations = |members| during(|| drop(engine.fingerprint_request(body(members).as_bytes())));
    let made = |members| during(|| drop(body(members)));
    assert_eq!(allocations(63) - made(63), 0);
    // What the text promises no more.
    assert!(allocations(80) > made(80));
}
