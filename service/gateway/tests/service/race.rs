//! One key at two gateways at once.

use std::sync::Arc;

use crate::database::Database;
use crate::gateway::{self, BODY, Gateway};

#[tokio::test(flavor = "multi_thread")]
async fn two_hundred_requests_with_one_key_through_two_gateways_make_one_payment() {
    for database in Database::both().await {
        let token = gateway::token(&database, "shop-42");
        let gateways = [
            Arc::new(Gateway::start(&database, &["--log", "warn,gateway=info"]).await),
            Arc::new(Gateway::start(&database, &["--log", "warn,gateway=info"]).await),
        ];
        let mut asked = tokio::task::JoinSet::new();
        for number in 0..200 {
            let (gateway, token) = (Arc::clone(&gateways[number % 2]), token.clone());
            asked.spawn(async move { gateway.create(&token, Some("the-one-key"), BODY).await });
        }
        let answers = asked.join_all().await;
        assert_eq!(answers.len(), 200);
        let stored = database.texts("SELECT body FROM payments").await;
        assert_eq!(stored.len(), 1, "one payment");
        assert_eq!(database.count("SELECT count(*) FROM idempotency").await, 1);
        let first = answers
            .iter()
            .filter(|answer| answer.status == 201 && !answer.replayed)
            .count();
        assert_eq!(first, 1, "one answer is the first");
        for answer in &answers {
            match answer.status {
                201 => assert_eq!(answer.text, stored[0]),
                // The machine was so slow that more than a second has passed.
                409 => assert_eq!(answer.code(), "idempotency_conflict"),
                _ => panic!("{answer:?}"),
            }
        }
    }
}

/// Half of the requests have another amount: the first one decides which half is answered with its
/// payment.
#[tokio::test(flavor = "multi_thread")]
async fn two_bodies_with_one_key_make_one_payment() {
    for database in Database::both().await {
        let token = gateway::token(&database, "shop-42");
        let gateways = [
            Arc::new(Gateway::start(&database, &[]).await),
            Arc::new(Gateway::start(&database, &[]).await),
        ];
        let bodies = [BODY.to_owned(), BODY.replace("990.50", "990.51")];
        let mut asked = tokio::task::JoinSet::new();
        for number in 0..100 {
            let (gateway, token) = (Arc::clone(&gateways[number % 2]), token.clone());
            let body = bodies[number / 2 % 2].clone();
            asked.spawn(async move {
                (
                    gateway.create(&token, Some("the-one-key"), &body).await,
                    body,
                )
            });
        }
        let answers = asked.join_all().await;
        let stored = database.texts("SELECT body FROM payments").await;
        assert_eq!(stored.len(), 1, "one payment");
        let won = if stored[0].contains("990.51") {
            &bodies[1]
        } else {
            &bodies[0]
        };
        for (answer, body) in &answers {
            match (answer.status, answer.code().as_str()) {
                (201, _) => assert!(body == won && answer.text == stored[0]),
                (409, "idempotency_key_reused") => assert_ne!(body, won),
                // More than a second has passed: then it does not matter whose body it is.
                (409, "idempotency_conflict") => {}
                _ => panic!("{answer:?}"),
            }
        }
    }
}

/// PostgreSQL then ends transactions that it cannot put in an order. Such a request is 503, and its
/// repetition has the one payment.
#[tokio::test(flavor = "multi_thread")]
async fn each_key_has_one_payment_under_serializable_isolation() {
    let database = Database::postgres().await;
    let name = database.url.rsplit('/').next().unwrap();
    let isolation =
        format!("ALTER DATABASE {name} SET default_transaction_isolation = 'serializable'");
    database.execute(&isolation).await;
    let token = gateway::token(&database, "shop-42");
    let gateways = [
        Arc::new(Gateway::start(&database, &[]).await),
        Arc::new(Gateway::start(&database, &[]).await),
    ];
    let mut asked = tokio::task::JoinSet::new();
    for number in 0..300 {
        let (gateway, token) = (Arc::clone(&gateways[number % 2]), token.clone());
        let (key, amount) = (
            format!("key-{}", number % 10),
            ["990.50", "990.51"][number / 10 % 2],
        );
        asked.spawn(async move {
            let body = BODY.replace("990.50", amount);
            loop {
                let answer = gateway.create(&token, Some(&key), &body).await;
                if answer.status != 503 {
                    return (key, answer);
                }
            }
        });
    }
    let answers = asked.join_all().await;
    assert_eq!(database.count("SELECT count(*) FROM payments").await, 10);
    assert_eq!(database.count("SELECT count(*) FROM idempotency").await, 10);
    let mut created = std::collections::HashMap::new();
    for (key, answer) in answers {
        match answer.status {
            201 => assert_eq!(*created.entry(key).or_insert(answer.uid()), answer.uid()),
            409 => {}
            _ => panic!("{answer:?}"),
        }
    }
    assert_eq!(created.len(), 10, "each key has its payment");
}
