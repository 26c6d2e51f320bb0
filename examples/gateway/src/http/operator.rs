//! The operator's endpoint, off unless a token is configured: moves a payment as `gateway advance` does.

use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::header::{AUTHORIZATION, WWW_AUTHENTICATE};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use payspec::bearer_token;
use subtle::ConstantTimeEq;

use super::body::{self, Read};
use super::{Shared, answer, payments};
use crate::service::{Change, Moved};
use crate::storage::StorageError;

/// A change is a few words.
const LIMIT: usize = 16 * 1024;

/// `POST /operator/payments/{uid}/advance`
pub(super) async fn advance(
    State(app): State<Shared>,
    Path(uid): Path<String>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, StorageError> {
    let header = payments::one(&headers, AUTHORIZATION.as_str());
    let shown = bearer_token(header.as_deref()).unwrap_or_default();
    let accepted =
        app.operator_token.as_ref().is_some_and(|token| bool::from(token.as_bytes().ct_eq(shown.as_bytes())));
    if !accepted {
        return Ok(([(WWW_AUTHENTICATE, "Bearer")], answer::problem(StatusCode::UNAUTHORIZED)).into_response());
    }
    let body = match body::read(&headers, body, LIMIT, app.body_time()).await {
        Read::Whole(body) => body,
        Read::TooLarge => return Ok(answer::problem(StatusCode::PAYLOAD_TOO_LARGE)),
        Read::Late => return Ok(answer::problem(StatusCode::REQUEST_TIMEOUT)),
        Read::Broken => return Ok(answer::problem(StatusCode::BAD_REQUEST)),
    };
    let change: Change = match serde_json::from_slice(&body) {
        Ok(change) => change,
        Err(error) => return Ok(answer::problem_at(StatusCode::UNPROCESSABLE_ENTITY, "", &error.to_string())),
    };
    Ok(match app.service.advance(&uid, &change).await? {
        Moved::Answer(reply) => reply.into_response(),
        Moved::Mistake { path, message } => answer::problem_at(StatusCode::UNPROCESSABLE_ENTITY, &path, &message),
    })
}
