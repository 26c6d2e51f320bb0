//! A disk that is full stops payments, and nothing has to be restarted once there is space again.

use std::fs::{File, remove_file};
use std::io::Write;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use tokio::process::Command;

use crate::database::Database;
use crate::gateway::{self, BODY, Gateway, PROGRAM};

/// A disk of 3 MiB that only the gateway and its children see, with a copy of the database.
const SCRIPT: &str =
    r#"mount -t tmpfs -o size=3m tmpfs "$1" && cp "$2"* "$1" && shift 2 && exec "$@""#;

async fn ready(gateway: &Gateway) -> u16 {
    // The last answer is kept for half a second.
    tokio::time::sleep(Duration::from_millis(600)).await;
    gateway.get("/readyz", None).await.status
}

fn fill(file: &Path) {
    let mut file = File::create(file).unwrap();
    while file.write_all(&[0; 4096]).is_ok() {}
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_disk_of_sqlite() {
    let database = Database::sqlite();
    let token = gateway::token(&database, "shop-42");
    let disk = tempfile::tempdir().unwrap();
    let mut command = Command::new("unshare");
    command
        .args(["-rm", "sh", "-c", SCRIPT, "sh"])
        .arg(disk.path());
    command
        .arg(database.url.trim_start_matches("sqlite:"))
        .arg(PROGRAM);
    let url = format!("sqlite:{}/gateway.db", disk.path().display());
    command.env("GATEWAY_MIN_FREE_SPACE", "0");
    // Without it, only root sees the file systems of a protected process.
    command.env("PAYSPEC_TEST_READABLE_MEMORY", "1");
    let gateway = Gateway::start_with(command, &url, &[], Stdio::null()).await;
    let seen = format!(
        "/proc/{}/root{}",
        gateway.child.id().unwrap(),
        disk.path().display()
    );
    let filler = Path::new(&seen).join("filler");
    let mut answered = Vec::new();
    for round in 0..3 {
        let created = gateway.create(&token, None, BODY).await;
        assert_eq!(
            (created.status, ready(&gateway).await),
            (201, 200),
            "round {round}: {}",
            created.text
        );
        answered.push(created);
        fill(&filler);
        // The log of SQLite is used again from its beginning, so some payments still find space in
        // it.
        let start = Instant::now();
        loop {
            let created = gateway.create(&token, None, BODY).await;
            if created.status == 503 {
                break;
            }
            assert_eq!(created.status, 201, "{}", created.text);
            answered.push(created);
            assert!(
                start.elapsed() < Duration::from_secs(30),
                "the disk is never full"
            );
        }
        for _ in 0..3 {
            assert_eq!(gateway.create(&token, None, BODY).await.status, 503);
        }
        assert_eq!(ready(&gateway).await, 503, "round {round}");
        assert_eq!(gateway.get("/healthz", None).await.status, 200);
        for created in &answered {
            assert_eq!(
                gateway.status(&token, &created.uid()).await.text,
                created.text,
                "an answered payment is lost"
            );
        }
        remove_file(&filler).unwrap();
    }
    assert_eq!(ready(&gateway).await, 200, "without a restart");
    assert_eq!(gateway.create(&token, None, BODY).await.status, 201);
}

/// PostgreSQL reports 53100 where its disk is full; a trigger on each table does the same.
#[tokio::test(flavor = "multi_thread")]
async fn a_full_disk_of_postgres() {
    let database = Database::postgres().await;
    let token = gateway::token(&database, "shop-42");
    let gateway = Gateway::start(&database, &["--connections", "2"]).await;
    let function = "CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS \
                    $$ BEGIN RAISE EXCEPTION 'no space left' USING ERRCODE = '53100'; END $$";
    database.execute(function).await;
    let tables = database
        .texts("SELECT tablename::text FROM pg_tables WHERE schemaname = 'public'")
        .await;
    assert!(tables.len() >= 5, "{tables:?}");
    for _ in 0..2 {
        assert_eq!(
            (
                gateway.create(&token, None, BODY).await.status,
                ready(&gateway).await
            ),
            (201, 200)
        );
        for table in &tables {
            let on = format!("BEFORE INSERT OR UPDATE ON {table} EXECUTE FUNCTION full_disk()");
            database
                .execute(&format!("CREATE TRIGGER full_disk {on}"))
                .await;
        }
        for key in [None, Some("order-1"), None, Some("order-1")] {
            assert_eq!(gateway.create(&token, key, BODY).await.status, 503);
        }
        assert_eq!(ready(&gateway).await, 503);
        for table in &tables {
            database
                .execute(&format!("DROP TRIGGER full_disk ON {table}"))
                .await;
        }
    }
    assert_eq!(ready(&gateway).await, 200, "without a restart");
    assert_eq!(
        gateway.create(&token, Some("order-1"), BODY).await.status,
        201
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn payments_leave_space_for_changes() {
    let database = Database::sqlite();
    let token = gateway::token(&database, "shop-42");
    let uid = {
        let gateway = Gateway::start(&database, &[]).await;
        gateway.create(&token, None, BODY).await.uid()
    };
    // More than any disk has.
    let gateway = Gateway::start(&database, &["--min-free-space", "1000000000000"]).await;
    let refused = gateway.create(&token, None, BODY).await;
    assert_eq!(
        (refused.status, refused.kind.as_str()),
        (503, "application/json")
    );
    assert_eq!(ready(&gateway).await, 503);
    assert_eq!(gateway.status(&token, &uid).await.status, 200);
    let (moved, _, error) = gateway::run(
        &database,
        &[
            "advance",
            &uid,
            "routed",
            "--min-free-space",
            "1000000000000",
        ],
    );
    assert!(moved, "{error}");
}
