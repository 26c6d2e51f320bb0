//! The operator's endpoint, off unless a token is configured: moves a payment as `gateway advance` does.

use axum::body::Body;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::header::{AUTHORIZATION, WWW_AUTHENTICATE};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use payspec::bearer_token;
use subtle::ConstantTimeEq;

use super::state::Shared;
use super::{answer, body, payments};
use crate::service::{AdvanceResult, Change};
use crate::storage::StorageError;

/// A change is a few words.
const LIMIT: usize = 16 * 1024;

/// `POST /operator/payments/{uid}/advance`
pub(super) async fn advance(
    State(app): State<Shared>,
    uid: Result<Path<String>, PathRejection>,
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
    let body = match body::read_small(&headers, body, LIMIT, app.body_time()).await {
        Ok(body) => body,
        Err(status) => return Ok(answer::problem(status)),
    };
    let change: Change = match body::object(&body) {
        Ok(change) => change,
        Err(why) => return Ok(answer::problem_at(StatusCode::UNPROCESSABLE_ENTITY, "", &why)),
    };
    Ok(match app.service.advance(&payments::uid(uid), &change).await? {
        AdvanceResult::Reply(reply) => reply.into_response(),
        AdvanceResult::InvalidChange { path, message } => {
            answer::problem_at(StatusCode::UNPROCESSABLE_ENTITY, &path, &message)
        }
    })
}
