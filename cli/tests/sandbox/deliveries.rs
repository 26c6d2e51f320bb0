//! Webhooks: attempts, retries, signatures, repetitions.

use std::process::Command;

use payspec::{Engine, VerifyWebhookContext};
use serde_json::{Value, json};

use crate::process::{PROGRAM, Sandbox, body};
use crate::receiver::{Message, Receiver};

fn with_callback(receiver: &Receiver) -> Value {
    let mut body = body();
    body["callback"] = json!(receiver.url);
    body
}

fn verify(secret: &str, message: &Message, now: &str) {
    let headers = message
        .headers
        .iter()
        .map(|(name, value)| (name.as_str(), value.as_str()));
    let context =
        VerifyWebhookContext::new(headers, vec![secret.parse().unwrap()], now.parse().unwrap())
            .unwrap();
    Engine::default()
        .verify_webhook(message.body.as_bytes(), &context)
        .unwrap();
}

#[test]
fn are_signed_visible_and_in_the_order_of_the_states() {
    let sandbox = Sandbox::start(&["--seed", "3"]);
    let merchant = sandbox.merchant();
    let receiver = Receiver::start(&[]);
    let uid = merchant.create(&with_callback(&receiver));
    let now = merchant.advance(2000);
    let (messages, attempts) = (receiver.messages(), merchant.deliveries(&uid));
    assert_eq!(
        (messages.len(), attempts.len()),
        (2, 2),
        "both are there when the clock has moved"
    );
    let secret = merchant.get("/sandbox/merchants").json();
    let own = secret
        .as_array()
        .unwrap()
        .iter()
        .find(|one| one["merchant"] == merchant.name.as_str())
        .unwrap();
    for ((message, attempt), state) in messages.iter().zip(&attempts).zip(["routed", "completed"]) {
        verify(own["webhook_secret"].as_str().unwrap(), message, &now);
        assert_eq!(attempt["body"], message.body.as_str(), "to the byte");
        let payment: Value = serde_json::from_str(&message.body).unwrap();
        assert_eq!(
            (&payment["state"], &attempt["state"]),
            (&json!(state), &json!(state))
        );
        assert_eq!(attempt["result"], json!({"delivered": true, "status": 200}));
        for (name, value) in attempt["headers"].as_object().unwrap() {
            let sent = message
                .headers
                .iter()
                .find(|(known, _)| known == name)
                .map(|(_, value)| value.as_str());
            assert_eq!(sent, value.as_str(), "{name}");
        }
    }
}

#[test]
fn are_retried_when_the_clock_reaches_the_next_attempt() {
    let merchant = Sandbox::shared().merchant();
    let receiver = Receiver::start(&[500, 503]);
    merchant.advance(0);
    let mut request = with_callback(&receiver);
    request["amount"] = json!("7001.00");
    let uid = merchant.create(&request);
    merchant.advance(2000);
    // The event of `completed` waits for that of `routed`.
    let attempts = merchant.deliveries(&uid);
    assert_eq!(attempts.len(), 1);
    assert_eq!(attempts[0]["result"]["status"], 500);
    merchant.advance(3999);
    assert_eq!(
        merchant.deliveries(&uid).len(),
        1,
        "the pause is 5 s from the attempt"
    );
    merchant.advance(1);
    assert_eq!(merchant.deliveries(&uid).len(), 2);
    merchant.advance(15_000);
    let attempts = merchant.deliveries(&uid);
    let results: Vec<_> = attempts
        .iter()
        .map(|attempt| attempt["result"]["status"].as_u64().unwrap())
        .collect();
    assert_eq!(results, [500, 503, 200, 200]);
    let events: Vec<_> = attempts.iter().map(|attempt| &attempt["event"]).collect();
    assert!(
        events[0] == events[1] && events[1] == events[2] && events[2] != events[3],
        "one webhook-id for an event"
    );
    assert_eq!(attempts[0]["next_attempt_at"], attempts[1]["at"]);
    assert_eq!(receiver.messages().len(), 4);
}

#[test]
fn end_after_the_last_attempt_or_410() {
    let merchant = Sandbox::shared().merchant();
    merchant.advance(0);
    let never = merchant.create(&{
        let mut body = body();
        body["callback"] = json!("http://127.0.0.1:1/closed");
        body["amount"] = json!("7013.00");
        body
    });
    let gone = Receiver::start(&[410]);
    let uid = merchant.create(&with_callback(&gone));
    merchant.post(
        &format!("/sandbox/payments/{never}/advance"),
        &json!({"to": "routed"}),
    );
    merchant.advance(30 * 24 * 60 * 60 * 1000);
    let attempts = merchant.deliveries(&never);
    assert_eq!(attempts.len(), 15, "as the gateway does");
    assert_eq!(
        (&attempts[14]["status"], &attempts[14]["next_attempt_at"]),
        (&json!("abandoned"), &Value::Null)
    );
    assert_eq!(attempts[0]["result"]["failure"], "connect");
    let attempts = merchant.deliveries(&uid);
    assert_eq!(
        (attempts.len(), &attempts[0]["status"]),
        (2, &json!("abandoned")),
        "the next event is sent"
    );
}

#[test]
fn are_repeated_on_demand() {
    let merchant = Sandbox::shared().merchant();
    let receiver = Receiver::start(&[]);
    merchant.advance(0);
    let uid = merchant.create(&with_callback(&receiver));
    merchant.advance(1000);
    let first = merchant.deliveries(&uid)[0].clone();
    let repeated = merchant.post(
        &format!(
            "/sandbox/deliveries/{}/repeat",
            first["event"].as_str().unwrap()
        ),
        &json!({}),
    );
    assert_eq!(repeated.status, 200);
    assert_eq!(
        (&repeated.json()["repeated"], &repeated.json()["attempt"]),
        (&json!(true), &json!(2))
    );
    let ids: Vec<_> = receiver
        .messages()
        .iter()
        .map(|message| header(message, "webhook-id"))
        .collect();
    assert_eq!(ids, [ids[0].clone(), ids[0].clone()]);
    assert_eq!(
        merchant
            .post("/sandbox/deliveries/evt_unknown/repeat", &json!({}))
            .status,
        404
    );
}

/// As in a container that has only the program.
#[test]
fn need_no_certificates_of_the_system() {
    let mut command = Command::new(PROGRAM);
    command
        .env("SSL_CERT_FILE", "/nonexistent")
        .env("SSL_CERT_DIR", "/nonexistent");
    let sandbox = Sandbox::start_with(command, &[]);
    let (merchant, receiver) = (sandbox.merchant(), Receiver::start(&[]));
    let uid = merchant.create(&with_callback(&receiver));
    merchant.advance(1000);
    assert_eq!(merchant.deliveries(&uid)[0]["result"]["delivered"], true);
}

fn header(message: &Message, name: &str) -> String {
    message
        .headers
        .iter()
        .find(|(known, _)| known == name)
        .unwrap()
        .1
        .clone()
}
