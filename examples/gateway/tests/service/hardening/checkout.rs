//! What visitors of the checkout page, and other pages in their browsers, cannot do.

use std::process::Stdio;

use reqwest::Method;
use serde_json::{Value, json};
use tokio::process::Command;

use crate::database::Database;
use crate::gateway::{self, Answer, Gateway, PROGRAM};

const KEY: &str = "0123456789abcdef0123456789abcdef";

fn order() -> Value {
    json!({"payment_type": "pay_in", "mode": "P2P", "subtype": "sbp", "cur": "RUB", "amount": "1500.00"})
}

async fn start(database: &Database) -> Gateway {
    let mut command = Command::new(PROGRAM);
    command.env("GATEWAY_PAGE_MERCHANT", "shop-42").env("GATEWAY_CALLBACK_ALLOW", "127.0.0.0/8");
    Gateway::start_with(command, &database.url, &[], Stdio::null()).await
}

async fn send(gateway: &Gateway, headers: &[(&str, &str)], body: &Value) -> Answer {
    let mut request = gateway.client.post(format!("{}/checkout/api/payments", gateway.base)).body(body.to_string());
    if !headers.iter().any(|(name, _)| *name == "content-type") {
        request = request.header("content-type", "application/json");
    }
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    Answer::of(request.send().await.unwrap()).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_visitor_pays_the_order_and_nothing_else() {
    let database = Database::sqlite();
    gateway::token(&database, "shop-42");
    let gateway = start(&database).await;
    let mut pay_out = order();
    pay_out["payment_type"] = json!("pay_out");
    pay_out["amount"] = json!("999999.00");
    pay_out["pay_out_details"] = json!({"phone_number": "+79990000000", "bank_name": "bank", "full_name": "A B"});
    assert_eq!(send(&gateway, &[], &pay_out).await.status, 422);
    for (member, value) in [
        ("payment_type", "pay_out"),
        ("amount", "1.00"),
        ("cur", "USD"),
        ("callback", "http://127.0.0.1:1/"),
        ("merchant_id", "shop-7"),
        ("redirect_url", "https://evil.example/"),
        ("redirect_url", "http://127.0.0.1:1/checkout/"),
        ("description", "x"),
        ("user_id", "x"),
    ] {
        let mut body = order();
        body[member] = json!(value);
        assert_eq!(send(&gateway, &[], &body).await.status, 422, "{member}");
    }
    assert_eq!(database.count("SELECT count(*) FROM payments").await, 0);
    let mut own = order();
    own["redirect_url"] = json!(format!("{}/checkout/", gateway.base));
    let created = send(&gateway, &[], &own).await;
    assert_eq!(created.status, 201, "{}", created.text);
    assert_eq!(created.json()["redirect_url"], own["redirect_url"]);
    assert_eq!(send(&gateway, &[], &order()).await.json()["redirect_url"], own["redirect_url"], "it is the server's");
    assert_eq!(database.count("SELECT count(*) FROM payments WHERE callback IS NOT NULL").await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn another_page_creates_nothing() {
    let database = Database::sqlite();
    let gateway = start(&database).await;
    let host = gateway.base.trim_start_matches("http://").to_owned();
    let local = host.replace("127.0.0.1", "localhost");
    for (headers, status) in [
        // What a page may send to another origin without asking it.
        (
            &[("content-type", "text/plain"), ("origin", "https://evil.example"), ("sec-fetch-site", "cross-site")]
                as &[_],
            403,
        ),
        (&[("content-type", "text/plain")], 415),
        (&[("content-type", "application/x-www-form-urlencoded"), ("sec-fetch-site", "cross-site")], 403),
        (&[("origin", "https://evil.example")], 403),
        (&[("origin", "null")], 403),
        (&[("origin", "http://127.0.0.1:1")], 403),
        (&[("sec-fetch-site", "same-site")], 403),
        // A name of the attacker that leads to this machine.
        (&[("host", "evil.example"), ("origin", "http://evil.example"), ("sec-fetch-site", "same-origin")], 403),
        (&[("host", "evil.example")], 403),
        (&[("host", &local)], 201),
        (&[("origin", &gateway.base), ("sec-fetch-site", "same-origin")], 201),
    ] {
        assert_eq!(send(&gateway, headers, &order()).await.status, status, "{headers:?}");
    }
    assert_eq!(database.count("SELECT count(*) FROM payments").await, 2);
    let evil = gateway.request(Method::GET, "/checkout/api/payments/x", None).header("host", "evil.example");
    assert_eq!(evil.send().await.unwrap().status(), 403, "nor does it read one");
}

#[tokio::test(flavor = "multi_thread")]
async fn visitors_have_keys_of_their_own() {
    for database in Database::both().await {
        let token = gateway::token(&database, "shop-42");
        let gateway = start(&database).await;
        let first = send(&gateway, &[("idempotency-key", KEY)], &order()).await;
        assert_eq!(first.status, 201, "{}", first.text);
        let again = send(&gateway, &[("idempotency-key", KEY)], &order()).await;
        assert!(again.status == 409 || (again.replayed && again.text == first.text), "{again:?}");
        // The merchant has the same key still.
        let own = gateway.create(&token, Some(KEY), &order().to_string()).await;
        assert!(own.status == 201 && !own.replayed && own.uid() != first.uid(), "{own:?}");
        // A key that can be guessed is rejected.
        gateway.create(&token, Some("order-1"), &order().to_string()).await;
        for key in ["order-1", "", "0123456789abcdef0123456789abcdeg"] {
            assert_eq!(send(&gateway, &[("idempotency-key", key)], &order()).await.status, 400, "{key}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn one_address_has_a_limit() {
    let gateway = start(&Database::sqlite()).await;
    let request = |number: usize| {
        let path = if number.is_multiple_of(2) { "/checkout/api/payments" } else { "/checkout/api/convert" };
        gateway.request(Method::POST, path, None).body("{}")
    };
    for number in 0..200 {
        let response = request(number).send().await.unwrap();
        if response.status() == 429 {
            assert!(number >= 50, "after {number}");
            let pause = response.headers()["retry-after"].to_str().unwrap().parse::<u64>().unwrap();
            assert!((1..=2).contains(&pause), "{pause} s");
            assert_eq!(Answer::of(response).await.json()["title"], "Too Many Requests");
            return;
        }
    }
    panic!("200 requests at once");
}

#[tokio::test(flavor = "multi_thread")]
async fn strangers_are_served_only_where_the_operator_says_so() {
    let database = Database::sqlite();
    let arguments = ["serve", "--page-merchant", "shop-42", "--listen", "0.0.0.0:0"];
    // It would go on for ever if it started.
    let output =
        Command::new(PROGRAM).args(arguments).env("GATEWAY_DATABASE", &database.url).kill_on_drop(true).output();
    let output =
        tokio::time::timeout(std::time::Duration::from_secs(10), output).await.expect("it has started").unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success() && error.contains("--page-public"), "{error}");
    let options =
        ["--page-merchant", "shop-42", "--listen", "0.0.0.0:0", "--admin-listen", "127.0.0.1:0", "--page-public"];
    let mut gateway = Command::new(PROGRAM)
        .arg("serve")
        .args(options)
        .env("GATEWAY_DATABASE", &database.url)
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()
        .unwrap();
    tokio::time::sleep(std::time::Duration::from_secs(1)).await;
    assert!(gateway.try_wait().unwrap().is_none(), "it serves");
}
