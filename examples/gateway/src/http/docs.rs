//! The OpenAPI document, and a page that shows it: three files of this program, nothing from anywhere else.

use axum::Router;
use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use super::state::Shared;

const CSP: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; \
                   base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// `/docs` and what it is made of.
pub(super) fn routes() -> Router<Shared> {
    let page = || file("text/html; charset=utf-8", include_str!("../docs/index.html"));
    let script = || file("text/javascript; charset=utf-8", include_str!("../docs/docs.js"));
    let style = || file("text/css; charset=utf-8", include_str!("../docs/docs.css"));
    Router::new()
        .route("/docs", get(move || async move { page() }))
        .route("/docs/docs.js", get(move || async move { script() }))
        .route("/docs/docs.css", get(move || async move { style() }))
}

fn file(kind: &'static str, text: &'static str) -> Response {
    ([(CONTENT_TYPE, kind), (CONTENT_SECURITY_POLICY, CSP), (CACHE_CONTROL, "no-cache")], text).into_response()
}

/// `/openapi.json`
pub(super) async fn openapi(State(app): State<Shared>) -> Response {
    ([(CONTENT_TYPE, "application/json"), (CACHE_CONTROL, "no-cache")], app.document.clone()).into_response()
}
