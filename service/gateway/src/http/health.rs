//! Liveness, readiness, and metrics.

use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};

use super::answer;
use super::state::SharedAdmin;

/// `/healthz`: the process answers. An unreachable database does not require a restart.
pub(super) async fn alive() -> &'static str {
    "ok\n"
}

/// `/readyz`: the gateway can serve, because the database takes writes.
pub(super) async fn ready(State(admin): State<SharedAdmin>) -> Response {
    if admin.readiness.check(admin.storage.as_ref()).await {
        "ok\n".into_response()
    } else {
        answer::problem(StatusCode::SERVICE_UNAVAILABLE)
    }
}

/// `/metrics`: Prometheus text.
pub(super) async fn metrics(State(admin): State<SharedAdmin>) -> Response {
    let Some(handle) = &admin.metrics else {
        return answer::problem(StatusCode::NOT_FOUND);
    };
    if let Ok(pending) = admin.app.service.outbox.pending().await {
        let pending = u32::try_from(pending).unwrap_or(u32::MAX);
        metrics::gauge!("gateway_outbox_pending").set(pending);
    }
    (
        [(CONTENT_TYPE, "text/plain; version=0.0.4")],
        handle.render(),
    )
        .into_response()
}
