//! Checks the policy: the members of its JSON form, their defaults in the comments, the pointers
//! that it may require.

use super::names;
use super::read::{Member, interface, names_of, union};
use payspec::{Engine, Policy};
use payspec_tests::json::Json;

/// A policy with every member set.
const FULL: &str = r#"{"currencies":["RUB"],"fingerprint_key":"00","limits":{"amount":{"RUB":{"min":"1","max":"2"}}}}"#;

fn written(policy: &str) -> Json {
    let policy = Policy::from_json(policy.as_bytes()).expect("a policy");
    Json::parse(policy.to_json().as_bytes()).expect("JSON")
}

fn at<'j>(json: &'j Json, path: &[&str]) -> &'j Json {
    path.iter().fold(json, |json, name| {
        json.get(name).expect("a member of the policy")
    })
}

#[test]
fn declares_the_members_of_every_object() {
    let policy = written(FULL);
    for (name, path) in [
        ("Policy", &[][..]),
        ("Limits", &["limits"]),
        ("AmountBounds", &["limits", "amount", "RUB"]),
        ("IntegerRange", &["limits", "time_to_complete_payment"]),
        ("Urls", &["urls"]),
        ("CryptoPolicy", &["crypto"]),
        ("IdempotencyPolicy", &["idempotency"]),
    ] {
        assert_eq!(names_of(name), names(at(&policy, path)), "{name}");
        let needed: Vec<Member> = interface(name)
            .into_iter()
            .filter(|member| !member.optional)
            .collect();
        assert!(
            needed.is_empty(),
            "every member of a policy is optional, except {needed:?}"
        );
    }
}

/// Only members without a default are absent from the resolved default policy.
#[test]
fn requires_members_with_a_default_in_a_resolved_policy() {
    let default = written("{}");
    let absent: Vec<&str> = names_of("Policy")
        .into_iter()
        .filter(|name| default.get(name).is_none())
        .collect();
    let in_force = interface("PolicyInForce");
    let optional: Vec<&str> = in_force
        .iter()
        .filter(|member| member.optional)
        .map(|member| member.name)
        .collect();
    assert_eq!(optional, absent);
}

#[test]
fn documents_the_defaults() {
    let default = written("{}");
    for (name, path) in [
        ("Limits", &["limits"][..]),
        ("CryptoPolicy", &["crypto"]),
        ("IdempotencyPolicy", &["idempotency"]),
        ("Policy", &[]),
    ] {
        for member in interface(name) {
            let value = match at(&default, path).get(member.name) {
                Some(Json::Number(number)) => number.to_string(),
                Some(Json::String(text)) if text != "open" => text.clone(),
                _ => continue,
            };
            let expected = format!("Default {value}.");
            assert!(
                member.doc.contains(&expected),
                "the comment of {name}.{} should contain: {expected}",
                member.name
            );
        }
    }
}

#[test]
fn declares_pointers_that_a_policy_may_require() {
    for pointer in union("RequestPointer") {
        Engine::from_json(&format!(r#"{{"required":["{pointer}"]}}"#))
            .unwrap_or_else(|error| panic!("{pointer}: {error}"));
    }
    let mut expected: Vec<String> = super::members::request_pointers();
    let mut found: Vec<String> = union("RequestPointer")
        .into_iter()
        .map(str::to_owned)
        .collect();
    expected.sort();
    found.sort();
    assert_eq!(found, expected);
}
