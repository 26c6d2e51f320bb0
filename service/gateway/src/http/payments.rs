//! The three endpoints of the specification (§4).

use axum::body::Body;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::header::AUTHORIZATION;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};

use payspec::{IdempotencyKey, IdempotencyKeyError};

use super::answer;
use super::body::{self, Read};
use super::header;
use super::state::Shared;
use crate::service::{Caller, EarlyLookup, Reply};
use crate::storage::StorageError;

/// The header of the key (D8).
pub(super) const IDEMPOTENCY_KEY: &str = "idempotency-key";

/// `POST /v1/payments/new`
pub(super) async fn create(
    State(app): State<Shared>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, StorageError> {
    let authorization = header::bytes(&headers, AUTHORIZATION.as_str());
    let key = Key::of(&app, &headers);
    let (caller, early) = app
        .service
        .caller_with_record(authorization.as_deref(), key.known())
        .await?;
    if let Some(limited) = app.quotas.merchant(&caller) {
        return Ok(limited);
    }
    create_with(&app, &caller, &key, early, &headers, body).await
}

/// Creates a payment for a caller that is known.
pub(super) async fn create_as(
    app: &Shared,
    caller: &Caller<'_>,
    headers: &HeaderMap,
    body: Body,
) -> Result<Response, StorageError> {
    create_with(app, caller, &Key::of(app, headers), None, headers, body).await
}

/// The idempotency key of a request, or the reason why it is not valid.
struct Key(Result<Option<IdempotencyKey>, IdempotencyKeyError>);

impl Key {
    fn of(app: &Shared, headers: &HeaderMap) -> Self {
        let header = header::bytes(headers, IDEMPOTENCY_KEY);
        let key = header.map(|header| app.service.engine.idempotency_key(&header));
        Self(key.transpose())
    }

    fn known(&self) -> Option<&IdempotencyKey> {
        self.0.as_ref().ok()?.as_ref()
    }
}

async fn create_with(
    app: &Shared,
    caller: &Caller<'_>,
    key: &Key,
    early: Option<EarlyLookup>,
    headers: &HeaderMap,
    body: Body,
) -> Result<Response, StorageError> {
    if caller.merchant().is_none() {
        // Without a merchant the answer is 401, so the body is not read.
        return Ok(app
            .service
            .create(caller, None, b"", early)
            .await?
            .into_response());
    }
    let key = match &key.0 {
        Ok(key) => key.as_ref(),
        // The key is checked before the body, so the body is not read.
        Err(error) => return Ok(Reply::of(&(*error).into()).into_response()),
    };
    let read = body::read(headers, body, app.service.body_limit(), app.body_time()).await;
    let (authorization, renewed);
    let (caller, early) = match early {
        // The token may have been revoked while the body arrived.
        Some(early) if !early.is_recent() => {
            authorization = header::bytes(headers, AUTHORIZATION.as_str());
            renewed = app
                .service
                .caller_with_record(authorization.as_deref(), key)
                .await?;
            (&renewed.0, renewed.1)
        }
        early => (caller, early),
    };
    let reply = match read {
        Read::Whole(body) => {
            debug_body(app, &body);
            app.service.create(caller, key, &body, early).await?
        }
        Read::TooLarge => app.service.too_large(caller, key).await?,
        Read::WrongType => return Ok(answer::problem(StatusCode::UNSUPPORTED_MEDIA_TYPE)),
        Read::Encoded => return Ok(answer::encoded()),
        Read::Late => return Ok(answer::problem(StatusCode::REQUEST_TIMEOUT)),
        // An incomplete body is answered like one that is not JSON.
        Read::Broken => app.service.create(caller, key, b"", early).await?,
    };
    count(&reply);
    Ok(reply.into_response())
}

/// `GET /v1/payments/{uid}/status`
pub(super) async fn status(
    State(app): State<Shared>,
    uid: Result<Path<String>, PathRejection>,
    headers: HeaderMap,
) -> Result<Response, StorageError> {
    let authorization = header::bytes(&headers, AUTHORIZATION.as_str());
    let uid = self::uid(uid);
    let (caller, stored) = app
        .service
        .caller_with_payment(authorization.as_deref(), &uid)
        .await?;
    if let Some(limited) = app.quotas.merchant(&caller) {
        return Ok(limited);
    }
    Ok(app
        .service
        .answer_read(&caller, &uid, stored.as_deref())?
        .into_response())
}

/// Returns the uid in a path. Bytes that are not UTF-8 become an empty text, which the library
/// answers with 404.
pub(super) fn uid(path: Result<Path<String>, PathRejection>) -> String {
    path.map_or_else(|_| String::new(), |Path(uid)| uid)
}

/// `GET /v1/partner/balance`
pub(super) async fn balance(
    State(app): State<Shared>,
    headers: HeaderMap,
) -> Result<Response, StorageError> {
    let authorization = header::bytes(&headers, AUTHORIZATION.as_str());
    let caller = app.service.caller(authorization.as_deref()).await?;
    if let Some(limited) = app.quotas.merchant(&caller) {
        return Ok(limited);
    }
    Ok(app.service.balance(&caller).await?.into_response())
}

fn count(reply: &Reply) {
    if reply.status == 201 {
        let replayed = if reply.replayed { "true" } else { "false" };
        metrics::counter!("gateway_payments_total", "replayed" => replayed).increment(1);
    }
}

fn debug_body(app: &Shared, body: &[u8]) {
    if tracing::enabled!(tracing::Level::DEBUG) {
        // Card numbers and security codes are masked; a body that is not a JSON object is not
        // logged.
        let body = app
            .service
            .engine
            .redact(body)
            .unwrap_or_else(|_| "not a JSON object".to_owned());
        tracing::debug!(body, "a creation request");
    }
}
