//! The statements of §1, §2, §3, §5, §7, and §9 on answers, in the words and numbers of the
//! specification: nothing here is taken from the library.

use reqwest::Method;
use serde_json::{Value, json};

use crate::database::Database;
use crate::gateway::{self, Answer, BODY, Gateway};

const PUBLIC: &str = "https://pay.example";

#[tokio::test(flavor = "multi_thread")]
async fn a_payment_says_what_its_mode_asks_for() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(
        folder.path().join("index.html"),
        "<!doctype html><title>page</title>",
    )
    .unwrap();
    let page = folder.path().to_str().unwrap();
    for database in Database::both().await {
        let token = gateway::token(&database, "shop-42");
        let gateway = Gateway::start(
            &database,
            &["--page", page, "--public-url", PUBLIC, "--demo-rates"],
        )
        .await;
        let create = async |body: Value| {
            let answer = gateway.create(&token, None, &body.to_string()).await;
            assert_eq!(
                (answer.status, answer.kind.as_str()),
                (201, "application/json"),
                "§4.1: {}",
                answer.text
            );
            answer.json()
        };
        // §2.1: what a creation response carries at least; a non-H2H response has info null and an
        // address.
        let plain = json!({"payment_type": "pay_in", "mode": "P2P", "subtype": "bank_card", "cur": "RUB", "amount": "990.50"});
        let payment = create(plain).await;
        let members = "uid url info state amount fail_by paid_at currency merchant_id created_date client_amount";
        for member in members.split(' ') {
            assert!(payment.get(member).is_some(), "§2.1: {member}");
        }
        let uid = payment["uid"].as_str().unwrap();
        assert!(
            payment["url"]
                .as_str()
                .unwrap()
                .starts_with(&format!("{PUBLIC}/checkout/{uid}?view="))
        );
        for (member, value) in [
            ("state", json!("idle")),
            ("paid_at", Value::Null),
            ("fail_by", Value::Null),
            ("info", Value::Null),
            ("payment_type", json!("pay_in")),
            ("subtype", json!("bank_card")),
            ("amount", json!("990.50")),
            ("currency", json!("RUB")),
            ("merchant_id", json!("shop-42")),
        ] {
            assert_eq!(payment[member], value, "{member}");
        }
        // §1.3, §2.1: H2H has url null, and in info the type and a masked card number.
        let card = json!({"card_holder": "I PETROV", "card_number": "4111111111111111", "expiry_year": 2031, "expiry_month": 12, "security_code": "737"});
        let payment = create(json!({
            "payment_type": "pay_in", "mode": "ACQUIRING", "subtype": "bank_card", "cur": "RUB", "amount": "1500.00",
            "host2host": true, "pay_in_details": {"card": card, "bank_name": "Example"},
        }))
        .await;
        assert_eq!(
            (&payment["url"], &payment["info"]["type"]),
            (&Value::Null, &json!("card"))
        );
        assert_eq!(payment["info"]["card_number"], "411111******1111");
        // §1.4: USDT in these, at the demo's rate of 92.45; the requested amount stays in its
        // currency.
        let payment = create(
            json!({"payment_type": "pay_in", "mode": "CRYPTO", "cur": "RUB", "amount": "10000.00"}),
        )
        .await;
        for member in ["amount", "total", "net_processed", "gross_amount"] {
            assert_eq!(payment[member], "108.166577", "10000 / 92.45: {member}");
        }
        for member in ["fee", "commission", "shared_commission", "paid_amount"] {
            assert_eq!(payment[member], "0.000000", "{member}");
        }
        assert_eq!(
            (&payment["currency"], &payment["requested_currency"]),
            (&json!("USDT"), &json!("RUB"))
        );
        assert_eq!(
            (&payment["requested_amount"], &payment["client_amount"]),
            (&json!("10000.00"), &json!("10000.00"))
        );
        // §2.2: a pay-out, with what its example has.
        let payment = create(json!({
            "payment_type": "pay_out", "mode": "P2P", "subtype": "bank_card", "cur": "RUB", "amount": "700.00",
            "pay_out_details": {"bank_name": "Example", "full_name": "Ivan Petrov", "card_number": "4111111111111111"},
            "description": "salary", "time_to_complete_payment": 900,
        }))
        .await;
        assert_eq!(
            (&payment["payment_type"], &payment["state"]),
            (&json!("pay_out"), &json!("idle"))
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failed_payment_says_who_and_why_and_a_completed_one_when() {
    for database in Database::both().await {
        let token = gateway::token(&database, "shop-42");
        let gateway = Gateway::start(&database, &[]).await;
        let moved = async |changes: &[&[&str]]| {
            let uid = gateway.create(&token, None, BODY).await.uid();
            for change in changes {
                let (done, _, error) =
                    gateway::run(&database, &[&["advance", &uid], *change].concat());
                assert!(done, "{change:?}: {error}");
            }
            gateway.status(&token, &uid).await.json()
        };
        // §7: a failed payment should have fail_by and fail_code.
        let failed = moved(&[&["fail", "--fail-by", "bank", "--fail-code", "no_funds"]]).await;
        assert_eq!(
            (&failed["state"], &failed["fail_by"], &failed["fail_code"]),
            (&json!("fail"), &json!("bank"), &json!("no_funds"))
        );
        assert!(failed["paid_at"].is_null());
        // §2.1: paid_at is null until completed.
        let routed = moved(&[&["routed"]]).await;
        assert!(routed["paid_at"].is_null() && routed["state"] == "routed");
        let completed = moved(&[&["routed"], &["completed"]]).await;
        assert!(
            completed["paid_at"].is_string() && completed["paid_amount"] == completed["amount"],
            "{completed}"
        );
    }
}

/// §9: what was removed is not there, and everything that is there is below /v1.
#[tokio::test(flavor = "multi_thread")]
async fn the_earlier_interface_is_gone() {
    let database = Database::sqlite();
    let token = gateway::token(&database, "shop-42");
    let gateway = Gateway::start(&database, &[]).await;
    for path in [
        "/v1/payments/pay_in",
        "/v1/payments/pay_out",
        "/payments/new",
        "/v2/payments/new",
    ] {
        let request = gateway.request(Method::POST, path, Some(&token)).body(BODY);
        assert_eq!(
            Answer::of(request.send().await.unwrap()).await.status,
            404,
            "{path}"
        );
    }
    let document = gateway.get("/openapi.json", None).await.json();
    let paths: Vec<_> = document["paths"]
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect();
    assert_eq!(paths.len(), 3);
    for path in [
        "/v1/payments/new",
        "/v1/payments/{uid}/status",
        "/v1/partner/balance",
    ] {
        assert!(paths.contains(&path), "{path}");
    }
}
