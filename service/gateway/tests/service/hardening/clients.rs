//! Clients that send nothing, too much, or do not read.

use std::net::SocketAddr;
use std::process::Stdio;
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::process::Command;
use tokio::time::timeout;

use crate::database::Database;
use crate::gateway::{self, BODY, Gateway, PROGRAM};

fn address(gateway: &Gateway) -> SocketAddr {
    gateway.base.trim_start_matches("http://").parse().unwrap()
}

async fn connect(gateway: &Gateway) -> TcpStream {
    TcpStream::connect(address(gateway)).await.unwrap()
}

/// A connection from another address of this machine.
async fn stranger(gateway: &Gateway) -> TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind("127.0.0.9:0".parse().unwrap()).unwrap();
    socket.connect(address(gateway)).await.unwrap()
}

/// Waits until the gateway closes a connection.
async fn closed(mut stream: TcpStream) {
    let mut rest = Vec::new();
    let end = timeout(Duration::from_secs(6), stream.read_to_end(&mut rest)).await;
    assert!(end.is_ok(), "never closed");
}

/// KiB of memory.
fn memory(gateway: &Gateway) -> i64 {
    let status =
        std::fs::read_to_string(format!("/proc/{}/status", gateway.child.id().unwrap())).unwrap();
    let line = status
        .lines()
        .find(|line| line.starts_with("VmRSS:"))
        .unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn silence_ends_a_connection() {
    let database = Database::sqlite();
    let token = gateway::token(&database, "shop-42");
    let mut command = Command::new(PROGRAM);
    command
        .env("GATEWAY_CLIENT_TIMEOUT", "1")
        .env("GATEWAY_TIMEOUT", "2");
    let gateway = Gateway::start_with(command, &database.url, &[], Stdio::null()).await;
    // Before the first byte, in the head, where HTTP/2 might begin, and between two requests.
    for start in [
        "",
        "POST /v1/payments/new HTTP/1.1\r\nhost: x\r\n",
        "PRI * HTTP/2.0\r\n",
        "P",
        "GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n",
    ] {
        let mut stream = connect(&gateway).await;
        stream.write_all(start.as_bytes()).await.unwrap();
        closed(stream).await;
    }
    // In the body, and where the head comes byte by byte.
    let head = format!(
        "POST /v1/payments/new HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {token}\r\ncontent-type: application/json\r\n"
    );
    let mut stream = connect(&gateway).await;
    stream
        .write_all(format!("{head}content-length: 99\r\n\r\n{{").as_bytes())
        .await
        .unwrap();
    let mut answer = String::new();
    timeout(Duration::from_secs(6), stream.read_to_string(&mut answer))
        .await
        .unwrap()
        .unwrap();
    assert!(answer.starts_with("HTTP/1.1 408"), "{answer}");
    let mut stream = connect(&gateway).await;
    let start = Instant::now();
    let mut written = 0;
    for byte in head.bytes().cycle() {
        if stream.write_all(&[byte]).await.is_err() {
            break;
        }
        written += 1;
        assert!(
            start.elapsed() < Duration::from_secs(6),
            "a head of {written} bytes is waited for"
        );
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn answers_that_nobody_reads_do_not_hold_the_end() {
    let database = Database::sqlite();
    let mut command = Command::new(PROGRAM);
    command.env("GATEWAY_CLIENT_TIMEOUT", "1");
    let mut gateway = Gateway::start_with(command, &database.url, &[], Stdio::null()).await;
    let mut streams = Vec::new();
    for _ in 0..5 {
        let mut stream = connect(&gateway).await;
        let requests = "GET /openapi.json HTTP/1.1\r\nhost: x\r\n\r\n".repeat(500);
        let _ = timeout(
            Duration::from_millis(300),
            stream.write_all(requests.as_bytes()),
        )
        .await;
        streams.push(stream);
    }
    gateway.terminate();
    let ended = timeout(Duration::from_secs(6), gateway.child.wait()).await;
    let ended = ended.expect("the end waits for them").unwrap();
    assert!(ended.success(), "{ended}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stranger_leaves_connections_to_others() {
    let database = Database::sqlite();
    let token = gateway::token(&database, "shop-42");
    let mut command = Command::new("sh");
    command
        .args(["-c", r#"ulimit -n 128; exec "$@""#, "sh", PROGRAM])
        .env("GATEWAY_CLIENT_TIMEOUT", "3");
    let gateway = Gateway::start_with(command, &database.url, &[], Stdio::null()).await;
    let mut streams = Vec::new();
    for _ in 0..300 {
        streams.push(stranger(&gateway).await);
    }
    for _ in 0..10 {
        assert_eq!(gateway.get("/healthz", None).await.status, 200);
        assert_eq!(gateway.get("/readyz", None).await.status, 200);
        assert_eq!(gateway.create(&token, None, BODY).await.status, 201);
    }
    // The last of them got an answer at once, the first are closed in their time.
    let mut answer = String::new();
    let last = timeout(
        Duration::from_secs(1),
        streams.pop().unwrap().read_to_string(&mut answer),
    )
    .await;
    assert!(
        last.is_ok() && answer.starts_with("HTTP/1.1 503") && answer.contains(r#""status":503"#),
        "{answer}"
    );
    closed(streams.swap_remove(0)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_takes_little_memory() {
    let database = Database::sqlite();
    let token = gateway::token(&database, "shop-42");
    let gateway = Gateway::start(&database, &[]).await;
    for _ in 0..20 {
        gateway.create(&token, None, BODY).await;
    }
    let before = memory(&gateway);
    let mut streams = Vec::new();
    for _ in 0..100 {
        let mut stream = connect(&gateway).await;
        let head = format!(
            "GET /healthz HTTP/1.1\r\nhost: x\r\nx: {}",
            "x".repeat(200_000)
        );
        // It may be closed on the way.
        let _ = timeout(
            Duration::from_millis(200),
            stream.write_all(head.as_bytes()),
        )
        .await;
        streams.push(stream);
    }
    tokio::time::sleep(Duration::from_millis(300)).await;
    let heads = memory(&gateway) - before;
    assert!(heads < 100 * 64, "{heads} KiB for 100 unfinished heads");
    drop(streams);

    let before = memory(&gateway);
    let mut streams = Vec::new();
    let chunks = "1\r\n \r\n".repeat(60_000);
    for _ in 0..20 {
        let mut stream = connect(&gateway).await;
        let head = format!(
            "POST /v1/payments/new HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {token}\r\n\
             content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n{chunks}"
        );
        stream.write_all(head.as_bytes()).await.unwrap();
        streams.push(stream);
    }
    tokio::time::sleep(Duration::from_millis(500)).await;
    let bodies = memory(&gateway) - before;
    assert!(
        bodies < 20 * 512,
        "{bodies} KiB for 20 bodies of 60,000 chunks"
    );
}
