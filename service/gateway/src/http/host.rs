//! The header `Host`, which a request of HTTP/1.1 has once (RFC 9112, section 3.2).
//!
//! A proxy in front may route by another `Host` than the one that is read here.

use axum::extract::Request;
use axum::http::header::HOST;
use axum::http::uri::Authority;
use axum::http::{HeaderValue, StatusCode, Version};
use axum::response::Response;

use super::answer;

/// Checks the host. Returns the answer if there is no valid one, or several. HTTP/1.0 has no `Host`.
pub(super) fn check(request: &Request) -> Option<Response> {
    let mut hosts = request.headers().get_all(HOST).iter();
    let is_allowed = match (hosts.next(), hosts.next()) {
        (None, _) => request.version() == Version::HTTP_10,
        (Some(host), None) => is_host(host),
        _ => false,
    };
    (!is_allowed).then(|| answer::problem(StatusCode::BAD_REQUEST))
}

/// Checks the value of `Host`, which is empty if the target has no authority.
fn is_host(value: &HeaderValue) -> bool {
    value.is_empty() || Authority::try_from(value.as_bytes()).is_ok()
}
