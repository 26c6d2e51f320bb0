//! The HTTP service: which path leads where.

mod answer;
mod body;
mod checkout;
mod docs;
mod document;
mod health;
mod observe;
mod operator;
mod payments;
mod serve;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::DefaultBodyLimit;
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::{get, post};
use axum::{Router, middleware};
use bytes::Bytes;
use metrics_exporter_prometheus::PrometheusHandle;
use tower_http::catch_panic::CatchPanicLayer;

use crate::service::Service;

pub use document::{DocumentError, document};
pub use serve::serve;

/// What the handlers share.
pub struct App {
    /// What is done.
    pub service: Arc<Service>,
    /// Renders `/metrics`; if absent, the path is 404.
    pub metrics: Option<PrometheusHandle>,
    /// What operators show; without it there is no operator endpoint.
    pub operator_token: Option<zeroize::Zeroizing<String>>,
    /// The built checkout page.
    pub page: Option<PathBuf>,
    /// The merchant that the checkout page acts for; without it the page can do nothing.
    pub page_merchant: Option<String>,
    /// How long a request may take.
    pub timeout: Duration,
    /// What `/openapi.json` is.
    pub document: Bytes,
}

impl App {
    /// How long a client may take for a body: half of all the time, so that there is some left to serve it.
    fn body_time(&self) -> Duration {
        self.timeout / 2
    }
}

type Shared = Arc<App>;

/// The whole service.
pub fn router(app: App) -> Router {
    let app = Arc::new(app);
    let mut router = Router::new()
        .route("/v1/payments/new", post(payments::create))
        .route("/v1/payments/{uid}/status", get(payments::status))
        .route("/v1/partner/balance", get(payments::balance))
        .route("/openapi.json", get(docs::openapi))
        .route("/healthz", get(health::alive))
        .route("/readyz", get(health::ready))
        .merge(docs::routes());
    if app.metrics.is_some() {
        router = router.route("/metrics", get(health::metrics));
    }
    if app.operator_token.is_some() {
        router = router.route("/operator/payments/{uid}/advance", post(operator::advance));
    }
    if let Some(page) = &app.page {
        router = router.merge(checkout::page(page));
    }
    if app.page_merchant.is_some() {
        router = router.merge(checkout::api());
    }
    router
        .fallback(not_found)
        .method_not_allowed_fallback(method_not_allowed)
        // Handlers read bodies by themselves, up to the policy's limit.
        .layer(DefaultBodyLimit::disable())
        .layer(middleware::from_fn_with_state(Arc::clone(&app), observe::observe))
        .layer(CatchPanicLayer::custom(|_| answer::problem(StatusCode::INTERNAL_SERVER_ERROR)))
        .with_state(app)
}

async fn not_found() -> Response {
    answer::problem(StatusCode::NOT_FOUND)
}

async fn method_not_allowed() -> Response {
    answer::problem(StatusCode::METHOD_NOT_ALLOWED)
}
