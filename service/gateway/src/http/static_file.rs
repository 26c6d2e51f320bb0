//! Files that are part of the program: with an `ETag`, and compressed for clients that accept it.

use std::io::Write;
use std::sync::{Arc, OnceLock};

use axum::http::header::{
    ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, IF_NONE_MATCH, VARY,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};

use super::header;

/// A file that does not change while the program runs. Clones share its compressed form.
#[derive(Clone, Debug)]
pub struct StaticFile {
    kind: &'static str,
    bytes: Bytes,
    prepared: Arc<OnceLock<Prepared>>,
}

/// The parts that take time, made for the first request: less than 0.1 s for the largest file.
#[derive(Debug)]
struct Prepared {
    etag: HeaderValue,
    gzip: Bytes,
}

impl StaticFile {
    /// Returns the file with a value of `Content-Type`.
    #[must_use]
    pub fn new(kind: &'static str, bytes: Bytes) -> Self {
        Self {
            kind,
            bytes,
            prepared: Arc::default(),
        }
    }

    /// Returns the answer to a request: 304 if the client has the file.
    pub(super) fn answer(&self, request: &HeaderMap) -> Response {
        let Prepared { etag, gzip } = self.prepared.get_or_init(|| Prepared::of(&self.bytes));
        let headers: [(HeaderName, HeaderValue); 3] = [
            (CACHE_CONTROL, HeaderValue::from_static("no-cache")),
            (VARY, HeaderValue::from_static("accept-encoding")),
            (ETAG, etag.clone()),
        ];
        if has(request, etag) {
            return (StatusCode::NOT_MODIFIED, headers).into_response();
        }
        let kind = [(CONTENT_TYPE, self.kind)];
        if accepts_gzip(request) {
            return (headers, kind, [(CONTENT_ENCODING, "gzip")], gzip.clone()).into_response();
        }
        (headers, kind, self.bytes.clone()).into_response()
    }
}

impl AsRef<[u8]> for StaticFile {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl Prepared {
    fn of(bytes: &[u8]) -> Self {
        // Weak: the compressed form has the same one (RFC 9110, 8.8.1).
        let etag = format!(
            "W/\"{}\"",
            BASE64_URL_SAFE_NO_PAD.encode(&Sha256::digest(bytes)[..12])
        );
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        let gzip = encoder.write_all(bytes).and_then(|()| encoder.finish());
        Self {
            etag: HeaderValue::from_str(&etag).expect("letters, digits, and quotes"),
            gzip: gzip.expect("writing to memory does not fail").into(),
        }
    }
}

/// Checks if `If-None-Match` lists the tag, by weak comparison (RFC 9110, 13.1.2).
fn has(request: &HeaderMap, etag: &HeaderValue) -> bool {
    let opaque = |tag: &str| tag.trim().trim_start_matches("W/").to_owned();
    let own = etag.to_str().map(opaque);
    header::one(request, IF_NONE_MATCH.as_str()).is_some_and(|list| {
        list.split(',')
            .any(|tag| tag.trim() == "*" || own.as_ref().is_ok_and(|own| opaque(tag) == *own))
    })
}

/// Checks if `Accept-Encoding` has `gzip` or `*` with a weight above zero (RFC 9110, 12.5.3).
fn accepts_gzip(request: &HeaderMap) -> bool {
    let Some(list) = header::one(request, ACCEPT_ENCODING.as_str()) else {
        return false;
    };
    let weight = |name: &str| {
        list.split(',').find_map(|entry| {
            let (coding, weight) = entry.split_once(';').unwrap_or((entry, "q=1"));
            let weight = weight
                .trim()
                .strip_prefix("q=")
                .and_then(|weight| weight.parse::<f32>().ok());
            coding
                .trim()
                .eq_ignore_ascii_case(name)
                .then(|| weight.unwrap_or_default())
        })
    };
    weight("gzip")
        .or_else(|| weight("*"))
        .is_some_and(|weight| weight > 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(name: HeaderName, value: &str) -> HeaderMap {
        HeaderMap::from_iter([(name, HeaderValue::from_str(value).unwrap())])
    }

    #[test]
    fn gzip_is_accepted_by_its_weight() {
        for accepted in [
            "gzip",
            "gzip, deflate, br",
            "br;q=1.0, GZIP;q=0.5",
            "*",
            "identity;q=0, *;q=0.1",
            "gzip ; q=1",
        ] {
            assert!(
                accepts_gzip(&headers(ACCEPT_ENCODING, accepted)),
                "{accepted}"
            );
        }
        for refused in [
            "",
            "br",
            "gzip;q=0",
            "*, gzip;q=0.000",
            "xgzip",
            "gzip;q=high",
            "identity",
        ] {
            assert!(
                !accepts_gzip(&headers(ACCEPT_ENCODING, refused)),
                "{refused}"
            );
        }
        assert!(!accepts_gzip(&HeaderMap::new()));
    }

    #[test]
    fn a_tag_is_compared_weakly() {
        let etag = HeaderValue::from_static("W/\"abc\"");
        for known in ["W/\"abc\"", "\"abc\"", "\"x\", W/\"abc\"", "*"] {
            assert!(has(&headers(IF_NONE_MATCH, known), &etag), "{known}");
        }
        for unknown in ["", "abc", "\"ab\"", "W/\"abcd\"", "w/\"abc\""] {
            assert!(!has(&headers(IF_NONE_MATCH, unknown), &etag), "{unknown}");
        }
    }
}
