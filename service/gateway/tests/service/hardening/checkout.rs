//! The limits of visitors of the checkout page, and of other pages in their browsers.

use std::process::Stdio;

use reqwest::Method;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::process::Command;

use crate::database::Database;
use crate::gateway::{self, Answer, Gateway, PROGRAM};

const SESSION: &str = "checkout-session";
const KEY: &str = "0123456789abcdef0123456789abcdef";

fn order() -> Value {
    json!({"payment_type": "pay_in", "mode": "P2P", "subtype": "sbp", "cur": "RUB", "amount": "1500.00"})
}

async fn start(database: &Database) -> Gateway {
    let mut command = Command::new(PROGRAM);
    command
        .env("GATEWAY_PAGE_MERCHANT", "shop-42")
        .env("GATEWAY_CALLBACK_ALLOW", "127.0.0.0/8");
    Gateway::start_with(command, &database.url, &[], Stdio::null()).await
}

/// A request with a session of the demonstration, unless the headers have one.
async fn send(gateway: &Gateway, headers: &[(&str, &str)], body: &Value) -> Answer {
    if headers.iter().any(|(name, _)| *name == SESSION) {
        return send_in_session(gateway, headers, body).await;
    }
    let session = demonstration(gateway).await;
    send_in_session(gateway, &[headers, &[(SESSION, &session)]].concat(), body).await
}

/// The id of a session that a visitor of the demonstration has created.
async fn demonstration(gateway: &Gateway) -> String {
    let made = gateway
        .request(Method::POST, "/checkout/api/sessions", None)
        .send()
        .await
        .unwrap();
    Answer::of(made).await.json()["id"]
        .as_str()
        .unwrap()
        .to_owned()
}

