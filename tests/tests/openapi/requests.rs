//! Compares the schema of the request with the engine: it is never stricter, and as strict as a
//! schema can be.

use super::{POLICIES, complaints, document, engine, schema};
use jsonschema::Validator;
use payspec_tests::call;
use payspec_tests::vector;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;

const REQUEST: &str = "PaymentCreateRequest";
/// A context with which every valid body succeeds.
const CONTEXT: &str = r#"{"uid":"0b6ea6a6-4c5e-4b7e-9d0f-6a1f0c7b2e11","now":"2020-01-01T00:00:00Z","authorization":"checked_by_caller"}"#;

/// The codes that a schema can express.
const EXPRESSIBLE: [&str; 20] = [
    "type",
    "missing",
    "unsupported_value",
    "amount_syntax",
    "amount_not_positive",
    "amount_out_of_bounds",
    "currency_unknown",
    "currency_not_allowed",
    "currency_not_fiat",
    "uri_syntax",
    "uri_scheme",
    "uri_credentials",
    "text_empty",
    "text_too_long",
    "text_control_character",
    "card_number_syntax",
    "expiry_month_range",
    "expiry_year_range",
    "phone_number_syntax",
    "integer_range",
];

/// Returns whether the endpoint accepts the body under the policy. A rate of any currency is
/// available.
pub(crate) fn is_accepted(policy: Option<&str>, body: &[u8]) -> bool {
    let mut context: Value = serde_json::from_str(CONTEXT).expect("a JSON text");
    if let Ok(Value::Object(members)) = serde_json::from_slice(body)
        && members.get("mode") == Some(&json!("CRYPTO"))
    {
        context["quote"] =
            json!({"currency": members.get("cur"), "rate": "1", "as_of": context["now"]});
    }
    let context = context.to_string();
    let answer = call::answer(
        &engine(policy),
        "create_payment",
        &[Some(body), Some(context.as_bytes())],
    );
    if answer.returns >= 0 {
        return answer.returns == 0;
    }
    // No quote exists for an invalid currency, so the body is rejected.
    false
}

fn bodies(folder: &str) -> Vec<(String, Vec<u8>)> {
    let folder = payspec_tests::root().join(folder);
    let files = std::fs::read_dir(&folder)
        .expect("a folder")
        .map(|file| file.expect("a file").path());
    let name = |path: &Path| {
        path.file_stem()
            .expect("a name")
            .to_string_lossy()
            .into_owned()
    };
    let bodies: Vec<_> = files
        .map(|path| (name(&path), std::fs::read(&path).expect("a file")))
        .collect();
    assert!(!bodies.is_empty(), "{} is empty", folder.display());
    bodies
}

#[test]
fn accepts_valid_bodies_and_rejects_invalid_ones() {
    let schema = schema(&document(None), REQUEST);
    let mut bodies_taken = bodies("tests/bench/corpus/valid");
    bodies_taken.extend(
        bodies("examples/bodies")
            .into_iter()
            .filter(|(name, _)| name != "broken" && !name.starts_with("legacy")),
    );
    for (name, body) in bodies_taken {
        let body: Value = serde_json::from_slice(&body).expect("a JSON text");
        assert_eq!(complaints(&schema, &body), [""; 0], "{name}");
    }
    for (name, body) in bodies("tests/bench/corpus/invalid") {
        let body: Value = serde_json::from_slice(&body).expect("a JSON text");
        assert!(!schema.is_valid(&body), "{name}");
    }
}

