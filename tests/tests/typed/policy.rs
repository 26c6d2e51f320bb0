//! Compares policies constructed in Rust with the same ones in JSON: both are accepted, or both
//! fail with the same error.

use payspec::policy::{
    AmountBounds, FingerprintKey, IntegerRange, InvalidRequestStatus, Transitions,
};
use payspec::{Amount, Code, Currency, Engine, Policy, RULES, Rounding, Severity, State};
use proptest::collection::{btree_map, vec};
use proptest::option::of;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngSeed};

fn code() -> impl Strategy<Value = Code> {
    // Sometimes one that no policy sets.
    (0..RULES.len()).prop_map(|index| RULES[index].code)
}

fn adjustable() -> impl Strategy<Value = Code> {
    code().prop_filter("may be set", |code| {
        RULES
            .iter()
            .any(|rule| rule.code == *code && rule.adjustable)
    })
}

fn severity() -> impl Strategy<Value = Severity> {
    select(&[Severity::Off, Severity::Warning, Severity::Error][..])
}

/// Returns a currency, rarely a code that is not a currency.
fn currency() -> impl Strategy<Value = Currency> {
    let all: Vec<Currency> = Currency::all().collect();
    let money: Vec<Currency> = Currency::all()
        .filter(|currency| currency.is_fiat())
        .collect();
    prop_oneof![1 => select(all), 30 => select(money)]
}

fn amount() -> impl Strategy<Value = Option<Amount>> {
    of("(0|[1-9][0-9]{0,9})(\\.[0-9]{1,6})?".prop_map(|text| text.parse().unwrap()))
}

fn number() -> impl Strategy<Value = u64> {
    prop_oneof![
        20 => 1..100_000_u64,
        1 => select(&[0, (1 << 53) - 1, 1 << 53, u64::MAX][..]),
    ]
}

fn scheme() -> impl Strategy<Value = String> {
    prop_oneof![20 => "[a-z][a-z0-9+.-]{0,5}", 1 => select(&["", "HTTP", "1a", "a b", "ä"][..]).prop_map(String::from)]
}

fn pointer() -> impl Strategy<Value = String> {
    let known = select(
        &[
            "/merchant_id",
            "/pay_in_details/card/security_code",
            "/user_name",
        ][..],
    );
    prop_oneof![20 => known, 1 => select(&["", "/colour", "merchant_id", "/a\"b"][..])]
        .prop_map(String::from)
}

fn transitions() -> impl Strategy<Value = Transitions> {
    let state = || select(State::ALL);
    prop_oneof![
        Just(Transitions::Open),
        Just(Transitions::Conventional),
        vec((state(), state()), 0..5).prop_map(Transitions::List),
    ]
}

/// Any policy that the types permit.
fn policy() -> impl Strategy<Value = Policy> {
    let severities = prop_oneof![10 => btree_map(adjustable(), severity(), 0..4), 1 => btree_map(code(), severity(), 0..4)];
    let bounds = (amount(), amount()).prop_map(|(a, b)| match (a, b) {
        (Some(a), Some(b)) if a > b => AmountBounds::new(Some(b), Some(a)),
        (a, b) => AmountBounds::new(a, b),
    });
    let unordered = (amount(), amount()).prop_map(|(min, max)| AmountBounds::new(min, max));
    let bounds = prop_oneof![10 => bounds, 1 => unordered];
    let rounding = select(Rounding::ALL);
    (
        (
            severities,
            vec(pointer(), 0..3),
            vec(number(), 9..=9),
            btree_map(currency(), bounds, 0..3),
        ),
        (
            of(vec(currency(), 0..4)),
            of(vec(scheme(), 0..3)),
            0..20_u32,
            rounding,
            any::<bool>(),
        ),
        (of(vec(any::<u8>(), 1..40)), transitions()),
    )
        .prop_map(
            |(
                (severity, required, numbers, amount),
                (currencies, schemes, scale, rounding, bad),
                (key, steps),
            )| {
                let mut policy = Policy::default();
                policy.severity = severity.into_iter().collect();
                policy.required = required;
                let limits = &mut policy.limits;
                limits.body_bytes = numbers[0];
                limits.depth = numbers[1];
                limits.violations = numbers[2];
                limits.text_chars = numbers[3];
                limits.description_chars = numbers[4];
                limits.uri_bytes = numbers[5];
                limits.time_to_complete_payment =
                    IntegerRange::new(numbers[6] / 2, numbers[6].max(numbers[7]));
                limits.amount = amount.into_iter().collect();
                policy.currencies = currencies;
                if let Some(schemes) = schemes {
                    policy.urls.schemes = schemes;
                }
                policy.crypto.scale = scale;
                policy.crypto.rounding = rounding;
                policy.crypto.max_quote_age_ms = numbers[8];
                policy.idempotency.window_ms = numbers[7];
                if bad {
                    policy.invalid_request_status = InvalidRequestStatus::BadRequest;
                }
                policy.fingerprint_key = key.map(|key| FingerprintKey::new(key).unwrap());
                policy.transitions = steps;
                policy
            },
        )
}

