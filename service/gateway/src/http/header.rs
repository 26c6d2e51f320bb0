//! The values of headers.

use axum::http::{HeaderMap, HeaderValue};

/// Returns the value of a header. Two of them are joined as HTTP defines; the library rejects the
/// result as a token or a key.
pub(super) fn bytes(headers: &HeaderMap, name: &str) -> Option<Vec<u8>> {
    let values: Vec<_> = headers
        .get_all(name)
        .iter()
        .map(HeaderValue::as_bytes)
        .collect();
    (!values.is_empty()).then(|| values.join(&b", "[..]))
}

/// Returns the value of a header as text. Bytes that are not UTF-8 are replaced.
pub(super) fn one(headers: &HeaderMap, name: &str) -> Option<String> {
    bytes(headers, name).map(|value| String::from_utf8_lossy(&value).into_owned())
}
