//! Canaries in the policy: neither errors nor answers of the engine contain its values.

use crate::{CODE, NAME, PAN, TOKEN};
use payspec::operations::OPERATIONS;
use payspec::{ComparePoliciesContext, Engine, Policy};
use payspec_tests::call;
use payspec_tests::json::Json;
use payspec_tests::tree;

/// A policy with every member.
const POLICY: &str = r#"{"severity":{"card_number_checksum":"warning"},"required":["/merchant_id"],
    "limits":{"body_bytes":65536,"depth":16,"violations":64,"text_chars":255,"description_chars":1024,"uri_bytes":2048,
    "amount":{"RUB":{"min":"10","max":"500000"}},"time_to_complete_payment":{"min":1,"max":86400}},
    "currencies":["RUB","USD"],"urls":{"schemes":["https"]},
    "crypto":{"scale":6,"rounding":"half_even","max_quote_age_ms":60000},
    "idempotency":{"window_ms":1000},"invalid_request_status":422,"fingerprint_key":"00112233445566778899aabbccddeeff",
    "transitions":[["idle","routed"]]}"#;

#[test]
fn errors_do_not_contain_values_of_the_policy() {
    let json = Json::parse(POLICY.as_bytes()).expect("the policy");
    assert!(call::engine(Some(POLICY)).is_ok());
    let (mut rejected, mut accepted) = (0, Vec::new());
    for (index, pointer) in tree::pointers(&json).into_iter().enumerate() {
        for canary in [NAME, TOKEN, PAN, CODE] {
            for form in [
                |text: &str| Json::String(text.to_owned()),
                |text: &str| Json::Array(vec![Json::String(text.to_owned())]),
                |text: &str| Json::Object(vec![("zz".to_owned(), Json::String(text.to_owned()))]),
            ] {
                let mut changed = json.clone();
                *tree::value_at(&mut changed, index).expect("a location") = form(canary);
                match call::engine(Some(&changed.compact())) {
                    Err(error) => {
                        rejected += 1;
                        let mut out = Vec::new();
                        error.write_json(&mut out);
                        let texts = [
                            error.to_string(),
                            format!("{error:?}"),
                            String::from_utf8_lossy(&out).into_owned(),
                        ];
                        for text in texts {
                            assert!(!text.contains(canary), "{canary} at {pointer}: {text}");
                        }
                    }
                    Ok(_) => accepted.push(pointer.clone()),
                }
            }
        }
    }
    assert!(rejected > 300, "only {rejected} policies were rejected");
    // Digits are also a valid amount, and a key is any hex.
    accepted.dedup();
    assert_eq!(
        accepted,
        [
            "/limits/amount/RUB/min",
            "/limits/amount/RUB/max",
            "/fingerprint_key"
        ]
    );
}

#[test]
fn masks_a_card_number_as_a_name_in_the_error() {
    for pointer in [
        "",
        "/severity",
        "/limits",
        "/limits/amount",
        "/limits/amount/RUB",
        "/urls",
        "/crypto",
        "/idempotency",
    ] {
        let mut json = Json::parse(POLICY.as_bytes()).expect("the policy");
        let index = tree::pointers(&json)
            .iter()
            .position(|other| other == pointer)
            .expect("a location");
        let Some(Json::Object(members)) = tree::value_at(&mut json, index) else {
            panic!("{pointer} is not an object")
        };
        members.push((PAN.to_owned(), Json::String("error".to_owned())));
        let error = call::engine(Some(&json.compact()))
            .expect_err("an unknown member")
            .to_string();
        assert!(!error.contains(PAN), "{pointer}: {error}");
    }
}

#[test]
fn answers_do_not_contain_the_key() {
    let key = "00112233445566778899aabbccddeeff";
    let engine =
        call::engine(Some(&format!(r#"{{"fingerprint_key":"{key}"}}"#))).expect("a policy");
    for operation in OPERATIONS {
        let inputs = vec![Some(b"{}".as_slice()); operation.inputs.len()];
        let answer = call::answer(&engine, operation.name, &inputs);
        assert!(
            !String::from_utf8_lossy(&answer.text).contains(key),
            "{}",
            operation.name
        );
    }
}

#[test]
fn a_comparison_does_not_contain_the_keys() {
    let (before, after) = (
        "00112233445566778899aabbccddeeff",
        "ffeeddccbbaa99887766554433221100",
    );
    let context = format!(
        r#"{{"before":{{"fingerprint_key":"{before}"}},"after":{{"fingerprint_key":"{after}"}}}}"#
    );
    let inputs = [Some(context.as_bytes())];
    let answer = call::answer(&Engine::default(), "compare_policies", &inputs);
    let text = String::from_utf8_lossy(&answer.text);
    assert!(text.contains("/fingerprint_key"), "{text}");
    assert!(!text.contains(before) && !text.contains(after), "{text}");
    let context = ComparePoliciesContext::from_json(&context).expect("two policies");
    let debug = format!("{context:?}");
    assert!(debug.contains("FingerprintKey(***)"), "{debug}");
    assert!(!debug.contains("17, 34, 51"), "{debug}");
}

/// A written or serialized policy has null for the key. The engine keeps the key.
#[test]
fn serializes_a_policy_without_its_key() {
    let key = "00112233445566778899aabbccddeeff";
    let policy = Policy::from_json(POLICY.as_bytes()).expect("the policy");
    assert_eq!(policy.fingerprint_key, key.parse().ok());
    let mut appended = Vec::new();
    policy.write_json(&mut appended);
    let mut keyless = policy.clone();
    keyless.fingerprint_key = None;
    for text in [
        policy.to_json(),
        String::from_utf8(appended).expect("UTF-8"),
        serde_json::to_string(&policy).expect("JSON"),
        serde_json::to_value(&policy).expect("JSON").to_string(),
    ] {
        // Neither as hex nor as bytes.
        for form in [key, "17,34,51"] {
            assert!(!text.to_lowercase().contains(form), "{text}");
        }
        let json = Json::parse(text.as_bytes()).expect("JSON");
        assert!(
            matches!(json.get("fingerprint_key"), Some(Json::Null)),
            "{text}"
        );
        assert_eq!(Policy::from_json(text.as_bytes()), Ok(keyless.clone()));
    }
    let engine = Engine::new(policy.clone()).expect("a policy");
    assert_eq!(engine.policy(), &policy);
    let fingerprint = |policy: &Policy| {
        let engine = Engine::new(policy.clone()).expect("a policy");
        engine
            .fingerprint_request(b"{}")
            .expect("an object")
            .to_string()
    };
    assert_ne!(fingerprint(&policy), fingerprint(&keyless));
}
