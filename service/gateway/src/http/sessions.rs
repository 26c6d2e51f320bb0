//! Checkout sessions: a merchant states amount, currency, and order, and gets the address of the
//! page for the payer.

use std::time::Duration;

use axum::Json;
use axum::Router;
use axum::body::Body;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::header::AUTHORIZATION;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use serde::{Deserialize, Serialize};

use super::state::Shared;
use super::visitor::Order;
use super::{answer, body, header, payments, visitor};
use crate::service::{Caller, IdKind};
use crate::storage::{CheckoutSession, StorageError};

/// The hexadecimal digits of an id.
const ID: usize = 32;
/// The largest body: a session is a few words.
const LIMIT: usize = 4 * 1024;
/// The seconds until a session expires, unless the request sets them.
const EXPIRES_IN: u32 = 60 * 60;
/// The most seconds until a session expires.
const LONGEST: u32 = 30 * 24 * 60 * 60;
/// The number of characters of an order's id.
const ORDER: std::ops::RangeInclusive<usize> = 1..=128;

/// Returns the endpoints of merchants.
pub(super) fn routes() -> Router<Shared> {
    Router::new()
        .route("/checkout/sessions", post(create))
        .route("/checkout/sessions/{id}", get(read).delete(close))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NewSession {
    amount: String,
    currency: String,
    order: String,
    expires_in: Option<u32>,
    /// The address to which the payer returns.
    redirect_url: Option<String>,
}

#[derive(Serialize)]
struct Session<'a> {
    id: &'a str,
    url: &'a str,
    order: &'a str,
    amount: &'a str,
    currency: &'a str,
    /// Whether a payment can be created.
    open: bool,
    /// The uid of the payment.
    payment: Option<&'a str>,
}

/// The part of a Payment that is needed here.
#[derive(Deserialize)]
struct Created {
    uid: String,
}

