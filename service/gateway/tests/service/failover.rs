//! A server of PostgreSQL that is replaced, or that is no longer what it was. No gateway is
//! restarted.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

use crate::database::Database;
use crate::gateway::{self, Answer, BODY, Gateway};

/// Changes a setting of the database, which holds for new connections, and ends the old ones.
async fn alter(database: &Database, setting: &str) {
    let (server, name) = database.url.rsplit_once('/').unwrap();
    // From another database, since this one may take no writes.
    Database::at(&format!("{server}/postgres"))
        .execute(&format!("ALTER DATABASE {name} {setting}"))
        .await;
    disconnect(database).await;
}

/// Ends the connections of the database. Others may be opened meanwhile.
async fn disconnect(database: &Database) {
    let others =
        "FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()";
    for pid in database.texts(&format!("SELECT pid::text {others}")).await {
        database
            .execute(&format!("SELECT pg_terminate_backend({pid})"))
            .await;
        database
            .wait(&format!("SELECT count(*) {others} AND pid = {pid}"), 0)
            .await;
    }
}

/// Waits until the gateway is ready, or not.
async fn ready(gateway: &Gateway, status: u16) {
    let start = Instant::now();
    while gateway.get("/readyz", None).await.status != status {
        assert!(start.elapsed() < Duration::from_secs(30), "never {status}");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

async fn create(gateway: &Gateway, token: &str) -> Answer {
    gateway.create(token, None, BODY).await
}

#[track_caller]
fn assert_unavailable(answer: &Answer) {
    assert_eq!(
        (answer.status, answer.pause.as_deref()),
        (503, Some("1")),
        "{}",
        answer.text
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_answers_before_the_disk_is_refused() {
    let database = Database::postgres().await;
    let token = gateway::token(&database, "shop-42");
    let gateway = Gateway::start(&database, &["--timeout", "3"]).await;
    assert_eq!(create(&gateway, &token).await.status, 201);
    alter(&database, "SET synchronous_commit = off").await;
    for command in [
        ["migrate"].as_slice(),
        &[
            "serve",
            "--listen",
            "127.0.0.1:0",
            "--admin-listen",
            "127.0.0.1:0",
        ],
    ] {
        let (ran, _, error) = gateway::run(&database, command);
        assert!(!ran && error.contains("synchronous_commit"), "{error}");
    }
    ready(&gateway, 503).await;
    assert_unavailable(&create(&gateway, &token).await);
    alter(&database, "RESET synchronous_commit").await;
    ready(&gateway, 200).await;
    assert_eq!(create(&gateway, &token).await.status, 201);
}

/// A primary that takes no writes serves reads. A replica may lag behind, so it serves none: a
/// state could go backwards.
#[tokio::test(flavor = "multi_thread")]
async fn a_server_without_writes_is_not_ready() {
    let database = Database::postgres().await;
    let token = gateway::token(&database, "shop-42");
    let gateway = Gateway::start(&database, &["--timeout", "3"]).await;
    let first = create(&gateway, &token).await;
    alter(&database, "SET default_transaction_read_only = on").await;
    ready(&gateway, 503).await;
    assert_unavailable(&create(&gateway, &token).await);
    assert_eq!(gateway.status(&token, &first.uid()).await.text, first.text);
    alter(&database, "RESET default_transaction_read_only").await;
    ready(&gateway, 200).await;

    // PostgreSQL finds functions by a path of schemas, so a test can put an answer of its own
    // before the server's.
    database.execute("CREATE SCHEMA replica").await;
    database.execute("CREATE FUNCTION replica.pg_is_in_recovery() RETURNS BOOLEAN LANGUAGE sql AS 'SELECT TRUE'").await;
    alter(&database, "SET search_path = replica, pg_catalog, public").await;
    ready(&gateway, 503).await;
    assert_eq!(gateway.status(&token, &first.uid()).await.status, 503);
    let (ran, _, error) = gateway::run(&database, &["migrate"]);
    assert!(!ran && error.contains("replica"), "{error}");
    alter(&database, "RESET search_path").await;
    ready(&gateway, 200).await;
    assert_eq!(gateway.status(&token, &first.uid()).await.text, first.text);
    assert_eq!(database.count("SELECT count(*) FROM payments").await, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn connections_that_end_are_replaced() {
    let database = Database::postgres().await;
    let token = gateway::token(&database, "shop-42");
    let gateway = Gateway::start(&database, &[]).await;
    let first = create(&gateway, &token).await;
    for _ in 0..3 {
        // Longer than a connection is used without a check.
        tokio::time::sleep(Duration::from_millis(1100)).await;
        disconnect(&database).await;
        assert_eq!(create(&gateway, &token).await.status, 201);
        assert_eq!(gateway.status(&token, &first.uid()).await.text, first.text);
    }
}

/// A link to the server that can be cut: then bytes are not passed on, and the connections stay
/// open.
struct Link {
    address: String,
    cut: watch::Sender<bool>,
}

async fn until_cut(mut is_cut: watch::Receiver<bool>) {
    let _ = is_cut.wait_for(|is_cut| *is_cut).await;
}

impl Link {
    async fn to(server: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let (cut, is_cut) = watch::channel(false);
        let server = server.to_owned();
        tokio::spawn(async move {
            loop {
                let (mut client, _) = listener.accept().await.unwrap();
                let (server, is_cut) = (server.clone(), is_cut.clone());
                tokio::spawn(async move {
                    // A connection that is opened meanwhile is never answered.
                    let mut server = TcpStream::connect(server).await.unwrap();
                    tokio::select! {
                        biased;
                        () = until_cut(is_cut) => std::future::pending().await,
                        _ = tokio::io::copy_bidirectional(&mut client, &mut server) => {}
                    }
                });
            }
        });
        Self { address, cut }
    }
}

/// The connections from before stay silent for ever, as those to a machine that has lost its power.
#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_silent_is_given_up() {
    let database = Database::postgres().await;
    let token = gateway::token(&database, "shop-42");
    let server = database
        .url
        .split(['@', '/'])
        .find(|part| part.starts_with("127.0.0.1:"))
        .unwrap();
    let link = Arc::new(Link::to(server).await);
    let through = Database::at(&database.url.replace(server, &link.address));
    let gateway = Gateway::start(&through, &["--timeout", "3"]).await;
    assert_eq!(create(&gateway, &token).await.status, 201);
    link.cut.send_replace(true);
    ready(&gateway, 503).await;
    for _ in 0..3 {
        assert_unavailable(&create(&gateway, &token).await);
    }
    link.cut.send_replace(false);
    ready(&gateway, 200).await;
    let start = Instant::now();
    while create(&gateway, &token).await.status != 201 {
        assert!(start.elapsed() < Duration::from_secs(30), "never again");
    }
    // Events go on too, so the workers have given up what they were waiting for.
    let done = "SELECT count(*) FROM steady_clock WHERE latest > (extract(epoch FROM clock_timestamp()) - 2) * 1000000";
    database.wait(done, 1).await;
}
