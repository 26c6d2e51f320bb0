//! Reset, and runs that a seed repeats.

use serde_json::{Value, json};

use crate::process::{Merchant, Sandbox, body};
use crate::receiver::Receiver;

/// Does something of everything, and returns all that the sandbox has answered.
fn run(merchant: &Merchant<'_>, callback: &str) -> Vec<String> {
    let mut texts = Vec::new();
    let mut request = body();
    request["callback"] = json!(callback);
    for amount in ["7001.00", "7002.00", "7003.00"] {
        request["amount"] = json!(amount);
        texts.push(
            merchant
                .create_with(&[("idempotency-key", amount)], &request)
                .text,
        );
        texts.push(merchant.advance(1500));
    }
    texts.push(
        merchant
            .create_with(&[("idempotency-key", "7001.00")], &request)
            .text,
    );
    texts.push(merchant.advance(60_000));
    texts.push(merchant.get("/sandbox/deliveries").text);
    texts.push(merchant.get("/sandbox/payments").text);
    texts.push(merchant.get("/v1/partner/balance").text);
    texts
}

#[test]
fn a_seed_repeats_a_run_exactly() {
    // Another merchant in the same sandbox changes nothing.
    let receiver = Receiver::start(&[]);
    let start =
        |seed: &str| Sandbox::start(&["--seed", seed, "--public-url", "http://sandbox.test"]);
    let (one, other, different) = (start("42"), start("42"), start("43"));
    run(&other.named("noise"), &receiver.url);
    let first = run(&one.named("shop"), &receiver.url);
    assert_eq!(first, run(&other.named("shop"), &receiver.url));
    assert_ne!(first, run(&different.named("shop"), &receiver.url));
    assert_eq!(one.lines, other.lines);
}

#[test]
fn a_reset_starts_again() {
    let receiver = Receiver::start(&[]);
    let sandbox = Sandbox::start(&["--seed", "1"]);
    let merchant = sandbox.named("shop");
    let first = run(&merchant, &receiver.url);
    merchant.post("/sandbox/faults", &json!({"status": 503}));
    merchant.post("/sandbox/scenarios", &json!({"name": "slow"}));
    let reset = merchant
        .try_call("POST", "/sandbox/reset", &[], None)
        .unwrap();
    assert_eq!((reset.status, reset.text.as_str()), (204, ""));
    assert_eq!(
        merchant.get("/sandbox/payments").json()["payments"],
        Value::Array(Vec::new())
    );
    assert_eq!(
        first,
        run(&merchant, &receiver.url),
        "faults and scenarios are forgotten too"
    );
}

/// Without a token, calls act for the merchant whose token is printed.
#[test]
fn the_printed_merchant_needs_no_token() {
    let sandbox = Sandbox::start(&["--seed", "5"]);
    let names: Vec<&str> = sandbox
        .lines
        .iter()
        .map(|(name, _)| name.as_str())
        .collect();
    assert_eq!(names, ["api", "page", "console", "token", "secret"]);
    let checkout = crate::http::call(&sandbox.address, "GET", "/checkout/", &[], None).unwrap();
    let page = match checkout.text.contains("built without the checkout page") {
        true => "none (built without the checkout page)".to_owned(),
        false => format!("{}/checkout/", sandbox.url()),
    };
    assert_eq!(sandbox.lines[1].1, page);
    let default = sandbox.named("default");
    assert_eq!(sandbox.lines[3].1, default.token());
    let uid = default.create(&body());
    let advance = Some(r#"{"advance_ms":5000}"#);
    crate::http::call(&sandbox.address, "POST", "/sandbox/clock", &[], advance).unwrap();
    assert_eq!(default.state(&uid), "completed");
    crate::http::call(&sandbox.address, "POST", "/sandbox/reset", &[], None).unwrap();
    assert_eq!(
        default.get(&format!("/v1/payments/{uid}/status")).status,
        404
    );
}
