//! The header `Host`, which a request of HTTP/1.1 has once (RFC 9112, section 3.2).
//!
//! A proxy in front may route by another `Host` than the one that is read here.

use axum::extract::Request;
use axum::http::header::HOST;
use axum::http::{StatusCode, Version};
use axum::middleware::Next;
use axum::response::Response;

use super::answer;

/// Answers a request without a host, or with several, with 400. HTTP/1.0 has no `Host`.
pub(super) async fn require(request: Request, next: Next) -> Response {
    let hosts = request.headers().get_all(HOST).iter().count();
    let is_optional = request.version() == Version::HTTP_10;
    if hosts == 1 || is_optional && hosts == 0 {
        next.run(request).await
    } else {
        answer::problem(StatusCode::BAD_REQUEST)
    }
}
