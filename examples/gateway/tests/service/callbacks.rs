//! Callbacks (§6, D11): signed, in order, repeated until they are taken, and never to a private address by chance.

use std::time::Duration;

use crate::database::Database;
use crate::gateway::{self, Gateway};
use crate::receiver::Receiver;

const LOCAL: [&str; 4] = ["--callback-allow", "127.0.0.0/8", "--callback-pause", "200"];

fn body(callback: &str) -> String {
    format!(
        r#"{{"payment_type":"pay_in","mode":"P2P","subtype":"sbp","cur":"RUB","amount":"10.00","callback":"{callback}"}}"#
    )
}

fn advance(database: &Database, uid: &str, change: &[&str]) -> String {
    let mut arguments = vec!["advance", uid];
    arguments.extend(change);
    let (moved, out, error) = gateway::run(database, &arguments);
    assert!(moved, "{change:?}: {error}");
    out.trim().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn each_change_is_told_signed_in_order_and_again_until_it_is_taken() {
    for database in Database::both().await {
        let receiver = Receiver::start().await;
        receiver.refuse(3);
        let token = gateway::token(&database, "shop-42");
        let gateway = Gateway::start(&database, &LOCAL).await;
        let uid = gateway.create(&token, None, &body(&receiver.url)).await.uid();
        let routed = advance(&database, &uid, &["routed"]);
        let partly = advance(&database, &uid, &["not_fully", "--paid-amount", "4.00"]);
        // Nothing changes, so nothing is told.
        advance(&database, &uid, &["not_fully", "--paid-amount", "4.00"]);
        let received = receiver.wait(5).await;
        let texts: Vec<_> = received.iter().map(|one| one.text.as_str()).collect();
        assert_eq!(texts, [&routed, &routed, &routed, &routed, &partly], "the second waits for the first");
        assert_eq!(received[4].body["paid_amount"], "4.00");
        assert!(received[..4].iter().all(|one| one.id == received[0].id), "the same event has the same id");
        assert_ne!(received[3].id, received[4].id);
        let (_, secret, _) = gateway::run(&database, &["secret", "--merchant", "shop-42"]);
        for one in &received {
            one.verify(secret.trim());
        }
        // Pauses grow threefold, give or take a quarter.
        let pause = |n: usize| received[n + 1].at - received[n].at;
        assert!(pause(0) >= Duration::from_millis(150) && pause(1) >= Duration::from_millis(450), "{received:?}");
        assert!(pause(2) >= Duration::from_millis(1350), "{received:?}");
        tokio::time::sleep(Duration::from_millis(700)).await;
        assert_eq!(receiver.received().len(), 5, "what is taken is not told again");
        assert_eq!(database.count("SELECT count(*) FROM outbox WHERE state = 'delivered'").await, 2);
        assert_eq!(gateway.status(&token, &uid).await.text, partly);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn private_addresses_and_redirects_lead_nowhere() {
    let receiver = Receiver::start().await;
    let database = Database::sqlite();
    let token = gateway::token(&database, "shop-42");
    {
        let gateway = Gateway::start(&database, &[]).await;
        let by_name = receiver.url.replace("127.0.0.1", "localhost");
        for callback in [&receiver.url, &by_name] {
            let uid = gateway.create(&token, None, &body(callback)).await.uid();
            advance(&database, &uid, &["routed"]);
        }
        wait_for(&database, "SELECT count(*) FROM outbox WHERE last_failure IS NOT NULL", 2).await;
        assert_eq!(receiver.received().len(), 0);
    }
    let database = Database::sqlite();
    let token = gateway::token(&database, "shop-42");
    let gateway = Gateway::start(&database, &LOCAL).await;
    let away = receiver.url.replace("/hook", "/away");
    let uid = gateway.create(&token, None, &body(&away)).await.uid();
    advance(&database, &uid, &["routed"]);
    wait_for(&database, "SELECT count(*) FROM outbox WHERE last_failure = 'the receiver answered 302'", 1).await;
    assert_eq!(receiver.received().len(), 0);
}

async fn wait_for(database: &Database, query: &str, count: i64) {
    for _ in 0..100 {
        if database.count(query).await == count {
            return;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("never {count}: {query}");
}
