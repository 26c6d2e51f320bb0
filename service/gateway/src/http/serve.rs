//! Accepts connections, with timeouts and limits, until it is stopped.
//!
//! HTTP/1.1 only: a proxy that ends TLS speaks it, and every connection then has one request at a
//! time and a bounded buffer.

use std::sync::{Arc, LazyLock};
use std::time::Duration;

use axum::BoxError;
use axum::body::{Body, HttpBody};
use axum::extract::Request;
use axum::response::Response;
use hyper::server::conn::http1::Builder;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use ipnet::IpNet;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio_io_timeout::TimeoutStream;

use super::client::Client;
use super::connections::{ConnectionLimits, Connections};
use super::problem::http_problem;
use super::unread::ReadFlag;
use super::wiped::Wiped;
use crate::memory;

/// The bytes of a connection's buffer. The head of a request that does not fit into it is 431.
const BUFFER: usize = 16 * 1024;
/// The pause after a connection could not be accepted, mostly because there are too many.
const REST: Duration = Duration::from_millis(200);
/// The answer to a connection beyond the limit, which is not read, and is closed.
static TOO_MANY: LazyLock<String> = LazyLock::new(|| {
    let body = http_problem(503).to_string();
    format!(
        "HTTP/1.1 503 Service Unavailable\r\ncontent-type: application/json\r\nretry-after: 1\r\n\
         connection: close\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
});

/// The limits of clients.
#[derive(Debug, Clone)]
pub struct ServeConfig {
    /// The time of a client for its first byte, for the head of a request, between two requests, and
    /// until it reads on in an answer. The time of the rest is `App::timeout`.
    pub client_timeout: Duration,
    /// The limits of connections.
    pub limits: ConnectionLimits,
    /// Proxies whose `X-Forwarded-For` names the client.
    pub trusted_proxies: Vec<IpNet>,
}

/// Serves until `stop` is set, and returns after the answers to the requests under way.
///
/// A router answers every request. If another service returns an error, the connection is closed
/// without an answer.
///
/// Threads of [`memory::runtime`] overwrite what requests with bodies leave on the stack.
pub async fn serve<S>(
    listener: TcpListener,
    service: S,
    config: ServeConfig,
    mut stop: watch::Receiver<bool>,
) where
    S: tower_service::Service<Request, Response = Response> + Clone + Send + Sync + 'static,
    S::Error: Into<BoxError>,
    S::Future: Send,
{
    let trusted: Arc<[IpNet]> = config.trusted_proxies.into();
    let mut builder = Builder::new();
    // hyper starts this timer with the connection and after each answer, not with the first byte.
    builder
        .timer(TokioTimer::new())
        .header_read_timeout(config.client_timeout)
        .max_buf_size(BUFFER);
    let connections = Connections::new(config.limits);
    let graceful = GracefulShutdown::new();
    loop {
        tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok((stream, peer)) => {
                    let Some(counted) = connections.count(peer.ip()) else {
                        refuse(&stream);
                        continue;
                    };
                    // An answer is one small packet: it is not held back for a second one.
                    let _ = stream.set_nodelay(true);
                    let mut stream = TimeoutStream::new(stream);
                    stream.set_write_timeout(Some(config.client_timeout));
                    let trusted = Arc::clone(&trusted);
                    let service = TowerToHyperService::new(service.clone());
                    let service = service_fn(move |mut request: hyper::Request<hyper::body::Incoming>| {
                        let client = Client::of(peer, request.headers(), &trusted);
                        request.extensions_mut().insert(client);
                        let flag = (!request.body().is_end_stream()).then(ReadFlag::default);
                        let served = service.call(request.map(|body| match &flag {
                            Some(flag) => flag.watch(body),
                            None => Body::new(body),
                        }));
                        async move {
                            match flag {
                                Some(flag) => Ok(flag.close_if_unread(memory::mark_stack(served).await?)),
                                None => served.await,
                            }
                        }
                    });
                    let connection = builder.serve_connection(TokioIo::new(Wiped::new(Box::pin(stream))), service);
                    let connection = graceful.watch(connection);
                    tokio::spawn(async move {
                        if let Err(error) = connection.await {
                            tracing::debug!(%error, "a connection has broken");
                        }
                        drop(counted);
                    });
                }
                Err(error) => {
                    tracing::warn!(%error, "a connection cannot be accepted");
                    tokio::time::sleep(REST).await;
                }
            },
            () = stopped(&mut stop) => break,
        }
    }
    drop(listener);
    graceful.shutdown().await;
}

fn refuse(stream: &TcpStream) {
    metrics::counter!("gateway_connections_refused_total").increment(1);
    // A client that does not take a few bytes at once gets none.
    let _ = stream.try_write(TOO_MANY.as_bytes());
}

async fn stopped(stop: &mut watch::Receiver<bool>) {
    // Fails only if no receiver is left.
    let _ = stop.wait_for(|stop| *stop).await;
}