#[test]
fn is_never_stricter_than_the_engine() {
    let mut schemas: BTreeMap<Option<String>, Validator> = BTreeMap::new();
    let (mut seen, mut rejected) = (0, 0);
    for file in vector::load().expect("vectors") {
        if file.operation != "validate_request" && file.operation != "create_payment" {
            continue;
        }
        for vector in file.vectors.iter().filter(|vector| vector.returns >= 0) {
            let Some(Some(body)) = vector.inputs.first() else {
                continue;
            };
            let Ok(value) = serde_json::from_slice::<Value>(&body.bytes) else {
                continue;
            };
            let policy = vector.policy.as_deref();
            if lowers_duplicates(policy) {
                continue;
            }
            let schema = schemas
                .entry(vector.policy.clone())
                .or_insert_with(|| schema(&document(policy), REQUEST));
            seen += 1;
            let complaints = complaints(schema, &value);
            if complaints.is_empty() {
                continue;
            }
            rejected += 1;
            assert!(
                !is_accepted(policy, &body.bytes),
                "{}: {complaints:?}",
                vector.name
            );
            if policy.is_none() {
                let report = call::verdict(
                    &engine(None),
                    "validate_request",
                    &[Some(&body.bytes), None],
                );
                assert_eq!(report, 1, "{}: {complaints:?}", vector.name);
            }
        }
    }
    assert!(
        seen > 500 && rejected > 200,
        "{seen} bodies, {rejected} of them rejected: where are the vectors?"
    );
}

#[test]
fn rejects_what_a_schema_can_express() {
    let mut schemas: BTreeMap<Option<String>, Validator> = BTreeMap::new();
    let (mut invalid, mut rejected, mut missed) = (0, 0, Vec::new());
    for file in vector::load()
        .expect("vectors")
        .iter()
        .filter(|file| file.operation == "validate_request")
    {
        for vector in file.vectors.iter().filter(|vector| vector.returns == 1) {
            let Some(Some(body)) = vector.inputs.first() else {
                continue;
            };
            let Ok(value) = serde_json::from_slice::<Value>(&body.bytes) else {
                continue;
            };
            let policy = vector.policy.as_deref();
            if lowers_duplicates(policy) {
                continue;
            }
            let schema = schemas
                .entry(vector.policy.clone())
                .or_insert_with(|| schema(&document(policy), REQUEST));
            invalid += 1;
            if !schema.is_valid(&value) {
                rejected += 1;
                continue;
            }
            let answer = vector.call("validate_request");
            let report: Value = serde_json::from_slice(&answer.text).expect("a report");
            for violation in report["violations"].as_array().expect("violations") {
                let code = violation["code"].as_str().expect("a code");
                if violation["severity"] == "error"
                    && EXPRESSIBLE.contains(&code)
                    && !is_beyond_schemas(
                        code,
                        violation["path"].as_str().expect("a path"),
                        &value,
                        policy,
                    )
                {
                    missed.push(format!("{}: {violation}", vector.name));
                }
            }
        }
    }
    assert_eq!(missed, [""; 0]);
    println!("{rejected} of {invalid} invalid bodies are rejected by the schema");
    assert!(rejected * 10 > invalid * 7, "{rejected} of {invalid}");
}

/// Returns whether the engine accepts duplicate members, and validates the first value;
/// `serde_json` keeps the last one.
fn lowers_duplicates(policy: Option<&str>) -> bool {
    policy.is_some_and(|policy| policy.contains("\"duplicate_member\":"))
}

/// Returns whether a schema cannot detect this violation, although it detects most others with the
/// same code.
fn is_beyond_schemas(code: &str, path: &str, body: &Value, policy: Option<&str>) -> bool {
    let value = body.pointer(path).unwrap_or(&Value::Null);
    let of_the_other_variant = match body["payment_type"].as_str() {
        Some("pay_in") => path.starts_with("/pay_out_details"),
        _ => path.starts_with("/pay_in_details") || path == "/user_name",
    };
    of_the_other_variant
        || match code {
            // 1.0 and 1e0 are integers to JSON Schema.
            "type" => value.as_f64().is_some_and(|number| number.fract() == 0.0),
            // Bounds that depend on the currency.
            "amount_out_of_bounds" => policy.is_some_and(|policy| policy.contains("\"amount\":")),
            // The schema has a pattern only if uri_syntax is an error.
            "uri_scheme" | "uri_credentials" => {
                policy.is_some_and(|policy| policy.contains("\"uri_syntax\":"))
            }
            // Ports.
            "uri_syntax" => value.as_str().is_some_and(|uri| {
                uri.ends_with(":65536/")
                    || uri.ends_with(":65536")
                    || uri.ends_with(":99999999999999999999/")
            }),
            _ => false,
        }
}

