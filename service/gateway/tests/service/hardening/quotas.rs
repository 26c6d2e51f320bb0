//! How much one merchant or one address may do, and how long delivered events are kept.

use std::process::Stdio;
use std::sync::{Arc, mpsc};
use std::time::Duration;

use futures_util::future::join_all;
use payspec_gateway::http::Quotas;
use payspec_gateway::rates::NoRates;
use reqwest::{Method, RequestBuilder};
use tokio::process::Command;

use crate::database::Database;
use crate::embedded::Embedded;
use crate::gateway::{self, BODY, Gateway, PROGRAM};
use crate::receiver::Receiver;

pub(super) async fn start(database: &Database, settings: &[(&str, &str)]) -> Gateway {
    let mut command = Command::new(PROGRAM);
    command
        .envs(settings.iter().copied())
        .env("GATEWAY_CALLBACK_ALLOW", "127.0.0.0/8");
    Gateway::start_with(
        command,
        &database.url,
        &["--simulate-acquirer=50"],
        Stdio::null(),
    )
    .await
}

/// Stops the clock of the runtime. Without the blocking task, the runtime would move it on to the
/// next timer.
fn stop_clock() -> mpsc::Sender<()> {
    let (sender, receiver) = mpsc::channel();
    tokio::task::spawn_blocking(move || receiver.recv());
    tokio::time::pause();
    sender
}

pub(super) async fn send(request: RequestBuilder) -> u16 {
    let response = request.send().await.unwrap();
    let status = response.status().as_u16();
    if status == 429 {
        assert_eq!(response.headers()["retry-after"], "1");
        let problem: serde_json::Value = response.json().await.unwrap();
        assert_eq!(
            (&problem["type"], &problem["status"]),
            (&"about:blank".into(), &429.into())
        );
    }
    status
}

#[tokio::test]
async fn requests_of_a_merchant_and_of_an_address() {
    let database = Database::sqlite();
    let (token, other) = (
        gateway::token(&database, "shop-42"),
        gateway::token(&database, "shop-7"),
    );
    let by_merchant = Embedded::start(&database, Arc::new(NoRates), Quotas::new(2, 0)).await;
    let by_address = Embedded::start(&database, Arc::new(NoRates), Quotas::new(0, 2)).await;
    let _held = stop_clock();

    for _ in 0..4 {
        assert_eq!(send(by_merchant.balance(&token)).await, 200);
    }
    assert_eq!(send(by_merchant.balance(&token)).await, 429);
    assert_eq!(send(by_merchant.create(&token, BODY)).await, 429);
    assert_eq!(
        send(by_merchant.create(&other, BODY)).await,
        201,
        "another merchant has its own"
    );
    // From now on each statement about a token fails.
    database
        .execute("ALTER TABLE tokens RENAME TO hidden")
        .await;
    for request in [
        by_merchant.balance(&token),
        by_merchant.create(&token, BODY),
    ] {
        assert_eq!(
            send(request).await,
            429,
            "a request beyond the limit costs no statement"
        );
    }
    assert_eq!(send(by_merchant.create(&other, BODY)).await, 503);
    database
        .execute("ALTER TABLE hidden RENAME TO tokens")
        .await;
    tokio::time::advance(Duration::from_millis(499)).await;
    assert_eq!(send(by_merchant.create(&token, BODY)).await, 429);
    tokio::time::advance(Duration::from_millis(1)).await;
    assert_eq!(
        send(by_merchant.create(&token, BODY)).await,
        201,
        "a moment later"
    );
    assert_eq!(send(by_merchant.create(&token, BODY)).await, 429);

    for _ in 0..4 {
        assert_eq!(send(by_address.balance(&token)).await, 200);
    }
    for token in [&token, &other] {
        assert_eq!(send(by_address.balance(token)).await, 429);
    }
    assert_eq!(send(by_address.ready()).await, 200);
    tokio::time::advance(Duration::from_millis(500)).await;
    assert_eq!(
        send(by_address.balance(&other)).await,
        200,
        "a moment later"
    );
}

