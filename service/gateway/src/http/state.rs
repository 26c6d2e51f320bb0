//! The state of the service, which all handlers share.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use metrics_exporter_prometheus::PrometheusHandle;

use super::attempts::Attempts;
use super::quotas::Quotas;
use super::readiness::Readiness;
use super::static_file::StaticFile;
use super::visitor::Checkout;
use crate::service::Service;

/// The state that the handlers share.
pub struct App {
    /// The operations of the gateway.
    pub service: Arc<Service>,
    /// Renders `/metrics`; if absent, the path is 404.
    pub metrics: Option<PrometheusHandle>,
    /// The failed attempts to act as an operator.
    pub attempts: Attempts,
    /// The built checkout page.
    pub page: Option<PathBuf>,
    /// The rights of the page; without them it can do nothing.
    pub checkout: Option<Checkout>,
    /// How long a request may take.
    pub timeout: Duration,
    /// Whether logs contain the addresses of clients.
    pub log_peers: bool,
    /// How much one merchant or address may do.
    pub quotas: Quotas,
    /// The last result of `/readyz`.
    pub readiness: Readiness,
    /// The document at `/openapi.json`.
    pub document: StaticFile,
}

impl App {
    /// Returns the time that a client may take for a body: half of all the time, so that there is
    /// some left to serve it.
    pub(super) fn body_time(&self) -> Duration {
        self.timeout / 2
    }
}

pub(super) type Shared = Arc<App>;
