//! The checkout page and the few calls that it makes.
//!
//! A payer's browser must not hold a merchant's token. The merchant's server creates a session with
//! amount, currency and order, and sends the payer to its address; with the id of the session the
//! page creates one pay-in of this order. For demonstrations, `--page-merchant` lets visitors
//! create sessions of the order of `--page-order` by themselves.

use std::path::Path;
use std::time::Duration;

use axum::Extension;
use axum::Json;
use axum::Router;
use axum::body::Body;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path as UrlPath, State};
use axum::http::header::CONTENT_LENGTH;
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::middleware;
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{any, get, get_service, post};
use payspec::{ConvertContext, Currency};
use serde::{Deserialize, Serialize};
use tower_http::services::{ServeDir, ServeFile};

use super::answer::{self, method_not_allowed, not_found};
use super::client::Client;
use super::state::Shared;
use super::visitor::{Checkout, Demonstration, Order, VisitorRequest};
use super::{body, header, page_headers, payments, reports, sessions, visitor};
use crate::service::{Caller, Reply};
use crate::storage::{CheckoutSession, MerchantProfile, StorageError};

/// The session that a request belongs to. A page of another origin cannot send it without being
/// allowed to.
const CHECKOUT_SESSION: &str = "checkout-session";
/// The header with the proof from the `url` of a payment.
const CHECKOUT_VIEW: &str = "checkout-view";
/// The time for which a session of a demonstration is open.
const DEMONSTRATION: Duration = Duration::from_secs(60 * 60);

/// Returns the built page. A path without a file is the page itself: `/checkout/{uid}` follows a
/// payment.
pub(super) fn page(folder: &Path) -> Router<Shared> {
    let files = ServeDir::new(folder).fallback(ServeFile::new(folder.join("index.html")));
    Router::new()
        .route("/", get(|| async { Redirect::to("/checkout/") }))
        .nest_service("/checkout", get_service(files).fallback(method_not_allowed))
        .layer(middleware::map_response(page_headers::add))
}

/// Returns the endpoints of the page.
pub(super) fn api() -> Router<Shared> {
    Router::new()
        .route("/checkout/api/config", get(config))
        .route("/checkout/api/sessions", post(demonstrate))
        .route("/checkout/api/sessions/{id}", get(session))
        .route("/checkout/api/payments", post(create))
        .route("/checkout/api/payments/{uid}", get(status))
        .route("/checkout/api/payments/{uid}/merchant", get(merchant))
        .route("/checkout/api/convert", post(convert))
        .route(page_headers::REPORTS, post(reports::receive))
        // Not the page, which answers for every other path below.
        .route("/checkout/api/{*rest}", any(not_found))
        .layer(answer::varies_by(
            "checkout-session, checkout-view, origin, sec-fetch-site",
        ))
}

/// Checks if the key is one of the page: random, so that it does not lead to another visitor's
/// payment.
fn is_page_key(headers: &HeaderMap) -> bool {
    let key = header::one(headers, payments::IDEMPOTENCY_KEY);
    key.is_none_or(|key| key.len() == 32 && key.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

/// Returns the session of a request.
async fn session_of(
    app: &Shared,
    headers: &HeaderMap,
) -> Result<Option<CheckoutSession>, StorageError> {
    match header::one(headers, CHECKOUT_SESSION) {
        Some(id) => sessions::find(app, &id).await,
        None => Ok(None),
    }
}

/// A session as a visitor sees it.
#[derive(Serialize)]
struct Session<'a> {
    id: &'a str,
    merchant: &'a str,
    /// The registered name of the merchant.
    name: &'a str,
    order: &'a str,
    amount: &'a str,
    currency: &'a str,
}

impl<'a> Session<'a> {
    fn of(session: &'a CheckoutSession, profile: &'a MerchantProfile) -> Self {
        let CheckoutSession {
            id,
            merchant,
            order_id,
            amount,
            currency,
            ..
        } = session;
        Self {
            id,
            merchant,
            name: &profile.name,
            order: order_id,
            amount,
            currency,
        }
    }
}

/// Creates a session of a demonstration.
async fn demonstrate(
    State(app): State<Shared>,
    Extension(client): Extension<Client>,
    headers: HeaderMap,
) -> Result<Response, StorageError> {
    let Some(checkout) = &app.checkout else {
        return Ok(answer::problem(StatusCode::NOT_FOUND));
    };
    if let Some(refused) = checkout.refuse(&headers, client) {
        return Ok(refused);
    }
    let Some(Demonstration { merchant, order }) = &checkout.demonstration else {
        return Ok(answer::problem(StatusCode::NOT_FOUND));
    };
    let session = sessions::add(&app, merchant, None, order, None, DEMONSTRATION).await?;
    let profile = app.service.storage.profile(merchant).await?;
    Ok(match &session {
        Some(session) => {
            (StatusCode::CREATED, Json(Session::of(session, &profile))).into_response()
        }
        None => answer::problem(StatusCode::CONFLICT),
    })
}

/// Returns the order of a session.
async fn session(
    State(app): State<Shared>,
    id: Result<UrlPath<String>, PathRejection>,
    headers: HeaderMap,
) -> Result<Response, StorageError> {
    let Some(checkout) = &app.checkout else {
        return Ok(answer::problem(StatusCode::NOT_FOUND));
    };
    if !checkout.is_from_page(&headers) {
        return Ok(answer::problem(StatusCode::FORBIDDEN));
    }
    let session = sessions::find(&app, &payments::uid(id))
        .await?
        .filter(|session| checkout.can_pay(session));
    let Some(session) = session else {
        return Ok(answer::problem(StatusCode::NOT_FOUND));
    };
    let profile = app.service.storage.profile(&session.merchant).await?;
    Ok(Json(Session::of(&session, &profile)).into_response())
}

#[derive(Serialize)]
struct Config<'a> {
    merchant: &'a str,
    amount: &'a str,
    currency: &'a str,
    /// The largest body that is taken.
    body_bytes: usize,
}

