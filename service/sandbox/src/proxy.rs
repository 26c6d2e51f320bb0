//! The proxy of `payspec observe`: passes calls to a service on, and reports each with its answer.

use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant, SystemTime};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::header::{ACCEPT_ENCODING, CONNECTION, CONTENT_TYPE};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use futures_util::stream::{self, StreamExt};
use http_body_util::{BodyExt, Limited};
use payspec_gateway::http::http_problem;
use payspec_gateway::memory;
use reqwest::Client;
use tokio::net::TcpListener;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};

use crate::failure::{Failure, reason};
use crate::http_client::http_client;
use crate::interruption::interrupted;

/// The longest time of a call.
const TIMEOUT: Duration = Duration::from_secs(60);
/// The largest body of a call, and of an answer that is recorded. The bodies of the interface are
/// much smaller.
const LARGEST: usize = 8 << 20;
/// Calls that are in memory, because they wait for the service or to be recorded. Others wait
/// before their bodies are read.
const CALLS: usize = 64;
/// Headers that belong to one connection (RFC 9110, 7.6.1), or that the client of the proxy sets.
const OF_CONNECTION: [&str; 11] = [
    "connection",
    "keep-alive",
    "proxy-authenticate",
    "proxy-authorization",
    "proxy-connection",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
    "host",
    "content-length",
];

/// Headers, by names in lower case, and the body of a message.
pub type Part = (Vec<(String, String)>, Vec<u8>);

/// A call that was passed on, with its answer. It is not redacted.
pub struct Recorded {
    /// The method of the call.
    pub method: String,
    /// Its path and query.
    pub target: String,
    /// Headers and body of the call.
    pub request: Part,
    /// The status of the answer.
    pub status: u16,
    /// Headers and body of the answer.
    pub response: Part,
    /// The time at which the call was received.
    pub started: SystemTime,
    /// The time until the answer was complete.
    pub duration: Duration,
}

/// The proxy.
struct Proxy {
    client: Client,
    upstream: String,
    calls: Arc<Semaphore>,
    /// Receives the calls in the order of their answers. Each keeps its place until it is recorded.
    recorded: mpsc::Sender<(Recorded, OwnedSemaphorePermit)>,
    not_recorded: AtomicU64,
    failed: AtomicU64,
}

/// The numbers of calls that were not reported.
pub struct NotReported {
    /// Calls whose answers were too large to be recorded.
    pub not_recorded: u64,
    /// Calls without a complete answer of the service.
    pub failed: u64,
}

/// Passes calls on until the process is interrupted. `sink` receives each call with its answer; if
/// it returns an error, the proxy ends with it.
///
/// # Errors
/// Returns an error if the address of the service or that of the proxy cannot be used.
pub fn run(
    upstream: &str,
    listen: SocketAddr,
    sink: impl FnMut(Recorded) -> Result<(), String>,
) -> Result<NotReported, Failure> {
    if !upstream.starts_with("http://") && !upstream.starts_with("https://") {
        return Err(Failure::new(
            "--upstream: expected an address that begins with http:// or https://",
        ));
    }
    // Bodies contain card data until they are redacted.
    memory::protect().map_err(|error| Failure::starting(&error))?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| Failure::starting(&error))?;
    let served = runtime.block_on(serve(upstream, listen, sink));
    // Calls that still wait for the service are not waited for.
    runtime.shutdown_background();
    served
}

async fn serve(
    upstream: &str,
    listen: SocketAddr,
    mut sink: impl FnMut(Recorded) -> Result<(), String>,
) -> Result<NotReported, Failure> {
    let failed = |error: std::io::Error| {
        let reason = reason(&error);
        Failure::new(format!("--listen: cannot listen on {listen}: {reason}"))
    };
    let listener = TcpListener::bind(listen).await.map_err(failed)?;
    let address = listener.local_addr().map_err(failed)?;
    let mut end = pin!(interrupted()?);
    anstream::eprintln!("proxy: http://{address}");
    let (sender, mut recorded) = mpsc::channel(CALLS);
    let proxy = Arc::new(Proxy {
        client: http_client(TIMEOUT)?,
        upstream: upstream.trim_end_matches('/').to_owned(),
        calls: Arc::new(Semaphore::new(CALLS)),
        recorded: sender,
        not_recorded: AtomicU64::new(0),
        failed: AtomicU64::new(0),
    });
    let router = Router::new().fallback(pass).with_state(proxy.clone());
    let server = tokio::spawn(async move { axum::serve(listener, router).await });
    loop {
        tokio::select! {
            () = &mut end => break,
            Some((call, _place)) = recorded.recv() => sink(call).map_err(Failure::new)?,
        }
    }
    server.abort();
    while let Ok((call, _place)) = recorded.try_recv() {
        sink(call).map_err(Failure::new)?;
    }
    Ok(NotReported {
        not_recorded: proxy.not_recorded.load(Ordering::Relaxed),
        failed: proxy.failed.load(Ordering::Relaxed),
    })
}

