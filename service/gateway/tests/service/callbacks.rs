//! Callbacks (§6, D11): signed, in order, repeated until they are accepted, and not to private
//! hosts.

use std::time::Duration;

use crate::database::Database;
use crate::gateway::{self, Gateway};
use crate::receiver::{Received, Receiver};

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
async fn sends_signed_events_in_order_until_they_are_accepted() {
    for database in Database::both().await {
        let receiver = Receiver::start().await;
        receiver.refuse(3);
        let token = gateway::token(&database, "shop-42");
        let gateway = Gateway::start(&database, &LOCAL).await;
        let uid = gateway
            .create(&token, None, &body(&receiver.url))
            .await
            .uid();
        let routed = advance(&database, &uid, &["routed"]);
        let partly = advance(&database, &uid, &["not_fully", "--paid-amount", "4.00"]);
        // Nothing changes, so no event is sent.
        advance(&database, &uid, &["not_fully", "--paid-amount", "4.00"]);
        let received = receiver.wait(5).await;
        let texts: Vec<_> = received.iter().map(|one| one.text.as_str()).collect();
        assert_eq!(
            texts,
            [&routed, &routed, &routed, &routed, &partly],
            "the second waits for the first"
        );
        assert_eq!(received[4].body["paid_amount"], "4.00");
        assert!(
            received[..4].iter().all(|one| one.id == received[0].id),
            "the same event has the same id"
        );
        assert_ne!(received[3].id, received[4].id);
        let (_, secret, _) = gateway::run(&database, &["secret", "--merchant", "shop-42"]);
        for one in &received {
            one.verify(secret.trim());
        }
        // Pauses grow threefold, give or take a quarter.
        let pause = |n: usize| received[n + 1].at - received[n].at;
        assert!(
            pause(0) >= Duration::from_millis(150) && pause(1) >= Duration::from_millis(450),
            "{received:?}"
        );
        assert!(pause(2) >= Duration::from_millis(1350), "{received:?}");
        database
            .wait("SELECT count(*) FROM outbox WHERE state = 'delivered'", 2)
            .await;
        tokio::time::sleep(Duration::from_millis(700)).await;
        assert_eq!(
            receiver.received().len(),
            5,
            "a delivered event is not sent again"
        );
        assert_eq!(gateway.status(&token, &uid).await.text, partly);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn follows_no_redirect_and_calls_no_private_host() {
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
        database
            .wait(
                "SELECT count(*) FROM outbox WHERE last_failure IS NOT NULL",
                2,
            )
            .await;
        assert_eq!(receiver.received().len(), 0);
    }
    let database = Database::sqlite();
    let token = gateway::token(&database, "shop-42");
    let gateway = Gateway::start(&database, &LOCAL).await;
    let away = receiver.url.replace("/hook", "/away");
    let uid = gateway.create(&token, None, &body(&away)).await.uid();
    advance(&database, &uid, &["routed"]);
    database
        .wait(
            "SELECT count(*) FROM outbox WHERE last_failure = 'the receiver answered 302'",
            1,
        )
        .await;
    assert_eq!(receiver.received().len(), 0);
}

/// A receiver changes its secret in its own time: for a while both sign.
#[tokio::test(flavor = "multi_thread")]
async fn a_secret_is_changed_without_a_gap() {
    for database in Database::both().await {
        let receiver = Receiver::start().await;
        let token = gateway::token(&database, "shop-42");
        let secret = |rotate: &[&str]| {
            let (shown, secret, error) = gateway::run(
                &database,
                &[&["secret", "--merchant", "shop-42"], rotate].concat(),
            );
            assert!(shown, "{error}");
            secret.trim().to_owned()
        };
        let gateway = Gateway::start(&database, &LOCAL).await;
        let mut sent = 0;
        let mut event = async || {
            let uid = gateway
                .create(&token, None, &body(&receiver.url))
                .await
                .uid();
            advance(&database, &uid, &["routed"]);
            sent += 1;
            receiver.wait(sent).await.pop().unwrap()
        };
        let first = secret(&[]);
        let one = event().await;
        let second = secret(&["--rotate"]);
        assert_eq!(secret(&[]), second);
        let two = event().await;
        let third = secret(&["--rotate", "--keep", "0"]);
        let three = event().await;
        let signed =
            |event: &Received| [&first, &second, &third].map(|secret| event.is_signed_with(secret));
        assert_eq!(signed(&one), [true, false, false]);
        assert_eq!(
            signed(&two),
            [true, true, false],
            "both, as long as the old one is kept"
        );
        assert_eq!(
            signed(&three),
            [false, false, true],
            "the old secret is no longer valid"
        );
        let (rotated, _, error) =
            gateway::run(&database, &["secret", "--merchant", "nobody", "--rotate"]);
        assert!(!rotated && error.contains("never had a token"), "{error}");
    }
}

/// More events than there are deliveries at once wait for a receiver that never answers; another
/// merchant's do not.
#[tokio::test(flavor = "multi_thread")]
async fn a_receiver_that_hangs_delays_no_other_merchant() {
    for database in Database::both().await {
        let receiver = Receiver::start().await;
        let (slow, quick) = (
            gateway::token(&database, "slow"),
            gateway::token(&database, "quick"),
        );
        let options = [
            "--callback-allow",
            "127.0.0.0/8",
            "--callback-timeout",
            "60",
            "--simulate-acquirer=50",
        ];
        let gateway = Gateway::start(&database, &options).await;
        let hangs = body(&receiver.url.replace("/hook", "/never"));
        for _ in 0..50 {
            gateway.create(&slow, None, &hangs).await;
        }
        database
            .wait(
                "SELECT count(*) FROM payments WHERE state = 'completed'",
                50,
            )
            .await;
        let uid = gateway
            .create(&quick, None, &body(&receiver.url))
            .await
            .uid();
        let deliveries = receiver.wait(2).await;
        assert!(deliveries.iter().all(|one| one.body["uid"] == *uid));
        let tried = database
            .count("SELECT count(*) FROM outbox WHERE merchant = 'slow' AND attempts > 0")
            .await;
        assert!(
            (8..16).contains(&tried),
            "{tried} deliveries wait for one merchant"
        );
    }
}
