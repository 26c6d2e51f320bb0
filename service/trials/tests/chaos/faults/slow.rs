//! Clients that send byte by byte, and clients that do not read the answers.

use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use super::Scale;
use crate::checks::{Limits, Outcome};
use crate::gateway::BODY;
use crate::seed::Seed;
use crate::world::{Kind, Launch, World};

const ARGUMENTS: [&str; 4] = ["--client-timeout", "2", "--timeout", "12"];
/// How long a connection may last.
const LONGEST: Duration = Duration::from_secs(20);
const BYTE: Duration = Duration::from_millis(100);

pub(super) async fn run(kind: Kind, scale: Scale, seed: &mut Seed) -> Outcome {
    let mut world = World::start(kind.database().await, Launch::plain().with(&ARGUMENTS)).await;
    let head = format!(
        "POST /v1/payments/new HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {}\r\ncontent-type: application/json\r\n\
         idempotency-key: never\r\ncontent-length: {}\r\n\r\n",
        world.target.token,
        // A byte never comes, so that no payment is created even if the gateway itself is slow.
        BODY.len() + 1
    );
    let mut clients = JoinSet::new();
    for _ in 0..scale.slow {
        let address = world.address();
        // The head comes byte by byte, or the body; in both cases it takes longer than the gateway
        // waits.
        clients.spawn(write_slowly(
            TcpStream::connect(address).await.unwrap(),
            String::new(),
            head.clone(),
        ));
        clients.spawn(write_slowly(
            TcpStream::connect(address).await.unwrap(),
            head.clone(),
            BODY.to_owned(),
        ));
        clients.spawn(read_slowly(TcpStream::connect(address).await.unwrap()));
        sleep(seed.pause(Duration::from_millis(20))).await;
    }
    assert!(
        timeout(LONGEST, clients.join_all()).await.is_ok(),
        "slow connections are never closed"
    );
    world.recovers().await;
    world.end(Limits::UNNOTICED).await
}

async fn write_slowly(mut stream: TcpStream, at_once: String, slowly: String) {
    stream.write_all(at_once.as_bytes()).await.unwrap();
    let mut answer = [0; 1024];
    for byte in slowly.bytes() {
        if stream.write_all(&[byte]).await.is_err() {
            return;
        }
        // An answer, or the end, before all is sent.
        if timeout(BYTE, stream.read(&mut answer)).await.is_ok() {
            return;
        }
    }
    panic!(
        "the gateway waits for {} bytes as long as they take",
        slowly.len()
    );
}

/// Requests many documents, and reads some bytes now and then.
async fn read_slowly(mut stream: TcpStream) {
    let requests = "GET /openapi.json HTTP/1.1\r\nhost: x\r\n\r\n".repeat(500);
    // The gateway reads no further request while it cannot answer.
    let _ = timeout(
        Duration::from_secs(1),
        stream.write_all(requests.as_bytes()),
    )
    .await;
    let mut some = [0; 16];
    while let Ok(1..) = stream.read(&mut some).await {
        if stream
            .write_all(b"GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n")
            .await
            .is_err()
        {
            return;
        }
        sleep(BYTE).await;
    }
}
