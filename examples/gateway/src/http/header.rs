//! The values of headers.

use axum::http::HeaderMap;

/// Returns the value of a header. Two of them are joined as HTTP defines; the library rejects the
/// result as a token or a key, and bytes that are not UTF-8 too.
pub(super) fn one(headers: &HeaderMap, name: &str) -> Option<String> {
    let values: Vec<_> = headers
        .get_all(name)
        .iter()
        .map(|value| String::from_utf8_lossy(value.as_bytes()))
        .collect();
    (!values.is_empty()).then(|| values.join(", "))
}
