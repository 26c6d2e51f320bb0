//! Reading a body of JSON up to a limit, and no byte beyond it.

use std::time::Duration;

use axum::body::{Body, HttpBody};
use axum::http::header::{ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use bytes::{Bytes, BytesMut};
use http_body_util::BodyExt;
use serde::de::DeserializeOwned;

use super::answer;

/// The result of reading.
pub(super) enum Read {
    /// The whole body.
    Whole(Bytes),
    /// More than the limit, by Content-Length or while reading.
    TooLarge,
    /// A body without `Content-Type: application/json`. It is not read.
    NotJson,
    /// A body with a Content-Encoding other than identity. It is not read.
    Encoded,
    /// The client takes too long.
    Late,
    /// The client has gone away, or sends no HTTP.
    Broken,
}

/// Returns the answer to a body that is compressed.
pub(super) fn encoded() -> Response {
    let response = answer::problem(StatusCode::UNSUPPORTED_MEDIA_TYPE);
    ([(ACCEPT_ENCODING, "identity")], response).into_response()
}

/// Reads a body of an endpoint outside the specification, or returns the answer of the error.
pub(super) async fn read_small(
    headers: &HeaderMap,
    body: Body,
    limit: usize,
    time: Duration,
) -> Result<Bytes, Box<Response>> {
    let status = match read(headers, body, limit, time).await {
        Read::Whole(body) => return Ok(body),
        Read::Encoded => return Err(Box::new(encoded())),
        Read::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
        Read::NotJson => StatusCode::UNSUPPORTED_MEDIA_TYPE,
        Read::Late => StatusCode::REQUEST_TIMEOUT,
        Read::Broken => StatusCode::BAD_REQUEST,
    };
    Err(Box::new(answer::problem(status)))
}

/// Parses a JSON object as a type of the gateway. serde alone takes an array for it, and its errors
/// repeat what they found.
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

/// Returns whether a body is JSON by its Content-Type, with any parameters. Two of them contradict
/// each other.
///
/// A web page may send other types to another origin without asking it first, so the check also
/// stops foreign pages.
fn is_json(headers: &HeaderMap) -> bool {
    let mut types = headers.get_all(CONTENT_TYPE).iter();
    let media_type = types
        .next()
        .and_then(|value| value.to_str().ok()?.split(';').next());
    types.next().is_none()
        && media_type.is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json"))
}

/// Returns whether the bytes of a body are the body itself, by its Content-Encoding.
fn is_identity(headers: &HeaderMap) -> bool {
    let mut values = headers.get_all(CONTENT_ENCODING).iter();
    values.all(|value| {
        let codings = value.to_str().unwrap_or("?").split(',').map(str::trim);
        codings
            .filter(|coding| !coding.is_empty())
            .all(|coding| coding.eq_ignore_ascii_case("identity"))
    })
}

/// Reads a body, for so long.
pub(super) async fn read(headers: &HeaderMap, body: Body, limit: usize, time: Duration) -> Read {
    if !body.is_end_stream() && !is_identity(headers) {
        return Read::Encoded;
    }
    if !body.is_end_stream() && !is_json(headers) {
        return Read::NotJson;
    }
    let length = headers
        .get(CONTENT_LENGTH)
        .and_then(|value| value.to_str().ok()?.parse::<u64>().ok());
    if length.is_some_and(|length| usize::try_from(length).map_or(true, |length| length > limit)) {
        return Read::TooLarge;
    }
    tokio::time::timeout(time, collect(body, limit))
        .await
        .unwrap_or(Read::Late)
}

/// Copies a body into one buffer: its chunks hold on to the buffers of the connection, however
/// small they are.
async fn collect(mut body: Body, limit: usize) -> Read {
    let mut whole = BytesMut::new();
    while let Some(frame) = body.frame().await {
        let Ok(frame) = frame else {
            return Read::Broken;
        };
        // Trailers are passed over.
        let Ok(chunk) = frame.into_data() else {
            continue;
        };
        if chunk.len() > limit - whole.len() {
            return Read::TooLarge;
        }
        whole.extend_from_slice(&chunk);
    }
    Read::Whole(whole.freeze())
}
