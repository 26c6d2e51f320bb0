//! The headers of the checkout page: one table for the gateway, the sandbox, and `payspec page
//! check`.

use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::http::{HeaderName, HeaderValue};
use axum::response::Response;

/// The path to which browsers report what the policy has blocked.
pub(super) const REPORTS: &str = "/checkout/api/reports";

/// The headers of every file of the page, with lower-case names.
///
/// `wasm-unsafe-eval` is what browsers ask for to compile the library; no text becomes a program.
/// With `require-trusted-types-for` and no policy of Trusted Types, no text becomes HTML or the
/// address of a script either. `report-uri` is for browsers without `report-to`.
pub const PAGE_HEADERS: [(&str, &str); 8] = [
    (
        "content-security-policy",
        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data:; \
         font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; \
         require-trusted-types-for 'script'; trusted-types 'none'; report-uri /checkout/api/reports; \
         report-to page",
    ),
    ("reporting-endpoints", "page=\"/checkout/api/reports\""),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
    (
        "permissions-policy",
        "accelerometer=(), autoplay=(), camera=(), display-capture=(), fullscreen=(), geolocation=(), \
         gyroscope=(), magnetometer=(), microphone=(), midi=(), payment=(), usb=()",
    ),
    ("referrer-policy", "no-referrer"),
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "DENY"),
];

/// The headers of the HTML of the page. A browser restores no fields of a page that it must not
/// store, and each payer gets the current scripts.
pub const HTML_HEADERS: [(&str, &str); 1] = [("cache-control", "no-store")];

/// Adds the headers to a file of the page.
pub(super) async fn add(mut response: Response) -> Response {
    let is_html = response
        .headers()
        .get(CONTENT_TYPE)
        .is_some_and(|kind| kind.as_bytes().starts_with(b"text/html"));
    let headers = response.headers_mut();
    for (name, value) in PAGE_HEADERS {
        headers.insert(
            HeaderName::from_static(name),
            HeaderValue::from_static(value),
        );
    }
    if is_html {
        headers.insert(CACHE_CONTROL, HeaderValue::from_static(HTML_HEADERS[0].1));
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_go_to_the_endpoint_by_both_ways() {
        let value = |wanted: &str| {
            PAGE_HEADERS
                .iter()
                .find(|(name, _)| *name == wanted)
                .unwrap()
                .1
        };
        assert_eq!(value("reporting-endpoints"), format!("page=\"{REPORTS}\""));
        let policy = value("content-security-policy");
        assert!(policy.contains(&format!("report-uri {REPORTS};")));
    }
}
