//! The checkout page, which the build embeds.

use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use payspec_gateway::http::{HTML_HEADERS, PAGE_HEADERS};

mod embedded {
    include!(concat!(env!("OUT_DIR"), "/page.rs"));
}

/// Shown by a program that was built without the page.
const NOTE: &str = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>No checkout page</title>\
    <h1>No checkout page</h1><p>This program was built without the checkout page. \
    Build it with PAYSPEC_PAGE set to the folder of the built page.</p></html>";

const HTML: &str = "text/html; charset=utf-8";

/// A file of the page.
pub(crate) struct File {
    media_type: &'static str,
    bytes: &'static [u8],
}

impl IntoResponse for File {
    fn into_response(self) -> Response {
        let mut response = (StatusCode::OK, self.bytes).into_response();
        let of_html = HTML_HEADERS.into_iter().filter(|_| self.media_type == HTML);
        let all = [(CONTENT_TYPE.as_str(), self.media_type)]
            .into_iter()
            .chain(PAGE_HEADERS)
            .chain(of_html);
        for (name, value) in all {
            response.headers_mut().insert(
                HeaderName::from_static(name),
                HeaderValue::from_static(value),
            );
        }
        response
    }
}

/// Returns whether the program contains the page.
pub(crate) fn is_embedded() -> bool {
    !embedded::FILES.is_empty()
}

/// Returns the file of a path below `/checkout/`. A path without a file is the page itself:
/// `/checkout/{uid}` follows a payment.
pub(crate) fn find(path: &str) -> Option<File> {
    let rest = path
        .strip_prefix("/checkout/")
        .or_else(|| (path == "/checkout").then_some(""))?;
    // The calls of the page, and those of merchants.
    if rest == "sessions" || rest.starts_with("sessions/") || rest.starts_with("api/") {
        return None;
    }
    let find = |name: &str| embedded::FILES.iter().find(|(known, _)| *known == name);
    let (name, bytes) = find(rest)
        .or_else(|| find("index.html"))
        .copied()
        .unwrap_or(("index.html", NOTE.as_bytes()));
    Some(File {
        media_type: media_type(name),
        bytes,
    })
}

fn media_type(name: &str) -> &'static str {
    match name.rsplit_once('.').map(|(_, end)| end) {
        Some("html") => HTML,
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("wasm") => "application/wasm",
        Some("woff2") => "font/woff2",
        _ => "application/octet-stream",
    }
}
