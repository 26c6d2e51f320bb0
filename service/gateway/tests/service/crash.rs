//! kill -9 in the middle of a load: nothing that was answered is lost, and nothing is doubled but
//! deliveries.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::database::Database;
use crate::gateway::{self, Answer, Gateway};
use crate::receiver::Receiver;

const CLIENTS: usize = 8;
/// A client that has got so many answers has met no gateway that died.
const ENDLESS: usize = 5_000;
/// So that what is made can be carried to its end in the time of a test.
const PACE: Duration = Duration::from_millis(20);
const OPTIONS: [&str; 7] = [
    "--callback-allow",
    "127.0.0.0/8",
    "--callback-pause",
    "100",
    "--callback-timeout",
    "1",
    "--simulate-acquirer=50",
];

/// The results of a load.
#[derive(Default)]
struct Load {
    answered: BTreeMap<String, Answer>,
    cut: Vec<String>,
}

/// Clients that create payments until the gateway is gone: what was answered, and the keys of what
/// was not.
async fn load(gateway: Arc<Gateway>, token: String, body: String, round: usize) -> Load {
    let mut clients = tokio::task::JoinSet::new();
    for client in 0..CLIENTS {
        let (gateway, token, body) = (Arc::clone(&gateway), token.clone(), body.clone());
        clients.spawn(async move {
            let mut answers = Vec::new();
            for number in 0..ENDLESS {
                let key = format!("order-{round}-{client}-{number}");
                match gateway.try_create(&token, Some(&key), &body).await {
                    Ok(answer) => answers.push((key, answer)),
                    Err(_) => return (answers, key),
                }
                tokio::time::sleep(PACE).await;
            }
            panic!("the gateway was not killed in the middle of the load");
        });
    }
    let mut load = Load::default();
    for (answers, cut) in clients.join_all().await {
        load.answered.extend(answers);
        load.cut.push(cut);
    }
    load
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_lost_and_nothing_doubled_but_deliveries() {
    for database in Database::both().await {
        let receiver = Receiver::start().await;
        let token = gateway::token(&database, "shop-42");
        let body = format!(
            r#"{{"payment_type":"pay_in","mode":"P2P","subtype":"sbp","cur":"RUB","amount":"10.00","callback":"{}"}}"#,
            receiver.url
        );
        let (mut answered, mut cut) = (BTreeMap::new(), Vec::new());
        for round in 0..2 {
            let gateway = Arc::new(Gateway::start(&database, &OPTIONS).await);
            let (before, killed) = (receiver.received().len(), gateway.child.id().unwrap());
            let load = tokio::spawn(load(
                Arc::clone(&gateway),
                token.clone(),
                body.clone(),
                round,
            ));
            // In the middle: payments come in and callbacks go out.
            let start = Instant::now();
            while receiver.received().len() < before + 5
                && start.elapsed() < Duration::from_secs(20)
            {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            assert!(receiver.received().len() > before, "callbacks go out");
            let kill = std::process::Command::new("kill")
                .args(["-9", &killed.to_string()])
                .status()
                .unwrap();
            assert!(kill.success());
            let load = load.await.unwrap();
            answered.extend(load.answered);
            cut.extend(load.cut);
        }
        let acknowledged: Vec<_> = answered
            .values()
            .filter(|answer| answer.status == 201)
            .collect();
        assert!(
            acknowledged.len() > 5,
            "{} payments were answered",
            acknowledged.len()
        );
        assert_eq!(
            acknowledged.len(),
            answered.len(),
            "every answer is a payment: {answered:?}"
        );

        let gateway = Gateway::start(&database, &OPTIONS).await;
        // A request that was cut off may be stored or not: the client repeats it, and then it is
        // stored once.
        assert_eq!(cut.len(), 2 * CLIENTS);
        for key in &cut {
            let again = gateway.create(&token, Some(key), &body).await;
            assert!(
                again.status == 201 || again.code() == "idempotency_conflict",
                "{again:?}"
            );
        }
        // All that was answered is there, once, and goes its way to the end.
        let stored: BTreeSet<_> = database
            .texts("SELECT uid FROM payments")
            .await
            .into_iter()
            .collect();
        for answer in &acknowledged {
            assert!(
                stored.contains(&answer.uid()),
                "an answered payment is lost"
            );
        }
        let keys = database.texts("SELECT key FROM idempotency").await;
        assert_eq!(
            keys.len(),
            stored.len(),
            "a payment for each key, and none without"
        );
        assert_eq!(
            keys.len(),
            answered.len() + cut.len(),
            "one key for each request, and no other"
        );
        for (key, answer) in answered.iter().take(10) {
            let again = gateway.create(&token, Some(key), &body).await;
            assert!(
                again.status == 409 || (again.replayed && again.text == answer.text),
                "{again:?}"
            );
        }
        let waits = "SELECT count(*) FROM payments WHERE state <> 'completed'";
        let pending = "SELECT count(*) FROM outbox WHERE state <> 'delivered'";
        let start = Instant::now();
        while database.count(waits).await > 0 || database.count(pending).await > 0 {
            assert!(
                start.elapsed() < Duration::from_secs(90),
                "not everything comes to its end"
            );
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
        assert_eq!(
            database.count("SELECT count(*) FROM payments").await,
            i64::try_from(stored.len()).unwrap()
        );
        // Each payment has events of two changes; each may have come more than once, always with
        // the same id.
        let mut delivered: BTreeMap<(String, String), BTreeSet<String>> = BTreeMap::new();
        for one in receiver.received() {
            let text = |name: &str| one.body[name].as_str().unwrap().to_owned();
            delivered
                .entry((text("uid"), text("state")))
                .or_default()
                .insert(one.id.clone());
        }
        for uid in &stored {
            for state in ["routed", "completed"] {
                let ids = delivered
                    .get(&(uid.clone(), state.to_owned()))
                    .map_or(0, BTreeSet::len);
                assert_eq!(ids, 1, "{uid} {state}: {ids} events");
            }
        }
        assert_eq!(
            delivered.len(),
            2 * stored.len(),
            "no event of a payment that is not stored"
        );
    }
}