async fn config(State(app): State<Shared>) -> Response {
    let demonstration = app
        .checkout
        .as_ref()
        .and_then(|checkout| checkout.demonstration.as_ref());
    let Some(Demonstration { merchant, order }) = demonstration else {
        return answer::problem(StatusCode::NOT_FOUND);
    };
    let Order { amount, currency } = order;
    Json(Config {
        merchant,
        amount,
        currency,
        body_bytes: app.service.body_limit(),
    })
    .into_response()
}

/// Creates the payment of a session for a visitor; the answer is that of `POST /v1/payments/new`.
async fn create(
    State(app): State<Shared>,
    Extension(client): Extension<Client>,
    mut headers: HeaderMap,
    body: Body,
) -> Result<Response, StorageError> {
    let Some(checkout) = &app.checkout else {
        return Ok(answer::problem(StatusCode::NOT_FOUND));
    };
    if let Some(refused) = checkout.refuse(&headers, client) {
        return Ok(refused);
    }
    if !is_page_key(&headers) {
        return Ok(answer::problem(StatusCode::BAD_REQUEST));
    }
    if payable(&app, checkout, &headers).await?.is_none() {
        return Ok(answer::problem(StatusCode::NOT_FOUND));
    }
    let body =
        match body::read_small(&headers, body, app.service.body_limit(), app.body_time()).await {
            Ok(body) => body,
            Err(refused) => return Ok(refused),
        };
    // The session may have ended while the body arrived.
    let Some(session) = payable(&app, checkout, &headers).await? else {
        return Ok(answer::problem(StatusCode::NOT_FOUND));
    };
    let Some(body) = VisitorRequest::of(&body, checkout, &session) else {
        return Ok(answer::problem(StatusCode::UNPROCESSABLE_ENTITY));
    };
    headers.remove(CONTENT_LENGTH);
    // The payment of a session has the session as its key, and not the one that the visitor has
    // chosen: so there is one at most.
    let key =
        HeaderValue::from_str(&session.id).map_err(|_| StorageError::Row("an id of a session"))?;
    headers.insert(payments::IDEMPOTENCY_KEY, key);
    payments::create_as(
        &app,
        &Caller::page(&session.merchant),
        &headers,
        Body::from(bytes::Bytes::from_owner(body)),
    )
    .await
}

/// Returns the session of a request, if its order can be paid or is paid. After its payment, a session
/// answers as the key does, also after its end.
async fn payable(
    app: &Shared,
    checkout: &Checkout,
    headers: &HeaderMap,
) -> Result<Option<CheckoutSession>, StorageError> {
    let Some(session) = session_of(app, headers).await? else {
        return Ok(None);
    };
    let is_payable =
        checkout.can_pay(&session) || app.service.session_record(&session).await?.is_some();
    Ok(is_payable.then_some(session))
}

