//! The state that handlers share.

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
use crate::storage::Administration;

/// The state that all handlers share.
pub struct App {
    /// The operations of the gateway.
    pub service: Arc<Service>,
    /// The folder of the built checkout page.
    pub page: Option<PathBuf>,
    /// The rights of the page. If absent, the page has no calls.
    pub checkout: Option<Checkout>,
    /// The longest time of a request.
    pub timeout: Duration,
    /// Whether logs contain the addresses of clients.
    pub log_peers: bool,
    /// The limits of a merchant and of an address.
    pub quotas: Quotas,
    /// Whether the page of the API is served at `/docs`. Its script is foreign and large, so it does not
    /// belong to the origin of a page for payers.
    pub docs: bool,
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

/// The state of the handlers for operators, probes, and scrapers.
pub struct Admin {
    /// The state that all handlers share.
    pub app: Arc<App>,
    /// The storage that operators change.
    pub storage: Arc<dyn Administration>,
    /// The source of `/metrics`. If absent, the path is 404.
    pub metrics: Option<PrometheusHandle>,
    /// The failed attempts to act as an operator.
    pub attempts: Attempts,
    /// The last result of `/readyz`.
    pub readiness: Readiness,
}

pub(super) type Shared = Arc<App>;
pub(super) type SharedAdmin = Arc<Admin>;
