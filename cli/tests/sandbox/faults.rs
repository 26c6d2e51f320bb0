//! Faults for the next calls and by header.

use std::io::Write;
use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::http;
use crate::process::{Sandbox, body};

#[test]
fn the_next_calls_fail() {
    let merchant = Sandbox::shared().merchant();
    let fault = merchant.post("/sandbox/faults", &json!({"count": 2, "status": 503}));
    assert_eq!(
        (fault.status, fault.text.as_str()),
        (201, r#"[{"count":2,"status":503}]"#)
    );
    let statuses: Vec<_> = (0..3)
        .map(|_| merchant.create_with(&[], &body()).status)
        .collect();
    assert_eq!(statuses, [503, 503, 201]);
    assert_eq!(
        merchant.get("/sandbox/payments").json()["total"],
        1,
        "a failed call made no payment"
    );
    assert_eq!(merchant.get("/sandbox/faults").text, "[]");
}

#[test]
fn a_connection_is_dropped_before_or_after_the_call() {
    let merchant = Sandbox::shared().merchant();
    merchant.post("/sandbox/faults", &json!({"count": 1, "drop": true}));
    assert_eq!(merchant.try_create(&[], &body()), None);
    assert_eq!(merchant.get("/sandbox/payments").json()["total"], 0);
    merchant.post("/sandbox/faults", &json!({"drop": true, "when": "after"}));
    let key = [("idempotency-key", "lost")];
    assert_eq!(merchant.try_create(&key, &body()), None);
    assert_eq!(
        merchant.get("/sandbox/payments").json()["total"],
        1,
        "only the answer is lost"
    );
    assert_eq!(
        merchant
            .create_with(&key, &body())
            .header("idempotent-replayed"),
        Some("true")
    );
}

#[test]
fn an_answer_is_delayed() {
    let merchant = Sandbox::shared().merchant();
    merchant.post("/sandbox/faults", &json!({"count": 1, "delay_ms": 300}));
    let start = Instant::now();
    assert_eq!(merchant.create_with(&[], &body()).status, 201);
    assert!(start.elapsed() >= Duration::from_millis(300));
}

#[test]
fn faults_have_an_endpoint_and_an_order() {
    let merchant = Sandbox::shared().merchant();
    merchant.post(
        "/sandbox/faults",
        &json!({"status": 500, "endpoint": "balance"}),
    );
    merchant.post("/sandbox/faults", &json!({"status": 429}));
    assert_eq!(merchant.create_with(&[], &body()).status, 429);
    assert_eq!(merchant.create_with(&[], &body()).status, 201);
    assert_eq!(merchant.get("/v1/partner/balance").status, 500);
    assert_eq!(merchant.get("/v1/partner/balance").status, 200);
    merchant.post("/sandbox/faults", &json!({"status": 500}));
    assert_eq!(
        merchant
            .try_call("DELETE", "/sandbox/faults", &[], None)
            .unwrap()
            .status,
        204
    );
    assert_eq!(merchant.create_with(&[], &body()).status, 201);
}

#[test]
fn a_header_asks_for_a_fault_of_one_call() {
    let merchant = Sandbox::shared().merchant();
    assert_eq!(
        merchant
            .create_with(&[("sandbox-fault", "status=502")], &body())
            .status,
        502
    );
    assert_eq!(
        merchant.try_create(&[("sandbox-fault", "drop")], &body()),
        None
    );
    assert_eq!(merchant.create_with(&[], &body()).status, 201);
}

/// Otherwise a call that forgets its token would take the fault of the merchant whose token is
/// printed.
#[test]
fn a_call_without_a_token_takes_no_fault() {
    let sandbox = Sandbox::start(&[]);
    let plan = r#"{"count": 1, "status": 503}"#;
    http::call(&sandbox.address, "POST", "/sandbox/faults", &[], Some(plan)).unwrap();
    let without = http::call(&sandbox.address, "GET", "/v1/partner/balance", &[], None).unwrap();
    let unknown = [("authorization", "Bearer unknown")];
    let with_unknown = http::call(
        &sandbox.address,
        "GET",
        "/v1/partner/balance",
        &unknown,
        None,
    )
    .unwrap();
    assert_eq!((without.status, with_unknown.status), (401, 401));
    assert_eq!(
        sandbox.named("default").get("/v1/partner/balance").status,
        503
    );
}

/// 455 is the answer of the library.
#[test]
fn a_payment_is_declined() {
    let merchant = Sandbox::shared().merchant();
    let declined = merchant.create_with(&[("sandbox-fault", "status=455")], &body());
    assert_eq!(
        (declined.status, declined.member("code").as_str()),
        (455, "refused")
    );
}

/// A shop that gives up too early: the payment is made, and its answer is lost.
#[test]
fn an_answer_is_delayed_after_the_call() {
    let merchant = Sandbox::shared().merchant();
    let fault = json!({"delay_ms": 60_000, "when": "after"});
    merchant.post("/sandbox/faults", &fault);
    let request = body().to_string();
    let mut stream = TcpStream::connect(&Sandbox::shared().address).unwrap();
    let head = format!(
        "POST /v1/payments/new HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {}\r\nidempotency-key: late\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n{request}",
        merchant.token(),
        request.len()
    );
    stream.write_all(head.as_bytes()).unwrap();
    let start = Instant::now();
    while merchant.get("/sandbox/payments").json()["total"] != 1 {
        assert!(
            start.elapsed() < Duration::from_secs(20),
            "the call waits too"
        );
        std::thread::sleep(Duration::from_millis(20));
    }
    drop(stream);
    let again = merchant.create_with(&[("idempotency-key", "late")], &body());
    assert!(
        again.status == 409 || again.header("idempotent-replayed") == Some("true"),
        "{again:?}"
    );
    // By the header, and with a status: the answer is late and another one.
    let start = Instant::now();
    let header = [("sandbox-fault", "delay_ms=300, status=503, when=after")];
    let answer = merchant.create_with(&header, &body());
    assert_eq!(answer.status, 503);
    assert!(start.elapsed() >= Duration::from_millis(300));
    assert!(
        answer.member("detail").contains("idempotency key"),
        "{}",
        answer.text
    );
    assert_eq!(merchant.get("/sandbox/payments").json()["total"], 2);
}
