//! How much one merchant or one address may do, and how long delivered events are kept.

use std::process::Stdio;
use std::time::Duration;

use tokio::process::Command;

use crate::database::Database;
use crate::gateway::{self, BODY, Gateway, PROGRAM};
use crate::receiver::Receiver;

async fn start(database: &Database, settings: &[(&str, &str)]) -> Gateway {
    let mut command = Command::new(PROGRAM);
    command.envs(settings.iter().copied()).env("GATEWAY_CALLBACK_ALLOW", "127.0.0.0/8");
    Gateway::start_with(command, &database.url, &["--simulate-acquirer=50"], Stdio::null()).await
}

/// Reads the balance until it is refused.
async fn refused_after(gateway: &Gateway, token: &str) -> usize {
    for number in 0..200 {
        let request = gateway.request(reqwest::Method::GET, "/v1/partner/balance", Some(token));
        let response = request.send().await.unwrap();
        if response.status() == 429 {
            assert_eq!(response.headers()["retry-after"], "1");
            let problem: serde_json::Value = response.json().await.unwrap();
            assert_eq!((&problem["type"], &problem["status"]), (&"about:blank".into(), &429.into()));
            return number;
        }
    }
    panic!("200 requests at once");
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_of_a_merchant_and_of_an_address() {
    let database = Database::sqlite();
    let (token, other) = (gateway::token(&database, "shop-42"), gateway::token(&database, "shop-7"));
    let gateway = start(&database, &[("GATEWAY_MERCHANT_RATE", "2")]).await;
    assert!((4..10).contains(&refused_after(&gateway, &token).await));
    assert_eq!(gateway.create(&token, None, BODY).await.status, 429);
    assert_eq!(gateway.create(&other, None, BODY).await.status, 201, "another merchant has its own");
    tokio::time::sleep(Duration::from_millis(1100)).await;
    assert_eq!(gateway.create(&token, None, BODY).await.status, 201, "a moment later");

    let gateway = start(&database, &[("GATEWAY_ADDRESS_RATE", "2")]).await;
    assert!(refused_after(&gateway, &token).await < 10);
    assert_eq!(gateway.get("/v1/partner/balance", Some(&other)).await.status, 429);
    assert_eq!(gateway.get("/readyz", None).await.status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn events_that_wait_stop_the_payments_of_their_merchant() {
    for database in Database::both().await {
        let receiver = Receiver::start().await;
        let (token, other) = (gateway::token(&database, "shop-42"), gateway::token(&database, "shop-7"));
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
        database.execute("UPDATE outbox SET state = 'abandoned'").await;
        assert_eq!(gateway.create(&token, None, &body).await.status, 201);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn delivered_events_are_deleted_after_their_time() {
    for database in Database::both().await {
        let receiver = Receiver::start().await;
        let token = gateway::token(&database, "shop-42");
        let count = "SELECT count(*) FROM outbox";
        {
            let gateway = start(&database, &[]).await;
            let body = BODY.replace('}', &format!(r#","callback":"{}"}}"#, receiver.url));
            gateway.create(&token, None, &body).await;
            receiver.wait(2).await;
            tokio::time::sleep(Duration::from_millis(300)).await;
            assert_eq!(database.count(count).await, 2);
            database.execute("UPDATE outbox SET created_at = created_at - 3700000000").await;
            database.execute("UPDATE outbox SET state = 'abandoned' WHERE seq = 1").await;
        }
        let _gateway = start(&database, &[("GATEWAY_KEEP_EVENTS", "1")]).await;
        tokio::time::sleep(Duration::from_secs(1)).await;
        assert_eq!(database.count(count).await, 1, "what was given up is kept");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn bytes_of_a_merchant() {
    for database in Database::both().await {
        let (token, other) = (gateway::token(&database, "shop-42"), gateway::token(&database, "shop-7"));
        let stored = "SELECT bytes FROM stored_bytes WHERE merchant = 'shop-42'";
        let uid = {
            let mut gateway = start(&database, &[]).await;
            let created = gateway.create(&token, Some("order-1"), BODY).await;
            gateway.terminate();
            gateway.child.wait().await.unwrap();
            let bytes = i64::try_from(created.text.len()).unwrap();
            let counted = database.count(stored).await;
            assert!((2 * bytes..2 * bytes + 200).contains(&counted), "{counted} for {bytes}");
            created.uid()
        };
        // A mebibyte but for two payments or so.
        database.execute("UPDATE stored_bytes SET bytes = 1048576 - 2000 WHERE merchant = 'shop-42'").await;
        let gateway = start(&database, &[("GATEWAY_MERCHANT_STORAGE", "1")]).await;
        let mut statuses = Vec::new();
        for _ in 0..6 {
            statuses.push(gateway.create(&token, None, BODY).await.status);
        }
        assert!(statuses[0] == 201 && statuses[5] == 429 && statuses.is_sorted(), "{statuses:?}");
        let request = gateway.request(reqwest::Method::POST, "/v1/payments/new", Some(&token)).body(BODY);
        let refused = request.send().await.unwrap();
        assert!(refused.headers()["retry-after"].to_str().unwrap().parse::<u64>().unwrap() >= 60);
        assert_eq!(gateway.status(&token, &uid).await.status, 200, "what is stored can be read");
        let again = gateway.create(&token, Some("order-1"), BODY).await;
        assert!(again.replayed || again.code() == "idempotency_conflict", "keys go on: {again:?}");
        assert_eq!(gateway.create(&other, None, BODY).await.status, 201, "another merchant has its own");
        assert_eq!(
            database.count("SELECT count(*) FROM payments WHERE merchant = 'shop-42'").await,
            1 + statuses.iter().filter(|status| **status == 201).count() as i64
        );
    }
}
