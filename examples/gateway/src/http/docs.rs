//! The OpenAPI document, and a page that shows it and sends requests: OpenAPI Explorer, whose script is part of this program.

use axum::Router;
use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use super::state::Shared;

/// The component sets `style` attributes and adds `<style>` elements with its colors, so inline styles are allowed. They
/// cannot load anything: only the service itself is a permitted source.
const CSP: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'; img-src \
                   'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const SCRIPT: &str = "text/javascript; charset=utf-8";

/// `/docs` and its files.
pub(super) fn routes() -> Router<Shared> {
    let page = || file("text/html; charset=utf-8", include_str!("../docs/index.html"));
    let script = || file(SCRIPT, include_str!("../docs/docs.js"));
    let style = || file("text/css; charset=utf-8", include_str!("../docs/docs.css"));
    let explorer = || file(SCRIPT, include_str!("../docs/vendor/openapi-explorer.js"));
    Router::new()
        .route("/docs", get(move || async move { page() }))
        .route("/docs/docs.js", get(move || async move { script() }))
        .route("/docs/docs.css", get(move || async move { style() }))
        .route("/docs/openapi-explorer.js", get(move || async move { explorer() }))
}

fn file(kind: &'static str, text: &'static str) -> Response {
    ([(CONTENT_TYPE, kind), (CONTENT_SECURITY_POLICY, CSP), (CACHE_CONTROL, "no-cache")], text).into_response()
}

/// `/openapi.json`
pub(super) async fn openapi(State(app): State<Shared>) -> Response {
    ([(CONTENT_TYPE, "application/json"), (CACHE_CONTROL, "no-cache")], app.document.clone()).into_response()
}
