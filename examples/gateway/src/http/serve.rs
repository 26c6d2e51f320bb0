//! Accepts connections, with timeouts, until it is stopped.

use std::time::Duration;

use axum::Router;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio::sync::watch;

/// How long a client may take for the head of a request; the time of the rest is `App::timeout`.
const HEAD: Duration = Duration::from_secs(30);
/// A connection of HTTP/2 that does not answer for so long is dead.
const KEEP_ALIVE: Duration = Duration::from_secs(30);
/// Rest after a connection could not be accepted: mostly there are too many of them.
const REST: Duration = Duration::from_millis(200);

/// Serves until `stop` is set, and returns after the answers to the requests under way.
pub async fn serve(listener: TcpListener, router: Router, mut stop: watch::Receiver<bool>) {
    let mut builder = Builder::new(TokioExecutor::new());
    builder.http1().timer(TokioTimer::new()).header_read_timeout(HEAD);
    builder.http2().timer(TokioTimer::new()).keep_alive_interval(KEEP_ALIVE);
    let graceful = GracefulShutdown::new();
    loop {
        tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => {
                    // An answer is one small packet: it is not held back for a second one.
                    let _ = stream.set_nodelay(true);
                    let service = TowerToHyperService::new(router.clone());
                    let connection = builder.serve_connection(TokioIo::new(stream), service).into_owned();
                    let connection = graceful.watch(connection);
                    tokio::spawn(async move {
                        if let Err(error) = connection.await {
                            tracing::debug!(error, "a connection has broken");
                        }
                    });
                }
                Err(error) => {
                    tracing::warn!(%error, "a connection cannot be accepted");
                    tokio::time::sleep(REST).await;
                }
            },
            () = told(&mut stop) => break,
        }
    }
    drop(listener);
    graceful.shutdown().await;
}

async fn told(stop: &mut watch::Receiver<bool>) {
    // Fails only if no receiver is left.
    let _ = stop.wait_for(|stop| *stop).await;
}
