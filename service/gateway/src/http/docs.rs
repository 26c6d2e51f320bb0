//! The OpenAPI document, and a page that shows it and sends requests: OpenAPI Explorer, whose
//! script is part of this program.

use std::sync::LazyLock;

use axum::Router;
use axum::extract::State;
use axum::http::header::CONTENT_SECURITY_POLICY;
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use axum::response::Response;
use axum::routing::get;
use bytes::Bytes;

use super::state::Shared;
use super::static_file::StaticFile;

/// The component sets `style` attributes and adds `<style>` elements with its colors, so inline
/// styles are allowed. They cannot load anything: only the service itself is a permitted source.
const CSP: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'; img-src \
                   'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/// Another page gets no reference to the window.
const OPENER_POLICY: HeaderName = HeaderName::from_static("cross-origin-opener-policy");
const SCRIPT: &str = "text/javascript; charset=utf-8";

/// The page and its files, by their paths.
static FILES: LazyLock<[(&str, StaticFile); 4]> = LazyLock::new(|| {
    [
        (
            "/docs",
            "text/html; charset=utf-8",
            include_str!("../docs/index.html"),
        ),
        ("/docs/docs.js", SCRIPT, include_str!("../docs/docs.js")),
        (
            "/docs/docs.css",
            "text/css; charset=utf-8",
            include_str!("../docs/docs.css"),
        ),
        (
            "/docs/openapi-explorer.js",
            SCRIPT,
            include_str!("../docs/vendor/openapi-explorer.js"),
        ),
    ]
    .map(|(path, kind, text)| {
        (
            path,
            StaticFile::new(kind, Bytes::from_static(text.as_bytes())),
        )
    })
});

/// `/docs` and its files.
pub(super) fn routes() -> Router<Shared> {
    FILES.iter().fold(Router::new(), |router, (path, file)| {
        router.route(
            path,
            get(async move |headers: HeaderMap| part(file, &headers)),
        )
    })
}

fn part(file: &StaticFile, headers: &HeaderMap) -> Response {
    let mut response = file.answer(headers);
    let headers = response.headers_mut();
    headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(CSP));
    headers.insert(OPENER_POLICY, HeaderValue::from_static("same-origin"));
    response
}

/// `/openapi.json`
pub(super) async fn openapi(State(app): State<Shared>, headers: HeaderMap) -> Response {
    app.document.answer(&headers)
}