/// Returns the Payment, as of `GET /v1/payments/{uid}/status`.
async fn status(
    State(app): State<Shared>,
    uid: Result<UrlPath<String>, PathRejection>,
    headers: HeaderMap,
) -> Result<Response, StorageError> {
    let uid = payments::uid(uid);
    let merchant = match merchant_of(&app, &headers, &uid).await? {
        Ok(merchant) => merchant,
        Err(refused) => return Ok(answer::problem(refused)),
    };
    Ok(app
        .service
        .read(&Caller::page(&merchant), &uid)
        .await?
        .into_response())
}

/// Finds the merchant whose payment the page may show: that of the session if it is its payment, that
/// of the payment if the payer has its `url`, or that of the demonstration.
async fn merchant_of(
    app: &Shared,
    headers: &HeaderMap,
    uid: &str,
) -> Result<Result<String, StatusCode>, StorageError> {
    let Some(checkout) = &app.checkout else {
        return Ok(Err(StatusCode::NOT_FOUND));
    };
    if !checkout.is_from_page(headers) {
        return Ok(Err(StatusCode::FORBIDDEN));
    }
    let view = header::one(headers, CHECKOUT_VIEW).unwrap_or_default();
    let merchant = match session_of(app, headers).await? {
        Some(session) if sessions::payment_of(app, &session).await?.as_deref() == Some(uid) => {
            Some(session.merchant)
        }
        _ => app.service.merchant_of_view(uid, &view).await?,
    };
    let merchant = match merchant {
        Some(merchant) => Some(merchant),
        None => checkout
            .demonstration
            .as_ref()
            .map(|demonstration| demonstration.merchant.clone()),
    };
    Ok(merchant.ok_or(StatusCode::NOT_FOUND))
}

/// The merchant of a payment as the page shows it.
#[derive(Serialize)]
struct Merchant<'a> {
    name: &'a str,
    /// That of the payment, if it leads to an origin that the operator has registered for the
    /// merchant.
    redirect_url: Option<String>,
}

/// The part of a Payment that is needed here.
#[derive(Deserialize)]
struct Returning {
    redirect_url: Option<String>,
}

/// Returns the merchant of a payment, and the origins to which the payer may return.
async fn merchant(
    State(app): State<Shared>,
    uid: Result<UrlPath<String>, PathRejection>,
    headers: HeaderMap,
) -> Result<Response, StorageError> {
    let uid = payments::uid(uid);
    let merchant = match merchant_of(&app, &headers, &uid).await? {
        Ok(merchant) => merchant,
        Err(refused) => return Ok(answer::problem(refused)),
    };
    let read = app.service.read(&Caller::page(&merchant), &uid).await?;
    if read.status != 200 {
        return Ok(read.into_response());
    }
    let payment: Returning = serde_json::from_str(&read.body)
        .map_err(|_| StorageError::Row("a payment that is not an object"))?;
    let mut profile = app.service.storage.profile(&merchant).await?;
    // In a demonstration, the page is the shop.
    if let Some(checkout) = app
        .checkout
        .as_ref()
        .filter(|checkout| checkout.is_demonstration_of(&merchant))
    {
        profile.origins.extend_from_slice(checkout.origins());
    }
    let redirect_url = payment
        .redirect_url
        .and_then(|url| visitor::registered(&url, &profile));
    Ok(Json(Merchant {
        name: &profile.name,
        redirect_url,
    })
    .into_response())
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Conversion {
    amount: String,
    currency: String,
}

/// Returns an amount in USDT at the current rate: the library's answer, 200 or 455.
async fn convert(
    State(app): State<Shared>,
    Extension(client): Extension<Client>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, StorageError> {
    const LIMIT: usize = 1024;
    if let Some(refused) = app
        .checkout
        .as_ref()
        .and_then(|checkout| checkout.refuse(&headers, client))
    {
        return Ok(refused);
    }
    let unprocessable = || answer::problem(StatusCode::UNPROCESSABLE_ENTITY);
    let body = match body::read_small(&headers, body, LIMIT, app.body_time()).await {
        Ok(body) => body,
        Err(refused) => return Ok(refused),
    };
    let Ok(asked) = body::object::<Conversion>(&body) else {
        return Ok(unprocessable());
    };
    let Some(currency) = asked
        .currency
        .parse()
        .ok()
        .filter(|currency: &Currency| currency.is_fiat())
    else {
        return Ok(unprocessable());
    };
    let now = app.service.storage.now().await?;
    let quote = app.service.rates.quote(currency, now).await.ok().flatten();
    let Ok(amount) = asked.amount.parse() else {
        return Ok(unprocessable());
    };
    let mut context = ConvertContext::new(amount, currency, quote);
    context.now = Some(now);
    Ok(Reply::of(&app.service.engine.convert(&context)).into_response())
}