/// A gateway that serves all of these within their limit would take a minute.
#[tokio::test(flavor = "multi_thread")]
async fn the_rates_are_those_of_the_settings() {
    let database = Database::sqlite();
    let token = gateway::token(&database, "shop-42");
    for setting in ["GATEWAY_MERCHANT_RATE", "GATEWAY_ADDRESS_RATE"] {
        let gateway = start(&database, &[(setting, "1")]).await;
        let balance = || send(gateway.request(Method::GET, "/v1/partner/balance", Some(&token)));
        let statuses = join_all((0..60).map(|_| balance())).await;
        assert!(
            statuses.iter().all(|status| [200, 429].contains(status)),
            "{setting}: {statuses:?}"
        );
        assert!(
            statuses.contains(&200) && statuses.contains(&429),
            "{setting}: {statuses:?}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn events_that_wait_stop_the_payments_of_their_merchant() {
    for database in Database::both().await {
        let receiver = Receiver::start().await;
        let (token, other) = (
            gateway::token(&database, "shop-42"),
            gateway::token(&database, "shop-7"),
        );
        let gateway = start(&database, &[("GATEWAY_PENDING_EVENTS", "4")]).await;
        let never = receiver.url.replace("/hook", "/never");
        let body = BODY.replace('}', &format!(r#","callback":"{never}"}}"#));
        for number in 0..100 {
            let status = gateway.create(&token, None, &body).await.status;
            if status == 429 {
                assert!(number >= 2, "after {number}");
                break;
            }
            assert!(number < 99, "never refused");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        let other = gateway.create(&other, None, &body).await.status;
        assert_eq!(
            (other, gateway.create(&token, None, BODY).await.status),
            (201, 201),
            "others, and without a callback"
        );
        // From then on there are no more events.
        database
            .wait(
                "SELECT count(*) FROM payments WHERE state <> 'completed'",
                0,
            )
            .await;
        database
            .execute("UPDATE outbox SET state = 'abandoned'")
            .await;
        // A count holds for a second.
        tokio::time::sleep(Duration::from_millis(1001)).await;
        assert_eq!(gateway.create(&token, None, &body).await.status, 201);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn delivered_events_are_deleted_after_their_time() {
    for database in Database::both().await {
        let receiver = Receiver::start().await;
        let token = gateway::token(&database, "shop-42");
        {
            let gateway = start(&database, &[]).await;
            let body = BODY.replace('}', &format!(r#","callback":"{}"}}"#, receiver.url));
            gateway.create(&token, None, &body).await;
            database
                .wait("SELECT count(*) FROM outbox WHERE state = 'delivered'", 2)
                .await;
            database
                .execute("UPDATE outbox SET created_at = created_at - 3700000000")
                .await;
            database
                .execute("UPDATE outbox SET state = 'abandoned' WHERE seq = 1")
                .await;
        }
        let _gateway = start(&database, &[("GATEWAY_KEEP_EVENTS", "1")]).await;
        // One statement deletes all that are old.
        database.wait("SELECT count(*) FROM outbox", 1).await;
        assert_eq!(
            database.texts("SELECT state FROM outbox").await,
            ["abandoned"],
            "what was given up is kept"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn bytes_of_a_merchant() {
    for database in Database::both().await {
        let (token, other) = (
            gateway::token(&database, "shop-42"),
            gateway::token(&database, "shop-7"),
        );
        let stored = "SELECT bytes FROM stored_bytes WHERE merchant = 'shop-42'";
        let uid = {
            let mut gateway = start(&database, &[]).await;
            let created = gateway.create(&token, Some("order-1"), BODY).await;
            gateway.terminate();
            gateway.child.wait().await.unwrap();
            let bytes = i64::try_from(created.text.len()).unwrap();
            let counted = database.count(stored).await;
            assert!(
                (2 * bytes..2 * bytes + 200).contains(&counted),
                "{counted} for {bytes}"
            );
            created.uid()
        };
        // A mebibyte but for two payments or so.
        database
            .execute("UPDATE stored_bytes SET bytes = 1048576 - 2000 WHERE merchant = 'shop-42'")
            .await;
        let gateway = start(&database, &[("GATEWAY_MERCHANT_STORAGE", "1")]).await;
        let mut statuses = Vec::new();
        for _ in 0..6 {
            statuses.push(gateway.create(&token, None, BODY).await.status);
        }
        assert!(
            statuses[0] == 201 && statuses[5] == 429 && statuses.is_sorted(),
            "{statuses:?}"
        );
        let request = gateway
            .request(Method::POST, "/v1/payments/new", Some(&token))
            .body(BODY);
        let refused = request.send().await.unwrap();
        assert!(
            refused.headers()["retry-after"]
                .to_str()
                .unwrap()
                .parse::<u64>()
                .unwrap()
                >= 60
        );
        assert_eq!(
            gateway.status(&token, &uid).await.status,
            200,
            "what is stored can be read"
        );
        let again = gateway.create(&token, Some("order-1"), BODY).await;
        assert!(
            again.replayed || again.code() == "idempotency_conflict",
            "keys go on: {again:?}"
        );
        assert_eq!(
            gateway.create(&other, None, BODY).await.status,
            201,
            "another merchant has its own"
        );
        assert_eq!(
            database
                .count("SELECT count(*) FROM payments WHERE merchant = 'shop-42'")
                .await,
            1 + statuses.iter().filter(|status| **status == 201).count() as i64
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn sessions_count_as_bytes_of_their_merchant_until_they_are_deleted() {
    let folder = tempfile::tempdir().unwrap();
    for database in Database::both().await {
        let token = gateway::token(&database, "shop-42");
        let stored = "SELECT COALESCE(SUM(bytes), 0) FROM stored_bytes WHERE merchant = 'shop-42'";
        let settings = [
            ("GATEWAY_MERCHANT_STORAGE", "1"),
            ("GATEWAY_KEEP_EVENTS", "1"),
            ("GATEWAY_PAGE", folder.path().to_str().unwrap()),
        ];
        let session = async |gateway: &Gateway, order: usize| {
            let order = format!("{order:0>128}");
            let body = format!(r#"{{"amount":"990.50","currency":"RUB","order":"{order}"}}"#);
            let request = gateway
                .request(Method::POST, "/checkout/sessions", Some(&token))
                .body(body);
            send_once(request).await
        };
        {
            let mut gateway = start(&database, &settings).await;
            // The same order twice is one session.
            for _ in 0..2 {
                assert_eq!(session(&gateway, 0).await, 201);
            }
            gateway.terminate();
            gateway.child.wait().await.unwrap();
        }
        let one = database.count(stored).await;
        assert!((150..400).contains(&one), "{one} bytes");
        database
            .execute("UPDATE stored_bytes SET bytes = 1048576 - 1000 WHERE merchant = 'shop-42'")
            .await;
        let mut gateway = start(&database, &settings).await;
        let mut statuses = Vec::new();
        for order in 1..9 {
            statuses.push(session(&gateway, order).await);
        }
        assert!(
            statuses[0] == 201 && statuses[7] == 429 && statuses.is_sorted(),
            "{statuses:?}"
        );
        gateway.terminate();
        gateway.child.wait().await.unwrap();
        // Unpaid sessions are deleted after their time, and their bytes are free.
        let before = database.count(stored).await;
        let sessions = database
            .execute("UPDATE checkout_sessions SET expires_at = expires_at - 90000000000")
            .await;
        let gateway = start(&database, &settings).await;
        database
            .wait("SELECT count(*) FROM checkout_sessions", 0)
            .await;
        let freed = before - database.count(stored).await;
        assert_eq!(freed, one * i64::try_from(sessions).unwrap());
        assert_eq!(session(&gateway, 20).await, 201);
    }
}

async fn send_once(request: RequestBuilder) -> u16 {
    request.send().await.unwrap().status().as_u16()
}
