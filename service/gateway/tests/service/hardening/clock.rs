//! The database's clock is set back by an hour.

use std::time::{Duration, Instant};

use crate::database::Database;
use crate::gateway::{self, BODY, Gateway};
use crate::receiver::Receiver;

const OPTIONS: [&str; 4] = [
    "--callback-allow",
    "127.0.0.0/8",
    "--callback-pause",
    "3000",
];
const HOUR: &str = "3600000000";

/// Does the same as a clock that goes back: all that was stored is an hour ahead of it.
///
/// The clock is the last, so that an event is not due in between.
async fn set_back(database: &Database) {
    for statement in [
        "UPDATE outbox SET due_at = due_at + HOUR",
        "UPDATE idempotency SET created_at = created_at + HOUR",
        "UPDATE steady_clock SET latest = latest + HOUR",
    ] {
        assert_eq!(
            database.execute(&statement.replace("HOUR", HOUR)).await,
            1,
            "{statement}"
        );
    }
}

/// Waits until the failure of the first attempt is stored, which is after the receiver's answer.
async fn failed_once(database: &Database) {
    let start = Instant::now();
    while database
        .execute("UPDATE outbox SET attempts = attempts WHERE last_failure IS NOT NULL")
        .await
        == 0
    {
        assert!(
            start.elapsed() < Duration::from_secs(30),
            "the failure is not stored"
        );
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_window_closes_and_events_are_due_all_the_same() {
    for database in Database::both().await {
        for is_running in [true, false] {
            let receiver = Receiver::start().await;
            receiver.refuse(1);
            let token = gateway::token(&database, "shop-42");
            let mut gateway = Gateway::start(&database, &OPTIONS).await;
            let body = BODY.replace('}', &format!(r#","callback":"{}"}}"#, receiver.url));
            let first = gateway.create(&token, Some("order-1"), &body).await;
            assert_eq!(first.status, 201, "{}", first.text);
            assert!(gateway::run(&database, &["advance", &first.uid(), "routed"]).0);
            receiver.wait(1).await;
            failed_once(&database).await;
            // The next attempt is due in three seconds, give or take a quarter.
            if is_running {
                set_back(&database).await;
            } else {
                gateway.terminate();
                assert!(gateway.child.wait().await.unwrap().success());
                set_back(&database).await;
                gateway = Gateway::start(&database, &OPTIONS).await;
            }
            tokio::time::sleep(Duration::from_millis(3300)).await;
            let late = gateway.create(&token, Some("order-1"), &body).await;
            assert_eq!(
                (late.status, late.code().as_str()),
                (409, "idempotency_conflict"),
                "the window is open"
            );
            let received = tokio::time::timeout(Duration::from_secs(30), receiver.wait(2)).await;
            assert_eq!(received.expect("the event is not due").len(), 2);
            // The time that payments have is the world's, as before.
            let now = gateway.create(&token, None, BODY).await.json()["created_date"]
                .as_str()
                .unwrap()
                .to_owned();
            let now: payspec::Timestamp = now.parse().unwrap();
            let first: payspec::Timestamp = first.json()["created_date"]
                .as_str()
                .unwrap()
                .parse()
                .unwrap();
            assert!((now.datetime() - first.datetime()).num_seconds() < 60);
            database.execute("DELETE FROM outbox").await;
            database.execute("DELETE FROM idempotency").await;
        }
    }
}
