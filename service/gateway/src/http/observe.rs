//! The layer around every request: its time, its limits, its line in the log, its metrics, and the
//! headers of every answer.

use std::time::Instant;

use axum::extract::{MatchedPath, Request, State};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_TYPE, REFERRER_POLICY, VARY, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderName, HeaderValue, Method};
use axum::middleware::Next;
use axum::response::Response;
use tracing::Instrument;
use tracing::field::Empty;

use super::client::{Client, counted};
use super::state::Shared;
use super::{answer, host};
use crate::service::IdKind;

/// The methods with a label of their own in the metrics.
static KNOWN: [Method; 7] = [
    Method::GET,
    Method::POST,
    Method::HEAD,
    Method::OPTIONS,
    Method::PUT,
    Method::PATCH,
    Method::DELETE,
];
/// The routes without a limit.
const UNLIMITED: [&str; 3] = ["/healthz", "/readyz", "/metrics"];
/// The identifier of a request, in the answer and in the log.
const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

pub(super) async fn observe(State(app): State<Shared>, request: Request, next: Next) -> Response {
    let start = Instant::now();
    let id = app.service.ids.next(IdKind::Request).to_string();
    let method = request.method().clone();
    // The route and not the path, which clients choose: metrics would have a series for each value.
    let route = request.extensions().get::<MatchedPath>().cloned();
    let route = route.as_ref().map_or("none", MatchedPath::as_str);
    let client = request
        .extensions()
        .get::<Client>()
        .map(|client| client.address);
    let peer = client
        .filter(|_| app.log_peers)
        .map(tracing::field::display);
    // Every line of the log for this request has these fields. Handlers add the owner of the token.
    let span = tracing::error_span!(
        "request",
        request = id,
        peer,
        merchant = Empty,
        operator = Empty,
        token = Empty
    );
    // Health checks must work under load.
    let limited = client
        .filter(|_| !UNLIMITED.contains(&route))
        .and_then(|client| app.quotas.address(counted(client)));
    let limited = limited.or_else(|| span.in_scope(|| app.quotas.token(request.headers())));
    let refused = limited.or_else(|| host::check(&request));
    let mut response = match refused {
        Some(refused) => refused,
        // The time of the body would have ended before, so the database is slow.
        None => {
            let served = tokio::time::timeout(app.timeout, next.run(request))
                .instrument(span.clone())
                .await;
            served.unwrap_or_else(|_| answer::unavailable())
        }
    };
    let (status, took) = (response.status().as_u16(), start.elapsed());
    // JSON has no numbers of 128 bits.
    let micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
    // Only known methods, for the same reason.
    let known = KNOWN.iter().find(|known| **known == method);
    let method = known.map_or("other", Method::as_str);
    metrics::counter!(
        "gateway_requests_total",
        "method" => method,
        "route" => route.to_owned(),
        "status" => status.to_string()
    )
    .increment(1);
    metrics::histogram!("gateway_request_seconds", "route" => route.to_owned())
        .record(took.as_secs_f64());
    tracing::info!(parent: &span, method, route, status, micros, "request");
    let headers = response.headers_mut();
    // A cache with a default lifetime would give an answer to another client. Some ignore `no-store`.
    if headers
        .get(CONTENT_TYPE)
        .is_some_and(|kind| kind == "application/json")
    {
        for (name, value) in [(CACHE_CONTROL, "no-store"), (VARY, "authorization")] {
            let entry = headers.entry(name);
            entry.or_insert(HeaderValue::from_static(value));
        }
    }
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    if let Ok(id) = HeaderValue::from_str(&id) {
        headers.insert(REQUEST_ID, id);
    }
    response
}
