//! Reading a body up to a limit, and no byte beyond it.

use std::time::Duration;

use axum::body::Body;
use axum::http::HeaderMap;
use axum::http::header::CONTENT_LENGTH;
use bytes::Bytes;
use http_body_util::{BodyExt, LengthLimitError, Limited};

/// What came of reading.
pub(super) enum Read {
    /// The whole body.
    Whole(Bytes),
    /// More than the limit: told by its length before it is read, or found while reading.
    TooLarge,
    /// The client takes too long.
    Late,
    /// The client has gone away, or sends no HTTP.
    Broken,
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