/// `POST /checkout/sessions`. A repeated request for an order has the session of the first one,
/// with a new expiry.
async fn create(
    State(app): State<Shared>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, StorageError> {
    let authorization = header::bytes(&headers, AUTHORIZATION.as_str());
    let caller = app.service.caller(authorization.as_deref()).await?;
    let Some(merchant) = caller.merchant() else {
        return unauthorized(&app, &caller).await;
    };
    if let Some(limited) = app.quotas.merchant(&caller) {
        return Ok(limited);
    }
    let body = match body::read_small(&headers, body, LIMIT, app.body_time()).await {
        Ok(body) => body,
        Err(refused) => return Ok(refused),
    };
    let unprocessable = |path: &str, detail: &str| {
        answer::problem_at(StatusCode::UNPROCESSABLE_ENTITY, path, detail)
    };
    let new: NewSession = match body::object(&body) {
        Ok(new) => new,
        Err(detail) => return Ok(unprocessable("", &detail)),
    };
    let order = Order {
        amount: new.amount,
        currency: new.currency,
    };
    if let Some(member) = order.invalid_member(&app.service.engine) {
        return Ok(unprocessable(member, "no payment can have it"));
    }
    if !ORDER.contains(&new.order.chars().count()) || new.order.chars().any(char::is_control) {
        return Ok(unprocessable(
            "/order",
            "expected 1 to 128 characters, none of them a control character",
        ));
    }
    let seconds = new.expires_in.unwrap_or(EXPIRES_IN);
    if !(1..=LONGEST).contains(&seconds) {
        return Ok(unprocessable(
            "/expires_in",
            "expected 1 to 2592000 seconds",
        ));
    }
    let time = Duration::from_secs(u64::from(seconds));
    if let Some(url) = &new.redirect_url {
        let profile = app.service.storage.profile(merchant).await?;
        if visitor::registered(url, &profile).is_none() {
            return Ok(unprocessable(
                "/redirect_url",
                "expected a URL of an origin that is registered for the merchant",
            ));
        }
    }
    let session = add(
        &app,
        merchant,
        Some(new.order),
        &order,
        new.redirect_url,
        time,
    )
    .await?;
    match session {
        Some(session) => show(&app, StatusCode::CREATED, &session).await,
        // The order has a session with another amount.
        None => Ok(answer::problem(StatusCode::CONFLICT)),
    }
}

/// `GET /checkout/sessions/{id}`
async fn read(
    State(app): State<Shared>,
    id: Result<Path<String>, PathRejection>,
    headers: HeaderMap,
) -> Result<Response, StorageError> {
    match own(&app, id, &headers).await? {
        Ok(session) => show(&app, StatusCode::OK, &session).await,
        Err(refused) => Ok(refused),
    }
}

/// `DELETE /checkout/sessions/{id}`: the order cannot be paid any more. Returns the session, with the
/// uid of a payment that was made before.
async fn close(
    State(app): State<Shared>,
    id: Result<Path<String>, PathRejection>,
    headers: HeaderMap,
) -> Result<Response, StorageError> {
    let mut session = match own(&app, id, &headers).await? {
        Ok(session) => session,
        Err(refused) => return Ok(refused),
    };
    app.service.storage.close_session(&session.id).await?;
    session.is_open = false;
    show(&app, StatusCode::OK, &session).await
}

/// Returns a session of the merchant that calls, or the answer without one.
async fn own(
    app: &Shared,
    id: Result<Path<String>, PathRejection>,
    headers: &HeaderMap,
) -> Result<Result<CheckoutSession, Response>, StorageError> {
    let authorization = header::bytes(headers, AUTHORIZATION.as_str());
    let caller = app.service.caller(authorization.as_deref()).await?;
    let Some(merchant) = caller.merchant() else {
        return unauthorized(app, &caller).await.map(Err);
    };
    if let Some(limited) = app.quotas.merchant(&caller) {
        return Ok(Err(limited));
    }
    let session = find(app, &payments::uid(id)).await?;
    let own = session.filter(|session| session.merchant == merchant);
    Ok(own.ok_or_else(|| answer::problem(StatusCode::NOT_FOUND)))
}

/// Returns the session with an id, if the text is one.
pub(super) async fn find(app: &Shared, id: &str) -> Result<Option<CheckoutSession>, StorageError> {
    let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    if id.len() != ID || !id.bytes().all(is_digit) {
        return Ok(None);
    }
    app.service.storage.session(id).await
}

/// Adds a session. Returns `None` if the order has one with another amount. Without an order it has
/// one of its own.
pub(super) async fn add(
    app: &Shared,
    merchant: &str,
    order_id: Option<String>,
    order: &Order,
    redirect_url: Option<String>,
    time: Duration,
) -> Result<Option<CheckoutSession>, StorageError> {
    let id = app.service.ids.next(IdKind::Session).simple().to_string();
    let session = CheckoutSession {
        order_id: order_id.unwrap_or_else(|| id.clone()),
        id,
        merchant: merchant.to_owned(),
        amount: order.amount.clone(),
        currency: order.currency.clone(),
        redirect_url,
        is_open: true,
        is_merchant_active: true,
    };
    app.service.usage.check(merchant, session.bytes()).await?;
    let added = app.service.storage.add_session(&session, time).await?;
    // The session of an earlier request is counted already.
    if added.as_ref().is_some_and(|added| added.id == session.id) {
        app.service.usage.add(merchant, session.bytes());
    }
    Ok(added)
}

/// Returns the uid of the payment of a session.
pub(super) async fn payment_of(
    app: &Shared,
    session: &CheckoutSession,
) -> Result<Option<String>, StorageError> {
    let Some(record) = app.service.session_record(session).await? else {
        return Ok(None);
    };
    serde_json::from_str(&record.payment)
        .map(|Created { uid }| Some(uid))
        .map_err(|_| StorageError::Row("a payment without a uid"))
}

async fn show(
    app: &Shared,
    status: StatusCode,
    session: &CheckoutSession,
) -> Result<Response, StorageError> {
    let page = app
        .checkout
        .as_ref()
        .map_or("", |checkout| checkout.page.as_str());
    let uid = payment_of(app, session).await?;
    let CheckoutSession {
        id,
        order_id,
        amount,
        currency,
        is_open,
        ..
    } = session;
    let url = format!("{page}?session={id}");
    let open = *is_open && uid.is_none();
    let shown = Session {
        id,
        url: &url,
        order: order_id,
        amount,
        currency,
        open,
        payment: uid.as_deref(),
    };
    Ok((status, Json(shown)).into_response())
}

/// Returns the library's answer to a request without a valid token.
async fn unauthorized(app: &Shared, caller: &Caller<'_>) -> Result<Response, StorageError> {
    Ok(app.service.read(caller, "").await?.into_response())
}
