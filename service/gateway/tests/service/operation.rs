//! The tools of operators: health, metrics, the operator's endpoint, the pages, configuration, an
//! end in order.

use std::io::Read;
use std::time::{Duration, Instant};

use reqwest::Method;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::database::Database;
use crate::gateway::{self, Answer, BODY, Gateway};

#[tokio::test(flavor = "multi_thread")]
async fn health_metrics_and_the_document() {
    for database in Database::both().await {
        let token = gateway::token(&database, "shop-42");
        let gateway = Gateway::start(&database, &[]).await;
        assert_eq!(gateway.get("/healthz", None).await.status, 200);
        assert_eq!(gateway.get("/readyz", None).await.status, 200);
        gateway.create(&token, None, BODY).await;
        let metrics = gateway.get("/metrics", None).await.text;
        for line in [
            r#"gateway_requests_total{method="POST",route="/v1/payments/new",status="201"} 1"#,
            r#"gateway_payments_total{replayed="false"} 1"#,
            "gateway_outbox_pending 0",
        ] {
            assert!(
                metrics.lines().any(|found| found == line),
                "{line}\n{metrics}"
            );
        }
        let document = gateway.get("/openapi.json", None).await;
        let own =
            payspec_gateway::http::document(&payspec::Engine::default(), &gateway.base).unwrap();
        assert_eq!(document.text.as_bytes(), own.as_ref());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_operator_moves_payments_and_nobody_else() {
    for database in Database::both().await {
        let token = gateway::token(&database, "shop-42");
        let operator = gateway::operator(&database, "anna");
        let gateway = Gateway::start(&database, &[]).await;
        let uid = gateway.create(&token, None, BODY).await.uid();
        let ask = async |uid: &str, token: &str, change: Value| {
            let request = gateway.request(
                Method::POST,
                &format!("/operator/payments/{uid}/advance"),
                Some(token),
            );
            Answer::of(request.body(change.to_string()).send().await.unwrap()).await
        };
        assert_eq!(ask(&uid, &token, json!({"to": "routed"})).await.status, 401);
        let routed = ask(&uid, &operator, json!({"to": "routed"})).await;
        assert_eq!(
            (routed.status, routed.json()["state"].as_str()),
            (200, Some("routed"))
        );
        assert_eq!(gateway.status(&token, &uid).await.text, routed.text);
        let failed = ask(
            &uid,
            &operator,
            json!({"to": "fail", "fail_by": "processor", "fail_code": "declined"}),
        )
        .await;
        assert_eq!(
            (failed.status, failed.json()["fail_code"].as_str()),
            (200, Some("declined"))
        );
        // §3: fail is final.
        let back = ask(&uid, &operator, json!({"to": "completed"})).await;
        assert_eq!(
            (back.status, back.code().as_str()),
            (409, "transition_refused")
        );
        let unknown = ask(
            "0b6ea6a6-4c5e-4b7e-9d0f-6a1f0c7b2e11",
            &operator,
            json!({"to": "routed"}),
        )
        .await;
        assert_eq!(
            (unknown.status, unknown.code().as_str()),
            (404, "payment_not_found")
        );
        for change in [
            json!({}),
            json!({"to": "nowhere"}),
            json!({"to": "routed", "colour": 1}),
            json!([]),
            json!(["routed"]),
        ] {
            assert_eq!(
                ask(&uid, &operator, change.clone()).await.status,
                422,
                "{change}"
            );
        }
        let number = ask(&uid, &operator, json!({"to": 4_111_111_111_111_111_u64})).await;
        assert!(
            number.status == 422 && !number.text.contains("4111"),
            "{number:?}"
        );
        let no_text = ask("%FF", &operator, json!({"to": "routed"})).await;
        assert_eq!(
            (no_text.status, no_text.kind.as_str()),
            (404, "application/json")
        );
        assert_eq!(
            ask("%FF", &token, json!({"to": "routed"})).await.status,
            401
        );
        let (moved, _, error) = gateway::run(&database, &["advance", &uid, "completed"]);
        assert!(!moved && error.contains("transition_refused"), "{error}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_have_their_policies_and_the_checkout_acts_for_its_merchant_alone() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(
        folder.path().join("index.html"),
        "<!doctype html><title>page</title>",
    )
    .unwrap();
    let page = folder.path().to_str().unwrap();
    let database = Database::sqlite();
    let token = gateway::token(&database, "shop-42");
    let gateway = Gateway::start(
        &database,
        &[
            "--page",
            page,
            "--page-merchant",
            "page-shop",
            "--page-order",
            "990.50 RUB",
            "--demo-rates",
            "--docs",
        ],
    )
    .await;
    for (path, script) in [
        ("/docs", "script-src 'self';"),
        ("/checkout/", "script-src 'self' 'wasm-unsafe-eval';"),
        (
            "/checkout/0b6ea6a6-4c5e-4b7e-9d0f-6a1f0c7b2e11",
            "script-src 'self' 'wasm-unsafe-eval';",
        ),
    ] {
        let response = gateway
            .request(Method::GET, path, None)
            .send()
            .await
            .unwrap();
        assert_eq!(response.status(), 200, "{path}");
        let policy = response.headers()["content-security-policy"]
            .to_str()
            .unwrap();
        assert!(
            policy.starts_with("default-src 'none';") && policy.contains(script),
            "{path}: {policy}"
        );
    }
    let session = gateway
        .request(Method::POST, "/checkout/api/sessions", None)
        .send()
        .await
        .unwrap();
    let session = Answer::of(session).await.json()["id"]
        .as_str()
        .unwrap()
        .to_owned();
    let request = gateway
        .request(Method::POST, "/checkout/api/payments", None)
        .body(BODY);
    let request = request.header("checkout-session", session);
    let created = Answer::of(request.send().await.unwrap()).await;
    assert_eq!(
        (created.status, created.json()["merchant_id"].as_str()),
        (201, Some("page-shop"))
    );
    let url = format!("{}/checkout/{}?view=", gateway.base, created.uid());
    assert!(
        created.json()["url"].as_str().unwrap().starts_with(&url),
        "{}",
        created.text
    );
    let read = gateway
        .get(&format!("/checkout/api/payments/{}", created.uid()), None)
        .await;
    assert_eq!((read.status, &read.text), (200, &created.text));
    assert_eq!(
        gateway.status(&token, &created.uid()).await.status,
        404,
        "it belongs to another merchant"
    );
    let own = gateway.create(&token, None, BODY).await.uid();
    assert_eq!(
        gateway
            .get(&format!("/checkout/api/payments/{own}"), None)
            .await
            .status,
        404
    );
    let request = gateway.request(Method::POST, "/checkout/api/convert", None);
    let convert = request
        .body(r#"{"amount":"100.00","currency":"RUB"}"#)
        .send()
        .await
        .unwrap();
    assert_eq!(Answer::of(convert).await.json()["amount"], "1.081666");
    let head = gateway
        .request(Method::HEAD, "/checkout/", None)
        .send()
        .await
        .unwrap();
    assert_eq!(
        (
            head.status().as_u16(),
            head.headers()["content-type"].to_str().unwrap()
        ),
        (200, "text/html")
    );
    let wrong = gateway
        .request(Method::POST, "/checkout/", None)
        .send()
        .await
        .unwrap();
    assert_eq!(wrong.headers()["allow"], "GET,HEAD");
    for (method, path, body, status) in [
        (Method::POST, "/checkout/", "", 405),
        (Method::GET, "/checkout/api/nothing", "", 404),
        (Method::GET, "/checkout/api/payments/%FF", "", 404),
        (
            Method::POST,
            "/checkout/api/convert",
            r#"["100.00","RUB"]"#,
            422,
        ),
        (
            Method::POST,
            "/checkout/api/convert",
            &" ".repeat(2000),
            413,
        ),
    ] {
        let answer = Answer::of(
            gateway
                .request(method, path, None)
                .body(body.to_owned())
                .send()
                .await
                .unwrap(),
        )
        .await;
        assert_eq!(
            (answer.status, answer.kind.as_str()),
            (status, "application/json"),
            "{path}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_reference_is_compressed_and_sent_once() {
    let database = Database::sqlite();
    let gateway = Gateway::start(&database, &[]).await;
    let ask = async |path: &str, header: &str, value: &str| {
        let request = gateway
            .request(Method::GET, path, None)
            .header(header, value);
        let response = request.send().await.unwrap();
        let header = |name: &str| {
            response
                .headers()
                .get(name)
                .map(|value| value.to_str().unwrap().to_owned())
        };
        let found = [
            "etag",
            "content-encoding",
            "content-type",
            "vary",
            "cache-control",
        ]
        .map(header);
        (
            response.status().as_u16(),
            found,
            response.bytes().await.unwrap(),
        )
    };
    for path in [
        "/docs",
        "/docs/docs.js",
        "/docs/docs.css",
        "/docs/openapi-explorer.js",
        "/openapi.json",
    ] {
        let (status, [etag, encoding, kind, vary, cache], plain) =
            ask(path, "accept-encoding", "br").await;
        let etag = etag.unwrap();
        assert_eq!((status, encoding), (200, None), "{path}");
        assert_eq!(
            (vary.as_deref(), cache.as_deref()),
            (Some("accept-encoding"), Some("no-cache")),
            "{path}"
        );
        let (status, [tag, encoding, compressed_kind, ..], bytes) =
            ask(path, "accept-encoding", "gzip, br").await;
        assert_eq!(
            (status, tag.as_ref(), encoding.as_deref()),
            (200, Some(&etag), Some("gzip")),
            "{path}"
        );
        assert_eq!(compressed_kind, kind, "{path}");
        let mut text = Vec::new();
        flate2::read::GzDecoder::new(&*bytes)
            .read_to_end(&mut text)
            .unwrap();
        assert!(
            text == plain && bytes.len() * 10 < plain.len() * 7,
            "{path}: {} of {}",
            bytes.len(),
            plain.len()
        );
        let (status, [tag, encoding, ..], bytes) = ask(path, "if-none-match", &etag).await;
        assert_eq!(
            (status, tag.as_ref(), encoding, bytes.len()),
            (304, Some(&etag), None, 0),
            "{path}"
        );
        let (status, _, bytes) = ask(path, "if-none-match", "\"another\"").await;
        assert_eq!((status, bytes), (200, plain), "{path}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn settings_come_from_a_file_and_mistakes_are_told_without_secrets() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    std::fs::write(path("policy.json"), r#"{"invalid_request_status":400}"#).unwrap();
    let text = format!(
        "policy = {:?}\nbalance_currency = \"EUR\"\n",
        path("policy.json")
    );
    let private = |name: &str, text: &str| {
        std::fs::write(path(name), text).unwrap();
        std::fs::set_permissions(
            path(name),
            std::os::unix::fs::PermissionsExt::from_mode(0o600),
        )
        .unwrap();
    };
    private("gateway.toml", &text);
    let database = Database::sqlite();
    let token = gateway::token(&database, "shop-42");
    let gateway = Gateway::start(&database, &["--config", &path("gateway.toml")]).await;
    assert_eq!(
        gateway
            .get("/v1/partner/balance", Some(&token))
            .await
            .json()["cur"],
        "EUR"
    );
    assert_eq!(gateway.create(&token, None, "[]").await.status, 400);
    private(
        "wrong.toml",
        "database = \"very-secret-token\"\ncolour = 1\n",
    );
    let (started, _, error) = gateway::run(&database, &["serve", "--config", &path("wrong.toml")]);
    assert!(
        !started && error.contains("config: line 2: ") && !error.contains("very-secret"),
        "{error}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_gateway_that_is_told_to_stop_finishes_what_runs() {
    for database in Database::both().await {
        let token = gateway::token(&database, "shop-42");
        let mut gateway = Gateway::start(&database, &[]).await;
        let address = gateway.base.trim_start_matches("http://").to_owned();
        // Half a request is there when the signal comes; the other half after it.
        let mut stream = TcpStream::connect(&address).await.unwrap();
        let (head, tail) = BODY.split_at(20);
        let length = BODY.len();
        let start = format!(
            "POST /v1/payments/new HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\nauthorization: Bearer {token}\r\nexpect: 100-continue\r\ncontent-length: {length}\r\n\r\n"
        );
        stream.write_all(start.as_bytes()).await.unwrap();
        gateway::continued(&mut stream).await;
        stream.write_all(head.as_bytes()).await.unwrap();
        gateway.terminate();
        let start = Instant::now();
        while TcpStream::connect(&address).await.is_ok() {
            assert!(
                start.elapsed() < Duration::from_secs(10),
                "new connections are accepted"
            );
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        stream.write_all(tail.as_bytes()).await.unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.unwrap();
        assert!(answer.starts_with("HTTP/1.1 201"), "{answer}");
        let ended = tokio::time::timeout(Duration::from_secs(20), gateway.child.wait())
            .await
            .unwrap()
            .unwrap();
        assert!(ended.success());
        assert_eq!(database.count("SELECT count(*) FROM payments").await, 1);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_slow_client_is_408_and_a_slow_database_503() {
    for database in Database::both().await {
        let token = gateway::token(&database, "shop-42");
        let gateway = Gateway::start(&database, &["--timeout", "4"]).await;
        let mut stream = TcpStream::connect(gateway.base.trim_start_matches("http://"))
            .await
            .unwrap();
        let start = format!(
            "POST /v1/payments/new HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\nauthorization: Bearer {token}\r\ncontent-length: 90\r\n\r\n{{"
        );
        stream.write_all(start.as_bytes()).await.unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.unwrap();
        assert!(
            answer.starts_with("HTTP/1.1 408") && answer.contains(r#""status":408"#),
            "{answer}"
        );

        let first = gateway.create(&token, None, BODY).await;
        let block = database.block().await;
        let create = gateway
            .request(Method::POST, "/v1/payments/new", Some(&token))
            .header("idempotency-key", "order-1");
        let response = create.body(BODY).send().await.unwrap();
        assert_eq!(
            (
                response.status().as_u16(),
                response.headers()["retry-after"].to_str().unwrap()
            ),
            (503, "1")
        );
        assert_eq!(Answer::of(response).await.json()["status"], 503);
        // Readers do not wait for writers.
        assert_eq!(gateway.status(&token, &first.uid()).await.text, first.text);
        assert_eq!(gateway.get("/healthz", None).await.status, 200);
        drop(block);
        // The key makes it safe to ask again: the payment may have been made after all.
        let again = gateway.create(&token, Some("order-1"), BODY).await;
        assert!(
            again.status == 201 || again.code() == "idempotency_conflict",
            "{again:?}"
        );
        assert_eq!(database.count("SELECT count(*) FROM payments").await, 2);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn gateways_that_start_at_once_on_a_new_database_agree_on_its_schema() {
    for database in Database::both().await {
        let database = std::sync::Arc::new(database);
        let mut started = tokio::task::JoinSet::new();
        for _ in 0..6 {
            let database = std::sync::Arc::clone(&database);
            started.spawn_blocking(move || gateway::run(&database, &["migrate"]));
        }
        for (migrated, _, error) in started.join_all().await {
            assert!(migrated, "{error}");
        }
        let token = gateway::token(&database, "shop-42");
        let gateway = Gateway::start(&database, &[]).await;
        assert_eq!(gateway.create(&token, None, BODY).await.status, 201);
    }
}

/// PostgreSQL keeps the plans that a gateway gets while the tables are small.
#[tokio::test(flavor = "multi_thread")]
async fn a_new_postgres_is_not_slower_with_each_payment() {
    const REQUESTS: i64 = 50;
    let database = Database::postgres().await;
    let token = gateway::token(&database, "shop-42");
    let gateway = Gateway::start(&database, &[]).await;
    assert_eq!(
        gateway.create(&token, Some("first"), BODY).await.status,
        201
    );
    // A connection has reported its scans when it has ended.
    let ended = async |gateway: Gateway| {
        drop(gateway);
        let connections =
            "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'payspec-gateway'";
        database
            .wait(
                &format!("{connections} AND datname = current_database()"),
                0,
            )
            .await;
    };
    let scans = async |kind: &str| {
        let tables = "FROM pg_stat_user_tables WHERE relname IN ('payments', 'idempotency')";
        database
            .count(&format!("SELECT sum({kind}) {tables}"))
            .await
    };
    ended(gateway).await;
    database
        .execute("VACUUM (ANALYZE) payments, idempotency")
        .await;
    let (by_index, of_all) = (scans("idx_scan").await, scans("seq_scan").await);
    let gateway = Gateway::start(&database, &[]).await;
    for number in 0..REQUESTS {
        let answer = gateway
            .create(&token, Some(&format!("order-{number}")), BODY)
            .await;
        assert_eq!(gateway.status(&token, &answer.uid()).await.status, 200);
    }
    ended(gateway).await;
    assert_eq!(scans("seq_scan").await, of_all, "whole tables were read");
    assert!(scans("idx_scan").await >= by_index + 2 * REQUESTS);
}

/// Each name would be a time series for ever.
#[tokio::test(flavor = "multi_thread")]
async fn what_callers_invent_is_no_label_of_a_metric() {
    let gateway = Gateway::start(&Database::sqlite(), &[]).await;
    for word in ["ABC", "FANTASY"] {
        let method = Method::from_bytes(word.as_bytes()).unwrap();
        let request = gateway.request(method, &format!("/{word}"), None);
        assert_eq!(Answer::of(request.send().await.unwrap()).await.status, 404);
    }
    let metrics = gateway.get("/metrics", None).await.text;
    assert!(
        metrics.contains(r#"gateway_requests_total{method="other",route="none",status="404"} 2"#),
        "{metrics}"
    );
    assert!(
        !metrics.contains("ABC") && !metrics.contains("FANTASY"),
        "{metrics}"
    );
}

/// Differences are counted by rule, merchant, and direction, and logged without a value.
#[tokio::test(flavor = "multi_thread")]
async fn a_shadow_policy_counts_differences_and_decides_nothing() {
    let database = Database::sqlite();
    let token = gateway::token(&database, "shop-42");
    let folder = tempfile::tempdir().unwrap();
    let [policy, shadow] = ["policy", "shadow"].map(|name| folder.path().join(name));
    std::fs::write(&policy, r#"{"limits":{"amount":{"RUB":{"max":"5000"}}}}"#).unwrap();
    std::fs::write(&shadow, r#"{"severity":{"unknown_member":"error"}}"#).unwrap();
    let arguments = [
        "--policy",
        policy.to_str().unwrap(),
        "--shadow-policy",
        shadow.to_str().unwrap(),
    ];
    let gateway = Gateway::start(&database, &arguments).await;
    let with = |from: &str, to: &str| {
        assert!(BODY.contains(from), "{BODY}");
        BODY.replacen(from, to, 1)
    };
    let unknown = with("{", r#"{"member-canary":"value-canary","#);
    let key = Some("the-key");
    for (body, key, status) in [
        (BODY, None, 201),
        (&unknown, None, 201),
        (&unknown, key, 201),
        // A repetition is not a new request.
        (&unknown, key, 201),
        (&unknown, None, 201),
        (&with(r#""cur":"RUB""#, r#""cur":"ZZZ""#), None, 422),
        (&with(r#""amount":""#, r#""amount":"9"#), None, 422),
    ] {
        let answer = gateway.create(&token, key, body).await;
        assert_eq!(answer.status, status, "{}", answer.text);
    }
    let metrics = gateway.get("/metrics", None).await.text;
    let counted: Vec<_> = metrics
        .lines()
        .filter(|line| line.starts_with("gateway_shadow_differences_total{"))
        .collect();
    let line = |change: &str, rule: &str, count: u32| {
        format!(
            r#"gateway_shadow_differences_total{{change="{change}",rule="{rule}",merchant="shop-42"}} {count}"#
        )
    };
    for line in [
        line("narrower", "unknown_member", 3),
        line("wider", "amount_out_of_bounds", 1),
    ] {
        assert!(counted.contains(&line.as_str()), "{line}: {counted:?}");
    }
    assert_eq!(counted.len(), 2, "{counted:?}");
    let log = gateway.log_with(r#""change":"wider""#).await;
    // The third one is not logged.
    assert_eq!(log.matches(r#""change":"narrower""#).count(), 2, "{log}");
    assert!(
        log.contains(r#""count":2"#) && !log.contains("canary"),
        "{log}"
    );
}
