//! The console, its live updates, and the embedded page.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;

use crate::http;
use crate::process::{Sandbox, body};

#[test]
fn has_its_files_and_the_table_of_scenarios() {
    let address = &Sandbox::shared().address;
    let get = |path| http::call(address, "GET", path, &[], None).unwrap();
    let page = get("/sandbox");
    assert!(
        page.status == 200
            && page
                .header("content-security-policy")
                .unwrap()
                .starts_with("default-src 'none'")
    );
    let table = String::from_utf8(crate::process::run(&["sandbox", "--scenarios"]).stdout).unwrap();
    for name in table
        .lines()
        .skip(1)
        .filter_map(|line| line.split(' ').next())
    {
        assert!(
            page.text.contains(&format!("<code>{name}</code>")),
            "{name}"
        );
    }
    for (path, kind) in [
        ("/sandbox/console.js", "text/javascript"),
        ("/sandbox/console.css", "text/css"),
    ] {
        let file = get(path);
        assert!(
            file.status == 200 && file.header("content-type").unwrap().starts_with(kind),
            "{path}"
        );
    }
    assert_eq!(get("/").header("location"), Some("/sandbox"));
    let checkout = get("/checkout/");
    assert!(
        checkout.status == 200
            && checkout.header("content-type") == Some("text/html; charset=utf-8")
    );
    assert_eq!(get("/checkout/api/config").json()["merchant"], "default");
}

#[test]
fn changes_are_announced() {
    let sandbox = Sandbox::shared();
    let merchant = sandbox.merchant();
    let mut stream = TcpStream::connect(&sandbox.address).unwrap();
    write!(
        stream,
        "GET /sandbox/events?merchant={} HTTP/1.1\r\nhost: {}\r\n\r\n",
        merchant.name, sandbox.address
    )
    .unwrap();
    let mut lines = BufReader::new(stream).lines().map(Result::unwrap);
    assert!(
        lines
            .by_ref()
            .take_while(|line| !line.is_empty())
            .any(|line| line == "content-type: text/event-stream")
    );
    merchant.create(&body());
    assert!(lines.any(|line| line == "event: change"));
}

/// The request is shown, but no card number.
#[test]
fn shows_no_card_data() {
    let merchant = Sandbox::shared().merchant();
    let scenarios = merchant.get("/sandbox/scenarios/completed_by_card").json();
    let mut request = body();
    request
        .as_object_mut()
        .unwrap()
        .extend(scenarios["trigger"].as_object().unwrap().clone());
    let uid = merchant.create(&request);
    let shown = merchant.get(&format!("/sandbox/payments/{uid}")).text;
    assert!(
        shown.contains("400000******0101")
            && !shown.contains("4000000000000101")
            && !shown.contains("\"123\"")
    );
}

#[test]
fn a_checkout_session_leads_to_its_merchant() {
    let merchant = Sandbox::shared().merchant();
    let order = serde_json::json!({"amount": "990.50", "currency": "RUB", "order": "order-1"});
    let session = merchant.post("/checkout/sessions", &order);
    assert_eq!(session.status, 201, "{}", session.text);
    let id = session.member("id");
    let address = &Sandbox::shared().address;
    let shown = http::call(
        address,
        "GET",
        &format!("/checkout/api/sessions/{id}"),
        &[],
        None,
    )
    .unwrap();
    assert_eq!(
        (shown.status, shown.member("merchant")),
        (200, merchant.name.clone())
    );
    let request =
        r#"{"payment_type":"pay_in","mode":"P2P","subtype":"sbp","cur":"RUB","amount":"990.50"}"#;
    let headers = [("checkout-session", id.as_str())];
    let paid = http::call(
        address,
        "POST",
        "/checkout/api/payments",
        &headers,
        Some(request),
    )
    .unwrap();
    assert_eq!(paid.status, 201, "{}", paid.text);
    assert_eq!(merchant.state(&paid.member("uid")), "idle");
}
