//! The HTTP service: which path leads where.

mod answer;
mod body;
mod checkout;
mod connections;
mod docs;
mod document;
mod health;
mod observe;
mod operator;
mod payments;
mod quotas;
mod readiness;
mod serve;
mod state;
mod visitor;

use std::sync::Arc;

use axum::extract::DefaultBodyLimit;
use axum::http::StatusCode;
use axum::routing::{get, post};
use axum::{Router, middleware};
use tower_http::catch_panic::CatchPanicLayer;

pub use connections::ConnectionLimits;
pub use document::{DocumentError, document};
pub use quotas::Quotas;
pub use readiness::Readiness;
pub use serve::{ServeConfig, serve};
pub use state::App;
pub use visitor::{Checkout, Order};

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
    if app.checkout.is_some() {
        router = router.merge(checkout::api());
    }
    router
        .fallback(answer::not_found)
        .method_not_allowed_fallback(answer::method_not_allowed)
        // Handlers read bodies by themselves, up to the policy's limit.
        .layer(DefaultBodyLimit::disable())
        .layer(middleware::from_fn_with_state(Arc::clone(&app), observe::observe))
        .layer(CatchPanicLayer::custom(|_| answer::problem(StatusCode::INTERNAL_SERVER_ERROR)))
        .with_state(app)
}