#[test]
fn describes_the_idempotency_key_and_the_uid() {
    let document = document(None);
    let parameter = |name: &str| {
        let schema = &document["components"]["parameters"][name]["schema"];
        jsonschema::options()
            .should_validate_formats(true)
            .build(schema)
            .expect("a schema")
    };
    let key = parameter("IdempotencyKey");
    let long = |count| "k".repeat(count);
    let quoted = |text: &str| format!("\"{text}\"");
    let plain = [
        "",
        "a",
        " ",
        "a b",
        "~",
        "!",
        "\u{7f}",
        "é",
        "a\n",
        "a\"b",
        "a\\",
        &long(255),
        &long(256),
    ]
    .map(str::to_owned);
    let strings = [
        "",
        "a",
        "a b",
        "a\"",
        "a\\",
        "\\a",
        "\\\"",
        "\\\\",
        &long(255),
        &long(256),
        &"\\\"".repeat(255),
    ]
    .map(quoted);
    for text in plain.iter().chain(&strings) {
        let accepted =
            call::verdict(&engine(None), "idempotency_key", &[Some(text.as_bytes())]) == 0;
        assert_eq!(key.is_valid(&json!(text)), accepted, "{text:?}");
    }
    let uid = parameter("Uid");
    for (text, found) in [
        ("0b6ea6a6-4c5e-4b7e-9d0f-6a1f0c7b2e11", 0),
        ("0B6EA6A6-4C5E-4B7E-9D0F-6A1F0C7B2E11", 0),
        ("{0b6ea6a6-4c5e-4b7e-9d0f-6a1f0c7b2e11}", 1),
        ("0b6ea6a64c5e4b7e9d0f6a1f0c7b2e11", 1),
        ("7", 1),
    ] {
        let context =
            json!({"uid": text, "payment": {"uid": text}, "authorization": "checked_by_caller"})
                .to_string();
        assert_eq!(
            call::verdict(&engine(None), "read_payment", &[Some(context.as_bytes())]),
            found,
            "{text}"
        );
        assert_eq!(uid.is_valid(&json!(text)), found == 0, "{text}");
    }
}

#[test]
fn follows_the_policy() {
    let schemas = |policy| document(Some(policy))["components"]["schemas"].clone();
    let all = schemas(POLICIES[2]);
    assert_eq!(
        all["PaymentCreatePayInSchema"]["required"],
        json!([
            "payment_type",
            "cur",
            "amount",
            "merchant_id",
            "user_name",
            "system"
        ])
    );
    // A member of a nested object is required only in that object.
    assert_eq!(all["PayInDetails"]["required"], Value::Null);
    assert_eq!(all["Card"]["required"], json!(["card_number"]));
    assert_eq!(all["PayOutDetails"]["required"], json!(["phone_number"]));
    assert!(
        all["Payment"]["required"]
            .as_array()
            .expect("a list")
            .contains(&json!("merchant_id"))
    );
    let some = schemas(POLICIES[3]);
    assert_eq!(some["Currency"]["enum"], json!(["EUR", "RUB"]));
    let pay_in = &some["PaymentCreatePayInSchema"]["properties"];
    let pattern = concat!(
        "^(?:(?:[Hh][Tt][Tt][Pp][Ss])://[^/?#@:%][^/?#@%]*(?:[/?#]|$)",
        "|(?:[Aa][Pp][Pp]\\+[Pp][Aa][Yy]\\.[Vv]1):(?://[^/?#@]*(?:[/?#]|$)|/?(?:[^/]|$)))"
    );
    assert_eq!(pay_in["callback"]["pattern"], pattern);
    let text = pay_in["amount"]["description"].as_str().expect("a text");
    assert!(
        text.ends_with("Bounds, both included: EUR from 0.5, RUB from 10 to 500000."),
        "{text}"
    );
    let narrow = schemas(POLICIES[13]);
    let pay_out = &narrow["PaymentCreatePayOutSchema"]["properties"];
    assert_eq!(
        (
            &pay_out["merchant_id"]["maxLength"],
            &pay_out["description"]["maxLength"]
        ),
        (&json!(1), &json!(1))
    );
    assert_eq!(pay_out["time_to_complete_payment"]["maximum"], 0);
}
