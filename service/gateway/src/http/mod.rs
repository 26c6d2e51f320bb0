//! The HTTP service: the handlers of each path.

mod answer;
mod attempts;
mod body;
mod checkout;
mod client;
mod connections;
mod docs;
mod document;
mod header;
mod health;
mod host;
mod observe;
mod operator;
mod page_headers;
mod payments;
mod problem;
mod quotas;
mod readiness;
mod reports;
mod serve;
mod sessions;
mod state;
mod static_file;
mod unread;
mod visitor;
mod wiped;

use std::sync::Arc;

use axum::http::StatusCode;
use axum::routing::{get, post};
use axum::{Router, middleware};
use tower_http::catch_panic::CatchPanicLayer;

pub use attempts::Attempts;
pub use connections::ConnectionLimits;
pub use document::{DocumentError, document};
pub use page_headers::{HTML_HEADERS, PAGE_HEADERS};
pub use problem::{HTTP_PROBLEMS, HttpProblem, http_problem};
pub use quotas::Quotas;
pub use readiness::Readiness;
pub use serve::{ServeConfig, serve};
pub use state::{Admin, App};
pub use static_file::StaticFile;
pub use visitor::{Checkout, Demonstration, Order};

/// Returns the public routes, for merchants and visitors.
pub fn router(app: Arc<App>) -> Router {
    let mut router = Router::new()
        .route("/v1/payments/new", post(payments::create))
        .route("/v1/payments/{uid}/status", get(payments::status))
        .route("/v1/partner/balance", get(payments::balance))
        .route("/openapi.json", get(docs::openapi))
        .route("/healthz", get(health::alive));
    if app.docs {
        router = router.merge(docs::routes());
    }
    if let Some(page) = &app.page {
        router = router.merge(checkout::page(page));
    }
    if app.checkout.is_some() {
        router = router.merge(checkout::api()).merge(sessions::routes());
    }
    finish(router, Arc::clone(&app), app)
}

/// Returns the routes for operators, probes, and scrapers, on an address of their own.
pub fn admin_router(admin: Arc<Admin>) -> Router {
    let router = Router::new()
        .route("/operator/payments/{uid}/advance", post(operator::advance))
        .route("/operator/audit", get(operator::audit))
        .route("/healthz", get(health::alive))
        .route("/readyz", get(health::ready))
        .route("/metrics", get(health::metrics));
    finish(router, Arc::clone(&admin.app), admin)
}

/// Adds the layers that all requests pass, and the state of the handlers.
fn finish<S: Clone + Send + Sync + 'static>(router: Router<S>, app: Arc<App>, state: S) -> Router {
    router
        .fallback(answer::not_found)
        .method_not_allowed_fallback(answer::method_not_allowed)
        // One layer of two parts, since each layer of a router allocates for each request. The second
        // part is inside of the first one, so that a panic has its line in the log too.
        .layer((
            middleware::from_fn_with_state(app, observe::observe),
            CatchPanicLayer::custom(|_| answer::problem(StatusCode::INTERNAL_SERVER_ERROR)),
        ))
        .with_state(state)
}
