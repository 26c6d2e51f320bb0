//! Compares what the sandbox sends with the examples in the book.

use payspec_tests::markdown;
use serde_json::{Value, json};

use crate::process::{Sandbox, body};
use crate::receiver::Receiver;

const TUTORIAL: &str = include_str!("../../../docs/src/start/merchant.md");
const REFERENCE: &str = include_str!("../../../docs/src/reference/sandbox.md");

/// A payment with a callback, in the sandbox of the examples.
struct Example {
    sandbox: Sandbox,
    receiver: Receiver,
    uid: String,
}

impl Example {
    /// Creates the payment of an amount, and moves the clock.
    fn new(amount: &str, advance_ms: u64) -> Self {
        let sandbox = Sandbox::start(&["--seed", "7", "--public-url", "http://127.0.0.1:8085"]);
        let receiver = Receiver::start(&[]);
        let mut request = body();
        request["amount"] = json!(amount);
        request["callback"] = json!(receiver.url);
        let merchant = sandbox.named("default");
        let uid = merchant.create(&request);
        merchant.advance(advance_ms);
        Self {
            sandbox,
            receiver,
            uid,
        }
    }
}

/// Returns the only block of a page in a language, without its last line break.
fn block(page: &'static str, language: &str) -> &'static str {
    let [block] = markdown::blocks(page, language).collect::<Vec<_>>()[..] else {
        panic!("one block of {language}")
    };
    block.trim_end_matches('\n')
}

#[test]
fn a_callback_is_the_payment_with_three_headers() {
    let Example {
        sandbox,
        receiver,
        uid,
    } = Example::new("7003", 2000);
    let merchant = sandbox.named("default");
    let messages = receiver.messages();
    let states: Vec<Value> = messages
        .iter()
        .map(|one| serde_json::from_str(&one.body).unwrap())
        .collect();
    assert_eq!(
        states
            .iter()
            .map(|payment| &payment["state"])
            .collect::<Vec<_>>(),
        ["routed", "fail"]
    );
    let message = &messages[1];
    assert_eq!(
        message.body,
        merchant.get(&format!("/v1/payments/{uid}/status")).text,
        "to the byte"
    );
    let is_shown = |name: &str| name.starts_with("webhook-") || name == "content-type";
    let headers = message.headers.iter().filter(|(name, _)| is_shown(name));
    let headers: String = headers
        .map(|(name, value)| format!("{name}: {value}\n"))
        .collect();
    assert_eq!(
        block(TUTORIAL, "http"),
        format!("POST /callback HTTP/1.1\n{headers}\n{}", message.body)
    );
    let secret = &sandbox.lines[4].1;
    assert!(
        TUTORIAL.contains(secret.as_str()),
        "the page has the secret {secret}"
    );
}

#[test]
fn the_deliveries_of_a_payment_are_those_of_the_page() {
    let Example { sandbox, uid, .. } = Example::new("7007", 1000);
    let mut deliveries = Value::from(sandbox.named("default").deliveries(&uid));
    // The port of the receiver is any free one.
    deliveries[0]["url"] = json!("http://127.0.0.1:9000/callback");
    let shown: Value = serde_json::from_str(block(REFERENCE, "json")).unwrap();
    assert_eq!(shown, deliveries, "{deliveries:#}");
}
