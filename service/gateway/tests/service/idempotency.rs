//! The idempotency window (§8) by the database's clock.

use std::time::{Duration, Instant};

use payspec::Timestamp;
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::database::Database;
use crate::gateway::{self, BODY, Gateway};

/// Makes a record older, in microseconds; younger than now where they are negative.
async fn age(database: &Database, micros: i64) {
    let statement = format!("UPDATE idempotency SET created_at = created_at - ({micros})");
    assert_eq!(database.execute(&statement).await, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn replay_mismatch_and_conflict() {
    for database in Database::both().await {
        let token = gateway::token(&database, "shop-42");
        let gateway = Gateway::start(&database, &[]).await;
        let first = gateway.create(&token, Some("order-1"), BODY).await;
        assert_eq!((first.status, first.replayed), (201, false));
        // A minute ahead, so that a slow machine stays within the window.
        age(&database, -60_000_000).await;
        let again = gateway
            .create(&token, Some("order-1"), &BODY.replace(',', " , "))
            .await;
        assert_eq!(
            (again.status, again.replayed, &again.text),
            (201, true, &first.text)
        );
        // `order-1` and `"order-1"` are one key.
        let quoted = gateway.create(&token, Some("\"order-1\""), BODY).await;
        assert_eq!(
            (quoted.status, quoted.replayed, &quoted.text),
            (201, true, &first.text)
        );
        let other = gateway
            .create(&token, Some("order-1"), &BODY.replace("990.50", "990.51"))
            .await;
        assert_eq!(
            (other.status, other.code().as_str()),
            (409, "idempotency_key_reused")
        );
        // The replay is the first answer, although the payment has moved on.
        let (moved, _, error) = gateway::run(&database, &["advance", &first.uid(), "routed"]);
        assert!(moved, "{error}");
        assert_eq!(
            gateway.status(&token, &first.uid()).await.json()["state"],
            "routed"
        );
        let again = gateway.create(&token, Some("order-1"), BODY).await;
        assert_eq!((again.replayed, &again.text), (true, &first.text));
        // More than a second ago: §4.1 and §7, row 409. It does not matter whether the request is
        // the same, or valid.
        age(&database, 61_000_001).await;
        let bodies = [
            BODY.to_owned(),
            BODY.replace("990.50", "990.51"),
            "{".to_owned(),
            " ".repeat(70_000),
        ];
        for body in bodies {
            let late = gateway.create(&token, Some("order-1"), &body).await;
            assert_eq!(
                (late.status, late.code().as_str()),
                (409, "idempotency_conflict")
            );
        }
        assert_eq!(database.count("SELECT count(*) FROM payments").await, 1);
        // Without a key there is no window.
        let uids = [
            gateway.create(&token, None, BODY).await.uid(),
            gateway.create(&token, None, BODY).await.uid(),
        ];
        assert_ne!(uids[0], uids[1]);
    }
}

/// Sends the head of a request with a key, and returns the answer to its body, which is sent when
/// `meanwhile` is over. It begins when the gateway wants the body, after its look-up.
async fn late<T>(
    gateway: &Gateway,
    token: &str,
    key: &str,
    meanwhile: impl Future<Output = T>,
) -> (T, String) {
    let mut stream = TcpStream::connect(gateway.base.trim_start_matches("http://"))
        .await
        .unwrap();
    let head = format!(
        "POST /v1/payments/new HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: application/json\r\n\
         authorization: Bearer {token}\r\nidempotency-key: {key}\r\nexpect: 100-continue\r\ncontent-length: {}\r\n\r\n",
        BODY.len()
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    gateway::continued(&mut stream).await;
    let meanwhile = meanwhile.await;
    // Longer than a look-up before the body is good for.
    tokio::time::sleep(Duration::from_millis(150)).await;
    stream.write_all(BODY.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    (meanwhile, answer)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_that_is_revoked_before_the_body_is_there_is_401() {
    for database in Database::both().await {
        let token = gateway::token(&database, "shop-42");
        let gateway = Gateway::start(&database, &[]).await;
        let revoke = database.execute("UPDATE tokens SET revoked_at = 1");
        let (revoked, refused) = late(&gateway, &token, "order-1", revoke).await;
        assert_eq!(revoked, 1);
        assert!(refused.starts_with("HTTP/1.1 401"), "{refused}");
        assert_eq!(database.count("SELECT count(*) FROM payments").await, 0);
    }
}

/// The token is checked before the body is read, and the record of the key comes with it. The time
/// until the body is there counts all the same.
#[tokio::test(flavor = "multi_thread")]
async fn a_request_has_the_time_of_its_body_and_not_of_its_head() {
    for database in Database::both().await {
        let token = gateway::token(&database, "shop-42");
        let gateway = Gateway::start(&database, &[]).await;
        let meanwhile = async {
            let first = gateway.create(&token, Some("order-1"), BODY).await;
            // A minute ahead, so that a slow machine stays within the window.
            age(&database, -60_000_000).await;
            first
        };
        let (first, repeated) = late(&gateway, &token, "order-1", meanwhile).await;
        assert!(
            repeated.starts_with("HTTP/1.1 201") && repeated.ends_with(&first.text),
            "{repeated}"
        );
        assert!(repeated.contains("idempotent-replayed: true"), "{repeated}");
        let (earlier, later) = late(
            &gateway,
            &token,
            "order-2",
            gateway.create(&token, None, BODY),
        )
        .await;
        let (_, body) = later.split_once("\r\n\r\n").unwrap();
        let later: Value = serde_json::from_str(body).unwrap();
        let date = |payment: &Value| {
            payment["created_date"]
                .as_str()
                .unwrap()
                .parse::<Timestamp>()
                .unwrap()
        };
        assert!(
            date(&later) >= date(&earlier.json()),
            "{later} after {}",
            earlier.text
        );
        assert_eq!(database.count("SELECT count(*) FROM payments").await, 3);
    }
}

/// SQLite's clock has milliseconds.
const COARSE: Duration = Duration::from_millis(2);
const WINDOW: Duration = Duration::from_secs(1);

/// Repeats a request from within the window of its key until after it, and checks each answer whose
/// side is certain by the clock of the world. Returns the number of answers on each side.
async fn cross_the_window(gateway: &Gateway, token: &str, key: &str) -> (usize, usize) {
    let asked = Instant::now();
    let first = gateway.create(token, Some(key), BODY).await;
    let answered = Instant::now();
    let (mut within, mut after) = (0, 0);
    while answered.elapsed() < WINDOW + Duration::from_millis(300) {
        let sent = Instant::now();
        let again = gateway.create(token, Some(key), BODY).await;
        if asked.elapsed() + COARSE < WINDOW {
            assert_eq!(
                (again.status, again.replayed, &again.text),
                (201, true, &first.text)
            );
            within += 1;
        } else if sent - answered > WINDOW + COARSE {
            assert_eq!(
                (again.status, again.code().as_str()),
                (409, "idempotency_conflict")
            );
            after += 1;
        }
    }
    (within, after)
}

/// The same by the clock of the world: what is younger than a second for certain is replayed, what
/// is older is refused.
#[tokio::test(flavor = "multi_thread")]
async fn the_window_is_a_second_long() {
    for database in Database::both().await {
        let token = gateway::token(&database, "shop-42");
        let gateway = Gateway::start(&database, &[]).await;
        let mut number = 0;
        // On a slow machine no answer may come in time, so that nothing is found out.
        while !matches!(
            cross_the_window(&gateway, &token, &format!("order-{number}")).await,
            (1.., 1..)
        ) {
            number += 1;
            assert!(number < 60, "never on both sides of the window");
        }
    }
}

/// PostgreSQL finds functions by a path of schemas, so a test can put a clock of its own before the
/// server's.
#[tokio::test(flavor = "multi_thread")]
async fn exactly_one_second_is_within_and_a_microsecond_more_is_not() {
    let database = Database::postgres().await;
    database.execute("CREATE SCHEMA still").await;
    database
        .execute("CREATE TABLE still.clock (at TIMESTAMPTZ NOT NULL)")
        .await;
    database
        .execute("INSERT INTO still.clock VALUES ('2026-11-20T10:15:30.250Z')")
        .await;
    database
        .execute(
            "CREATE FUNCTION still.clock_timestamp() RETURNS TIMESTAMPTZ LANGUAGE sql VOLATILE \
             AS 'SELECT at FROM still.clock'",
        )
        .await;
    let name = database.url.rsplit('/').next().unwrap();
    database
        .execute(&format!(
            "ALTER DATABASE {name} SET search_path = still, pg_catalog, public"
        ))
        .await;

    let token = gateway::token(&database, "shop-42");
    let gateway = Gateway::start(&database, &[]).await;
    let first = gateway.create(&token, Some("order-1"), BODY).await;
    assert_eq!(
        first.json()["created_date"],
        "2026-11-20T10:15:30.250Z",
        "the clock is the database's"
    );
    for (at, status, replayed) in [
        ("10:15:30.250000", 201, true),
        ("10:15:31.249999", 201, true),
        ("10:15:31.250000", 201, true),
        ("10:15:31.250001", 409, false),
        ("11:00:00.000000", 409, false),
        // The clock is set back: the window does not open again.
        ("10:15:30.500000", 409, false),
    ] {
        database
            .execute(&format!("UPDATE still.clock SET at = '2026-11-20T{at}Z'"))
            .await;
        if at.starts_with("11") {
            let written = "SELECT count(*) FROM steady_clock WHERE latest >= extract(epoch FROM clock_timestamp()) * 1000000";
            database.wait(written, 1).await;
        }
        let again = gateway.create(&token, Some("order-1"), BODY).await;
        assert_eq!(
            (again.status, again.replayed),
            (status, replayed),
            "{at}: {}",
            again.text
        );
        if replayed {
            assert_eq!(again.text, first.text);
        } else {
            assert_eq!(again.code(), "idempotency_conflict");
        }
    }
}
