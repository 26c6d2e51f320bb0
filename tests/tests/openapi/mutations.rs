//! Valid bodies with changed members, under many policies: the endpoint rejects every body that the
//! schema rejects.

use super::requests::is_accepted;
use super::{POLICIES, complaints, document, schema};
use fastrand::Rng;
use serde_json::{Value, json};

const ROUNDS: usize = 1500;

/// Returns values of every type, similar to those of members.
fn values() -> Vec<Value> {
    let texts = [
        "",
        "a",
        "pay_in",
        "pay_out",
        "P2P",
        "CRYPTO",
        "crypto",
        "bank_card",
        "sbp",
        "RUB",
        "JPY",
        "rub",
        "XAU",
        "XXX",
        "EUR",
        "0",
        "0.00",
        "1",
        "1.5",
        "01",
        "1.",
        ".5",
        "+1",
        "1e3",
        "100.00",
        "999999999999999999",
        "1000000000000000000",
        "0.1234567890123456789",
        "0.0000000000000000000",
        "https://a.example/x",
        "HTTPS://a.example?y",
        "https://u@a.example/",
        "http://[::1]:8080/#f",
        "https:///x",
        "https:a",
        "ftp://a.example",
        "javascript:alert(1)",
        "app+pay.v1://x",
        "//a.example",
        "https://a.example/ä",
        "https://a.example/%zz",
        "https://a.example:99999/",
        "4111111111111111",
        "4111111111111112",
        "41111111111",
        "739",
        "7390",
        "73",
        "+79000000000",
        "123456",
        "a\nb",
        "a\u{7f}",
        "\u{202e}x",
        "\u{1f600}",
        "Anna Petrova",
    ];
    let mut values: Vec<Value> = texts.iter().map(|text| json!(text)).collect();
    values.extend([
        json!("я".repeat(255)),
        json!("x".repeat(256)),
        json!("y".repeat(1025)),
    ]);
    values.extend([json!(format!("https://a.example/{}", "z".repeat(2040)))]);
    values.extend([
        json!(null),
        json!(true),
        json!(false),
        json!([]),
        json!({}),
        json!({"card": {}}),
        json!({"card": null}),
    ]);
    values.extend(
        [
            0, 1, 2, 12, 13, 24, 99, 100, 1999, 2000, 2031, 2099, 2100, -1,
        ]
        .map(|number: i32| json!(number)),
    );
    values.extend([
        json!(1.5),
        json!(9_007_199_254_740_991_u64),
        json!(9_007_199_254_740_992_u64),
        json!(u64::MAX),
    ]);
    values
}

const POINTERS: [&str; 29] = [
    "/payment_type",
    "/mode",
    "/cur",
    "/amount",
    "/subtype",
    "/merchant_id",
    "/user_id",
    "/user_name",
    "/callback",
    "/redirect_url",
    "/bank_name",
    "/host2host",
    "/description",
    "/time_to_complete_payment",
    "/pay_out_details",
    "/pay_in_details",
    "/system",
    "/pay_out_details/bank_name",
    "/pay_out_details/full_name",
    "/pay_out_details/card_number",
    "/pay_out_details/phone_number",
    "/pay_in_details/card",
    "/pay_in_details/bank_name",
    "/pay_in_details/card/card_holder",
    "/pay_in_details/card/card_number",
    "/pay_in_details/card/expiry_year",
    "/pay_in_details/card/expiry_month",
    "/pay_in_details/card/security_code",
    "/colour",
];

fn set(body: &mut Value, pointer: &str, value: Option<&Value>) {
    let (parent, name) = pointer.rsplit_once('/').expect("a pointer");
    if let Some(Value::Object(members)) = body.pointer_mut(parent) {
        match value {
            Some(value) => drop(members.insert(name.to_owned(), value.clone())),
            None => drop(members.remove(name)),
        }
    }
}

#[test]
fn rejects_only_what_the_endpoint_rejects() {
    let values = values();
    let bodies: Vec<Value> = ["p2p-card", "h2h-card", "crypto", "pay-out"]
        .map(|name| {
            std::fs::read(payspec_tests::root().join(format!("examples/bodies/{name}.json")))
                .expect(name)
        })
        .iter()
        .map(|body| serde_json::from_slice(body).expect("a JSON text"))
        .collect();
    let mut rng = Rng::with_seed(20_261_120);
    for policy in POLICIES {
        let schema = schema(&document(Some(policy)), "PaymentCreateRequest");
        let mut rejected = 0;
        for _ in 0..ROUNDS {
            let mut body = rng.choice(&bodies).expect("a body").clone();
            for _ in 0..rng.usize(1..=2) {
                let pointer = rng.choice(POINTERS).expect("a pointer");
                let value = rng.choice(&values).filter(|_| rng.u8(..8) != 0);
                set(&mut body, pointer, value);
            }
            let complaints = complaints(&schema, &body);
            if !complaints.is_empty() {
                rejected += 1;
                let text = body.to_string();
                assert!(
                    !is_accepted(Some(policy), text.as_bytes()),
                    "{policy}\n{text}\n{complaints:?}"
                );
            }
        }
        assert!((1..=ROUNDS).contains(&rejected), "{policy}: {rejected}");
    }
}
