//! Whether the gateway lives, whether it can serve, and what it counts.

use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};

use super::answer;
use super::state::Shared;

/// `/healthz`: the process answers. An unreachable database does not require a restart.
pub(super) async fn alive() -> &'static str {
    "ok\n"
}

/// `/readyz`: it can serve, because the database takes writes.
pub(super) async fn ready(State(app): State<Shared>) -> Response {
    if app.readiness.check(app.service.storage.as_ref()).await {
        "ok\n".into_response()
    } else {
        answer::problem(StatusCode::SERVICE_UNAVAILABLE)
    }
}

/// `/metrics`: Prometheus text.
pub(super) async fn metrics(State(app): State<Shared>) -> Response {
    let Some(handle) = &app.metrics else {
        return answer::problem(StatusCode::NOT_FOUND);
    };
    if let Ok(pending) = app.service.storage.pending().await {
        let pending = u32::try_from(pending).unwrap_or(u32::MAX);
        metrics::gauge!("gateway_outbox_pending").set(pending);
    }
    (
        [(CONTENT_TYPE, "text/plain; version=0.0.4")],
        handle.render(),
    )
        .into_response()
}
