//! `--database`: a sandbox goes on where another one has ended.

use serde_json::json;

use crate::postgres;
use crate::process::{Sandbox, body};
use crate::receiver::Receiver;
use crate::scenarios::challenged;

fn goes_on(address: &str) {
    let arguments = [
        "--seed",
        "9",
        "--database",
        address,
        "--public-url",
        "http://sandbox.test",
    ];
    let receiver = Receiver::start(&[500]);
    let sandbox = Sandbox::start(&arguments);
    let merchant = sandbox.named("shop");
    let mut request = body();
    request["callback"] = json!(receiver.url);
    let key = [("idempotency-key", "order-1")];
    let first = merchant.create_with(&key, &request);
    let uid = first.member("uid");
    merchant.advance(1000);
    let before = (
        merchant.payment(&uid),
        merchant.deliveries(&uid),
        merchant.get("/sandbox/clock").text,
    );
    assert_eq!(before.1.len(), 1);
    // Without a chance to write.
    drop(sandbox);
    let sandbox = Sandbox::start(&arguments);
    let merchant = sandbox.named("shop");
    assert_eq!(
        (
            merchant.payment(&uid),
            merchant.deliveries(&uid),
            merchant.get("/sandbox/clock").text
        ),
        before
    );
    assert_eq!(
        merchant.create_with(&key, &request).text,
        first.text,
        "a replay"
    );
    let other = merchant.create(&body());
    assert_ne!(other, uid, "identifiers go on too");
    merchant.advance(10_000);
    assert_eq!(
        (merchant.state(&uid), merchant.state(&other)),
        ("completed".to_owned(), "completed".to_owned())
    );
    assert_eq!(merchant.timeline(&uid), ["idle", "routed", "completed"]);
    assert_eq!(
        merchant.deliveries(&uid).last().unwrap()["result"]["status"],
        200
    );
    assert_eq!(
        merchant.get("/v1/partner/balance").member("amount"),
        "200.00"
    );
    merchant
        .try_call("POST", "/sandbox/reset", &[], None)
        .unwrap();
    assert!(sandbox.terminate());
    let sandbox = Sandbox::start(&arguments);
    assert_eq!(
        sandbox.named("shop").get("/sandbox/payments").json()["total"],
        0,
        "a reset is kept"
    );
}

#[test]
fn on_sqlite() {
    let folder = tempfile::tempdir().unwrap();
    goes_on(&format!("sqlite:{}/sandbox.db", folder.path().display()));
}

#[test]
fn on_postgres() {
    goes_on(&format!("{}/postgres", postgres::address()));
}

#[test]
fn keeps_the_answer_of_a_payer() {
    let folder = tempfile::tempdir().unwrap();
    let address = format!("sqlite:{}/sandbox.db", folder.path().display());
    let arguments = ["--database", address.as_str()];
    let sandbox = Sandbox::start(&arguments);
    let merchant = sandbox.named("shop");
    let (uid, page) = challenged(&merchant);
    // A payer does not have the token of the shop.
    let payer = sandbox.named("payer");
    let answer = payer.post(&page, &json!({"result": "passed"}));
    assert_eq!(answer.status, 200);
    // Without a chance to write.
    drop(sandbox);
    let sandbox = Sandbox::start(&arguments);
    assert_eq!(sandbox.named("shop").state(&uid), "completed");
}
