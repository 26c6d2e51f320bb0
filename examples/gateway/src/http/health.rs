//! Whether the gateway lives, whether it can serve, and what it counts.

use std::time::Duration;

use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use tokio::sync::Mutex;
use tokio::time::Instant;

use super::answer;
use super::state::Shared;
use crate::storage::Storage;

/// `/healthz`: the process answers. An unreachable database does not require a restart.
pub(super) async fn alive() -> &'static str {
    "ok\n"
}

/// What the last check of the database has found, and when.
#[derive(Default)]
pub struct Readiness(Mutex<Option<(Instant, bool)>>);

/// A check is a write, so strangers cannot cause more of them than this allows.
const KEPT: Duration = Duration::from_millis(500);
/// A writer that takes longer serves no payments in time.
const PATIENCE: Duration = Duration::from_secs(3);

impl Readiness {
    async fn check(&self, storage: &dyn Storage) -> bool {
        let mut last = self.0.lock().await;
        if let Some((_, is_ready)) = last.filter(|(at, _)| at.elapsed() < KEPT) {
            return is_ready;
        }
        let is_ready = match tokio::time::timeout(PATIENCE, storage.ping()).await {
            Ok(Ok(())) => true,
            Ok(Err(error)) => {
                tracing::warn!(%error, "not ready");
                false
            }
            Err(_) => {
                tracing::warn!("not ready: the database does not write in time");
                false
            }
        };
        *last = Some((Instant::now(), is_ready));
        is_ready
    }
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
    let Some(handle) = &app.metrics else { return answer::problem(StatusCode::NOT_FOUND) };
    if let Ok(pending) = app.service.storage.pending().await {
        let pending = u32::try_from(pending).unwrap_or(u32::MAX);
        metrics::gauge!("gateway_outbox_pending").set(pending);
    }
    ([(CONTENT_TYPE, "text/plain; version=0.0.4")], handle.render()).into_response()
}
