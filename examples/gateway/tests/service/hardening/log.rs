//! A log that cannot be written affects no answer.

use std::fs::OpenOptions;
use std::process::Stdio;
use std::time::Duration;

use crate::database::Database;
use crate::gateway::{self, BODY, Gateway};
use crate::receiver::Receiver;

const OPTIONS: [&str; 5] = ["--callback-allow", "127.0.0.0/8", "--callback-pause", "100", "--simulate-acquirer=50"];

/// Every payment is answered once, and every event is delivered once.
async fn works(gateway: &mut Gateway, database: &Database) {
    let receiver = Receiver::start().await;
    let token = gateway::token(database, "shop-42");
    let body = BODY.replace('}', &format!(r#","callback":"{}"}}"#, receiver.url));
    for number in 0..3 {
        let created = gateway.create(&token, Some(&format!("order-{number}")), &body).await;
        assert_eq!(created.status, 201, "{}", created.text);
    }
    assert_eq!(gateway.get("/readyz", None).await.status, 200);
    assert_eq!(receiver.wait(6).await.len(), 6);
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(receiver.received().len(), 6, "no event is delivered again");
    assert!(gateway.child.try_wait().unwrap().is_none(), "it goes on");
    gateway.terminate();
    let ended = tokio::time::timeout(Duration::from_secs(10), gateway.child.wait()).await.unwrap().unwrap();
    assert!(ended.success(), "{ended}");
}

fn full() -> Stdio {
    OpenOptions::new().write(true).open("/dev/full").unwrap().into()
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_reads_the_log_from_the_start() {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let database = Database::sqlite();
    let mut gateway = Gateway::start_with_log(&database, &OPTIONS, writer.into()).await;
    works(&mut gateway, &database).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_disk_of_the_log_is_full() {
    for database in Database::both().await {
        let mut gateway = Gateway::start_with_log(&database, &OPTIONS, full()).await;
        works(&mut gateway, &database).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_reader_of_the_log_ends_later() {
    let (reader, writer) = std::io::pipe().unwrap();
    let database = Database::sqlite();
    let mut gateway = Gateway::start_with_log(&database, &OPTIONS, writer.into()).await;
    drop(reader);
    works(&mut gateway, &database).await;
}

/// The pipe takes 64 KiB, and then a write waits for ever.
#[tokio::test(flavor = "multi_thread")]
async fn the_reader_of_the_log_hangs() {
    let (_reader, writer) = std::io::pipe().unwrap();
    let database = Database::sqlite();
    let gateway = Gateway::start_with_log(&database, &["--log", "trace"], writer.into()).await;
    let token = gateway::token(&database, "shop-42");
    for number in 0..100 {
        let created = tokio::time::timeout(Duration::from_secs(5), gateway.create(&token, None, BODY)).await;
        assert_eq!(created.unwrap_or_else(|_| panic!("request {number} waits for the log")).status, 201);
    }
}
