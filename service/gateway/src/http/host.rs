//! The header `Host`, which a request of HTTP/1.1 has once (RFC 9112, section 3.2).
//!
//! A proxy in front may route by another `Host` than the one that is read here.

use axum::extract::Request;
use axum::http::header::HOST;
use axum::http::uri::Authority;
use axum::http::{HeaderValue, StatusCode, Version};
use axum::middleware::Next;
use axum::response::Response;

use super::answer;

/// Answers a request without a valid host, or with several, with 400. HTTP/1.0 has no `Host`.
pub(super) async fn require(request: Request, next: Next) -> Response {
    let mut hosts = request.headers().get_all(HOST).iter();
    let is_allowed = match (hosts.next(), hosts.next()) {
        (None, _) => request.version() == Version::HTTP_10,
        (Some(host), None) => is_host(host),
        _ => false,
    };
    if is_allowed {
        next.run(request).await
    } else {
        answer::problem(StatusCode::BAD_REQUEST)
    }
}

/// Checks the value of `Host`, which is empty if the target has no authority.
fn is_host(value: &HeaderValue) -> bool {
    value.is_empty() || Authority::try_from(value.as_bytes()).is_ok()
}
