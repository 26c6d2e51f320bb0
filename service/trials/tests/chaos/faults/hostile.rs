//! A receiver that does what a receiver should not.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::sleep;

/// The behavior of a hostile server in every connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Behavior {
    /// Reads, and answers nothing.
    Hang,
    /// Sends callers to an address that must not be called.
    Redirect,
    /// Answers 200, with a body that has no end.
    EndlessBody,
    /// Answers with a head that has no end.
    EndlessHead,
    /// Answers one byte a second.
    Drip,
    /// Answers what is not HTTP.
    Garbage,
    /// Closes every connection.
    Close,
}

pub(super) const BEHAVIORS: [Behavior; 7] = [
    Behavior::Hang,
    Behavior::Redirect,
    Behavior::EndlessBody,
    Behavior::EndlessHead,
    Behavior::Drip,
    Behavior::Garbage,
    Behavior::Close,
];

/// A server of one behavior.
pub(super) struct Hostile {
    pub(super) url: String,
    calls: Arc<AtomicU64>,
}

impl Hostile {
    /// `trap` is where a redirect leads to.
    pub(super) async fn start(behavior: Behavior, trap: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address: SocketAddr = listener.local_addr().unwrap();
        let (calls, trap) = (Arc::new(AtomicU64::new(0)), trap.to_owned());
        let counted = Arc::clone(&calls);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                counted.fetch_add(1, Ordering::SeqCst);
                // It ends when the caller closes the connection.
                tokio::spawn(answer(stream, behavior, trap.clone()));
            }
        });
        Self {
            url: format!("http://{address}/hook"),
            calls,
        }
    }

    pub(super) fn calls(&self) -> u64 {
        self.calls.load(Ordering::SeqCst)
    }
}

async fn answer(mut stream: TcpStream, behavior: Behavior, trap: String) -> std::io::Result<()> {
    if behavior == Behavior::Close {
        return Ok(());
    }
    let mut request = vec![0; 16 * 1024];
    let _ = stream.read(&mut request).await?;
    let ok = "HTTP/1.1 200 OK\r\n";
    match behavior {
        Behavior::Hang => while stream.read(&mut request).await? > 0 {},
        Behavior::Redirect => {
            let head = format!(
                "HTTP/1.1 307 Temporary Redirect\r\nlocation: {trap}\r\ncontent-length: 0\r\n\r\n"
            );
            stream.write_all(head.as_bytes()).await?;
        }
        Behavior::EndlessBody => {
            stream
                .write_all(format!("{ok}transfer-encoding: chunked\r\n\r\n").as_bytes())
                .await?;
            let chunk = format!("10000\r\n{}\r\n", "x".repeat(0x10000));
            loop {
                stream.write_all(chunk.as_bytes()).await?;
            }
        }
        Behavior::EndlessHead => {
            stream.write_all(ok.as_bytes()).await?;
            loop {
                stream
                    .write_all(format!("x: {}\r\n", "x".repeat(1000)).as_bytes())
                    .await?;
            }
        }
        Behavior::Drip => {
            for byte in format!("{ok}content-length: 0\r\n\r\n").bytes() {
                stream.write_all(&[byte]).await?;
                sleep(Duration::from_secs(1)).await;
            }
        }
        Behavior::Garbage => stream.write_all(b"220 mail.example ESMTP\r\n").await?,
        Behavior::Close => {}
    }
    Ok(())
}
