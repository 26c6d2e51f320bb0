//! Compares the answers of the vectors with the documented responses of the endpoints.

use super::{complaints, document, schema};
use payspec_tests::vector;
use serde_json::Value;
use std::collections::BTreeMap;

const ENDPOINTS: [(&str, &str, &str); 3] = [
    ("create_payment", "/v1/payments/new", "post"),
    ("read_payment", "/v1/payments/{uid}/status", "get"),
    ("read_balance", "/v1/partner/balance", "get"),
];

/// Resolves a reference to a shared response.
fn resolved<'d>(document: &'d Value, value: &'d Value) -> &'d Value {
    let target = value["$ref"]
        .as_str()
        .and_then(|target| target.strip_prefix('#'));
    target.map_or(value, |pointer| {
        document.pointer(pointer).expect("an answer")
    })
}

#[test]
fn documents_every_answer_of_an_endpoint() {
    let mut documents: BTreeMap<Option<String>, Value> = BTreeMap::new();
    let mut seen: BTreeMap<(&str, u64), usize> = BTreeMap::new();
    for file in vector::load().expect("vectors") {
        let Some((operation, path, method)) =
            ENDPOINTS.iter().find(|(name, ..)| *name == file.operation)
        else {
            continue;
        };
        for vector in file.vectors.iter().filter(|vector| vector.returns >= 0) {
            let document = documents
                .entry(vector.policy.clone())
                .or_insert_with(|| document(vector.policy.as_deref()));
            let answer: Value =
                serde_json::from_slice(&vector.call(operation).text).expect("an outcome");
            let status = answer["status"].as_u64().expect("a status");
            *seen.entry((operation, status)).or_default() += 1;
            let responses = document["paths"][path][method]["responses"]
                .as_object()
                .expect("responses");
            let response = responses.get(&status.to_string());
            let response = resolved(
                document,
                response.unwrap_or_else(|| panic!("{}: {status} is not documented", vector.name)),
            );
            let challenge = response["headers"]["WWW-Authenticate"]["schema"]["enum"].as_array();
            match answer.get("www_authenticate") {
                Some(header) => assert!(
                    challenge.is_some_and(|all| all.contains(header)),
                    "{}",
                    vector.name
                ),
                None => assert_eq!(challenge, None, "{}", vector.name),
            }
            // Stored payments are returned unchanged, even if invalid.
            if *operation == "read_payment" && status == 200 || answer["replayed"] == true {
                continue;
            }
            let reference = response["content"]["application/json"]["schema"]["$ref"]
                .as_str()
                .expect("a schema");
            let component = reference.rsplit('/').next().expect("a name");
            assert_eq!(
                without_merchant(complaints(&schema(document, component), &answer["body"])),
                [""; 0],
                "{}",
                vector.name
            );
            if status >= 400 {
                let code = answer["body"]["code"].as_str().expect("a code");
                let text = response["description"].as_str().expect("a text");
                assert!(
                    text.contains(&format!("`{code}`")) || status == 401,
                    "{}: {code} is not documented",
                    vector.name
                );
            }
        }
    }
    for (operation, path, method) in ENDPOINTS {
        for status in document(None)["paths"][path][method]["responses"]
            .as_object()
            .expect("responses")
            .keys()
        {
            let status: u64 = status.parse().expect("a status");
            assert!(
                seen.contains_key(&(operation, status)),
                "no vector of {operation} answers {status}"
            );
        }
    }
}

#[test]
fn accepts_every_advanced_payment() {
    let document = document(None);
    let (payment, problem) = (schema(&document, "Payment"), schema(&document, "Problem"));
    for file in vector::load()
        .expect("vectors")
        .iter()
        .filter(|file| file.operation == "advance_payment")
    {
        for vector in file.vectors.iter().filter(|vector| vector.returns >= 0) {
            let answer: Value =
                serde_json::from_slice(&vector.call("advance_payment").text).expect("an outcome");
            let schema = if answer["status"] == 200 {
                &payment
            } else {
                &problem
            };
            assert_eq!(
                without_merchant(complaints(schema, &answer["body"])),
                [""; 0],
                "{}",
                vector.name
            );
        }
    }
}

/// Removes the error of a payment without a merchant: §2.1 requires merchant_id, but a payment can
/// be created without one (D28).
fn without_merchant(mut complaints: Vec<String>) -> Vec<String> {
    complaints.retain(|complaint| complaint != ": \"merchant_id\" is a required property");
    complaints
}