/// A call that counts as failed if it ends early, also because its client has gone away.
struct Unanswered<'p>(Option<&'p AtomicU64>);

impl Unanswered<'_> {
    /// The service has answered.
    fn answered(mut self) {
        self.0 = None;
    }
}

impl Drop for Unanswered<'_> {
    fn drop(&mut self) {
        if let Some(failed) = self.0 {
            failed.fetch_add(1, Ordering::Relaxed);
        }
    }
}

/// Passes a call on, and its answer back.
async fn pass(State(proxy): State<Arc<Proxy>>, call: Request) -> Response {
    let Ok(place) = proxy.calls.clone().acquire_owned().await else {
        return problem(StatusCode::BAD_GATEWAY);
    };
    let (started, began) = (SystemTime::now(), Instant::now());
    let unanswered = Unanswered(Some(&proxy.failed));
    let (head, body) = call.into_parts();
    let Ok(body) = Limited::new(body, LARGEST).collect().await else {
        return problem(StatusCode::PAYLOAD_TOO_LARGE);
    };
    let body = body.to_bytes();
    let target = head
        .uri
        .path_and_query()
        .map_or("/", |target| target.as_str());
    let url = format!("{}{target}", proxy.upstream);
    let sent = proxy
        .client
        .request(head.method.clone(), url)
        .headers(passed(&head.headers))
        .body(body.clone())
        .send()
        .await;
    let Ok(mut answer) = sent else {
        return problem(StatusCode::BAD_GATEWAY);
    };
    let (status, headers) = (answer.status(), passed(answer.headers()));
    let mut bytes = Vec::new();
    loop {
        match answer.chunk().await {
            Ok(Some(chunk)) => bytes.extend_from_slice(&chunk),
            Ok(None) => break,
            Err(_) => return problem(StatusCode::BAD_GATEWAY),
        }
        if bytes.len() > LARGEST {
            // The service has executed the call, so the client needs the answer.
            unanswered.answered();
            proxy.not_recorded.fetch_add(1, Ordering::Relaxed);
            return (status, headers, streamed(bytes, answer, place)).into_response();
        }
    }
    unanswered.answered();
    let recorded = Recorded {
        method: head.method.as_str().to_owned(),
        target: target.to_owned(),
        request: (listed(&head.headers), body.to_vec()),
        status: status.as_u16(),
        response: (listed(&headers), bytes.clone()),
        started,
        duration: began.elapsed(),
    };
    // The receiver is gone only if the proxy ends.
    let _ = proxy.recorded.send((recorded, place)).await;
    (status, headers, Body::from(bytes)).into_response()
}

/// Returns the body of an answer whose first bytes are read. The call keeps its place until its
/// end.
fn streamed(first: Vec<u8>, answer: reqwest::Response, place: OwnedSemaphorePermit) -> Body {
    let rest = stream::unfold((answer, place), |(mut answer, place)| async move {
        let chunk = answer.chunk().await.transpose()?;
        Some((chunk, (answer, place)))
    });
    let first = stream::iter([Ok(Bytes::from(first))]);
    Body::from_stream(first.chain(rest))
}

/// Returns the headers that are passed on. Bodies are not compressed, so that they can be read.
fn passed(headers: &HeaderMap) -> HeaderMap {
    let is_passed =
        |name: &HeaderName| !OF_CONNECTION.contains(&name.as_str()) && name != ACCEPT_ENCODING;
    let mut passed = headers.clone();
    for name in headers.keys().filter(|name| !is_passed(name)) {
        passed.remove(name);
    }
    // A connection may have headers of its own, which it names.
    let lists = headers.get_all(CONNECTION).iter();
    for name in lists
        .filter_map(|list| list.to_str().ok())
        .flat_map(|list| list.split(','))
    {
        passed.remove(name.trim());
    }
    passed
}

fn listed(headers: &HeaderMap) -> Vec<(String, String)> {
    let listed = |(name, value): (&HeaderName, &HeaderValue)| {
        let value = String::from_utf8_lossy(value.as_bytes()).into_owned();
        (name.as_str().to_owned(), value)
    };
    headers.iter().map(listed).collect()
}

fn problem(status: StatusCode) -> Response {
    let headers = [(CONTENT_TYPE, "application/problem+json")];
    let body = http_problem(status.as_u16()).to_string();
    (status, headers, body).into_response()
}
