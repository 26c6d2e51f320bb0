//! Reads a body of JSON up to a limit.

use std::time::Duration;

use axum::body::{Body, HttpBody};
use axum::http::header::{CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE};
use axum::http::{HeaderMap, HeaderName, StatusCode};
use axum::response::Response;
use http_body_util::BodyExt;
use serde::de::DeserializeOwned;
use zeroize::Zeroizing;

use super::answer;

/// A body, which is wiped when it is dropped: it may contain card data.
pub(super) type Bytes = Zeroizing<Vec<u8>>;

/// The type of all bodies except reports of browsers.
const JSON: [&str; 1] = ["application/json"];

/// The size of the first buffer if the length of the body is not known.
const FIRST: usize = 1024;

/// The result of reading.
pub(super) enum Read {
    /// The whole body.
    Whole(Bytes),
    /// The body exceeds the limit, by Content-Length or while reading.
    TooLarge,
    /// The body has another type. It is not read.
    WrongType,
    /// The body has a Content-Encoding. It is not read.
    Encoded,
    /// The body has not arrived in time.
    Late,
    /// The client has gone away, or sends no HTTP.
    Broken,
}

/// Reads a body of an endpoint outside the specification, or returns the answer to it.
pub(super) async fn read_small(
    headers: &HeaderMap,
    body: Body,
    limit: usize,
    time: Duration,
) -> Result<Bytes, Response> {
    read_typed(headers, body, &JSON, limit, time).await
}

/// Reads a body of one of the types within a time, or returns the answer to it.
pub(super) async fn read_typed(
    headers: &HeaderMap,
    body: Body,
    types: &[&str],
    limit: usize,
    time: Duration,
) -> Result<Bytes, Response> {
    let status = match read_as(headers, body, types, limit, time).await {
        Read::Whole(body) => return Ok(body),
        Read::Encoded => return Err(answer::encoded()),
        Read::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
        Read::WrongType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
        Read::Late => StatusCode::REQUEST_TIMEOUT,
        Read::Broken => StatusCode::BAD_REQUEST,
    };
    Err(answer::problem(status))
}

/// Parses a JSON object as a type of the gateway. serde alone accepts an array too, and its errors
/// repeat values.
pub(super) fn object<T: DeserializeOwned>(body: &[u8]) -> Result<T, String> {
    if body.trim_ascii_start().first() != Some(&b'{') {
        return Err("expected a JSON object".to_owned());
    }
    serde_json::from_slice(body).map_err(|error| {
        format!(
            "line {}, column {}: not the object that is documented",
            error.line(),
            error.column()
        )
    })
}

/// Returns whether a body has one of the types, with any parameters. Two headers `Content-Type`
/// contradict each other.
///
/// A web page may send other types to another origin without asking it first, so the check also
/// stops foreign pages.
fn is_one_of(types: &[&str], headers: &HeaderMap) -> bool {
    let mut values = headers.get_all(CONTENT_TYPE).iter();
    let media_type = values
        .next()
        .and_then(|value| value.to_str().ok()?.split(';').next());
    values.next().is_none()
        && media_type.is_some_and(|kind| {
            types
                .iter()
                .any(|known| kind.trim().eq_ignore_ascii_case(known))
        })
}

/// Returns whether a body is encoded, such as by gzip. The gateway decodes nothing: a small body could
/// become a large one.
fn is_encoded(headers: &HeaderMap) -> bool {
    headers.get_all(CONTENT_ENCODING).iter().any(|value| {
        let codings = value.to_str().unwrap_or("?").split(',');
        codings
            .map(str::trim)
            .any(|coding| !coding.is_empty() && !coding.eq_ignore_ascii_case("identity"))
    })
}

/// Reads a body of JSON within a time.
pub(super) async fn read(headers: &HeaderMap, body: Body, limit: usize, time: Duration) -> Read {
    read_as(headers, body, &JSON, limit, time).await
}

async fn read_as(
    headers: &HeaderMap,
    body: Body,
    types: &[&str],
    limit: usize,
    time: Duration,
) -> Read {
    if !body.is_end_stream() && is_encoded(headers) {
        return Read::Encoded;
    }
    if !body.is_end_stream() && !is_one_of(types, headers) {
        return Read::WrongType;
    }
    let length = number(headers, CONTENT_LENGTH);
    let length = length.map(|length| usize::try_from(length).unwrap_or(usize::MAX));
    if length.is_some_and(|length| length > limit) {
        return Read::TooLarge;
    }
    let first = length.unwrap_or(FIRST.min(limit));
    tokio::time::timeout(time, collect(body, first, limit))
        .await
        .unwrap_or(Read::Late)
}

fn number(headers: &HeaderMap, name: HeaderName) -> Option<u64> {
    headers.get(name)?.to_str().ok()?.parse().ok()
}

/// Copies a body into one buffer. The chunks refer to the buffers of the connection, even if they are
/// small.
async fn collect(mut body: Body, first: usize, limit: usize) -> Read {
    let mut whole = Zeroizing::new(Vec::with_capacity(first));
    while let Some(frame) = body.frame().await {
        let Ok(frame) = frame else {
            return Read::Broken;
        };
        // Trailers have no effect.
        let Ok(chunk) = frame.into_data() else {
            continue;
        };
        if chunk.len() > limit - whole.len() {
            return Read::TooLarge;
        }
        let needed = whole.len() + chunk.len();
        if needed > whole.capacity() {
            // A vector that grows by itself would free its old buffer without wiping it.
            let mut larger = Zeroizing::new(Vec::with_capacity(needed.max(2 * whole.capacity())));
            larger.extend_from_slice(&whole);
            whole = larger;
        }
        whole.extend_from_slice(&chunk);
    }
    Read::Whole(whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_identity_is_not_encoded() {
        let encoded = |values: &[&str]| {
            let mut headers = HeaderMap::new();
            for value in values {
                headers.append(CONTENT_ENCODING, value.parse().unwrap());
            }
            is_encoded(&headers)
        };
        for plain in [&[] as &[_], &["identity"], &["Identity, identity"], &[""]] {
            assert!(!encoded(plain), "{plain:?}");
        }
        for other in [
            &["gzip"] as &[_],
            &["identity", "br"],
            &["identity, gzip"],
            &["x"],
        ] {
            assert!(encoded(other), "{other:?}");
        }
    }

    #[tokio::test]
    async fn a_body_without_a_length_is_collected_whole() {
        let chunks = (0..100).map(|number| Ok::<_, std::io::Error>(vec![number; 100]));
        let body = Body::from_stream(futures_util::stream::iter(chunks));
        let Read::Whole(whole) = collect(body, 16, 10_000).await else {
            panic!("not read");
        };
        assert_eq!((whole.len(), whole[0], whole[9_999]), (10_000, 0, 99));
    }
}
