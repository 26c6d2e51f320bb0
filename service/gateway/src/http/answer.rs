//! Answers: those of the library without a change, and problems of HTTP itself.

use std::time::Duration;

use axum::body::Body;
use axum::http::header::{
    ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_TYPE, RETRY_AFTER, VARY, WWW_AUTHENTICATE,
};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};

use tower_http::set_header::SetResponseHeaderLayer;

use super::problem::{http_problem, http_title};
use crate::service::Reply;
use crate::storage::StorageError;

/// The type of all answers, including problems: "All bodies are JSON (Content-Type:
/// application/json)" (§1).
const JSON: HeaderValue = HeaderValue::from_static("application/json");
const NO_STORE: HeaderValue = HeaderValue::from_static("no-store");

/// The pause for a merchant with too many events that wait: they take longer than a second.
const EVENTS_PAUSE: Duration = Duration::from_secs(9);

/// The pause for a merchant that has stored too much. Only an operator who raises the limit, or the
/// end of unpaid sessions, makes space.
const BYTES_PAUSE: Duration = Duration::from_secs(3599);

/// Marks an answer with the payment of an earlier request.
const REPLAYED: &str = "idempotent-replayed";

impl IntoResponse for Reply {
    fn into_response(self) -> Response {
        let mut response = Response::new(Body::from(self.body));
        // All statuses of the library are valid numbers of HTTP, even without a standard phrase.
        *response.status_mut() =
            StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, JSON);
        headers.insert(CACHE_CONTROL, NO_STORE);
        if let Some(challenge) = self.challenge {
            headers.insert(WWW_AUTHENTICATE, HeaderValue::from_static(challenge));
        }
        if self.replayed {
            headers.insert(REPLAYED, HeaderValue::from_static("true"));
        }
        response
    }
}

impl IntoResponse for StorageError {
    fn into_response(self) -> Response {
        let limit = match self {
            StorageError::PendingEvents => Some(("events", EVENTS_PAUSE)),
            StorageError::StoredBytes => Some(("bytes", BYTES_PAUSE)),
            _ => None,
        };
        if let Some((limit, pause)) = limit {
            metrics::counter!("gateway_limited_total", "limit" => limit).increment(1);
            return too_many(pause);
        }
        tracing::error!(error = %self, "a request could not be served");
        unavailable()
    }
}

/// Returns the answer if the database does not answer in time. The client does not know if a
/// payment was created, so it repeats the request with its key.
pub(super) fn unavailable() -> Response {
    (
        [(RETRY_AFTER, "1")],
        problem(StatusCode::SERVICE_UNAVAILABLE),
    )
        .into_response()
}

/// Returns the answer to a client at a limit, which may try again after a pause.
pub(super) fn too_many(pause: Duration) -> Response {
    let seconds = pause.as_secs().saturating_add(1).to_string();
    (
        [(RETRY_AFTER, seconds)],
        problem(StatusCode::TOO_MANY_REQUESTS),
    )
        .into_response()
}

/// Returns a problem that its status describes (RFC 9457 §4.2.1).
pub(super) fn problem(status: StatusCode) -> Response {
    with_problem(status, http_problem(status.as_u16()).to_string())
}

/// Returns the problem of a body in an encoding. The client may send it without (RFC 9110, 12.5.3).
pub(super) fn encoded() -> Response {
    (
        [(ACCEPT_ENCODING, "identity")],
        problem(StatusCode::UNSUPPORTED_MEDIA_TYPE),
    )
        .into_response()
}

/// Returns a layer that names the request headers on which the answers of its routes depend, for
/// caches that ignore `no-store`.
pub(super) fn varies_by(headers: &'static str) -> SetResponseHeaderLayer<HeaderValue> {
    SetResponseHeaderLayer::if_not_present(VARY, HeaderValue::from_static(headers))
}

/// Returns the problem for a path without a route.
pub(super) async fn not_found() -> Response {
    problem(StatusCode::NOT_FOUND)
}

/// Returns the problem for a method that the path does not have.
pub(super) async fn method_not_allowed() -> Response {
    problem(StatusCode::METHOD_NOT_ALLOWED)
}

/// Returns a problem of a member of a body.
pub(super) fn problem_at(status: StatusCode, path: &str, detail: &str) -> Response {
    let title = http_title(status.as_u16());
    let body = serde_json::json!({
        "type": "about:blank", "title": title, "status": status.as_u16(), "detail": detail, "path": path,
    });
    with_problem(status, body.to_string())
}

fn with_problem(status: StatusCode, body: String) -> Response {
    (
        status,
        [(CONTENT_TYPE, JSON), (CACHE_CONTROL, NO_STORE)],
        body,
    )
        .into_response()
}