async fn send_in_session(gateway: &Gateway, headers: &[(&str, &str)], body: &Value) -> Answer {
    let mut request = gateway
        .client
        .post(format!("{}/checkout/api/payments", gateway.base))
        .body(body.to_string());
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
    pay_out["pay_out_details"] =
        json!({"phone_number": "+79990000000", "bank_name": "bank", "full_name": "A B"});
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
    assert_eq!(
        send(&gateway, &[], &order()).await.json()["redirect_url"],
        own["redirect_url"],
        "it is the server's"
    );
    assert_eq!(
        database
            .count("SELECT count(*) FROM payments WHERE callback IS NOT NULL")
            .await,
        0
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn another_page_creates_nothing() {
    let database = Database::sqlite();
    let gateway = start(&database).await;
    let host = gateway.base.trim_start_matches("http://").to_owned();
    let local = host.replace("127.0.0.1", "localhost");
    for (headers, status) in [
        // Requests that a page may send to another origin without a preflight.
        (
            &[
                ("content-type", "text/plain"),
                ("origin", "https://evil.example"),
                ("sec-fetch-site", "cross-site"),
            ] as &[_],
            403,
        ),
        (&[("content-type", "text/plain")], 415),
        (
            &[
                ("content-type", "application/x-www-form-urlencoded"),
                ("sec-fetch-site", "cross-site"),
            ],
            403,
        ),
        (&[("origin", "https://evil.example")], 403),
        (&[("origin", "null")], 403),
        (&[("origin", "http://127.0.0.1:1")], 403),
        (&[("sec-fetch-site", "same-site")], 403),
        // A name of the attacker that leads to this machine.
        (
            &[
                ("host", "evil.example"),
                ("origin", "http://evil.example"),
                ("sec-fetch-site", "same-origin"),
            ],
            403,
        ),
        (&[("host", "evil.example")], 403),
        (&[("host", &local)], 201),
        (
            &[("origin", &gateway.base), ("sec-fetch-site", "same-origin")],
            201,
        ),
    ] {
        assert_eq!(
            send(&gateway, headers, &order()).await.status,
            status,
            "{headers:?}"
        );
    }
    assert_eq!(database.count("SELECT count(*) FROM payments").await, 2);
    let evil = gateway
        .request(Method::GET, "/checkout/api/payments/x", None)
        .header("host", "evil.example");
    assert_eq!(
        evil.send().await.unwrap().status(),
        403,
        "nor does it read one"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn visitors_have_keys_of_their_own() {
    for database in Database::both().await {
        let token = gateway::token(&database, "shop-42");
        let gateway = start(&database).await;
        let session = demonstration(&gateway).await;
        let headers = [("idempotency-key", KEY), (SESSION, &session)];
        let first = send(&gateway, &headers, &order()).await;
        assert_eq!(first.status, 201, "{}", first.text);
        // A minute ahead, so that a slow machine stays within the window.
        assert_eq!(
            database
                .execute("UPDATE idempotency SET created_at = created_at + 60000000")
                .await,
            1
        );
        let again = send(&gateway, &headers, &order()).await;
        assert!(again.replayed && again.text == first.text, "{again:?}");
        // The merchant has the same keys still.
        for key in [KEY, &session] {
            let own = gateway
                .create(&token, Some(key), &order().to_string())
                .await;
            assert!(
                own.status == 201 && !own.replayed && own.uid() != first.uid(),
                "{own:?}"
            );
        }
        // A key that can be guessed is rejected.
        gateway
            .create(&token, Some("order-1"), &order().to_string())
            .await;
        for key in ["order-1", "", "0123456789abcdef0123456789abcdeg"] {
            assert_eq!(
                send(&gateway, &[("idempotency-key", key)], &order())
                    .await
                    .status,
                400,
                "{key}"
            );
        }
    }
}

/// A gateway with a page and no demonstration.
async fn shop(database: &Database, folder: &tempfile::TempDir) -> Gateway {
    std::fs::write(
        folder.path().join("index.html"),
        "<!doctype html><title>page</title>",
    )
    .unwrap();
    Gateway::start(database, &["--page", folder.path().to_str().unwrap()]).await
}

async fn create_session(gateway: &Gateway, token: &str, body: &Value) -> Answer {
    let request = gateway
        .request(Method::POST, "/checkout/sessions", Some(token))
        .body(body.to_string());
    Answer::of(request.send().await.unwrap()).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_has_one_payment_of_its_order() {
    let folder = tempfile::tempdir().unwrap();
    for database in Database::both().await {
        let (token, other) = (
            gateway::token(&database, "shop-42"),
            gateway::token(&database, "shop-7"),
        );
        let gateway = shop(&database, &folder).await;
        let wanted = json!({"amount": "990.50", "currency": "RUB", "order": "order-1007"});
        let made = create_session(&gateway, &token, &wanted).await;
        assert_eq!(made.status, 201, "{}", made.text);
        let made = made.json();
        let session = made["id"].as_str().unwrap();
        assert_eq!(
            made["url"],
            format!("{}/checkout/?session={session}", gateway.base)
        );
        assert_eq!(
            (&made["open"], &made["payment"]),
            (&json!(true), &Value::Null)
        );
        let seen = gateway
            .get(&format!("/checkout/api/sessions/{session}"), None)
            .await
            .json();
        assert_eq!(
            seen,
            json!({"id": session, "merchant": "shop-42", "name": "shop-42", "order": "order-1007", "amount": "990.50", "currency": "RUB"})
        );
        // Another amount than the one of the session, or no session.
        let mut body = order();
        assert_eq!(
            send(&gateway, &[(SESSION, session)], &body).await.status,
            422
        );
        body["amount"] = json!("990.50");
        for unknown in ["", "x", KEY] {
            assert_eq!(
                send(&gateway, &[(SESSION, unknown)], &body).await.status,
                404,
                "{unknown}"
            );
        }
        assert_eq!(send_in_session(&gateway, &[], &body).await.status, 404);
        assert_eq!(database.count("SELECT count(*) FROM payments").await, 0);
        // Two visitors at once, with keys of their own: one payment.
        let headers = [(SESSION, session), ("idempotency-key", KEY)];
        let (one, two) = tokio::join!(
            send(&gateway, &headers[..1], &body),
            send(&gateway, &headers, &body)
        );
        assert_eq!((one.status, two.status, one.uid()), (201, 201, two.uid()));
        assert_eq!(
            (&one.json()["merchant_id"], &one.json()["amount"]),
            (&json!("shop-42"), &json!("990.50"))
        );
        body["bank_name"] = json!("bank");
        assert_eq!(
            send(&gateway, &headers[..1], &body).await.status,
            409,
            "another payment in the same session"
        );
        assert_eq!(database.count("SELECT count(*) FROM payments").await, 1);
        // The merchant finds it; another one finds nothing.
        let path = format!("/checkout/sessions/{session}");
        let shown = gateway.get(&path, Some(&token)).await.json();
        assert_eq!(
            (&shown["payment"], &shown["open"]),
            (&json!(one.uid()), &json!(false))
        );
        assert_eq!(gateway.get(&path, Some(&other)).await.status, 404);
        // A payment is read with the session; without one there is no merchant.
        let status = format!("/checkout/api/payments/{}", one.uid());
        assert_eq!(gateway.get(&status, None).await.status, 404);
        let read = gateway
            .request(Method::GET, &status, None)
            .header(SESSION, session)
            .send()
            .await
            .unwrap();
        assert_eq!(Answer::of(read).await.text, one.text);
        // The same order again is the same session, under another merchant another one.
        assert_eq!(
            create_session(&gateway, &token, &wanted).await.json()["id"],
            session
        );
        assert_ne!(
            create_session(&gateway, &other, &wanted).await.json()["id"],
            session
        );
        let mut dearer = wanted.clone();
        dearer["amount"] = json!("991.50");
        assert_eq!(create_session(&gateway, &token, &dearer).await.status, 409);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn only_merchants_create_sessions_and_they_expire() {
    let (folder, database) = (tempfile::tempdir().unwrap(), Database::sqlite());
    let token = gateway::token(&database, "shop-42");
    let gateway = shop(&database, &folder).await;
    let wanted =
        json!({"amount": "1500.00", "currency": "RUB", "order": "order-1", "expires_in": 1});
    let stranger = gateway
        .request(Method::POST, "/checkout/sessions", None)
        .body(wanted.to_string());
    assert_eq!(stranger.send().await.unwrap().status(), 401);
    assert_eq!(create_session(&gateway, "pgw_x", &wanted).await.status, 401);
    let own = gateway
        .request(Method::POST, "/checkout/api/sessions", None)
        .send()
        .await
        .unwrap();
    assert_eq!(own.status(), 404, "there is no demonstration");
    for (member, value) in [
        ("amount", json!("0")),
        ("amount", json!("-1")),
        ("amount", json!("1.001")),
        ("amount", json!(1)),
        ("currency", json!("XXX")),
        ("order", json!("")),
        ("order", json!("a\nb")),
        ("order", json!("x".repeat(129))),
        ("expires_in", json!(0)),
        ("expires_in", json!(2_592_001)),
        ("callback", json!("https://shop.example/")),
    ] {
        let mut wrong = wanted.clone();
        wrong[member] = value;
        let answer = create_session(&gateway, &token, &wrong).await;
        assert_eq!(answer.status, 422, "{wrong}: {}", answer.text);
    }
    let made = create_session(&gateway, &token, &wanted).await.json();
    let session = made["id"].as_str().unwrap();
    tokio::time::sleep(std::time::Duration::from_millis(1500)).await;
    assert_eq!(
        send(&gateway, &[(SESSION, session)], &order()).await.status,
        404
    );
    assert_eq!(
        gateway
            .get(&format!("/checkout/api/sessions/{session}"), None)
            .await
            .status,
        404
    );
    assert_eq!(
        gateway
            .get(&format!("/checkout/sessions/{session}"), Some(&token))
            .await
            .json()["open"],
        false
    );
    // A new time for the order opens it, and a payment stays reachable after its session.
    let mut again = wanted.clone();
    again["expires_in"] = json!(600);
    assert_eq!(
        create_session(&gateway, &token, &again).await.json()["id"],
        session
    );
    let paid = send(&gateway, &[(SESSION, session)], &order()).await;
    assert_eq!(paid.status, 201, "{}", paid.text);
    assert_eq!(
        database
            .execute("UPDATE checkout_sessions SET expires_at = expires_at - 601000000")
            .await,
        1
    );
    assert_eq!(
        database
            .execute("UPDATE idempotency SET created_at = created_at - 2000000")
            .await,
        1
    );
    // The key of the session is known for ever.
    assert_eq!(
        send(&gateway, &[(SESSION, session)], &order()).await.status,
        409
    );
    let read = gateway.request(
        Method::GET,
        &format!("/checkout/api/payments/{}", paid.uid()),
        None,
    );
    assert_eq!(
        read.header(SESSION, session).send().await.unwrap().status(),
        200
    );
}

/// Creates a payment with the merchant's token, and returns what the page shows of its merchant.
async fn shown(gateway: &Gateway, token: &str, redirect_url: &str) -> Value {
    let mut body = order();
    body["redirect_url"] = json!(redirect_url);
    let created = gateway.create(token, None, &body.to_string()).await;
    assert_eq!(created.status, 201, "{redirect_url}: {}", created.text);
    let url = created.json()["url"].as_str().unwrap().to_owned();
    let (path, view) = url.split_once("?view=").unwrap();
    let uid = path.rsplit('/').next().unwrap();
    let request = gateway.request(
        Method::GET,
        &format!("/checkout/api/payments/{uid}/merchant"),
        None,
    );
    let shown = Answer::of(request.header("checkout-view", view).send().await.unwrap()).await;
    assert_eq!(shown.status, 200, "{}", shown.text);
    shown.json()
}

#[tokio::test(flavor = "multi_thread")]
async fn payers_are_led_to_registered_origins_only() {
    const ORDER: &str = "https://shop.example/orders/1007?paid=1";
    let folder = tempfile::tempdir().unwrap();
    for database in Database::both().await {
        let token = gateway::token(&database, "shop-42");
        let gateway = shop(&database, &folder).await;
        assert_eq!(
            shown(&gateway, &token, ORDER).await,
            json!({"name": "shop-42", "redirect_url": null})
        );
        let mut session = json!({"amount": "1500.00", "currency": "RUB", "order": "order-1", "redirect_url": ORDER});
        assert_eq!(create_session(&gateway, &token, &session).await.status, 422);
        let register = |arguments: &[&str]| {
            gateway::run(
                &database,
                &[&["merchant", "--merchant", "shop-42"], arguments].concat(),
            )
        };
        for wrong in [
            "hush.example",
            "https://hush.example/x",
            "https://a@hush.example",
            "javascript:hush",
            "ftp://hush.example",
        ] {
            let (done, _, error) = register(&["--add-origin", wrong]);
            assert!(
                !done && error.contains("add-origin") && !error.contains("hush"),
                "{error}"
            );
        }
        let (done, out, error) = register(&[
            "--name",
            "Anna's Tea",
            "--add-origin",
            "HTTPS://Shop.example:443/",
        ]);
        assert!(
            done && out == "name: Anna's Tea\norigin: https://shop.example\n",
            "{out}{error}"
        );
        assert_eq!(
            shown(&gateway, &token, ORDER).await,
            json!({"name": "Anna's Tea", "redirect_url": ORDER})
        );
        for other in [
            "http://shop.example/",
            "https://shop.example:8443/",
            "https://shop.example.evil.example/",
            "https://shop.example@evil.example/",
            "https://evil.example@shop.example/",
            "https://evil.example/?https://shop.example/",
            "https://www.shop.example/",
        ] {
            // The library accepts no address with a name before its host.
            if !other.contains('@') {
                assert_eq!(
                    shown(&gateway, &token, other).await["redirect_url"],
                    Value::Null,
                    "{other}"
                );
            }
            session["redirect_url"] = json!(other);
            assert_eq!(
                create_session(&gateway, &token, &session).await.status,
                422,
                "{other}"
            );
        }
        // Another merchant has its own.
        let other = gateway::token(&database, "shop-7");
        assert_eq!(
            shown(&gateway, &other, ORDER).await,
            json!({"name": "shop-7", "redirect_url": null})
        );
        // A session leads where its merchant has chosen.
        session["redirect_url"] = json!(ORDER);
        let made = create_session(&gateway, &token, &session).await.json();
        let headers = [(SESSION, made["id"].as_str().unwrap())];
        let paid = send(&gateway, &headers, &order()).await;
        assert_eq!(
            (paid.status, &paid.json()["redirect_url"]),
            (201, &json!(ORDER)),
            "{}",
            paid.text
        );
        assert!(register(&["--remove-origin", "https://shop.example"]).0);
        assert_eq!(
            shown(&gateway, &token, ORDER).await["redirect_url"],
            Value::Null,
            "not for ever"
        );
        // Operators are recorded.
        let (_, entries, _) = gateway::run(&database, &["audit"]);
        for action in ["merchant name", "origin add", "origin remove"] {
            assert!(
                entries.contains(&format!(r#""action":"{action}""#)),
                "{entries}"
            );
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_payment_is_shown_to_those_who_have_its_address() {
    let folder = tempfile::tempdir().unwrap();
    for database in Database::both().await {
        let (token, other) = (
            gateway::token(&database, "shop-42"),
            gateway::token(&database, "shop-7"),
        );
        let (one, two) = (
            shop(&database, &folder).await,
            shop(&database, &folder).await,
        );
        let created = one.create(&token, None, &order().to_string()).await;
        let url = created.json()["url"].as_str().unwrap().to_owned();
        let view = url.split_once("?view=").unwrap().1;
        let another = one.create(&other, None, &order().to_string()).await;
        for end in ["", "/merchant"] {
            let read = async |gateway: &Gateway, uid: &str, view: &str| {
                let request = gateway.request(
                    Method::GET,
                    &format!("/checkout/api/payments/{uid}{end}"),
                    None,
                );
                request
                    .header("checkout-view", view)
                    .send()
                    .await
                    .unwrap()
                    .status()
            };
            // Any gateway of the database knows it.
            assert_eq!(
                (
                    read(&one, &created.uid(), view).await,
                    read(&two, &created.uid(), view).await
                ),
                (reqwest::StatusCode::OK, reqwest::StatusCode::OK)
            );
            assert_eq!(
                read(&one, &created.uid().to_uppercase(), view).await,
                200,
                "the same uid"
            );
            let upper = view.to_uppercase();
            assert_ne!(upper, view);
            for wrong in ["", "x", &view[1..], &"0".repeat(32), &upper] {
                assert_eq!(read(&one, &created.uid(), wrong).await, 404, "{wrong}");
            }
            assert_eq!(
                read(&one, &another.uid(), view).await,
                404,
                "of another payment"
            );
        }
        let (_, log) = (view, one.log());
        assert!(!log.contains(view), "{log}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn one_address_has_a_limit() {
    let gateway = start(&Database::sqlite()).await;
    let request = |number: usize| {
        let path = if number.is_multiple_of(2) {
            "/checkout/api/payments"
        } else {
            "/checkout/api/convert"
        };
        gateway.request(Method::POST, path, None).body("{}")
    };
    for number in 0..200 {
        let response = request(number).send().await.unwrap();
        if response.status() == 429 {
            assert!(number >= 50, "after {number}");
            let pause = response.headers()["retry-after"]
                .to_str()
                .unwrap()
                .parse::<u64>()
                .unwrap();
            assert!((1..=2).contains(&pause), "{pause} s");
            assert_eq!(
                Answer::of(response).await.json()["title"],
                "Too Many Requests"
            );
            return;
        }
    }
    panic!("200 requests at once");
}

#[tokio::test(flavor = "multi_thread")]
async fn strangers_are_served_only_where_the_operator_says_so() {
    let database = Database::sqlite();
    let arguments = [
        "serve",
        "--page-merchant",
        "shop-42",
        "--listen",
        "0.0.0.0:0",
    ];
    // It would go on for ever if it started.
    let output = Command::new(PROGRAM)
        .args(arguments)
        .env("GATEWAY_DATABASE", &database.url)
        .kill_on_drop(true)
        .output();
    let output = tokio::time::timeout(std::time::Duration::from_secs(10), output)
        .await
        .expect("it has started")
        .unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(
        !output.status.success() && error.contains("--page-public"),
        "{error}"
    );
    let options = [
        "--page-merchant",
        "shop-42",
        "--listen",
        "0.0.0.0:0",
        "--admin-listen",
        "127.0.0.1:0",
        "--page-public",
    ];
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

/// Returns the id of a session for an order of 1500.00 RUB.
async fn session_of(gateway: &Gateway, token: &str, order: &str, expires_in: u32) -> String {
    let body =
        json!({"amount": "1500.00", "currency": "RUB", "order": order, "expires_in": expires_in});
    let made = create_session(gateway, token, &body).await;
    assert_eq!(made.status, 201, "{}", made.text);
    made.json()["id"].as_str().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_paid_order_stays_paid_after_retention() {
    let folder = tempfile::tempdir().unwrap();
    for database in Database::both().await {
        let token = gateway::token(&database, "shop-42");
        let (paid, uid) = {
            let gateway = shop(&database, &folder).await;
            let paid = session_of(&gateway, &token, "order-1", 600).await;
            session_of(&gateway, &token, "order-2", 600).await;
            let first = send(&gateway, &[(SESSION, &paid)], &order()).await;
            assert_eq!(first.status, 201, "{}", first.text);
            (paid, first.uid())
        };
        database
            .execute("UPDATE checkout_sessions SET expires_at = expires_at - 10000000000")
            .await;
        std::fs::write(folder.path().join("index.html"), "page").unwrap();
        let options = [
            "--page",
            folder.path().to_str().unwrap(),
            "--keep-events",
            "0",
        ];
        let gateway = Gateway::start(&database, &options).await;
        database
            .wait("SELECT count(*) FROM checkout_sessions", 1)
            .await;
        database
            .wait("SELECT count(*) FROM checkout_sessions WHERE NOT paid", 0)
            .await;
        // The shop asks for a session again, as if it had lost the first one.
        let body = json!({"amount": "1500.00", "currency": "RUB", "order": "order-1"});
        let again = create_session(&gateway, &token, &body).await.json();
        assert_eq!(
            (&again["id"], &again["open"], &again["payment"]),
            (&json!(paid), &json!(false), &json!(uid))
        );
        let second = send(&gateway, &[(SESSION, &paid)], &order()).await;
        assert!(second.status == 409 || second.uid() == uid, "{second:?}");
        assert_eq!(database.count("SELECT count(*) FROM payments").await, 1);
        // The bytes of the other session are free again.
        let other = session_of(&gateway, &token, "order-2", 600).await;
        assert_ne!(other, paid);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_that_ends_while_the_body_arrives_is_not_paid() {
    let folder = tempfile::tempdir().unwrap();
    for database in Database::both().await {
        let token = gateway::token(&database, "shop-42");
        let gateway = shop(&database, &folder).await;
        for (order_id, ends) in [("order-1", true), ("order-2", false)] {
            let session = session_of(&gateway, &token, order_id, 600).await;
            let address = gateway.base.trim_start_matches("http://");
            let mut stream = TcpStream::connect(address).await.unwrap();
            let body = order().to_string();
            let length = body.len();
            let head = format!(
                "POST /checkout/api/payments HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\
                 content-type: application/json\r\ncheckout-session: {session}\r\nexpect: 100-continue\r\n\
                 content-length: {length}\r\n\r\n"
            );
            stream.write_all(head.as_bytes()).await.unwrap();
            // The session was open when the gateway has begun to read the body.
            gateway::continued(&mut stream).await;
            if ends {
                let end = format!(
                    "UPDATE checkout_sessions SET expires_at = expires_at - 601000000 WHERE id = '{session}'"
                );
                assert_eq!(database.execute(&end).await, 1);
            }
            stream.write_all(body.as_bytes()).await.unwrap();
            let mut answer = String::new();
            stream.read_to_string(&mut answer).await.unwrap();
            let (status, payments) = if ends { (404, 0) } else { (201, 1) };
            assert!(
                answer.starts_with(&format!("HTTP/1.1 {status}")),
                "{answer}"
            );
            let count = database.count("SELECT count(*) FROM payments").await;
            assert_eq!(count, payments);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn sessions_of_a_revoked_merchant_are_closed() {
    let folder = tempfile::tempdir().unwrap();
    for database in Database::both().await {
        let (token, other) = (
            gateway::token(&database, "shop-42"),
            gateway::token(&database, "shop-7"),
        );
        let gateway = shop(&database, &folder).await;
        let session = session_of(&gateway, &token, "order-1", 600).await;
        let paid = session_of(&gateway, &token, "order-2", 600).await;
        let others = session_of(&gateway, &other, "order-1", 600).await;
        let first = send(&gateway, &[(SESSION, &paid)], &order()).await;
        assert_eq!(first.status, 201, "{}", first.text);
        let (_, tokens, _) = gateway::run(&database, &["token", "list"]);
        let id = tokens
            .lines()
            .find(|line| line.contains("shop-42"))
            .unwrap()
            .split(' ')
            .next()
            .unwrap();
        assert!(gateway::run(&database, &["token", "revoke", id]).0);
        let seen = async |id: &str| {
            let path = format!("/checkout/api/sessions/{id}");
            gateway.get(&path, None).await.status
        };
        assert_eq!((seen(&session).await, seen(&others).await), (404, 200));
        let refused = send(&gateway, &[(SESSION, &session)], &order()).await;
        assert_eq!(refused.status, 404);
        let accepted = send(&gateway, &[(SESSION, &others)], &order()).await;
        assert_eq!(accepted.status, 201);
        // What was paid before can be seen.
        let again = send(&gateway, &[(SESSION, &paid)], &order()).await;
        assert!(
            again.status == 409 || again.uid() == first.uid(),
            "{again:?}"
        );
        assert_eq!(database.count("SELECT count(*) FROM payments").await, 2);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_merchant_closes_a_session() {
    let folder = tempfile::tempdir().unwrap();
    for database in Database::both().await {
        let (token, other) = (
            gateway::token(&database, "shop-42"),
            gateway::token(&database, "shop-7"),
        );
        let gateway = shop(&database, &folder).await;
        let session = session_of(&gateway, &token, "order-1", 600).await;
        let close = async |token: Option<&str>| {
            let path = format!("/checkout/sessions/{session}");
            let request = gateway.request(Method::DELETE, &path, token);
            Answer::of(request.send().await.unwrap()).await
        };
        assert_eq!(close(None).await.status, 401);
        assert_eq!(close(Some(&other)).await.status, 404);
        let path = format!("/checkout/api/sessions/{session}");
        assert_eq!(gateway.get(&path, None).await.status, 200);
        for _ in 0..2 {
            let closed = close(Some(&token)).await;
            assert_eq!(
                (
                    closed.status,
                    &closed.json()["open"],
                    &closed.json()["payment"]
                ),
                (200, &json!(false), &Value::Null)
            );
        }
        assert_eq!(gateway.get(&path, None).await.status, 404);
        let refused = send(&gateway, &[(SESSION, &session)], &order()).await;
        assert_eq!(refused.status, 404);
        // A new request for the order opens it again, and a closed session names its payment.
        assert_eq!(session_of(&gateway, &token, "order-1", 600).await, session);
        let paid = send(&gateway, &[(SESSION, &session)], &order()).await;
        assert_eq!(paid.status, 201, "{}", paid.text);
        assert_eq!(close(Some(&token)).await.json()["payment"], paid.uid());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_shows_its_own_payment_only() {
    let folder = tempfile::tempdir().unwrap();
    for database in Database::both().await {
        let token = gateway::token(&database, "shop-42");
        let gateway = shop(&database, &folder).await;
        let session = session_of(&gateway, &token, "order-1", 600).await;
        let another = session_of(&gateway, &token, "order-2", 600).await;
        let own = send(&gateway, &[(SESSION, &session)], &order()).await;
        let of_merchant = gateway.create(&token, None, gateway::BODY).await;
        for (session, payment, status) in [
            (&session, &own, 200),
            (&another, &own, 404),
            (&session, &of_merchant, 404),
        ] {
            for end in ["", "/merchant"] {
                let path = format!("/checkout/api/payments/{}{end}", payment.uid());
                let read = gateway.request(Method::GET, &path, None);
                let answer = read.header(SESSION, session).send().await.unwrap();
                assert_eq!(answer.status(), status, "{path}");
            }
        }
    }
}
