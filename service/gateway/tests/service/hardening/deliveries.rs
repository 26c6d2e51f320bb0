//! Receivers that hang delay no others, however many they are.

use std::time::{Duration, Instant};

use payspec_gateway::secret_keys::SecretKeys;

use crate::database::Database;
use crate::gateway::{self, Gateway, KEYS};
use crate::receiver::Receiver;

const MERCHANTS: usize = 1000;

/// Two events of one payment for each merchant. Every second one has a receiver that never answers.
async fn fill(database: &Database, receiver: &Receiver) {
    assert!(gateway::run(database, &["migrate"]).0);
    let never = receiver.url.replace("/hook", "/never");
    let keys = SecretKeys::parse(KEYS.1).unwrap();
    let (mut payments, mut secrets, mut events) = (Vec::new(), Vec::new(), Vec::new());
    for number in 0..MERCHANTS {
        let (uid, merchant) = (format!("uid-{number}"), format!("merchant-{number:04}"));
        let url = if number.is_multiple_of(2) {
            &never
        } else {
            &receiver.url
        };
        payments.push(format!(
            "('{uid}', '{merchant}', '{{}}', 'completed', '{url}', 3, 0)"
        ));
        secrets.push(format!(
            "('{merchant}', '{}')",
            keys.encrypt(&merchant, "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
                .unwrap()
        ));
        for (turn, state) in ["routed", "completed"].into_iter().enumerate() {
            let body = format!(r#"{{"uid":"{uid}","state":"{state}"}}"#);
            events.push(format!(
                "('evt_{number}_{turn}', '{uid}', '{merchant}', '{url}', '{body}', 'pending', 0, {turn}, 0)"
            ));
        }
    }
    let columns = "payments (uid, merchant, body, state, callback, version, changed_at)";
    let outbox = "outbox (id, uid, merchant, url, body, state, attempts, due_at, created_at)";
    for (table, rows) in [
        (columns, payments),
        ("webhook_secrets (merchant, secret)", secrets),
        (outbox, events),
    ] {
        database
            .execute(&format!("INSERT INTO {table} VALUES {}", rows.join(", ")))
            .await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn half_of_a_thousand_receivers_hang() {
    for database in Database::both().await {
        let receiver = Receiver::start().await;
        fill(&database, &receiver).await;
        let _gateway = Gateway::start(&database, &["--callback-allow", "127.0.0.0/8"]).await;
        let start = Instant::now();
        while receiver.received().len() < MERCHANTS {
            let (elapsed, count) = (start.elapsed(), receiver.received().len());
            assert!(
                elapsed < Duration::from_secs(90),
                "{count} of {MERCHANTS} events in {elapsed:?}"
            );
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        let states = |uid: &str| -> Vec<String> {
            let received = receiver.received();
            let own = received.iter().filter(|one| one.body["uid"] == uid);
            own.map(|one| one.body["state"].as_str().unwrap().to_owned())
                .collect()
        };
        assert_eq!(states("uid-1"), ["routed", "completed"]);
        // From now on the receivers that hang are known, and the others wait for nothing.
        let event = "INSERT INTO outbox (id, uid, merchant, url, body, state, attempts, due_at, created_at) VALUES";
        let body = r#"{"uid":"late","state":"routed"}"#;
        let sent = Instant::now();
        let values = format!(
            "('late', 'uid-1', 'merchant-0001', '{}', '{body}', 'pending', 0, 0, 0)",
            receiver.url
        );
        database.execute(&format!("{event} {values}")).await;
        receiver.wait(MERCHANTS + 1).await;
        assert!(
            sent.elapsed() < Duration::from_secs(5),
            "{:?}",
            sent.elapsed()
        );
    }
}
