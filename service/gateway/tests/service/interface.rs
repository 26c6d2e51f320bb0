//! Every row of §4 and §7 of the specification, on both databases.

use payspec::{Authorization, CreateContext, Engine, Quote};
use reqwest::Method;
use serde_json::{Value, json};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::database::Database;
use crate::gateway::{self, Answer, BODY, Gateway};

const UNKNOWN: &str = "0b6ea6a6-4c5e-4b7e-9d0f-6a1f0c7b2e11";

fn body(name: &str) -> String {
    let path = format!(
        "{}/../../examples/bodies/{name}.json",
        env!("CARGO_MANIFEST_DIR")
    );
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The library's own answer for the uid and the time that the gateway chose.
fn library(body: &str, answer: &Value) -> String {
    let engine = Engine::default();
    let now = answer["created_date"].as_str().unwrap().parse().unwrap();
    let uid = answer["uid"].as_str().unwrap().parse().unwrap();
    let mut context = CreateContext::new(uid, now, Authorization::CheckedByCaller);
    context.merchant_id = Some("shop-42".into());
    let rate = "92.45".parse().unwrap();
    context.quote = Quote::new("RUB".parse().unwrap(), rate, Some(now)).ok();
    engine.create_payment(body.as_bytes(), &context).body_json()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_creation_is_answered_with_the_library_s_bytes_and_read_back() {
    for database in Database::both().await {
        let token = gateway::token(&database, "shop-42");
        gateway::run(
            &database,
            &[
                "merchant-id",
                "--merchant",
                "shop-42",
                "--add",
                "shop-tokyo",
            ],
        );
        let gateway = Gateway::start(&database, &["--demo-rates"]).await;
        for name in [
            "p2p-card",
            "p2p-sbp",
            "acquiring",
            "h2h-card",
            "crypto",
            "pay-out",
        ] {
            let body = body(name);
            let created = gateway.create(&token, None, &body).await;
            assert_eq!(
                (created.status, created.kind.as_str()),
                (201, "application/json"),
                "{name}: {}",
                created.text
            );
            let payment = created.json();
            assert_eq!(created.text, library(&body, &payment), "{name}");
            // §3: created is idle; §2.1: what a creation response carries.
            assert_eq!(payment["state"], "idle", "{name}");
            assert!(
                payment["paid_at"].is_null() && payment["fail_by"].is_null(),
                "{name}"
            );
            // §4.2: 200, the same Payment.
            let read = gateway
                .status(&token, payment["uid"].as_str().unwrap())
                .await;
            assert_eq!((read.status, &read.text), (200, &created.text), "{name}");
            let upper = gateway
                .status(&token, &payment["uid"].as_str().unwrap().to_uppercase())
                .await;
            assert_eq!((upper.status, &upper.text), (200, &created.text), "{name}");
        }
        let crypto = gateway.create(&token, None, &body("crypto")).await.json();
        assert_eq!(
            (&crypto["currency"], &crypto["requested_currency"]),
            (&json!("USDT"), &json!("RUB"))
        );
        // §4.3: 200 with cur.
        let balance = gateway.get("/v1/partner/balance", Some(&token)).await;
        assert_eq!(
            (balance.status, balance.json()),
            (
                200,
                json!({"cur": "RUB", "amount": "0.00", "balances": [{"cur": "RUB", "amount": "0.00"}]})
            )
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn card_numbers_are_stored_masked_and_codes_never() {
    for database in Database::both().await {
        let token = gateway::token(&database, "shop-42");
        let gateway = Gateway::start(&database, &["--log", "trace"]).await;
        let body = body("h2h-card");
        let card = serde_json::from_str::<Value>(&body).unwrap()["pay_in_details"]["card"].clone();
        let number = card["card_number"].as_str().unwrap();
        let created = gateway.create(&token, Some("card"), &body).await;
        assert_eq!(created.status, 201, "{}", created.text);
        let rows = database.texts("SELECT body FROM payments").await;
        assert_eq!(rows, [created.text]);
        let log = gateway.log_with(r#""status":201"#).await;
        let all = [
            rows.concat(),
            database
                .texts("SELECT first_body FROM idempotency")
                .await
                .concat(),
            log,
        ];
        for text in &all {
            assert!(
                !text.is_empty() && !text.contains(number),
                "a card number is kept or logged"
            );
            assert!(
                !text.contains("security_code\":\"7") && !text.contains("security_code\\\":\\\"7")
            );
            assert!(!text.contains(&token), "a token is kept or logged");
        }
        assert!(
            all[2].contains("a creation request"),
            "the redacted body is logged at debug"
        );
        let hashes = database.texts("SELECT hash FROM tokens").await;
        assert!(hashes.len() == 1 && hashes[0].len() == 64 && !token.contains(&hashes[0]));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn without_an_acceptable_credential_everything_is_401() {
    for database in Database::both().await {
        let token = gateway::token(&database, "shop-42");
        let gateway = Gateway::start(&database, &[]).await;
        let created = gateway.create(&token, None, BODY).await;
        let status = format!("/v1/payments/{}/status", created.uid());
        let rows = [
            (Method::POST, "/v1/payments/new"),
            (Method::GET, &status),
            (Method::GET, "/v1/partner/balance"),
        ];
        let refused = |answer: Answer, challenge: &str, what: &str| {
            assert_eq!(
                (answer.status, answer.code().as_str()),
                (401, "unauthorized"),
                "{what}"
            );
            assert_eq!(answer.kind, "application/json", "§1: all bodies are");
            assert_eq!(answer.challenge.as_deref(), Some(challenge), "{what}");
        };
        for (method, path) in &rows {
            let ask = |header: Option<String>| {
                let request = gateway.request(method.clone(), path, None).body(BODY);
                let request = match header {
                    Some(header) => request.header("authorization", header),
                    None => request,
                };
                async { Answer::of(request.send().await.unwrap()).await }
            };
            refused(ask(None).await, "Bearer", path);
            // Credentials of another scheme are not an attempt with this one (RFC 6750 §3.1).
            for header in ["Basic dTpw", &token] {
                refused(ask(Some(header.to_owned())).await, "Bearer", path);
            }
            for header in ["Bearer wrong", "Bearer", &format!("Bearer {token} {token}")] {
                refused(
                    ask(Some(header.to_owned())).await,
                    "Bearer error=\"invalid_token\"",
                    path,
                );
            }
            let lower = ask(Some(format!("bearer {token}"))).await;
            assert!(lower.status == 200 || lower.status == 201, "{}", lower.text);
        }
        // A revoked token is not valid.
        let (_, listed, _) = gateway::run(&database, &["token", "list"]);
        let id = listed.split_whitespace().next().unwrap();
        assert!(gateway::run(&database, &["token", "revoke", id]).0);
        assert!(
            !gateway::run(&database, &["token", "revoke", id]).0,
            "revoked twice"
        );
        for (method, path) in rows {
            let request = gateway.request(method, path, Some(&token)).body(BODY);
            let answer = Answer::of(request.send().await.unwrap()).await;
            refused(answer, "Bearer error=\"invalid_token\"", "revoked");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn answers_404_for_missing_payments_and_those_of_another_merchant() {
    for database in Database::both().await {
        let (token, other) = (
            gateway::token(&database, "shop-42"),
            gateway::token(&database, "shop-7"),
        );
        let gateway = Gateway::start(&database, &[]).await;
        let uid = gateway.create(&token, None, BODY).await.uid();
        assert_eq!(gateway.status(&token, &uid).await.status, 200);
        let bare = uid.replace('-', "");
        let braces = format!("%7B{uid}%7D");
        for (token, uid) in [
            (&other, uid.as_str()),
            (&token, UNKNOWN),
            (&token, "7"),
            (&token, &bare),
            (&token, &braces),
            (&token, "%00"),
            (&token, "%ff"),
            (&token, "a%2Fb"),
        ] {
            let answer = gateway.status(token, uid).await;
            assert_eq!(
                (answer.status, answer.code().as_str()),
                (404, "payment_not_found"),
                "{uid}"
            );
        }
        // Keys of two merchants are two keys.
        let one = gateway.create(&token, Some("order-1"), BODY).await;
        let two = gateway.create(&other, Some("order-1"), BODY).await;
        assert_eq!((one.status, two.status, two.replayed), (201, 201, false));
        assert_ne!(one.uid(), two.uid());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_payment_belongs_to_the_merchant_of_the_token() {
    let body = BODY.replacen('{', r#"{"merchant_id":"shop-7","#, 1);
    for database in Database::both().await {
        let (token, other) = (
            gateway::token(&database, "shop-42"),
            gateway::token(&database, "shop-7"),
        );
        let gateway = Gateway::start(&database, &[]).await;
        // D28: a merchant_id that is not assigned to the merchant of the token is a violation.
        let refused = gateway.create(&token, Some("order-1"), &body).await;
        let violation = &refused.json()["violations"][0];
        let found = (
            refused.status,
            violation["code"].as_str(),
            violation["path"].as_str(),
        );
        assert_eq!(
            found,
            (422, Some("merchant_not_allowed"), Some("/merchant_id")),
            "{}",
            refused.text
        );
        let (assigned, ids, error) = gateway::run(
            &database,
            &[
                "merchant-id",
                "--merchant",
                "shop-42",
                "--add",
                "shop-7",
                "--add",
                "x",
            ],
        );
        assert!(assigned && ids == "shop-7\nx\n", "{ids}{error}");
        let created = gateway.create(&token, Some("order-1"), &body).await;
        // D28: the Payment repeats the merchant_id of the body.
        assert_eq!(
            (created.status, created.json()["merchant_id"].as_str()),
            (201, Some("shop-7"))
        );
        let uid = created.uid();
        assert_eq!(gateway.status(&token, &uid).await.text, created.text);
        let answer = gateway.status(&other, &uid).await;
        assert_eq!(
            (answer.status, answer.code().as_str()),
            (404, "payment_not_found")
        );
        // The idempotency key belongs to the token's merchant too.
        assert_eq!(
            gateway.create(&token, Some("order-1"), &body).await.uid(),
            uid
        );
        let own = gateway.create(&other, Some("order-1"), &body).await;
        assert_eq!((own.status, own.replayed), (201, false));
        assert_ne!(own.uid(), uid);
        assert_eq!(gateway.status(&token, &own.uid()).await.status, 404);
        assert!(
            gateway::run(
                &database,
                &["merchant-id", "--merchant", "shop-42", "--remove", "shop-7"]
            )
            .0
        );
        assert_eq!(gateway.create(&token, None, &body).await.status, 422);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_processed_is_455() {
    for database in Database::both().await {
        let folder = tempfile::tempdir().unwrap();
        let rates = folder.path().join("rates.json");
        std::fs::write(
            &rates,
            r#"{"as_of":"2020-01-01T00:00:00Z","per_usdt":{"RUB":"92.45"}}"#,
        )
        .unwrap();
        let token = gateway::token(&database, "shop-42");
        let gateway = Gateway::start(&database, &["--rates", rates.to_str().unwrap()]).await;
        let crypto = |cur: &str| {
            format!(r#"{{"payment_type":"pay_in","mode":"CRYPTO","cur":"{cur}","amount":"10.00"}}"#)
        };
        for (body, code) in [
            (crypto("RUB"), "quote_stale"),
            (crypto("EUR"), "quote_missing"),
        ] {
            let answer = gateway.create(&token, Some("k"), &body).await;
            assert_eq!(
                (answer.status, answer.code().as_str()),
                (455, code),
                "{}",
                answer.text
            );
        }
        assert_eq!(database.count("SELECT count(*) FROM payments").await, 0);
        assert_eq!(
            database.count("SELECT count(*) FROM idempotency").await,
            0,
            "a key of no payment is free"
        );
        // A fresh rate, and the amount is too small for it.
        std::fs::write(&rates, r#"{"per_usdt":{"RUB":"92000000000"}}"#).unwrap();
        tokio::time::sleep(Duration::from_millis(1500)).await;
        let answer = gateway.create(&token, Some("k"), &crypto("RUB")).await;
        assert_eq!(
            (answer.status, answer.code().as_str()),
            (455, "amount_too_small"),
            "{}",
            answer.text
        );
        // Fiat needs no rate.
        assert_eq!(gateway.create(&token, Some("k"), BODY).await.status, 201);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn bodies_that_are_no_request() {
    for database in Database::both().await {
        let token = gateway::token(&database, "shop-42");
        let gateway = Gateway::start(&database, &[]).await;
        for (body, status, code) in [
            ("{", 400, "malformed_json"),
            ("", 400, "malformed_json"),
            ("[]", 422, "invalid_request"),
            (r#"{"payment_type":"pay_in"}"#, 422, "invalid_request"),
        ] {
            let answer = gateway.create(&token, None, body).await;
            assert_eq!(
                (answer.status, answer.code().as_str()),
                (status, code),
                "{body}"
            );
            let engine = Engine::default();
            let now = "2026-11-20T10:15:30Z".parse().unwrap();
            let context = CreateContext::new(
                UNKNOWN.parse().unwrap(),
                now,
                Authorization::CheckedByCaller,
            );
            assert_eq!(
                answer.text,
                engine.create_payment(body.as_bytes(), &context).body_json()
            );
        }
        for key in [
            "",
            "with a blank",
            &"k".repeat(256),
            "\"\"",
            "\"k",
            "\"k\" x",
        ] {
            let answer = gateway.create(&token, Some(key), BODY).await;
            assert_eq!(
                (answer.status, answer.code().as_str()),
                (400, "invalid_idempotency_key"),
                "{key}"
            );
        }
        assert_eq!(
            gateway
                .create(&token, Some(&"k".repeat(255)), BODY)
                .await
                .status,
            201
        );
        let limit = 65_536;
        let fits = format!("{BODY}{}", " ".repeat(limit - BODY.len()));
        assert_eq!(gateway.create(&token, None, &fits).await.status, 201);
        let over = gateway.create(&token, None, &format!("{fits} ")).await;
        assert_eq!((over.status, over.code().as_str()), (413, "body_too_large"));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_large_body_is_refused_before_it_is_sent() {
    let database = Database::sqlite();
    let token = gateway::token(&database, "shop-42");
    let gateway = Gateway::start(&database, &[]).await;
    let address = gateway.base.trim_start_matches("http://").to_owned();
    // Not one byte of the body is sent, and the answer is there all the same.
    for (authorization, status) in [
        (format!("Bearer {token}"), "413"),
        ("Bearer wrong".to_owned(), "401"),
    ] {
        let mut stream = TcpStream::connect(&address).await.unwrap();
        let head = format!(
            "POST /v1/payments/new HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\nauthorization: {authorization}\r\ncontent-length: 9999999999\r\n\r\n"
        );
        stream.write_all(head.as_bytes()).await.unwrap();
        let mut answer = vec![0; 12];
        stream.read_exact(&mut answer).await.unwrap();
        assert_eq!(
            String::from_utf8(answer).unwrap(),
            format!("HTTP/1.1 {status}")
        );
    }
}

/// RFC 9112, section 9.6: a client that knows that the connection ends sends its next request on
/// another one. Without the header that request could be lost.
#[tokio::test(flavor = "multi_thread")]
async fn a_body_that_is_not_read_ends_the_connection_and_the_answer_announces_it() {
    let database = Database::sqlite();
    let token = gateway::token(&database, "shop-42");
    let gateway = Gateway::start(&database, &[]).await;
    let address = gateway.base.trim_start_matches("http://").to_owned();
    let json = "content-type: application/json\r\n";
    let text = "content-type: text/plain\r\n";
    let known = format!("authorization: Bearer {token}\r\n");
    let whole = |body: &str| format!("content-length: {}\r\n\r\n{body}", body.len());
    let chunks = format!(
        "transfer-encoding: chunked\r\n\r\n{:x}\r\n{BODY}\r\n0\r\n\r\n",
        BODY.len()
    );
    let too_large = "content-length: 70000\r\n\r\n".to_owned();
    for (kind, authorization, rest, status, is_read) in [
        (json, known.as_str(), whole(BODY), 201, true),
        (json, &known, whole("{}"), 422, true),
        (json, &known, chunks, 201, true),
        (json, &known, too_large, 413, false),
        (text, &known, whole(BODY), 415, false),
        (json, "", whole(BODY), 401, false),
    ] {
        let mut stream = TcpStream::connect(&address).await.unwrap();
        let request =
            format!("POST /v1/payments/new HTTP/1.1\r\nhost: x\r\n{kind}{authorization}{rest}");
        stream.write_all(request.as_bytes()).await.unwrap();
        let head = head_of_answer(&mut stream).await;
        assert!(head.starts_with(&format!("HTTP/1.1 {status} ")), "{head}");
        let is_closing = head.contains("\r\nconnection: close\r\n");
        assert_eq!(is_closing, !is_read, "{head}");
    }
}

/// Returns an answer up to its body.
async fn head_of_answer(stream: &mut TcpStream) -> String {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        let byte = timeout(Duration::from_secs(60), stream.read_u8())
            .await
            .unwrap();
        head.push(byte.unwrap());
    }
    String::from_utf8(head).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn paths_and_methods_that_are_none_are_problems() {
    let database = Database::sqlite();
    let gateway = Gateway::start(&database, &[]).await;
    for (method, path, status) in [
        (Method::GET, "/", 404),
        (Method::GET, "/v1/payments/new", 405),
        (Method::POST, "/v1/partner/balance", 405),
        (Method::POST, "/v1/payments/pay_in", 404),
        (Method::GET, "/checkout/api/config", 404),
    ] {
        let answer = Answer::of(gateway.request(method, path, None).send().await.unwrap()).await;
        assert_eq!(
            (answer.status, answer.kind.as_str()),
            (status, "application/json"),
            "{path}"
        );
        assert_eq!(answer.json()["status"], status, "{path}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_name_of_the_client_s_own_is_not_logged() {
    let database = Database::sqlite();
    let token = gateway::token(&database, "shop-42");
    let folder = tempfile::tempdir().unwrap();
    let policy = folder.path().join("policy.json");
    std::fs::write(&policy, r#"{"severity":{"duplicate_member":"warning"}}"#).unwrap();
    let gateway = Gateway::start(&database, &["--policy", policy.to_str().unwrap()]).await;
    let extra =
        format!(r#","a\n2026 INFO forged":1,"\u001b[2J":2,"{token}":3,"{token}":4,"system":"x"}}"#);
    let created = gateway
        .create(&token, None, &BODY.replace('}', &extra))
        .await;
    assert_eq!(created.status, 201, "{}", created.text);
    // The line of the request follows its warnings.
    let log = gateway.log_with(r#""status":201"#).await;
    assert_eq!(
        log.matches(r#""code":"unknown_member","target""#).count(),
        3,
        "{log}"
    );
    assert_eq!(
        log.matches(r#""code":"duplicate_member","target""#).count(),
        1,
        "{log}"
    );
    assert_eq!(
        log.matches(r#""code":"legacy_member","path":"/system""#)
            .count(),
        1,
        "{log}"
    );
    assert!(
        !log.contains("forged") && !log.contains("[2J") && !log.contains(&token),
        "{log}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_compressed_body_is_415_with_the_accepted_encoding() {
    let database = Database::sqlite();
    let token = gateway::token(&database, "shop-42");
    let gateway = Gateway::start(&database, &[]).await;
    for (encodings, status) in [
        (&["gzip"][..], 415),
        (&["identity, br"], 415),
        (&["identity", "gzip"], 415),
        (&["identity"], 201),
        (&["Identity"], 201),
        (&[""], 201),
    ] {
        let mut request = gateway
            .client
            .post(format!("{}/v1/payments/new", gateway.base))
            .bearer_auth(&token)
            .header("content-type", "application/json");
        for encoding in encodings {
            request = request.header("content-encoding", *encoding);
        }
        let response = request.body(BODY).send().await.unwrap();
        assert_eq!(response.status(), status, "{encodings:?}");
        let accepted = response.headers().get("accept-encoding");
        let is_identity = accepted.is_some_and(|accepted| accepted == "identity");
        assert_eq!(is_identity, status == 415, "{encodings:?}");
    }
}

/// See the list of rejected requests in the README of the gateway.
#[tokio::test(flavor = "multi_thread")]
async fn a_body_that_is_not_json_by_its_type_is_415() {
    let database = Database::sqlite();
    let token = gateway::token(&database, "shop-42");
    let operator = gateway::operator(&database, "anna");
    let gateway = Gateway::start(&database, &[]).await;
    let send = async |path: &str, token: &str, types: &[&str], body: &str| {
        let base = if path.starts_with("/operator") {
            &gateway.admin
        } else {
            &gateway.base
        };
        let mut request = gateway
            .client
            .post(format!("{base}{path}"))
            .bearer_auth(token);
        for kind in types {
            request = request.header("content-type", *kind);
        }
        Answer::of(request.body(body.to_owned()).send().await.unwrap()).await
    };
    let new = "/v1/payments/new";
    for types in [
        &[] as &[_],
        &["text/plain"],
        &["application/x-www-form-urlencoded"],
        &["application/jsonp"],
        &["application/problem+json"],
        &["text/plain; application/json"],
        &["application/json", "text/plain"],
    ] {
        let answer = send(new, &token, types, BODY).await;
        assert_eq!(
            (answer.status, answer.kind.as_str()),
            (415, "application/json"),
            "{types:?}"
        );
        let problem = json!({
            "type": "about:blank", "title": "Unsupported Media Type", "status": 415,
            "detail": "The body needs Content-Type: application/json, and no Content-Encoding. Nothing was done.",
        });
        assert_eq!(answer.json(), problem, "{types:?}");
    }
    assert_eq!(database.count("SELECT count(*) FROM payments").await, 0);
    for kind in [
        "application/json",
        "Application/JSON",
        "application/json; charset=utf-8",
        "application/json ;x=y",
    ] {
        assert_eq!(send(new, &token, &[kind], BODY).await.status, 201, "{kind}");
    }
    // Without a token nothing else is looked at, and no body has no type.
    assert_eq!(send(new, "wrong", &[], BODY).await.status, 401);
    assert_eq!(send(new, &token, &[], "").await.code(), "malformed_json");
    assert_eq!(
        send("/operator/payments/7/advance", &operator, &[], "{}")
            .await
            .status,
        415
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn an_encoded_body_is_415_and_names_the_encoding_that_is_accepted() {
    let database = Database::sqlite();
    let token = gateway::token(&database, "shop-42");
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().to_str().unwrap();
    let gateway = Gateway::start(&database, &["--page", page]).await;
    let send = async |path: &str, encoding: &'static str, body: &str| {
        let request = gateway
            .request(Method::POST, path, Some(&token))
            .header("content-encoding", encoding);
        let response = request.body(body.to_owned()).send().await.unwrap();
        let accepted = response.headers().get("accept-encoding").cloned();
        (Answer::of(response).await, accepted)
    };
    let session = r#"{"amount":"990.50","currency":"RUB","order":"order-1"}"#;
    for (path, body) in [("/v1/payments/new", BODY), ("/checkout/sessions", session)] {
        for encoding in ["gzip", "br", "identity, gzip", "x-unknown"] {
            let (answer, accepted) = send(path, encoding, body).await;
            assert_eq!(answer.status, 415, "{path} {encoding}");
            assert_eq!(accepted.unwrap(), "identity", "{path} {encoding}");
        }
        assert_eq!(send(path, "identity", body).await.0.status, 201, "{path}");
    }
    assert_eq!(database.count("SELECT count(*) FROM payments").await, 1);
    // Another type alone has no such header.
    let request = gateway
        .client
        .post(format!("{}/v1/payments/new", gateway.base))
        .bearer_auth(&token);
    let answer = request.body(BODY).send().await.unwrap();
    assert!(answer.status() == 415 && !answer.headers().contains_key("accept-encoding"));
}

#[tokio::test(flavor = "multi_thread")]
async fn private_answers_are_not_cached() {
    let folder = tempfile::tempdir().unwrap();
    let database = Database::sqlite();
    let token = gateway::token(&database, "shop-42");
    let operator = gateway::operator(&database, "anna");
    let page = folder.path().to_str().unwrap();
    let options = ["--page", page, "--page-merchant", "shop-7"];
    let gateway = Gateway::start(&database, &options).await;
    let session = gateway
        .request(Method::POST, "/checkout/sessions", Some(&token))
        .body(r#"{"amount":"990.50","currency":"RUB","order":"order-1"}"#);
    let session = session.send().await.unwrap();
    assert_eq!(session.headers()["cache-control"], "no-store");
    let session = Answer::of(session).await.json();
    let id = session["id"].as_str().unwrap();
    let created = gateway.create(&token, None, BODY).await;
    let (uid, payment) = (created.uid(), created.json());
    let (_, view) = payment["url"]
        .as_str()
        .unwrap()
        .split_once("?view=")
        .unwrap();
    let (own, seen) = (
        format!("/checkout/sessions/{id}"),
        format!("/checkout/api/payments/{uid}"),
    );
    let (merchant, operator) = (Some(token.as_str()), Some(operator.as_str()));
    for (method, path, token, status) in [
        (Method::POST, "/v1/payments/new", merchant, 400),
        (
            Method::GET,
            &format!("/v1/payments/{uid}/status"),
            merchant,
            200,
        ),
        (Method::GET, "/v1/partner/balance", merchant, 200),
        (Method::GET, &own, merchant, 200),
        (
            Method::GET,
            &format!("/checkout/api/sessions/{id}"),
            None,
            200,
        ),
        (Method::POST, "/checkout/api/sessions", None, 201),
        (Method::GET, "/checkout/api/config", None, 200),
        (Method::POST, "/checkout/api/payments", None, 404),
        (Method::GET, &seen, None, 200),
        (Method::GET, &format!("{seen}/merchant"), None, 200),
        (Method::DELETE, &own, merchant, 200),
        (Method::GET, "/operator/audit", operator, 200),
    ] {
        let about = format!("{method} {path}");
        let request = gateway
            .request(method, path, token)
            .header("checkout-view", view);
        let answer = request.send().await.unwrap();
        assert_eq!(answer.status(), status, "{about}");
        assert_eq!(answer.headers()["cache-control"], "no-store", "{about}");
    }
    let document = gateway.request(Method::GET, "/openapi.json", None);
    let document = document.send().await.unwrap();
    assert_eq!(document.status(), 200);
    assert_eq!(document.headers()["cache-control"], "no-cache");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_whose_id_is_malformed_is_404() {
    let folder = tempfile::tempdir().unwrap();
    for database in Database::both().await {
        let token = gateway::token(&database, "shop-42");
        let page = folder.path().to_str().unwrap();
        let gateway = Gateway::start(&database, &["--page", page]).await;
        let upper = "A".repeat(32);
        for id in [
            "%00",
            "a%00b",
            "x",
            "%ff",
            &upper,
            &"0".repeat(33),
            &"0".repeat(32),
        ] {
            for (path, token) in [
                (format!("/checkout/api/sessions/{id}"), None),
                (format!("/checkout/sessions/{id}"), Some(token.as_str())),
            ] {
                assert_eq!(gateway.get(&path, token).await.status, 404, "{path}");
            }
            let closed = gateway.request(
                Method::DELETE,
                &format!("/checkout/sessions/{id}"),
                Some(&token),
            );
            assert_eq!(closed.send().await.unwrap().status(), 404, "{id}");
        }
        let log = gateway.log();
        assert!(!log.contains("ERROR"), "{log}");
    }
}
