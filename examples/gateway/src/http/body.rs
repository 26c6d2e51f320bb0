//! Reading a body up to a limit, and no byte beyond it.

use std::time::Duration;

use axum::body::Body;
use axum::http::header::CONTENT_LENGTH;
use axum::http::{HeaderMap, StatusCode};
use bytes::Bytes;
use http_body_util::{BodyExt, LengthLimitError, Limited};
use serde::de::DeserializeOwned;

/// What came of reading.
pub(super) enum Read {
    /// The whole body.
    Whole(Bytes),
    /// More than the limit, by Content-Length or while reading.
    TooLarge,
    /// The client takes too long.
    Late,
    /// The client has gone away, or sends no HTTP.
    Broken,
}

/// Reads a body of an endpoint outside the specification, or returns the status of the error.
pub(super) async fn read_small(
    headers: &HeaderMap,
    body: Body,
    limit: usize,
    time: Duration,
) -> Result<Bytes, StatusCode> {
    match read(headers, body, limit, time).await {
        Read::Whole(body) => Ok(body),
        Read::TooLarge => Err(StatusCode::PAYLOAD_TOO_LARGE),
        Read::Late => Err(StatusCode::REQUEST_TIMEOUT),
        Read::Broken => Err(StatusCode::BAD_REQUEST),
    }
}

/// A JSON object as a type of the gateway's own. serde alone takes an array for it, and its errors repeat what they found.
pub(super) fn object<T: DeserializeOwned>(body: &[u8]) -> Result<T, String> {
    if body.trim_ascii_start().first() != Some(&b'{') {
        return Err("expected a JSON object".to_owned());
    }
    serde_json::from_slice(body)
        .map_err(|error| format!("line {}, column {}: not the object that is documented", error.line(), error.column()))
}

/// Reads a body, for so long.
pub(super) async fn read(headers: &HeaderMap, body: Body, limit: usize, time: Duration) -> Read {
    let length = headers.get(CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse::<u64>().ok());
    if length.is_some_and(|length| usize::try_from(length).map_or(true, |length| length > limit)) {
        return Read::TooLarge;
    }
    match tokio::time::timeout(time, Limited::new(body, limit).collect()).await {
        Ok(Ok(whole)) => Read::Whole(whole.to_bytes()),
        Ok(Err(error)) if error.is::<LengthLimitError>() => Read::TooLarge,
        Ok(Err(_)) => Read::Broken,
        Err(_) => Read::Late,
    }
}