proptest! {
    #![proptest_config(Config { cases: 20_000, failure_persistence: None, rng_seed: RngSeed::Fixed(20_261_120), ..Config::default() })]

    #[test]
    fn builds_policies_equal_to_the_json_form(policy in policy()) {
        let json = policy.to_json();
        // JSON does not contain the key.
        let mut keyless = policy.clone();
        keyless.fingerprint_key = None;
        match Engine::new(policy.clone()) {
            Ok(engine) => {
                prop_assert_eq!(&Policy::from_json(json.as_bytes()).unwrap(), &keyless, "{}", json);
                prop_assert_eq!(engine.policy(), &policy);
                // Through serde, the bytes are equal too.
                prop_assert_eq!(&serde_json::to_string(&policy).unwrap(), &json);
                prop_assert_eq!(&serde_json::from_str::<Policy>(&json).unwrap(), &keyless);
                // A format without an order of members.
                let value = serde_json::to_value(&policy).unwrap();
                prop_assert_eq!(&serde_json::from_value::<Policy>(value).unwrap(), &keyless);
            }
            Err(error) => {
                prop_assert_eq!(Engine::from_json(&json).unwrap_err(), error.clone(), "{}", json);
                prop_assert_eq!(serde_json::from_str::<Policy>(&json).unwrap_err().to_string(), error.to_string());
            }
        }
    }
}

#[test]
fn generates_valid_and_invalid_policies() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let valid = (0..1000)
        .filter(|_| Engine::new(policy().new_tree(&mut runner).unwrap().current()).is_ok())
        .count();
    assert!(
        (200..900).contains(&valid),
        "{valid} of 1000 policies are valid"
    );
}

/// Makes a policy invalid. The currency is gold.
type Change = fn(&mut Policy, Currency);

/// Invalid settings, constructed in Rust.
#[test]
fn rejects_settings_that_json_rejects() {
    let xau: Currency = "XAU".parse().unwrap();
    let changes: [(&str, Change); 9] = [
        ("/currencies/0", |policy, xau| {
            policy.currencies = Some(vec![xau])
        }),
        ("/limits/amount/XAU", |policy, xau| {
            policy.limits.amount = [(xau, AmountBounds::default())].into()
        }),
        ("/urls/schemes/0", |policy, _| {
            policy.urls.schemes = vec!["HTTPS".into()]
        }),
        ("/limits/body_bytes", |policy, _| {
            policy.limits.body_bytes = 0
        }),
        ("/limits/depth", |policy, _| policy.limits.depth = 0),
        ("/limits/uri_bytes", |policy, _| {
            policy.limits.uri_bytes = 1 << 53
        }),
        ("/limits/time_to_complete_payment", |policy, _| {
            policy.limits.time_to_complete_payment = IntegerRange::new(2, 1)
        }),
        ("/idempotency/window_ms", |policy, _| {
            policy.idempotency.window_ms = u64::MAX
        }),
        ("/crypto/scale", |policy, _| policy.crypto.scale = 19),
    ];
    for (path, change) in changes {
        let mut policy = Policy::default();
        change(&mut policy, xau);
        let error = Engine::new(policy.clone()).unwrap_err();
        assert_eq!(
            (error.path(), error.kind()),
            (path, payspec::ErrorKind::Policy)
        );
        assert_eq!(Policy::from_json(policy.to_json().as_bytes()), Err(error));
    }
}

/// serde accepts the same texts as `from_json` and returns the same errors for the others.
#[test]
fn accepts_one_grammar_in_both_forms() {
    for json in [
        "{}",
        r#"{"limits":null,"transitions":[["idle","routed"]]}"#,
        r#"{"limits":{"depth":4,"depth":5}}"#,
        r#"{"limits":{"depth":4.0}}"#,
        r#"{"limits":{"depth":-4}}"#,
        r#"{"limits":{"depth":"4"}}"#,
        r#"{"colour":true}"#,
        r#"{"fingerprint_key":null}"#,
        r#"{"fingerprint_key":"0"}"#,
        r#"{"fingerprint_key":4111111111111111}"#,
        "[]",
        "7",
    ] {
        let read = serde_json::from_str::<Policy>(json).map_err(|error| error.to_string());
        assert_eq!(
            read,
            Policy::from_json(json.as_bytes()).map_err(|error| error.to_string()),
            "{json}"
        );
    }
}

/// Not among the vectors, because languages that parse JSON into an object keep only the last of
/// two equal members.
#[test]
fn rejects_a_repeated_bound_with_any_values() {
    for bounds in [
        r#"{"min":null,"min":"1"}"#,
        r#"{"min":"1","min":null}"#,
        r#"{"min":"1","min":"1"}"#,
    ] {
        let error = Engine::from_json(&format!(r#"{{"limits":{{"amount":{{"RUB":{bounds}}}}}}}"#))
            .unwrap_err();
        assert_eq!(
            error.to_string(),
            "policy error at /limits/amount/RUB/min: repeated",
            "{bounds}"
        );
    }
}
