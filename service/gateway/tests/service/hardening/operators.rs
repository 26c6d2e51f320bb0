//! Operators have an address, tokens and a limit of their own, and what they do is recorded.

use std::net::{IpAddr, SocketAddr};
use std::process::Stdio;
use std::time::Duration;

use reqwest::{Client, Method, Response};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::Command;

use crate::database::Database;
use crate::gateway::{self, Answer, BODY, Gateway, PROGRAM};

async fn advance(gateway: &Gateway, uid: &str, token: &str, to: &str) -> Answer {
    let path = format!("/operator/payments/{uid}/advance");
    let request = gateway
        .request(Method::POST, &path, Some(token))
        .body(json!({"to": to}).to_string());
    Answer::of(request.send().await.unwrap()).await
}

fn audit(database: &Database) -> Vec<Value> {
    let (shown, lines, error) = gateway::run(database, &["audit"]);
    assert!(shown, "{error}");
    lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_public_address_serves_no_operator() {
    let database = Database::sqlite();
    let operator = gateway::operator(&database, "anna");
    let gateway = Gateway::start(&database, &[]).await;
    for (method, path) in [
        (Method::GET, "/metrics"),
        (Method::GET, "/readyz"),
        (Method::GET, "/operator/audit"),
        (Method::POST, "/operator/payments/7/advance"),
    ] {
        let public = gateway
            .client
            .request(method.clone(), format!("{}{path}", gateway.base))
            .bearer_auth(&operator);
        assert_eq!(public.send().await.unwrap().status(), 404, "{path}");
        let own = gateway
            .request(method, path, Some(&operator))
            .body(r#"{"to":"routed"}"#)
            .send()
            .await
            .unwrap();
        let is_there = own.headers()["content-type"] != "application/json" || own.status() != 404;
        assert!(
            is_there || own.text().await.unwrap().contains("payment_not_found"),
            "{path}"
        );
    }
    for path in ["/healthz", "/v1/partner/balance", "/docs", "/openapi.json"] {
        let status = gateway
            .client
            .get(format!("{}{path}", gateway.admin))
            .send()
            .await
            .unwrap()
            .status();
        assert_eq!(status, if path == "/healthz" { 200 } else { 404 }, "{path}");
    }
    // An address that is taken is reported by the name of its setting.
    let taken = gateway.admin.trim_start_matches("http://");
    let (started, _, error) = gateway::run(
        &database,
        &["serve", "--listen", "127.0.0.1:0", "--admin-listen", taken],
    );
    assert!(!started && error.contains("admin-listen: "), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn each_action_is_recorded_with_who_when_from_where_before_and_after() {
    for database in Database::both().await {
        let token = gateway::token(&database, "shop-42");
        let (anna, boris) = (
            gateway::operator(&database, "anna"),
            gateway::operator(&database, "boris"),
        );
        let gateway = Gateway::start(&database, &[]).await;
        let created = gateway.create(&token, None, BODY).await;
        let uid = created.uid();
        let routed = advance(&gateway, &uid, &anna, "routed").await;
        assert_eq!(routed.status, 200, "{}", routed.text);
        assert_eq!(advance(&gateway, &uid, &boris, "idle").await.status, 409);
        assert_eq!(
            advance(&gateway, "x\u{0}y", &boris, "routed").await.status,
            404
        );
        assert!(gateway::run(&database, &["advance", &uid, "completed"]).0);
        assert!(gateway::run(&database, &["secret", "--merchant", "shop-42", "--rotate"]).0);
        assert!(
            gateway::run(
                &database,
                &["merchant-id", "--merchant", "shop-42", "--add", "shop-7"]
            )
            .0
        );

        let entries = audit(&database);
        let (_, listed, _) = gateway::run(&database, &["operator", "list"]);
        let id =
            |name: &str| listed.lines().find(|line| line.contains(name)).unwrap()[..8].to_owned();
        let found: Vec<_> = entries
            .iter()
            .map(|entry| {
                (
                    entry["action"].as_str().unwrap(),
                    entry["result"].as_str().unwrap(),
                )
            })
            .collect();
        assert_eq!(
            found,
            [
                ("merchant-id add", "done"),
                ("secret rotate", "done"),
                ("advance", "done"),
                ("advance", "404"),
                ("advance", "409"),
                ("advance", "done"),
                ("operator new", "done"),
                ("operator new", "done"),
                ("token new", "done"),
            ]
        );
        let first = &entries[5];
        assert_eq!(first["operator"], format!("anna ({})", id("anna")));
        assert_eq!(
            (&first["origin"], &first["subject"]),
            (&json!("127.0.0.1"), &json!(uid))
        );
        assert_eq!(
            (&first["before"], &first["after"]),
            (&json!(created.text), &json!(routed.text))
        );
        assert!(first["at"].as_str().unwrap().starts_with("20"));
        assert_eq!(entries[4]["operator"], format!("boris ({})", id("boris")));
        assert!(
            entries[2]["operator"]
                .as_str()
                .unwrap()
                .starts_with("user "),
            "the command line"
        );
        assert_eq!(entries[0]["after"], "shop-7");
        // Over HTTP too, for operators.
        let read = gateway.get("/operator/audit", Some(&boris)).await;
        assert_eq!(read.json().as_array().unwrap(), &entries);
        assert_eq!(
            gateway.get("/operator/audit", Some(&token)).await.status,
            401
        );
        // Neither a token nor a secret is in it, nor anywhere else in the database.
        let (_, secret, _) = gateway::run(&database, &["secret", "--merchant", "shop-42"]);
        let all = serde_json::to_string(&entries).unwrap();
        for hidden in [&anna, &boris, &token, secret.trim()] {
            assert!(!all.contains(hidden));
        }
        let hashes = database.texts("SELECT hash FROM operators").await;
        assert!(hashes.iter().all(|hash| hash.len() == 64) && hashes.len() == 2);
        // A revoked token does nothing.
        assert!(gateway::run(&database, &["operator", "revoke", &id("anna")]).0);
        assert_eq!(
            advance(&gateway, &uid, &anna, "chargeback").await.status,
            401
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_token_of_an_operator_is_no_token_of_a_merchant() {
    let folder = tempfile::tempdir().unwrap();
    const SESSION: &str = r#"{"amount":"990.50","currency":"RUB","order":"order-1"}"#;
    for database in Database::both().await {
        // The name is that of a merchant.
        let token = gateway::token(&database, "shop-42");
        let operator = gateway::operator(&database, "shop-42");
        let page = folder.path().to_str().unwrap();
        let gateway = Gateway::start(&database, &["--page", page]).await;
        let uid = gateway.create(&token, None, BODY).await.uid();
        let status = format!("/v1/payments/{uid}/status");
        for (method, path, body) in [
            (Method::POST, "/v1/payments/new", BODY),
            (Method::GET, status.as_str(), ""),
            (Method::GET, "/v1/partner/balance", ""),
            (Method::POST, "/checkout/sessions", SESSION),
        ] {
            let send = async |token: &str| {
                let request = gateway.request(method.clone(), path, Some(token));
                Answer::of(request.body(body).send().await.unwrap()).await
            };
            let refused = send(&operator).await;
            assert_eq!(refused.status, 401, "{path}: {}", refused.text);
            let challenge = r#"Bearer error="invalid_token""#;
            assert_eq!(refused.challenge.as_deref(), Some(challenge), "{path}");
            let accepted = send(&token).await;
            assert!([200, 201].contains(&accepted.status), "{}", accepted.text);
        }
        for (table, count) in [("payments", 2), ("checkout_sessions", 1)] {
            let query = format!("SELECT count(*) FROM {table}");
            assert_eq!(database.count(&query).await, count, "{table}");
        }
    }
}

/// Returns a client at an address of this machine.
fn client_at(last: u8) -> Client {
    Client::builder()
        .local_address(IpAddr::from([127, 0, 0, last]))
        .no_proxy()
        .build()
        .unwrap()
}

/// Requests the audit with a header that names another address.
async fn ask(gateway: &Gateway, client: &Client, token: &str, forwarded: &str) -> Response {
    let request = client
        .get(format!("{}/operator/audit", gateway.admin))
        .bearer_auth(token)
        .header("x-forwarded-for", forwarded);
    request.send().await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn tokens_cannot_be_guessed() {
    let database = Database::sqlite();
    let operator = gateway::operator(&database, "anna");
    let merchant = gateway::token(&database, "shop-42");
    let gateway = Gateway::start(&database, &["--trusted-proxy", "127.0.0.0/8"]).await;
    let [one, other, third] = [2, 3, 4].map(client_at);
    // Each attempt names another address.
    for number in 0..5 {
        let forwarded = format!("192.0.2.{number}");
        let answer = ask(&gateway, &one, &merchant, &forwarded).await;
        assert_eq!(answer.status(), 401);
    }
    // Even the right one: an answer would say that it is right.
    let locked = ask(&gateway, &one, &operator, "192.0.2.9").await;
    assert_eq!(locked.status(), 429);
    let pause: u64 = locked.headers()["retry-after"]
        .to_str()
        .unwrap()
        .parse()
        .unwrap();
    assert!((50..=61).contains(&pause), "{pause} s");
    // A client does not lock out another address by naming it.
    for number in 0..6 {
        let answer = ask(&gateway, &third, &merchant, "127.0.0.3").await;
        let expected = if number < 5 { 401 } else { 429 };
        assert_eq!(answer.status(), expected, "attempt {number}");
    }
    let answer = ask(&gateway, &other, &operator, "127.0.0.2").await;
    assert_eq!(answer.status(), 200, "another address");
    let mut refused = 0;
    for _ in 0..200 {
        let answer = ask(&gateway, &other, &operator, "192.0.2.2").await;
        refused += u32::from(answer.status() == 429);
    }
    assert!(refused > 0, "a token has a limit");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_origin_of_an_action_is_the_peer() {
    let database = Database::sqlite();
    let anna = gateway::operator(&database, "anna");
    let token = gateway::token(&database, "shop-42");
    let gateway = Gateway::start(&database, &["--trusted-proxy", "127.0.0.0/8"]).await;
    let uid = gateway.create(&token, None, BODY).await.uid();
    let path = format!("/operator/payments/{uid}/advance");
    for to in ["routed", "idle"] {
        let request = gateway
            .request(Method::POST, &path, Some(&anna))
            .header("x-forwarded-for", "203.0.113.77")
            .body(json!({"to": to}).to_string());
        request.send().await.unwrap();
    }
    let origins: Vec<_> = audit(&database)
        .into_iter()
        .filter(|entry| entry["action"] == "advance")
        .map(|entry| entry["origin"].clone())
        .collect();
    assert_eq!(origins, ["127.0.0.1", "127.0.0.1"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_second_listener_is_on_loopback() {
    let database = Database::sqlite();
    // In a network of its own all ports are free, so also the default one.
    let mut command = Command::new("unshare");
    command.args([
        "-rn",
        "sh",
        "-c",
        r#"ip link set lo up && exec "$@""#,
        "sh",
        PROGRAM,
        "serve",
        "--log-format",
        "json",
    ]);
    let mut child = command
        .env("GATEWAY_DATABASE", &database.url)
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    let admin = tokio::time::timeout(Duration::from_secs(30), async {
        while let Some(line) = lines.next_line().await.unwrap() {
            let entry: Value = serde_json::from_str(&line).unwrap_or_else(|_| panic!("{line}"));
            if entry["message"] == "listening" {
                return entry["admin"]
                    .as_str()
                    .unwrap()
                    .parse::<SocketAddr>()
                    .unwrap();
            }
        }
        panic!("the gateway has ended");
    });
    let admin = admin.await.expect("it listens");
    assert!(admin.ip().is_loopback() && admin.port() == 8090, "{admin}");
}
